"""Where two encoders disagree, in print: items by the neighbors they share, and what stands out."""

from collections.abc import Sequence

import numpy as np

from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.captions import describe_pair
from relviz.figures.inputs import Mapped, mapped
from relviz.figures.kind import Columns, Content, Kind, Options
from relviz.figures.pictures import cells_of, pictures_of
from relviz.pair import Pair
from relviz.plotting.charts import Chart, ChartRow, Line
from relviz.plotting.colors import CLASSES
from relviz.plotting.grid import PictureGrid
from relviz.plotting.stack import Part
from relviz.results.disagreement import (
    Contrasts,
    Disagreements,
    by_class,
    contrasts,
    disagreements,
    splits,
)
from relviz.results.neighborhoods import Agreement, Clusters, clusters_of, neighborhood_agreement
from relviz.sheet import Sheet
from relviz.wording import count

NEAREST = 3
"""Neighbors of an item that are shown on either side."""
LINES, MOST_LINES = 4, 20
LEFT = 38.0
"""Millimeters of the names of items, so that grids stand in line."""
MOST_CLASSES = 12


def agreement_columns(pair: Pair, agreement: Agreement) -> Columns:
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


def shared_by_chance(agreement: Agreement) -> float:
    """How many they would share if both lists were drawn at random."""
    return agreement.k**2 / max(1, len(agreement.jaccard) - 1)


def _tasks(given: Mapped, options: Options) -> list[Task[Agreement | Contrasts | Clusters]]:
    pair, asked = given.comparison.pair, given.colors
    lines = options["lines"]
    if not 1 <= lines <= MOST_LINES:
        raise ParameterError(f"The option lines is {lines}; give 1 to {MOST_LINES}.")
    wanted: list[Task[Agreement | Contrasts | Clusters]] = [neighborhood_agreement(pair, asked.k)]
    wanted += [contrasts(pair, side, NEAREST, lines) for side in "ab"]
    return wanted + [clusters_of(space, asked.clusters) for space in (pair.a, pair.b)]


