"""What maps in print have in common: which rows are marked, how many points are drawn, their numbers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from relviz.errors import ParameterError
from relviz.figures.colouring import Colours
from relviz.figures.pane import Pane, home_of
from relviz.figures.sample import MOST_DRAWN
from relviz.pair import Pair
from relviz.view.choices import View
from relviz.view.figure.content import Columns, Options
from relviz.view.figure.words import listed
from relviz.view.pictures import cells_of
from relviz.wording import count, plural

MARKS: dict[str, Any] = {"pictures": [], "texts": [], "points": MOST_DRAWN}
"""Options of every map of a pair: rows that have their picture or their text, and points drawn at most."""
MOST_STARS = 60
MOST_MARKED = 200
FEWEST_POINTS = 100


def marks_of(view: View, pair: Pair, options: Options) -> dict[str, Any]:
    """What the options ask of a map; ParameterError for rows that are not there, or too many.

    Pictures are those of the pair's items.
    """
    pictured, labelled = (checked_rows(options[name], pair, name) for name in ("pictures", "texts"))
    most = options["points"]
    if not FEWEST_POINTS <= most <= MOST_DRAWN:
        raise ParameterError(f"The option points is {most}; give {FEWEST_POINTS} to {count(MOST_DRAWN)}.")
    return {
        "pictures": cells_of(view.a, view.b, pictured) if pictured else None,
        "labelled": {row: pair.items[row] for row in labelled},
        "most": most,
    }


def checked_rows(rows: Sequence[int], pair: Pair, name: str, most: int = MOST_MARKED) -> list[int]:
    """Rows that an option names, if the pair has them; else ParameterError."""
    wrong = [row for row in rows if not 0 <= row < len(pair)]
    if wrong:
        raise ParameterError(
            f"The option {name} names row {wrong[0]}; the pair has rows 0 to {len(pair) - 1}."
        )
    if len(rows) > most:
        raise ParameterError(f"The option {name} names {len(rows)} rows; at most {most} are drawn.")
    return list(rows)


def some_stars(rows: np.ndarray) -> np.ndarray:
    """Stars of many anchors would cover the map: an even part of them."""
    return rows[:: max(1, -(-len(rows) // MOST_STARS))]


def map_columns(pair: Pair, arrays: Mapping[str, np.ndarray]) -> Columns:
    """A row for each item: what it is, its numbers and places in every array, whether it is an anchor."""
    columns: dict[str, Sequence[Any]] = {"id": pair.ids, "item": pair.items}
    if pair.labels is not None:
        columns["class"] = pair.labels
    for name, points in arrays.items():
        if points.shape == (len(pair), 2):
            columns |= {f"{name}_{axis}": points[:, at].tolist() for at, axis in enumerate("xy")}
        elif name in ("jaccard", "members"):
            columns[name] = points.tolist()
    anchors = {
        row for name in ("anchors", "anchors_found") if name in arrays for row in arrays[name].tolist()
    }
    return {**columns, "anchor": [int(row in anchors) for row in range(len(pair))]}


def panes_said(panes: Sequence[Pane]) -> Iterator[str]:
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


def colour_said(colours: Colours, plain: bool) -> list[str]:
    """Sentences on what colour means; ``plain`` where its classes are those of the pair."""
    legend, said = colours.legend, []
    if legend["kind"] == "number":
        said.append(f"Colour: {legend['title']}, {legend['low_text']} to {legend['high_text']}.")
    elif legend["kind"] == "class":
        said.append("Colour: class." if plain else "Colour: cluster.")
    return [*said, legend["note"]] if legend["note"] else said


def points_said(options: Options, total: int) -> list[str]:
    """A sentence where not all points are drawn."""
    most = options["points"]
    return [f"{count(most)} of {count(total)} points are drawn, a seeded sample."] if most < total else []
