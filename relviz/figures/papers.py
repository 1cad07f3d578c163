"""The figures of a paper beside ours, which are read from what was computed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import SupportsFloat

from relviz.figures.captions import COUNTED, counts_of
from relviz.figures.kind import Columns
from relviz.figures.recipe import PaperNumber, Recipe
from relviz.papers import places
from relviz.sheet import Sheet, written

UNSHOWN = {
    "RR table 9": "sizes of data sets that relviz does not have",
    "RR table 10": "settings of models that relviz does not have",
    "RR table 11": "names of models that relviz does not have",
    "RR table 12": "names of models that relviz does not have",
    "RR table 13": "sizes of data sets that relviz does not have",
    "RR table 14": "names of models that relviz does not have",
    "RR table 15": "needs labeled texts in four languages",
    "RR table 16": "needs labeled texts in four languages",
    "RR table 17": "needs labeled texts in several languages by one encoder; E5 has Spanish names alone",
    "RR table 18": "needs images with coarse and fine labels",
    "AO table 2": "the middle of table 6, which ao-table-6 shows",
    "AO table 3": "settings; `relviz bootstrap --help` lists ours",
}
"""Figures and tables of the papers that no shipped recipe shows, and why."""

HEAD = ("", "the paper", "ours")
HEAD_COUNTED = ("", "the paper", "ours, as the papers count", "ours, held-out items")


def paper_comparison(recipe: Recipe, columns: Columns) -> Sheet | None:
    """A line for each figure of the paper; None where the recipe names none.

    Parameters
    ----------
    columns
        Of the figure's content.
    """
    if recipe.paper is None or not recipe.paper.comparison:
        return None
    counted = list(reversed(counts_of(recipe.options)))
    rows = [(one.words, one.printed, *_figures(one, columns, counted)) for one in recipe.paper.comparison]
    return _sheet(rows, f"{recipe.paper.place}: {recipe.paper.title}")


def shown_places(recipes: Mapping[str, Recipe]) -> Sheet:
    """Every numbered figure and table of the papers, and the recipes that show it, or why none does."""
    rows = []
    for name, place in places().items():
        shown = [recipe for recipe, one in recipes.items() if one.paper and name in names_of(one.paper.place)]
        rows.append((name, place.section, ", ".join(shown) or f"– ({UNSHOWN[name]})"))
    return Sheet(("in the papers", "section", "recipe"), tuple(rows), words=3)


def names_of(place: str) -> list[str]:
    """The figures or tables that a recipe's place names.

    >>> names_of("IRP figures 3 and 6")
    ['IRP figure 3', 'IRP figure 6']
    """
    paper, kind, *numbers = place.split()
    return [f"{paper} {kind.removesuffix('s')} {number}" for number in numbers if number != "and"]


def as_sheet(rows: Iterable[Iterable[str]]) -> Sheet | None:
    """The lines of ``paper_comparison`` as they were kept; None where there are none."""
    kept = [tuple(row) for row in rows]
    return _sheet(kept) if kept else None


def _sheet(rows: Sequence[tuple[str, ...]], caption: str = "") -> Sheet:
    return Sheet(HEAD if len(rows[0]) == len(HEAD) else HEAD_COUNTED, tuple(rows), caption)


def _figures(one: PaperNumber, columns: Columns, counted: Sequence[bool]) -> list[str]:
    if len(counted) == 1:
        return [_rounded(ours(one, columns), one)]
    ways = [replace(one, where={**one.where, "counted": COUNTED[papers]}) for papers in counted]
    return [_rounded(ours(way, columns), way) for way in ways]


def ours(one: PaperNumber, columns: Columns) -> float | None:
    """Our figure; None where there is no such row, or it has none.

    >>> mrr = ("RR table 7", "uniform", "FastText → Word2Vec, MRR")
    >>> ours(PaperNumber("MRR", mrr, "mean", {"metric": "mrr"}), {"metric": ["cka", "mrr"], "mean": [1, 0.5]})
    0.5
    """
    if one.column not in columns or any(name not in columns for name in one.where):
        return None
    for place, value in enumerate(columns[one.column]):
        if _holds(one.where, columns, place):
            return one.scale * float(value) if isinstance(value, SupportsFloat) else None
    return None


def _holds(where: Mapping[str, str], columns: Columns, place: int) -> bool:
    return all(written(columns[name][place]) == value for name, value in where.items())


def _rounded(value: float | None, one: PaperNumber) -> str:
    return "–" if value is None else f"{value:.{one.digits}f}"