def _content(given: Mapped, options: Options, results: Sequence[Agreement | Contrasts | Clusters]) -> Content:
    pair, seed = given.comparison.pair, options["seed"]
    agreement, near_a, near_b, in_a, in_b = results
    assert isinstance(agreement, Agreement)
    assert isinstance(near_a, Contrasts)
    assert isinstance(near_b, Contrasts)
    assert isinstance(in_a, Clusters)
    assert isinstance(in_b, Clusters)
    shared, chance = shared_of(agreement), shared_by_chance(agreement)
    extremes = {
        words: disagreements(pair, agreement, NEAREST, options["lines"], seed, most).run()
        for words, most in (("Least agreement", False), ("Most agreement", True))
    }
    counts = np.bincount(shared, minlength=agreement.k + 1)

    def parts(width: float) -> list[Part]:
        bars = [Line("", np.arange(len(counts)), counts.astype(float), CLASSES[0], filled=True)]
        title = f"Items by shared neighbors of {agreement.k}"
        ticks = range(0, len(counts), max(1, len(counts) // 10))
        charts = [Chart(title, bars, "neighbors shared", "items", ticks=ticks, marks=[chance])]
        grids = [_grid(given, words, some, width) for words, some in extremes.items()]
        return [ChartRow(charts, width, shape=0.2), *(grid for grid in grids if grid is not None)]

    sheets = {words: _items(pair, some, agreement, shared) for words, some in extremes.items()}
    for here, there, found in (("A", "B", near_a), ("B", "A", near_b)):
        sheets[f"Near in {here} alone"] = _pairs(pair, here, there, found)
    if pair.labels is not None:
        sheets["Classes"] = _classes(pair.labels, agreement)
    sheets["Clusters"] = _clusters(in_a.members, in_b.members)
    caption = (
        f"{describe_pair(pair)} Agreement of the {agreement.k} nearest neighbors of each item (cosine, "
        f"original dimensions): {shared.mean():.1f} are the same in both spaces on average, {chance:.2g} by "
        f"chance (dotted); mean Jaccard index {agreement.jaccard.mean():.3f}, by chance "
        f"{agreement.chance:.3f}. Items with the least and the most agreement are sampled from the extreme "
        f"10% (seed {seed}), each with its {NEAREST} nearest in A and in B."
    )
    arrays = {"jaccard": agreement.jaccard, "shared": shared, "clusters_a": in_a.members}
    arrays |= {
        "clusters_b": in_b.members,
        "near_a_alone": near_a.items.rows,
        "near_b_alone": near_b.items.rows,
    }
    arrays |= {words.lower().replace(" ", "_"): some.rows for words, some in extremes.items()}
    return Content(caption, arrays, agreement_columns(pair, agreement), parts, sheets)


def _grid(given: Mapped, words: str, some: Disagreements, width: float) -> PictureGrid | None:
    """Pictures of the items and of their neighbors, where they have any."""
    sources = given.comparison.sources
    if pictures_of(*sources) is None:
        return None
    rows = np.column_stack([some.rows, some.in_a, some.in_b])
    cells = cells_of(*sources, sorted({*rows.ravel().tolist()}))
    pictures = np.array([[_on_white(cells[row]) for row in line] for line in rows.tolist()])
    sides = [f"{side} {place}" for side in "AB" for place in range(1, some.in_a.shape[1] + 1)]
    names = [given.comparison.pair.items[row] for row in some.rows.tolist()]
    return PictureGrid(pictures, names, width, ["item", *sides], words, LEFT)


def _on_white(cell: np.ndarray) -> np.ndarray:
    """A picture with alpha as one of colors, ``(h, w, 3)`` uint8."""
    alpha = cell[..., 3:] / 255
    shown: np.ndarray = np.rint(cell[..., :3] * alpha + 255 * (1 - alpha)).astype(np.uint8)
    return shown


def _items(pair: Pair, some: Disagreements, agreement: Agreement, shared: np.ndarray) -> Sheet:
    lines = zip(some.rows.tolist(), some.in_a.tolist(), some.in_b.tolist(), strict=True)
    rows = tuple(
        (pair.items[row], _named(pair, in_a), _named(pair, in_b), f"{shared[row]} of {agreement.k}")
        for row, in_a, in_b in lines
    )
    return Sheet(("item", "nearest in A", "nearest in B", "shared"), rows, describe_pair(pair), words=3)


def _named(pair: Pair, rows: Sequence[int]) -> str:
    return ", ".join(pair.items[row] for row in rows)


def _pairs(pair: Pair, here: str, there: str, found: Contrasts) -> Sheet:
    lists = found.items.in_a if here == "A" else found.items.in_b
    rows = tuple(
        (pair.items[row], pair.items[near], count(round(rank)))
        for row, near, rank in zip(
            found.items.rows.tolist(), lists[:, 0].tolist(), found.ranks.tolist(), strict=True
        )
    )
    caption = (
        f"{describe_pair(pair)} Items whose nearest item in {here} is farthest from them in {there}, of "
        f"{count(found.queries)}; its rank in {there} among {count(len(pair) - 1)} "
        f"({count(len(pair) // 2)} by chance)."
    )
    return Sheet(("item", f"nearest in {here}", f"rank in {there}"), rows, caption, words=2)


def _classes(labels: Sequence[str], agreement: Agreement) -> Sheet:
    found = by_class(labels, agreement.jaccard)
    half = MOST_CLASSES // 2
    shown = found if len(found) <= MOST_CLASSES else found[:half] + found[-half:]
    rows = tuple((one.name, count(one.items), f"{one.mean:.3f}") for one in shown)
    some = "" if len(shown) == len(found) else f" The {half} with the least and the {half} with the most."
    caption = f"Mean Jaccard index of the {agreement.k} nearest neighbors, by class.{some}"
    return Sheet(("class", "items", "agreement"), rows, caption)


def _clusters(in_a: np.ndarray, in_b: np.ndarray) -> Sheet:
    lines = [
        (one, here, there)
        for here, there, members, others in (("A", "B", in_a, in_b), ("B", "A", in_b, in_a))
        for one in splits(members, others)
    ]
    lines.sort(key=lambda line: -line[0].parts / line[0].chance)
    rows = tuple(
        (
            f"{here} {one.cluster + 1}",
            count(one.items),
            f"{one.parts:.2f}",
            f"{one.chance:.2f}",
            f"{one.share:.0%} in {there} {one.main + 1}",
        )
        for one, here, there in lines
    )
    caption = (
        "Clusters of each space (k-means on its centered unit vectors), by the effective number of clusters "
        "of the other space that their items lie in."
    )
    return Sheet(("cluster", "items", "lies in", "chance", "most of it"), rows, caption)


DISAGREEMENT = Kind(
    words="Where the encoders disagree",
    page="compare",
    of=mapped,
    tasks=_tasks,
    content=_content,
    options={"lines": LINES, "seed": 0},
)
