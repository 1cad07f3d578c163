"""How the methods work, drawn on one item: its relative vector, and its way into another space."""

from collections.abc import Mapping, Sequence

import numpy as np

from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.captions import checked_rows, describe_anchors, describe_pair, listed
from relviz.figures.inputs import Mapped, Stitched, mapped, stitched
from relviz.figures.kind import Content, Kind, Options, of_records
from relviz.figures.panes import alone
from relviz.figures.pictures import cells_of, pictures_of
from relviz.pair import Pair
from relviz.plotting.schema import MOST_ANCHORS, Place, Schema, Similarities
from relviz.plotting.stack import Part
from relviz.plotting.style import printable
from relviz.results.comparison import Comparison
from relviz.results.maps import Maps, maps
from relviz.state.option_labels import SIMILARITIES, TRANSLATIONS


def _item_of(options: Options, comparison: Comparison) -> int:
    """The row asked for; of none, the first that is no anchor."""
    pair, anchors = comparison.pair, set(comparison.anchors.tolist())
    if len(anchors) > MOST_ANCHORS:
        raise ParameterError(
            f"A schema shows up to {MOST_ANCHORS} anchors; {len(anchors)} are selected. Select fewer."
        )
    if options["row"] < 0:
        return next(row for row in range(len(pair)) if row not in anchors)
    return checked_rows([options["row"]], pair, "row")[0]


def _marks(comparison: Comparison, rows: Sequence[int]) -> tuple[Mapping[int, np.ndarray], Mapping[int, str]]:
    """Pictures of rows where the pair has them, else texts."""
    if pictures_of(*comparison.sources) is not None:
        return cells_of(*comparison.sources, list(rows)), {}
    return {}, {row: comparison.pair.items[row] for row in rows}


def _names(pair: Pair, rows: Sequence[int]) -> list[str]:
    return [printable(pair.items[row])[:24] for row in rows]


def _vector_tasks(given: Mapped, _: Options) -> list[Task[Maps]]:
    return [maps(given.comparison, alone(given.choices), "absolute")]


def _vector_content(given: Mapped, options: Options, results: Sequence[Maps]) -> Content:
    comparison, pair = given.comparison, given.comparison.pair
    item, anchors = _item_of(options, comparison), comparison.anchors.tolist()
    in_b = comparison.rows_in_b.tolist()
    measure = SIMILARITIES[comparison.similarity].lower()
    names, marks = _names(pair, anchors), _marks(comparison, [item, *anchors])
    values = [side[item].numpy() for side in comparison.relative]
    lines = [
        (
            Place(f"{space.name} · absolute", points, item, rows),
            Similarities(f"{space.name} · relative", relative, names),
        )
        for space, points, rows, relative in zip(
            (pair.a, pair.b), results[0].points, (anchors, in_b), values, strict=True
        )
    ]

    def parts(width: float) -> list[Part]:
        return [Schema(lines, [(measure, "to each anchor")], width, *marks)]

    caption = (
        f"{describe_pair(pair)} {_names(pair, [item])[0]} among {describe_anchors(comparison)}: "
        f"{listed(names)}. Left: each space on its first two principal components; coordinates of one mean "
        "nothing in the other. Right: the item's relative vector, its similarity to each anchor in all "
        f"dimensions; the two differ by {np.abs(values[0] - values[1]).mean():.2f} on average."
    )
    records = [
        {"space": space, "item": pair.items[item], "anchor": pair.items[row], "similarity": float(value)}
        for space, side in zip((pair.a.name, pair.b.name), values, strict=True)
        for row, value in zip(anchors, side, strict=True)
    ]
    return Content(caption, dict(zip(("in_a", "in_b"), values, strict=True)), of_records(records), parts)


def _no_tasks(_: Stitched, __: Options) -> list[Task[None]]:
    return []


def _way_content(given: Stitched, options: Options, _: Sequence[None]) -> Content:
    problem, pair = given.problem, given.problem.pair
    comparison, made = problem.comparison, problem.translation
    item = _item_of(options, comparison)
    rows, others = problem.anchors.in_a.tolist(), problem.anchors.in_b.tolist()
    if problem.choices.back:
        rows, others = others, rows
    names, marks = _names(pair, rows), _marks(comparison, [item, *rows])
    relative = comparison.relative[1 if problem.choices.back else 0][item].numpy()
    line = (
        Place(problem.source.name, problem.source_map[0], item, rows),
        Similarities("Similarity to each anchor", relative, names),
        Place(
            problem.target.name,
            problem.target_map[0],
            item,
            others,
            landed=made.landed[item],
        ),
    )
    how = TRANSLATIONS[problem.choices.method]

    def parts(width: float) -> list[Part]:
        arrows = [("relative", "projection"), ("inverse relative", "projection")]
        return [Schema([line], arrows, width, *marks)]

    cosine = float(made.cosines[item])
    caption = (
        f"{describe_pair(pair)} {_names(pair, [item])[0]} on its way from {problem.source.name} to "
        f"{problem.target.name} by {how}, using {describe_anchors(comparison)}: {listed(names)}. Each space "
        "on its first two principal components. Circle: where it lands, joined with its counterpart; their "
        f"cosine similarity is {cosine:.2f} (after centering on the anchors). So few anchors span little of "
        "a space; with more it lands nearer."
    )
    records = [
        {"item": pair.items[item], "anchor": pair.items[row], "similarity": float(value)}
        for row, value in zip(rows, relative, strict=True)
    ]
    arrays = {"relative": relative, "landed": made.landed[item], "cosine": np.asarray(cosine)}
    return Content(caption, arrays, of_records(records), parts)


VECTOR = Kind(
    words="An item's relative vector, worked out",
    page="compare",
    of=mapped,
    tasks=_vector_tasks,
    content=_vector_content,
    options={"row": -1},
)
WAY = Kind(
    words="One item translated, step by step",
    page="stitch",
    part="translate",
    of=stitched,
    tasks=_no_tasks,
    content=_way_content,
    options={"row": -1},
)
