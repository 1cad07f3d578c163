"""Legends beside a figure, never on it: classes, a scale, marks, lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap

from relviz.figures.lettering import column_widths, fitted, flowed, readable, width_of
from relviz.figures.page import LINE, Page
from relviz.figures.style import FAINT, INK, SMALL
from relviz.wording import count

KEY = 3.6
"""What the mark of an entry takes, in mm."""
GAP = 3.5
LONGEST = 45.0
BAR = 42.0


@dataclass(frozen=True)
class Key:
    """An entry: its words, its colour, and the mark or the line that it stands for."""

    words: str
    colour: str
    marker: str = "o"
    line: str = ""
    hollow: bool = False


class Legend:
    """Entries in lines of a width in mm, with a scale after them if there is one, and a note under both."""

    def __init__(self, width: float, keys: Sequence[Key], scale: "Scale | None" = None) -> None:
        self.width, self.keys, self.scale = width, keys, scale
        self.words = [fitted(key.words, min(LONGEST, width - KEY)) for key in keys]
        self._widths = [KEY + width_of(words) for words in self.words]
        self.lines = flowed(self._widths, width, GAP)

    @property
    def height(self) -> float:
        """What it takes, in mm."""
        return LINE * (len(self.lines) + (0 if self.scale is None else 2))

    panels = 0

    def draw(self, page: Page, x: float, y: float, letter: int | None = None) -> None:  # noqa: ARG002
        """Draw it, its top left at (x, y)."""
        if self.scale is not None:
            self.scale.draw(page, x + max(0.0, (self.width - BAR) / 2), y)
            y += 2 * LINE
        if not self.lines:
            return
        columns = column_widths(self._widths, self.lines)
        left = x + max(0.0, (self.width - sum(columns) - GAP * (len(columns) - 1)) / 2)
        starts = left + np.cumsum([0.0, *(column + GAP for column in columns[:-1])])
        for number, line in enumerate(self.lines):
            middle = y + LINE * (number + 0.5)
            for start, at in zip(starts, line, strict=False):
                _mark(page, self.keys[at], float(start), middle)
                page.text(float(start) + KEY, middle, self.words[at])


@dataclass(frozen=True)
class Scale:
    """A bar of colours from low to high, and what it measures."""

    title: str
    palette: tuple[str, ...]
    low: str
    high: str

    def draw(self, page: Page, x: float, y: float) -> None:
        """Draw it, its title over it, its top left at (x, y)."""
        page.text(x + BAR / 2, y + LINE / 2, self.title, ha="center", longest=2 * BAR)
        bar = page.axes(x, y + LINE + 0.5, BAR, LINE - 1.4)
        bar.imshow(np.linspace(0, 1, 256)[None], aspect="auto", cmap=ramp(self.palette), extent=(0, 1, 0, 1))
        bar.set(xticks=[], yticks=[])
        middle = y + 1.5 * LINE
        page.text(x - 1, middle, self.low, SMALL, ha="right")
        page.text(x + BAR + 1, middle, self.high, SMALL, ha="left")


def ramp(palette: Sequence[str]) -> LinearSegmentedColormap:
    """A colour map through a palette."""
    return LinearSegmentedColormap.from_list("relviz", list(palette), N=256)


def class_keys(legend: dict[str, Any], most: int) -> list[Key]:
    """An entry for each class of a legend, the first ``most``, and a word on the others."""
    entries = list(zip(legend["names"], legend["palette"], strict=True))
    keys = [Key(readable(name) or "(empty)", colour) for name, colour in entries[:most]]
    if len(entries) > most:
        keys.append(Key(f"and {count(len(entries) - most)} more", FAINT, ""))
    return keys


def _mark(page: Page, key: Key, x: float, y: float) -> None:
    if key.line:
        dashes = {"--": (0, (2.2, 1.2)), ":": (0, (0.9, 0.9))}.get(key.line, key.line)
        page.plane.plot([x, x + KEY - 0.7], [y, y], ls=dashes, color=key.colour, lw=1.2)
    if key.marker:
        middle = x + (KEY - 0.7) / 2
        face = "white" if key.hollow else key.colour
        edge = INK if key.marker == "*" else key.colour
        size = 34 if key.marker == "*" else 10 if key.line else 14
        page.plane.scatter(
            [middle], [y], s=size, marker=key.marker, c=[face], edgecolors=edge, linewidths=0.5, zorder=3
        )
