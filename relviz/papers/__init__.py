"""What the three papers print: every numbered figure and table, its setting, and its numbers.

RR is Moschella et al. 2023 (arXiv 2209.15430), AO Cannistraci et al. 2023 (arXiv 2303.00721), IRP the paper
on inverse relative projection (arXiv 2406.15057). The numbers lie in ``papers.json``; all that quotes a
paper reads them there.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from relviz.errors import ParameterError

__all__ = ["LINKS", "PAPERS", "Place", "place_of", "places", "quote"]

PAPERS = {
    "RR": "Relative representations",
    "AO": "Anchor optimization",
    "IRP": "Inverse relative projection",
}
"""The papers, by the word that a place in them begins with."""
LINKS = {"RR": "arXiv 2209.15430", "AO": "arXiv 2303.00721", "IRP": "arXiv 2406.15057"}


@dataclass(frozen=True)
class Place:
    """A numbered figure or table of a paper.

    Attributes
    ----------
    name
        Such as "RR table 7".
    section, shows, setting, note
        Where it stands, what it shows, of which data and with which choices, and what to know to read it.
    columns, rows
        Its numbers as printed, "0.34±0.01"; a row has a cell for each column, None where the paper has no
        number. No rows where the text that was read has none.
    """

    name: str
    section: str
    shows: str
    setting: str = ""
    note: str = ""
    columns: tuple[str, ...] = ()
    rows: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)

    def quote(self, row: str, column: str) -> str:
        """A number as printed.

        Raises
        ------
        ParameterError
            If there is no such row or column, or no number in it.
        """
        cells = self.rows.get(row)
        found = cells[self.columns.index(column)] if cells and column in self.columns else None
        if found is None:
            raise ParameterError(f"{self.name} prints no number for {row[:60]!r}, {column[:60]!r}.")
        return found


@cache
def places() -> Mapping[str, Place]:
    """Every numbered figure and table of the three papers by its name, in the order of the papers."""
    text = files("relviz.papers").joinpath("papers.json").read_text(encoding="utf-8")
    return {name: _place(name, **said) for name, said in json.loads(text).items()}


def _place(
    name: str,
    section: str,
    shows: str,
    setting: str = "",
    note: str = "",
    columns: tuple[str, ...] = (),
    rows: Mapping[str, tuple[str | None, ...]] | None = None,
) -> Place:
    cells = {row: tuple(values) for row, values in (rows or {}).items()}
    return Place(name, section, shows, setting, note, tuple(columns), cells)


def place_of(name: str) -> Place:
    """A figure or table by its name; ParameterError if the papers have none of that name."""
    found = places().get(name)
    if found is None:
        raise ParameterError(f"No paper has {name[:60]!r}; a place is named like “RR table 7”.")
    return found


def quote(place: str, row: str, column: str) -> str:
    """A number as a paper prints it.

    >>> quote("RR table 7", "uniform", "FastText → Word2Vec, Jaccard")
    '0.34±0.01'

    Raises
    ------
    ParameterError
        If there is no such figure or table, or no such number in it.
    """
    return place_of(name=place).quote(row, column)
