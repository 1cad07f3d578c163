"""What captions and tables of print figures have in common: marked rows, words, counted queries."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict

import numpy as np

from relviz.errors import ParameterError
from relviz.figures.kind import Columns, Options
from relviz.figures.pictures import cells_of
from relviz.pair import Pair
from relviz.plotting.colors import Colors
from relviz.plotting.pane import MOST_DRAWN, Pane, home_of, shape_of
from relviz.results.comparison import Comparison
from relviz.state.option_labels import FITS, METHODS, SIMILARITIES
from relviz.wording import count, plural


def listed(words: Sequence[str]) -> str:
    """Words with commas between them.

    >>> listed(["a", "b", "c"])
    'a, b, c'
    """
    return ", ".join(words)


def describe_pair(pair: Pair) -> str:
    """What A and B are."""
    return (
        f"A: {pair.a.name} ({plural(pair.a.dimension, 'dimension')}); B: {pair.b.name} "
        f"({plural(pair.b.dimension, 'dimension')}); {plural(len(pair), 'item')}."
    )


def describe_anchors(comparison: Comparison) -> str:
    """Which anchors, drawn how, and in what frame."""
    choices = comparison.choices
    frame = "both spaces centered" if comparison.centered else "spaces not centered"
    if comparison.quantum:
        frame += f", quantized at {comparison.quantum:g}"
    measure = SIMILARITIES[comparison.similarity].lower()
    if comparison.run is not None:
        how = f"anchors of the run “{comparison.run.title}”"
    elif choices.method == "hand":
        how = f"{plural(len(comparison.anchors), 'anchor')} chosen by hand"
    else:
        many = plural(comparison.count, "anchor")
        how = f"{many}, {METHODS[choices.method].lower()}, seed {choices.seed}"
    return f"{how} ({measure}, {frame})"


def describe_samples(first: int, runs: int) -> str:
    """Over what a mean is taken.

    >>> describe_samples(0, 5)
    'mean ± sd over seeds 0–4'
    """
    return f"mean ± sd over seeds {first}–{first + runs - 1}" if runs > 1 else f"seed {first}"


def describe_rows(queries: int, rows: int, include_anchors: bool = False) -> str:
    """Which rows are queries, and how many candidates there are."""
    which = "anchors included, as the papers count" if include_anchors else "none of them an anchor"
    return f"{count(queries)} queries ({which}), {count(rows)} candidates"


MARKS: Options = {"pictures": [], "texts": [], "points": MOST_DRAWN}
"""Options of every map of a pair: rows that have their picture or their text, and points drawn at most."""
MOST_STARS = 60
MOST_MARKED = 200
FEWEST_POINTS = 100


class Marks(TypedDict):
    """What is drawn in place of points, or beside them, and how many points there are at most."""

    pictures: Mapping[int, np.ndarray] | None
    labeled: Mapping[int, str]
    most: int


def marks_of(comparison: Comparison, options: Options) -> Marks:
    """What the options ask of a map; ParameterError for rows that are not there, or too many.

    Pictures are those of the pair's items.
    """
    pair = comparison.pair
    pictured, labeled = (checked_rows(options[name], pair, name) for name in ("pictures", "texts"))
    most = options["points"]
    if not FEWEST_POINTS <= most <= MOST_DRAWN:
        raise ParameterError(f"The option points is {most}; give {FEWEST_POINTS} to {count(MOST_DRAWN)}.")
    return {
        "pictures": cells_of(*comparison.sources, pictured) if pictured else None,
        "labeled": {row: pair.items[row] for row in labeled},
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
    columns: dict[str, Sequence[object]] = {"id": pair.ids, "item": pair.items}
    if pair.labels is not None:
        columns["class"] = pair.labels
    for name, points in arrays.items():
        if points.ndim == 2 and len(points) == len(pair):
            columns |= {
                f"{name}_{axis}": points[:, at].tolist()
                for at, axis in zip(range(points.shape[1]), "xyz", strict=False)
            }
        elif name in ("jaccard", "members"):
            columns[name] = points.tolist()
    anchors = {
        row for name in ("anchors", "anchors_found") if name in arrays for row in arrays[name].tolist()
    }
    return {**columns, "anchor": [int(row in anchors) for row in range(len(pair))]}


def describe_panes(panes: Sequence[Pane]) -> Iterator[str]:
    """What the panes' captions say, once where two say the same."""
    places: dict[str, list[str]] = {}
    flat = [pane for pane in panes if pane.points is not None and pane.points.shape[1] == 2]
    homes = {id(pane): home_of(pane, flat, len(pane.points)) for pane in flat if pane.points is not None}
    shape = shape_of(list(homes.values()))
    for place, pane in enumerate(panes):
        assert pane.points is not None
        facts = [_inside(fact) for line in pane.facts for fact in line]
        home = homes.get(id(pane))
        if home is not None and (outside := home.widened(shape).outside(pane.points)):
            facts.append(f"{plural(outside, 'point')} outside, at the border")
        places.setdefault(listed(facts), []).append(chr(97 + place))
    for caption, letters in places.items():
        yield f"({listed(letters)}) {caption}."


def _inside(fact: str) -> str:
    """A fact as it stands inside a sentence."""
    return fact[0].lower() + fact[1:] if fact in FITS.values() else fact


def describe_colors(colors: Colors, plain: bool) -> list[str]:
    """Sentences on what color means; ``plain`` where its classes are those of the pair."""
    legend, sentences = colors.legend, []
    if legend["kind"] == "number":
        sentences.append(f"Color: {legend['title']}, {legend['low_text']} to {legend['high_text']}.")
    elif legend["kind"] == "class":
        sentences.append("Color: class." if plain else "Color: cluster.")
    return [*sentences, legend["note"]] if legend["note"] else sentences


def describe_points(options: Options, total: int) -> list[str]:
    """A sentence where not all points are drawn."""
    most = options["points"]
    return [f"{count(most)} of {count(total)} points are drawn, a seeded sample."] if most < total else []


OPTION = "papers_count"
"""Option of a kind of figure: whether it also counts as the papers do."""
COUNTED = {False: "held-out items", True: "as the papers count"}
"""What the column ``counted`` of a figure's numbers says, by whether anchors are queries."""


def counts_of(options: Options) -> list[bool]:
    """Whether anchors are queries, for each way to count that is asked for: held-out items come first."""
    return [False, True] if options.get(OPTION) else [False]
