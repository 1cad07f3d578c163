"""The maps of Compare in print: absolute spaces over relative ones, A beside B."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from relviz.compute.entry import Result
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.colouring import Colours
from relviz.figures.maps import MapGrid, legend_of
from relviz.figures.pane import Pane, home_of
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
from relviz.view.figure.content import Columns, Content, Kind, Options
from relviz.view.figure.words import anchors_said, both_said, listed
from relviz.view.found import starred_rows
from relviz.view.neighbourhoods import agreement_task, cluster_task
from relviz.view.panes import ROWS, panes_of
from relviz.view.pictures import cells_of
from relviz.view.results import QUICK, anchors_of, map_task
from relviz.view.sources import open_pair
from relviz.wording import plural

MOST_STARS = 60
MOST_PICTURES = 200
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
    pictured, labelled = (_checked(options[name], pair, name) for name in ("pictures", "texts"))

    def parts(width: float) -> list[Part]:
        cells = cells_of(view.a, view.b, pictured) if pictured else None
        grid = MapGrid(
            panes,
            colours,
            width,
            anchors=_some(known),
            discovered=_some(found),
            pictures=cells,
            labelled={row: pair.items[row] for row in labelled},
            ticks=view.projection in QUICK,
        )
        return [grid, legend_of(colours, width, bool(len(known)), bool(len(found)))]

    arrays: dict[str, np.ndarray] = {
        f"{row}_{side}": result.arrays[side]
        for row, result in zip(rows, results, strict=False)
        for side in ("a", "b")
    }
    arrays |= {"colour_codes": colours.codes, "anchors": known, "anchors_found": found}
    return Content(
        _caption(view, pair, panes, colours, bool(len(anchors))), arrays, _columns(pair, arrays), parts
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
        return similarity_colours(view, pair, view.colour[-1], *_checked([clicked], pair, "clicked"))
    return plain_colours(pair, first)


def _checked(rows: Sequence[int], pair: Pair, name: str) -> list[int]:
    wrong = [row for row in rows if not 0 <= row < len(pair)]
    if wrong:
        raise ParameterError(
            f"The option {name} names row {wrong[0]}; the pair has rows 0 to {len(pair) - 1}."
        )
    if len(rows) > MOST_PICTURES:
        raise ParameterError(f"The option {name} names {len(rows)} rows; at most {MOST_PICTURES} are drawn.")
    return list(rows)


def _some(rows: np.ndarray) -> np.ndarray:
    """Stars of many anchors would cover the map: an even part of them."""
    return rows[:: max(1, -(-len(rows) // MOST_STARS))]


def _columns(pair: Pair, arrays: Mapping[str, np.ndarray]) -> Columns:
    columns: dict[str, Sequence[Any]] = {"id": pair.ids, "item": pair.items}
    if pair.labels is not None:
        columns["class"] = pair.labels
    for name, points in arrays.items():
        if points.ndim == 2:
            columns |= {f"{name}_{axis}": points[:, at].tolist() for at, axis in enumerate("xy")}
    anchors = {*arrays["anchors"].tolist(), *arrays["anchors_found"].tolist()}
    return {**columns, "anchor": [int(row in anchors) for row in range(len(pair))]}


def _caption(view: View, pair: Pair, panes: Sequence[Pane], colours: Colours, starred: bool) -> str:
    said = [both_said(pair)]
    if any("relative" in pane.title for pane in panes):
        said.append(f"Relative: each item told by its similarity to {anchors_said(view, pair)}.")
    said += list(_panes_said(panes))
    legend = colours.legend
    if legend["kind"] == "number":
        said.append(f"Colour: {legend['title']}, {legend['low_text']} to {legend['high_text']}.")
    elif legend["kind"] == "class":
        said.append("Colour: class." if view.colour == "class" else "Colour: cluster.")
    said += [legend["note"]] if legend["note"] else []
    if starred:
        said.append(f"Stars: anchors, at most {MOST_STARS} of them.")
    return " ".join(said)


def _panes_said(panes: Sequence[Pane]) -> Iterator[str]:
    """What the panes' captions say, once where two say the same."""
    told: dict[str, list[str]] = {}
    for place, pane in enumerate(panes):
        said = pane.caption.replace("\n", ", ").replace(" · ", ", ")
        assert pane.points is not None
        outside = home_of(pane, panes, len(pane.points)).outside(pane.points)
        said += f", {plural(outside, 'point')} outside" if outside else ""
        told.setdefault(said, []).append(chr(97 + place))
    for caption, letters in told.items():
        yield f"({listed(letters)}) {caption}."


KIND = Kind(
    words="Maps: absolute over relative, A beside B",
    page="compare",
    tasks=tasks,
    content=content,
    options={"rows": "both", "stars": False, "clicked": -1, "pictures": [], "texts": []},
)
