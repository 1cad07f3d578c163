"""The page of a figure: everything has its place in millimetres from the top left."""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from relviz.figures.style import LETTER, MM, SMALL, TEXT, readable, width_of

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
        """A text whose middle line is at y; one wider than ``longest`` mm is cut."""
        said = fitted(text, longest, size, look.get("weight", "normal")) if longest else readable(text)
        self.plane.text(x, y, said, size=size, va="center", **look)

    def head(self, x: float, y: float, lines: Sequence[str], letter: int | None) -> None:
        """The lines of a panel's title with its letter in front, the top left at (x, y)."""
        if letter is not None:
            self.text(x, y + LINE / 2, chr(ord("a") + letter), LETTER, weight="bold")
        for number, line in enumerate(lines):
            self.text(x + (0 if letter is None else LETTERS), y + LINE * (number + 0.5), line)


def fitted(text: str, width: float, size: float = TEXT, weight: str = "normal") -> str:
    """As much of a text as fits into a width in mm."""
    said = readable(text)
    if width_of(said, size, weight) <= width:
        return said
    low, high = 0, len(said)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high) if width_of(said[:middle] + "…", size, weight) <= width else (low, middle - 1)
        )
    return said[:low].rstrip() + "…"


def wrapped(text: str, width: float, size: float = SMALL) -> list[str]:
    """A text in lines that fit into a width in mm, broken at spaces."""
    lines: list[str] = []
    for word in readable(text).split():
        if lines and width_of(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return [fitted(line, width, size) for line in lines]


def flowed(widths: Sequence[float], room: float, gap: float) -> list[list[int]]:
    """Places of things of these widths in lines of ``room`` mm, in columns that stand under each other."""
    if not widths:
        return []
    for columns in range(len(widths), 0, -1):
        lines = [
            list(range(start, min(start + columns, len(widths)))) for start in range(0, len(widths), columns)
        ]
        if columns == 1 or sum(column_widths(widths, lines)) + gap * (columns - 1) <= room:
            return lines
    raise AssertionError("one column always fits")


def column_widths(widths: Sequence[float], lines: Sequence[Sequence[int]]) -> list[float]:
    """The widest of each column."""
    return [max(widths[line[at]] for line in lines if at < len(line)) for at in range(len(lines[0]))]


def titled(title: str, width: float) -> list[str]:
    """A title in one line, or where it is too wide in two, broken at its dot or at a space; none if empty."""
    if not title or width_of(readable(title)) <= width:
        return [readable(title)] if title else []
    if " · " in title:
        return [fitted(part, width) for part in title.rsplit(" · ", 1)]
    first = wrapped(title, width, TEXT)[0]
    rest = readable(title)[len(first) :].strip()
    return [first, *([fitted(rest, width)] if rest and not first.endswith("…") else [])]
