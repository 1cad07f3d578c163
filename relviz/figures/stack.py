"""A figure of parts under each other: maps, charts, heat maps, a legend."""

from collections.abc import Sequence
from typing import Protocol

from matplotlib.figure import Figure

from relviz.errors import ParameterError
from relviz.figures.page import MARGIN, Page
from relviz.figures.style import check_width, styled

GAP = 2.5
TALLEST = 420.0
"""Millimetres; what is taller fits no page, however it is turned."""


class Part(Protocol):
    """What takes the whole width of a figure: its height in mm, and how many panels have a letter."""

    @property
    def height(self) -> float:
        """In mm."""

    @property
    def panels(self) -> int:
        """How many panels have a letter."""

    def draw(self, page: Page, x: float, y: float, letter: int | None) -> None:
        """Draw it, its top left at (x, y) in mm, its first panel with that letter of the alphabet."""


def inner(width: float) -> float:
    """What parts may take of a figure's width, in mm; ParameterError if no page is that wide."""
    return check_width(width) - 2 * MARGIN


def height_of(parts: Sequence[Part]) -> float:
    """What a figure of these parts takes in mm; ParameterError if it would be taller than any page."""
    shown = [part for part in parts if part.height]
    height = 2 * MARGIN + sum(part.height for part in shown) + GAP * (len(shown) - 1)
    if height > TALLEST:
        raise ParameterError(
            f"The figure would be {height:.0f} mm tall; {TALLEST:.0f} mm are the most. Show fewer panels "
            "or rows."
        )
    return height


def stacked(parts: Sequence[Part], width: float) -> Figure:
    """A figure of parts that were made for ``inner(width)``. A single panel has no letter.

    Raises
    ------
    ParameterError
        If it would be taller than any page.
    """
    height = height_of(parts)
    shown = [part for part in parts if part.height]
    lettered = sum(part.panels for part in shown) > 1
    with styled():
        page = Page(width, height)
        y, letter = MARGIN, 0
        for part in shown:
            part.draw(page, MARGIN, y, letter if lettered else None)
            y += part.height + GAP
            letter += part.panels
    return page.figure
