"""The page of a figure: everything has its place in millimetres from the top left."""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from relviz.figures.lettering import fitted, readable
from relviz.figures.style import LETTER, MM, TEXT

MARGIN = 1.5
LINE = 3.4
"""Height of a line of text."""
LETTERS = 4.0
"""What the letter of a panel takes."""


class Page:
    """A figure of ``width`` × ``height`` mm. Draw on it inside ``styled()``."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.figure = Figure(figsize=(width * MM, height * MM))
        # One plane under everything, in mm: what is not part of a chart is drawn on it.
        self.plane = self.figure.add_axes((0, 0, 1, 1), label="page")
        self.plane.set(xlim=(0, width), ylim=(height, 0))
        self.plane.axis("off")

    def axes(self, x: float, y: float, width: float, height: float) -> Axes:
        """A chart whose frame has its top left at (x, y)."""
        box = (x / self.width, 1 - (y + height) / self.height, width / self.width, height / self.height)
        return self.figure.add_axes(box, label=f"{x:.2f} {y:.2f}")

    def text(
        self, x: float, y: float, text: str, size: float = TEXT, longest: float = 0, **look: Any
    ) -> None:
        """A text whose middle is at y, unless ``va`` says otherwise; one wider than ``longest`` mm is cut."""
        said = fitted(text, longest, size, look.get("weight", "normal")) if longest else readable(text)
        self.plane.text(x, y, said, size=size, **{"va": "center", **look})

    def head(self, x: float, y: float, lines: Sequence[str], letter: int | None) -> None:
        """The lines of a panel's title with its letter in front, the top left at (x, y)."""
        if letter is not None:
            self.text(x, y + LINE / 2, chr(ord("a") + letter), LETTER, weight="bold")
        for number, line in enumerate(lines):
            self.text(x + (0 if letter is None else LETTERS), y + LINE * (number + 0.5), line)
