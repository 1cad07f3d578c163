"""Every two spaces of the shelf: how alike they are, and how far one serves for the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from relviz.compute.jobs import Ticket
from relviz.compute.key import text_digest, value_digest
from relviz.compute.task import Task, task
from relviz.errors import Error
from relviz.measure import anchor_retrieval, cka
from relviz.pair import Pair
from relviz.results.comparison import drawn_count
from relviz.results.heads import TEST, labels_of, names_of
from relviz.sheet import Sheet
from relviz.space import Space
from relviz.state.shelf import shelf_of
from relviz.state.sources import open_space
from relviz.stitching import stitch
from relviz.translation import TranslationMethod
from relviz.wording import count

FIGURES = {"cka": "CKA", "mrr_at_k": "MRR@k", "accuracy": "Stitched accuracy"}
QUERIES, RUNS = 1000, 2
METHOD: TranslationMethod = "irp_plus"
LEAST_ANCHORS = 2


@dataclass(frozen=True)
class Unmatched:
    """Two spaces, by their places, whose rows cannot be matched, and why."""

    one: int
    other: int
    reason: str


@dataclass(frozen=True, eq=False)
class AllPairs:
    """All pairs of ``s`` spaces, through ``anchors`` anchors of seed ``seed``.

    ``figures`` are those of ``FIGURES``, each ``(s, s)`` from the space of the row to that of the column and
    NaN where there is none; the diagonal of accuracy is each head on its own encoder. ``rows`` ``(s, s)`` are
    those that two spaces have in common, ``tests`` the numbers of rows that accuracy is over.
    """

    sources: tuple[str, ...]
    names: tuple[str, ...]
    figures: dict[str, np.ndarray]
    rows: np.ndarray
    unmatched: tuple[Unmatched, ...]
    tests: tuple[int, ...]
    anchors: int
    seed: int


def all_pairs_task(sources: Sequence[str], anchors: int, seed: int) -> Task[AllPairs]:
    """The task that measures every pair of the sources; results are cached.

    Those that cannot be opened are left out.
    """
    here = [one.source for one in shelf_of(sources) if not one.problem]
    return _all_pairs(tuple(_Shelved(source, open_space(source)) for source in here), anchors, seed)


@dataclass(frozen=True, eq=False)
class _Shelved:
    """A space of the shelf, under the name that it has there."""

    source: str
    space: Space

    @property
    def digest(self) -> str:
        return value_digest([self.source, self.space.digest, self.space.name])


@task("all-pairs", "Measuring all pairs of the shelf", heavy=True)
def _all_pairs(ticket: Ticket, shelved: tuple[_Shelved, ...], anchors: int, seed: int) -> AllPairs:
    size = (len(shelved), len(shelved))
    figures = {name: np.full(size, np.nan) for name in FIGURES}
    rows = np.zeros(size, dtype=np.int64)
    unmatched: list[Unmatched] = []
    tests: set[int] = set()
    pairs = list(combinations(range(len(shelved)), 2))
    for done, (i, j) in enumerate(pairs):
        one, other = shelved[i].space, shelved[j].space
        ticket.report(done / len(pairs), f"{one.name} and {other.name}")
        ticket.rest()
        try:
            pair = Pair(one, other)
        except Error as reason:
            unmatched.append(Unmatched(i, j, str(reason)))
            continue
        rows[i, j] = rows[j, i] = len(pair)
        found = _one_pair(_Labeled(pair), anchors, seed).run(ticket)
        both = {"cka": (found.cka, found.cka), "mrr_at_k": found.mrr_at_k, "accuracy": found.accuracy}
        for name, ends in both.items():
            if ends is not None:
                figures[name][i, j], figures[name][j, i] = ends
        tests |= {*(found.tests or ())}
        _diagonal(figures["accuracy"], found.native, i, j)
    np.fill_diagonal(figures["cka"], 1.0)
    return AllPairs(
        sources=tuple(one.source for one in shelved),
        names=tuple(one.space.name for one in shelved),
        figures=figures,
        rows=rows,
        unmatched=tuple(unmatched),
        tests=tuple(sorted(tests)),
        anchors=anchors,
        seed=seed,
    )


def all_pairs_caption(made: AllPairs) -> str:
    """What the tables rest on, in sentences."""
    caption = (
        f"From the row's space to the column's. MRR@k: relative spaces of {made.anchors} anchors, seed "
        f"{made.seed}, lists of 10, at most {QUERIES} queries, none an anchor. Accuracy: logistic heads of "
        f"the column on rows of the row translated by IRP+, mean of {RUNS} runs; on the diagonal the head "
        "on its own encoder. CKA is linear."
    )
    if made.tests:
        caption += (
            f" Accuracy is over {_range(made.tests)} test rows that are neither anchors nor training rows."
        )
    return caption


def all_pairs_sheets(made: AllPairs) -> dict[str, Sheet]:
    """A table of each figure, from the space of the row to that of the column."""
    caption, head = all_pairs_caption(made), ("from \\ to", *made.names)
    return {
        name: Sheet(
            head,
            tuple(
                (label, *("–" if np.isnan(value) else f"{value:.3f}" for value in values))
                for label, values in zip(made.names, made.figures[name], strict=True)
            ),
            f"{words}. {caption}",
        )
        for name, words in FIGURES.items()
    }


def _range(numbers: tuple[int, ...]) -> str:
    ends = dict.fromkeys(map(count, (numbers[0], numbers[-1])))
    return "–".join(ends)


@dataclass(frozen=True, eq=False)
class _Labeled:
    """A pair whose classes count, too."""

    pair: Pair

    @property
    def digest(self) -> str:
        return value_digest(
            [self.pair.digest, *(text_digest(side.labels) for side in (self.pair.a, self.pair.b))]
        )


@dataclass(frozen=True)
class _OnePair:
    """Figures of one pair, there and back; ``tests`` rows each way. None where there are no classes."""

    cka: float
    mrr_at_k: tuple[float, float]
    accuracy: tuple[float, float] | None
    native: tuple[float, float] | None
    tests: tuple[int, int] | None


@task("one-pair", "Measuring two spaces")
def _one_pair(ticket: Ticket, labeled: _Labeled, anchors: int, seed: int) -> _OnePair:
    pair = labeled.pair
    x, y = pair.a.vectors, pair.b.vectors
    alike = cka(x, y)
    ticket.check()
    table = anchor_retrieval(
        x,
        y,
        drawn_count(anchors, len(pair)),
        seed=seed,
        n_draws=1,
        k=min(10, len(pair) - 1),
        null=None,
        queries=QUERIES if len(pair) > QUERIES else None,
        on_progress=lambda _: ticket.check(),
    )
    mrr_at_k = table.x_to_y.mean["mrr_at_k"], table.y_to_x.mean["mrr_at_k"]
    try:
        labels = labels_of(pair)
        names = names_of(labels)
        cells = stitch(
            {"a": x, "b": y},
            {"a": names[labels.rows["A"]].tolist(), "b": names[labels.rows["B"]].tolist()},
            max(LEAST_ANCHORS, min(anchors, int(len(pair) * (1 - TEST) * 0.95))),
            methods=("native", METHOD),
            seed=seed,
            n_draws=RUNS,
            test=TEST,
            on_pulse=ticket.check,
        )
    except Error:
        return _OnePair(alike, mrr_at_k, None, None, None)  # items without classes have no heads
    there, back = cells.cell("a", "b", METHOD), cells.cell("b", "a", METHOD)
    native = [cells.cell(side, side, "native").mean["accuracy"] for side in "ab"]
    return _OnePair(
        alike,
        mrr_at_k,
        accuracy=(there.mean["accuracy"], back.mean["accuracy"]),
        native=(native[0], native[1]),
        tests=(there.rows, back.rows),
    )


def _diagonal(accuracy: np.ndarray, native: tuple[float, float] | None, i: int, j: int) -> None:
    """Heads on their own encoders; of a space in several pairs, which may have other rows, the first."""
    for at, value in zip((i, j), native or (np.nan, np.nan), strict=True):
        if np.isnan(accuracy[at, at]):
            accuracy[at, at] = value
