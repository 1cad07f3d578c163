"""Every two spaces of the shelf: how alike they are, and how far one serves for the other."""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from relviz.compute.jobs import Ticket
from relviz.compute.key import result_key, text_digest
from relviz.compute.store import default_store
from relviz.compute.task import Made, Task
from relviz.errors import Error
from relviz.measure import anchor_retrieval, cka
from relviz.pair import Pair
from relviz.results.comparison import drawn_count
from relviz.results.heads import TEST, labels_of, names_of
from relviz.sheet import Sheet
from relviz.state.shelf import shelf_of
from relviz.state.sources import open_pair, open_space
from relviz.state.view import View
from relviz.stitching import stitch
from relviz.wording import count

FIGURES = {"cka": "CKA", "mrr": "MRR", "accuracy": "Stitched accuracy"}
QUERIES, RUNS = 1000, 2
METHOD = "irp_plus"
LEAST_ANCHORS = 2


def all_pairs_task(view: View) -> Task:
    """The task that measures every pair of the shelf; what was measured before is not measured again.

    Its result holds ``FIGURES``, each ``(s, s)`` from the space of the row to that of the column and NaN
    where there is none, and says ``sources``, ``names``, ``rows`` (s, s), ``reasons`` and the conditions.
    The diagonal of accuracy is each head on its own encoder.
    """
    sources = tuple(one.source for one in shelf_of(view) if not one.problem)
    told = {"count": view.count, "seed": view.seed, "queries": QUERIES, "runs": RUNS}

    def compute(ticket: Ticket) -> Made:
        size = (len(sources), len(sources))
        found = {name: np.full(size, np.nan) for name in FIGURES}
        rows = np.zeros(size, dtype=np.int64)
        reasons: dict[str, str] = {}
        tests: list[int] = []
        pairs = list(combinations(range(len(sources)), 2))
        for done, (i, j) in enumerate(pairs):
            names = [open_space(sources[at]).name for at in (i, j)]
            ticket.report(done / len(pairs), " and ".join(names))
            ticket.rest()
            try:
                pair = open_pair(sources[i], sources[j])
            except Error as reason:
                reasons[f"{i} {j}"] = str(reason)
                continue
            rows[i, j] = rows[j, i] = len(pair)
            figures = _measured(pair, view, ticket.check)
            tests += map(int, figures.get("tests", ()))
            for name in found.keys() & figures.keys():
                found[name][i, j], found[name][j, i] = figures[name]
            _diagonal(found["accuracy"], figures, i, j)
        names = [open_space(source).name for source in sources]
        said = {"sources": list(sources), "names": names, "rows": rows.tolist(), "reasons": reasons, **told}
        said["tests"] = sorted(set(tests))
        np.fill_diagonal(found["cka"], 1.0)
        return {name: found[name] for name in FIGURES}, said

    digests = [
        text for source in sources for text in (source, open_space(source).digest, open_space(source).name)
    ]
    return Task(result_key("all-pairs", digests, told), "Measuring all pairs of the shelf", compute)


def all_pairs_sheets(arrays: Mapping[str, np.ndarray], made: Mapping[str, Any]) -> dict[str, Sheet]:
    """A table of each figure, from the space of the row to that of the column."""
    caption = (
        f"From the row's space to the column's. MRR: relative spaces of {made['count']} anchors, seed "
        f"{made['seed']}, lists of 10, at most {made['queries']} queries, none an anchor. Accuracy: "
        f"logistic heads of the column on rows of the row translated by IRP+, mean of {made['runs']} runs; "
        "on the diagonal the head on its own encoder. CKA is linear."
    )
    if made["tests"]:
        caption += (
            f" Accuracy is over {_range(made['tests'])} test rows that are neither anchors nor training rows."
        )
    head = ("from \\ to", *made["names"])
    return {
        name: Sheet(
            head,
            tuple(
                (said, *("–" if np.isnan(value) else f"{value:.3f}" for value in values))
                for said, values in zip(made["names"], arrays[name], strict=True)
            ),
            f"{words}. {caption}",
        )
        for name, words in FIGURES.items()
    }


def _range(numbers: list[int]) -> str:
    ends = dict.fromkeys(map(count, (numbers[0], numbers[-1])))
    return "–".join(ends)


def _measured(pair: Pair, view: View, pulse: Callable[[], None]) -> dict[str, tuple[float, float]]:
    """Figures of one pair, there and back, as the store keeps them."""
    told = {"count": view.count, "seed": view.seed, "queries": QUERIES, "runs": RUNS, "method": METHOD}
    digests = [pair.digest, *(text_digest(side.labels) for side in (pair.a, pair.b))]

    def compute() -> Made:
        return {}, {name: list(ends) for name, ends in _figures(pair, view, pulse)}

    kept = default_store().cached(result_key("one-pair", digests, told, view.seed), compute)
    return {name: (ends[0], ends[1]) for name, ends in kept.meta.items()}


def _figures(pair: Pair, view: View, pulse: Callable[[], None]) -> Iterator[tuple[str, tuple[float, float]]]:
    x, y = pair.a.vectors, pair.b.vectors
    alike = cka(x, y)
    yield "cka", (alike, alike)
    pulse()
    table = anchor_retrieval(
        x,
        y,
        drawn_count(view.count, len(pair)),
        seeds=[view.seed],
        k=min(10, len(pair) - 1),
        null=None,
        queries=QUERIES if len(pair) > QUERIES else None,
        on_progress=lambda _: pulse(),
    )
    yield "mrr", (table.x_to_y.mean["mrr"], table.y_to_x.mean["mrr"])
    try:
        labels = labels_of(pair)
        names = names_of(labels)
        cells = stitch(
            {"a": x, "b": y},
            {"a": names[labels.rows["A"]].tolist(), "b": names[labels.rows["B"]].tolist()},
            max(LEAST_ANCHORS, min(view.count, int(len(pair) * (1 - TEST) * 0.95))),
            methods=("native", METHOD),
            seed=view.seed,
            runs=RUNS,
            test=TEST,
            pulse=pulse,
        )
    except Error:
        return  # items without classes have no heads
    yield (
        "accuracy",
        (cells.cell("a", "b", METHOD).mean["accuracy"], cells.cell("b", "a", METHOD).mean["accuracy"]),
    )
    yield (
        "native",
        (cells.cell("a", "a", "native").mean["accuracy"], cells.cell("b", "b", "native").mean["accuracy"]),
    )
    yield "tests", (cells.cell("a", "b", METHOD).rows, cells.cell("b", "a", METHOD).rows)


def _diagonal(accuracy: np.ndarray, figures: Mapping[str, tuple[float, float]], i: int, j: int) -> None:
    """Heads on their own encoders; of a space in several pairs, which may have other rows, the first."""
    for at, value in zip((i, j), figures.get("native", (np.nan, np.nan)), strict=True):
        if np.isnan(accuracy[at, at]):
            accuracy[at, at] = value
