"""The figures of a paper beside ours, which are read from what was computed."""

from collections.abc import Iterable, Mapping
from typing import Any

from relviz.view.figure.content import Columns, written
from relviz.view.figure.paper import Beside
from relviz.view.figure.recipe import Recipe
from relviz.view.sheet import Sheet

HEAD = ("", "the paper", "ours")


def beside(recipe: Recipe, columns: Columns) -> Sheet | None:
    """A line for each figure of the paper; None where the recipe names none.

    Parameters
    ----------
    columns
        Of the figure's content.
    """
    if recipe.paper is None or not recipe.paper.beside:
        return None
    rows = tuple((one.words, one.theirs, _said(ours(one, columns), one)) for one in recipe.paper.beside)
    return Sheet(HEAD, rows, f"{recipe.paper.place}: {recipe.paper.title}")


def as_sheet(rows: Iterable[Iterable[str]]) -> Sheet | None:
    """The lines of ``beside`` as they were kept; None where there are none."""
    kept = tuple(tuple(row) for row in rows)
    return Sheet(HEAD, kept) if kept else None


def ours(one: Beside, columns: Columns) -> float | None:
    """Our figure; None where there is no such row, or it has none.

    >>> ours(Beside("MRR", "0.94", "mean", {"metric": "mrr"}), {"metric": ["cka", "mrr"], "mean": [1, 0.5]})
    0.5
    """
    if one.column not in columns or any(name not in columns for name in one.where):
        return None
    for place, value in enumerate(columns[one.column]):
        if _holds(one.where, columns, place):
            return None if value is None else float(value)
    return None


def _holds(where: Mapping[str, str], columns: Mapping[str, Any], place: int) -> bool:
    return all(written(columns[name][place]) == value for name, value in where.items())


def _said(value: float | None, one: Beside) -> str:
    return "–" if value is None else f"{value:.{one.digits}f}"
