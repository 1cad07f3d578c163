"""The maps of Compare in print: absolute spaces over relative ones, A beside B."""

from collections.abc import Sequence

import numpy as np

from relviz.compute.entry import Result
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.colouring import Colours
from relviz.figures.maps import MapGrid, legend_of
from relviz.figures.pane import Pane
from relviz.figures.stack import Part
from relviz.pair import Pair
from relviz.view.choices import View
from relviz.view.coloured import (
    CLUSTERS,
    agreement_colours,
    cluster_colours,
    plain_colours,
    similarity_colours,
)
from relviz.view.figure.content import Content, Kind, Options
from relviz.view.figure.marked import (
    MARKS,
    MOST_STARS,
    checked_rows,
    colour_said,
    map_columns,
    marks_of,
    panes_said,
    points_said,
    some_stars,
)
from relviz.view.figure.words import anchors_said, both_said
from relviz.view.found import starred_rows
from relviz.view.neighbourhoods import agreement_task, cluster_task
from relviz.view.panes import ROWS, panes_of
from relviz.view.results import QUICK, anchors_of, map_task
from relviz.view.sources import open_pair

BEHIND = ("jaccard", "members")
"""Agreement of every row, or its cluster, where these colour the maps."""
SIMILAR = ("similarity_a", "similarity_b")


def tasks(view: View, options: Options) -> list[Task]:
    """The maps that are asked for, and what colours them."""
    pair = open_pair(view.a, view.b)
    wanted = [map_task(view, pair, row) for row in rows_of(options)]
    if view.colour == "agreement":
        wanted.append(agreement_task(view, pair))
    if view.colour in CLUSTERS:
        wanted.append(cluster_task(view, pair, view.colour[-1]))
    return wanted


def content(view: View, options: Options, results: Sequence[Result]) -> Content:
    """Panes, colours and stars as the page has them."""
    pair = open_pair(view.a, view.b)
    rows = rows_of(options)
    panes = [
        pane for row, result in zip(rows, results, strict=False) for pane in panes_of(view, pair, row, result)
    ]
    colours = colours_of(view, pair, options, panes[0].points, results[-1])
    anchors = (
        anchors_of(view, pair).numpy() if "relative" in rows and options["stars"] else np.empty(0, np.int64)
    )
    known, found = starred_rows(view, pair, anchors)
    marks = marks_of(view, pair, options)

    def parts(width: float) -> list[Part]:
        grid = MapGrid(
            panes,
            colours,
            width,
            anchors=some_stars(known),
            discovered=some_stars(found),
            ticks=view.projection in QUICK,
            **marks,
        )
        return [grid, legend_of(colours, width, bool(len(known)), bool(len(found)))]

    arrays: dict[str, np.ndarray] = {
        f"{row}_{side}": result.arrays[side]
        for row, result in zip(rows, results, strict=False)
        for side in ("a", "b")
    }
    arrays |= {name: results[-1].arrays[name] for name in BEHIND if name in results[-1].arrays}
    arrays |= {"colour_codes": colours.codes, "anchors": known, "anchors_found": found}
    return Content(
        _caption(view, pair, panes, colours, options, bool(len(anchors))),
        arrays,
        map_columns(pair, arrays),
        parts,
    )


def rows_of(options: Options) -> tuple[str, ...]:
    """Which rows of panes are asked for."""
    wanted = options["rows"]
    if wanted not in ("both", *ROWS):
        raise ParameterError(f"The option rows is {wanted[:40]!r}; it is both, {' or '.join(ROWS)}.")
    return ROWS if wanted == "both" else (wanted,)


def colours_of(view: View, pair: Pair, options: Options, first: np.ndarray | None, last: Result) -> Colours:
    """What the view asks for; the result that it needs comes last. Classes, where no item was clicked."""
    if view.colour == "agreement":
        return agreement_colours(last)
    if view.colour in CLUSTERS:
        return cluster_colours(pair, view.colour[-1], last)
    clicked = options["clicked"]
    if view.colour in SIMILAR and clicked >= 0:
        return similarity_colours(view, pair, view.colour[-1], *checked_rows([clicked], pair, "clicked"))
    return plain_colours(pair, first)


def _caption(
    view: View, pair: Pair, panes: Sequence[Pane], colours: Colours, options: Options, starred: bool
) -> str:
    said = [both_said(pair)]
    if any("relative" in pane.title for pane in panes):
        said.append(f"Relative: each item told by its similarity to {anchors_said(view, pair)}.")
    said += [*panes_said(panes), *colour_said(colours, view.colour == "class")]
    said += points_said(options, len(pair))
    if starred:
        said.append(f"Stars: anchors, at most {MOST_STARS} of them.")
    return " ".join(said)


KIND = Kind(
    words="Maps: absolute over relative, A beside B",
    page="compare",
    tasks=tasks,
    content=content,
    options={"rows": "both", "stars": False, "clicked": -1, **MARKS},
)
