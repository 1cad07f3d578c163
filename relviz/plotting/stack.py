"""A figure of parts under each other: maps, charts, heat maps, a legend."""

from collections.abc import Sequence
from typing import Any, Protocol

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from relviz.errors import ParameterError
from relviz.plotting.drawing import drawing
from relviz.plotting.style import (
    LETTER,
    MM,
    TEXT,
    check_width,
    fitted,
    printed,
    readable,
    styled,
    width_of,
)

MARGIN = 1.5
LINE = 3.4
"""Height of a line of text."""
LETTERS = 4.0
"""What the letter of a panel takes."""


class Page:
    """A figure of ``width`` × ``height`` mm, or so much of the ``room`` that axes of another figure have.

    Millimeters are those of the layout, with letters of 7 points. Draw on it inside ``styled()``.
    """

    def __init__(self, width: float, height: float, room: Axes | None = None) -> None:
        self.width, self.height = width, height
        unit = drawing().scale * MM
        # In shares of the whole figure: left, bottom, width, height.
        self._box = (0.0, 0.0, 1.0, 1.0)
        if room is None:
            self.figure = Figure(figsize=(width * unit, height * unit))
        else:
            self.figure, left, top, _, _ = _place(room)
            wide, high = self.figure.get_size_inches() / unit
            left, top = left * MM / unit, top * MM / unit
            self._box = (left / wide, 1 - (top + height) / high, width / wide, height / high)
        # One plane under everything, in mm: what is not part of a chart is drawn on it.
        self.plane = self.figure.add_axes(self._box, label="page")
        self.plane.set(xlim=(0, width), ylim=(height, 0))
        self.plane.axis("off")

    def axes(self, x: float, y: float, width: float, height: float) -> Axes:
        """A chart whose frame has its top left at (x, y)."""
        left, bottom, wide, high = self._box
        across, down = wide / self.width, high / self.height
        box = (left + x * across, bottom + high - (y + height) * down, width * across, height * down)
        return self.figure.add_axes(box, label=f"{x:.2f} {y:.2f}")

    def text(
        self, x: float, y: float, text: str, size: float = TEXT, longest: float = 0, **look: Any
    ) -> None:
        """A text whose middle is at y, unless ``va`` says otherwise; one wider than ``longest`` mm is cut."""
        shown = fitted(text, longest, size, look.get("weight", "normal")) if longest else readable(text)
        self.plane.text(x, y, shown, size=printed(size), **{"va": "center", **look})

    def head(self, x: float, y: float, lines: Sequence[str], letter: int | None) -> None:
        """The lines of a panel's title with its letter in front, the top left at (x, y)."""
        letter_text = "" if letter is None else drawing().letter(letter)
        if letter_text:
            self.text(x, y + LINE / 2, letter_text, LETTER, weight="bold")
        room = max(LETTERS, width_of(letter_text, LETTER, "bold") + 1.0) if letter_text else 0.0
        for number, line in enumerate(lines):
            self.text(x + room, y + LINE * (number + 0.5), line)


GAP = 2.5
TALLEST = 420.0
"""Millimeters; what is taller fits no page, however it is turned."""
SLACK = 0.01
"""Millimeters that rounding may take."""


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
    """What parts may take of a figure's width, in mm; ParameterError if no page is that wide.

    Where letters are printed larger than 7 points, in mm of the layout, which has them of 7.
    """
    return check_width(width) / drawing().scale - 2 * MARGIN


def height_of(parts: Sequence[Part]) -> float:
    """What a figure of these parts takes in mm; ParameterError if it would be taller than any page."""
    shown = [part for part in parts if part.height]
    height = 2 * MARGIN + sum(part.height for part in shown) + GAP * (len(shown) - 1)
    if height > TALLEST:
        raise ParameterError(
            f"The figure would be {height:.0f} mm tall; {TALLEST:.0f} mm is the limit. Show fewer panels "
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
    with styled():
        page = Page(width / drawing().scale, height_of(parts))
        _draw(parts, page)
    return page.figure


def on_axes(parts: Sequence[Part], width: float, axes: Axes) -> None:
    """Parts in the place of axes of another figure, whose own frame and ticks are hidden.

    Raises
    ------
    ParameterError
        If the axes are smaller than the parts, made for ``inner(width)``.
    """
    height = height_of(parts) * drawing().scale
    wide, high = room_of(axes)
    if height > high + SLACK or width > wide + SLACK:
        raise ParameterError(
            f"The axes are {wide:.1f} × {high:.1f} mm; this figure takes {width:.1f} × {height:.1f}. Make "
            "them larger, or the figure narrower."
        )
    with styled():
        axes.axis("off")
        _draw(parts, Page(width / drawing().scale, height / drawing().scale, axes))


def room_of(axes: Axes) -> tuple[float, float]:
    """Width and height of axes in mm."""
    return _place(axes)[3:]


def _place(axes: Axes) -> tuple[Figure, float, float, float, float]:
    """The figure that axes are in, and in mm how far they are from its left and top, and how large."""
    figure = axes.get_figure(root=True)
    if figure is None:
        raise ParameterError("These axes no longer belong to a figure.")
    box = axes.get_window_extent().transformed(figure.transFigure.inverted())
    wide, high = figure.get_size_inches() / MM
    return figure, box.x0 * wide, (1 - box.y1) * high, box.width * wide, box.height * high


def _draw(parts: Sequence[Part], page: Page) -> None:
    shown = [part for part in parts if part.height]
    if drawing().legend == "above":
        shown.sort(key=lambda part: part.panels > 0)
    lettered = sum(part.panels for part in shown) > 1
    y, letter = MARGIN, 0
    for part in shown:
        part.draw(page, MARGIN, y, letter if lettered else None)
        y += part.height + GAP
        letter += part.panels
