"""The figures of a paper beside ours, which are read from what was computed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import SupportsFloat

from relviz.figures.captions import COUNTED, counts_of
from relviz.figures.kind import Columns, written
from relviz.figures.recipe import Beside, Recipe
from relviz.sheet import Sheet

HEAD = ("", "the paper", "ours")
HEAD_COUNTED = ("", "the paper", "ours, as the papers count", "ours, held-out items")


def beside(recipe: Recipe, columns: Columns) -> Sheet | None:
    """A line for each figure of the paper; None where the recipe names none.

    Parameters
    ----------
    columns
        Of the figure's content.
    """
    if recipe.paper is None or not recipe.paper.beside:
        return None
    counted = list(reversed(counts_of(recipe.options)))
    rows = [(one.words, one.theirs, *_figures(one, columns, counted)) for one in recipe.paper.beside]
    return _sheet(rows, f"{recipe.paper.place}: {recipe.paper.title}")


def as_sheet(rows: Iterable[Iterable[str]]) -> Sheet | None:
    """The lines of ``beside`` as they were kept; None where there are none."""
    kept = [tuple(row) for row in rows]
    return _sheet(kept) if kept else None


def _sheet(rows: Sequence[tuple[str, ...]], caption: str = "") -> Sheet:
    return Sheet(HEAD if len(rows[0]) == len(HEAD) else HEAD_COUNTED, tuple(rows), caption)


def _figures(one: Beside, columns: Columns, counted: Sequence[bool]) -> list[str]:
    if len(counted) == 1:
        return [_said(ours(one, columns), one)]
    ways = [replace(one, where={**one.where, "counted": COUNTED[papers]}) for papers in counted]
    return [_said(ours(way, columns), way) for way in ways]


def ours(one: Beside, columns: Columns) -> float | None:
    """Our figure; None where there is no such row, or it has none.

    >>> ours(Beside("MRR", "0.94", "mean", {"metric": "mrr"}), {"metric": ["cka", "mrr"], "mean": [1, 0.5]})
    0.5
    """
    if one.column not in columns or any(name not in columns for name in one.where):
        return None
    for place, value in enumerate(columns[one.column]):
        if _holds(one.where, columns, place):
            return float(value) if isinstance(value, SupportsFloat) else None
    return None


def _holds(where: Mapping[str, str], columns: Columns, place: int) -> bool:
    return all(written(columns[name][place]) == value for name, value in where.items())


def _said(value: float | None, one: Beside) -> str:
    return "–" if value is None else f"{value:.{one.digits}f}"
