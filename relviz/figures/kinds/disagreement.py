"""Where two encoders disagree, in print: neighbors that items share, classes, and items that stand out."""

from collections.abc import Sequence

import numpy as np

from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.captions import both_said
from relviz.figures.inputs import Mapped, mapped
from relviz.figures.kind import Content, Kind, Options
from relviz.pair import Pair
from relviz.plotting.charts import Chart, ChartRow, Line
from relviz.plotting.colors import CLASSES
from relviz.plotting.stack import Part
from relviz.results.disagreement import Contrasts, by_class, contrasts, disagreements
from relviz.results.neighborhoods import Agreement, neighborhood_agreement
from relviz.sheet import Sheet
from relviz.wording import count

SHOWN = {
    "least": "Least agreement",
    "most": "Most agreement",
    "near_a": "Near in A alone",
    "near_b": "Near in B alone",
}
"""Items that a table may list."""
MOST_LINES, NEAREST = 40, 3
"""Items that a table lists at most, and how many of its nearest stand beside each."""
SEED = 0


def _tasks(given: Mapped, options: Options) -> list[Task[Agreement | Contrasts]]:
    pair, which, lines = given.comparison.pair, _which(options), _lines(options)
    wanted: list[Task[Agreement | Contrasts]] = [neighborhood_agreement(pair, given.colors.k)]
    if which.startswith("near"):
        wanted.append(contrasts(pair, which[-1], NEAREST, lines))
    return wanted


def _content(given: Mapped, options: Options, results: Sequence[Agreement | Contrasts]) -> Content:
    pair, which = given.comparison.pair, _which(options)
    agreement = results[0]
    assert isinstance(agreement, Agreement)
    shared, k = shared_of(agreement), agreement.k
    items = np.bincount(shared, minlength=k + 1)
    by_chance = k * k / max(1, len(pair) - 1)

    def parts(width: float) -> list[Part]:
        line = Line("", np.arange(k + 1), items, CLASSES[0], filled=True)
        return [ChartRow([Chart("", [line], "neighbors shared", "items", marks=(by_chance,))], width)]

    caption = (
        f"{both_said(pair)} Of the {k} nearest neighbors of each item in the original spaces, "
        f"{shared.mean():.1f} are the same in both on average (dotted: by chance, {by_chance:.2g}). Mean "
        f"Jaccard index {float(agreement.jaccard.mean()):.2f}, by chance {agreement.chance:.2f}."
    )
    sheets = {} if pair.labels is None else {"Classes": _classes(pair, agreement)}
    sheets[SHOWN[which]] = (
        _near(pair, results[1], which)
        if isinstance(results[-1], Contrasts)
        else _extremes(pair, agreement, _lines(options), which == "most")
    )
    arrays = {"shared": shared, "jaccard": agreement.jaccard}
    return Content(caption, arrays, agreement_columns(pair, agreement), parts, sheets)


def agreement_columns(pair: Pair, agreement: Agreement) -> dict[str, Sequence[object]]:
    """Every item with the neighbors that its two lists share, and their Jaccard index."""
    columns: dict[str, Sequence[object]] = {"id": pair.ids, "item": pair.items}
    if pair.labels is not None:
        columns["class"] = pair.labels
    return {**columns, "shared": shared_of(agreement).tolist(), "jaccard": agreement.jaccard.tolist()}


def shared_of(agreement: Agreement) -> np.ndarray:
    """How many of the k neighbors of each item are the same in both spaces, ``(n,)``."""
    index = agreement.jaccard.astype(np.float64)
    shared: np.ndarray = np.rint(2 * agreement.k * index / (1 + index)).astype(np.int64)
    return shared


def _classes(pair: Pair, agreement: Agreement) -> Sheet:
    found = by_class(pair.labels or (), agreement.jaccard)
    rows = tuple((one.name, count(one.items), f"{one.mean:.3f}") for one in found)
    caption = f"{both_said(pair)} Mean Jaccard index of the {agreement.k} nearest neighbors of each class."
    return Sheet(("class", "items", "agreement"), rows, caption)


def _extremes(pair: Pair, agreement: Agreement, lines: int, most: bool) -> Sheet:
    found = disagreements(pair, agreement, NEAREST, lines, SEED, most).run()
    shared = shared_of(agreement)
    rows = tuple(
        (pair.items[row], _items(pair, in_a), _items(pair, in_b), str(shared[row]))
        for row, in_a, in_b in zip(found.rows.tolist(), found.in_a.tolist(), found.in_b.tolist(), strict=True)
    )
    caption = (
        f"{both_said(pair)} Items sampled from the 10% whose {agreement.k} nearest neighbors "
        f"{'agree' if most else 'differ'} most between the original spaces (seed {SEED}), the {NEAREST} "
        "nearest in either, and how many are shared."
    )
    return Sheet(("item", "nearest in A", "nearest in B", "shared"), rows, caption, words=3)


def _near(pair: Pair, found: Contrasts, which: str) -> Sheet:
    here, there = which[-1].upper(), "B" if which == "near_a" else "A"
    lists = found.items.in_a if here == "A" else found.items.in_b
    rows = tuple(
        (pair.items[row], pair.items[near], count(round(rank)))
        for row, near, rank in zip(
            found.items.rows.tolist(), lists[:, 0].tolist(), found.ranks.tolist(), strict=True
        )
    )
    among = "" if found.queries == len(pair) else f", among {count(found.queries)} items drawn at random"
    caption = (
        f"{both_said(pair)} Items whose nearest item in {here} is farthest from them in {there}{among}, and "
        f"its rank there among {count(len(pair) - 1)} (by chance {count(len(pair) // 2)})."
    )
    return Sheet(("item", f"nearest in {here}", f"rank in {there}"), rows, caption, words=2)


def _items(pair: Pair, rows: Sequence[int]) -> str:
    return ", ".join(pair.items[row] for row in rows)


def _which(options: Options) -> str:
    which: str = options["show"]
    if which not in SHOWN:
        raise ParameterError(f"The option show is {which[:40]!r}; use one of {', '.join(SHOWN)}.")
    return which


def _lines(options: Options) -> int:
    lines = int(options["lines"])
    if not 1 <= lines <= MOST_LINES:
        raise ParameterError(f"The option lines is {lines}; give 1 to {MOST_LINES}.")
    return lines


DISAGREEMENT = Kind(
    words="Where the encoders disagree: neighbors shared, classes, items",
    page="compare",
    of=mapped,
    tasks=_tasks,
    content=_content,
    options={"show": "least", "lines": 10},
)
