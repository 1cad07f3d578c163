"""A method drawn on one item: its place among anchors, its similarities to these, and where it lands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from relviz.plotting.colors import CLASSES
from relviz.plotting.drawing import drawing
from relviz.plotting.legend import decorate, frame
from relviz.plotting.pane import limits
from relviz.plotting.stack import LETTERS, LINE, Page
from relviz.plotting.style import FAINT, INK, SMALL, fitted, printed, titled, width_of

MOST_ANCHORS = len(CLASSES)
"""Each has a color of its own."""
BETWEEN = 25.0
"""Between two steps in mm: an arrow, and what it does."""
FOOT, GAP = 3.6, 1.5
"""What the figures under bars take in mm, and what is between two lines."""
LEAST, MOST = 22.0, 40.0
"""Millimeters of a step from which on steps stand side by side; most of one that stands over another."""
DROP, BESIDE = 9.0, 6.0
"""Millimeters between steps under each other, and between such lines."""
NAMES = 0.55
"""Share of a step that an anchor's name and similarity take at most."""
GROUND = "#D9D9D9"
LONGEST = 0.6
"""Similarity that the axis of bars reaches at least."""


@dataclass(frozen=True, eq=False)
class Place:
    """An item among anchors on a map.

    Attributes
    ----------
    title
        Of the space.
    points, item
        ``(n, 2)`` the rows of the map, and the item's own.
    anchors
        Rows of the anchors.
    landed
        ``(2,)`` where the item comes to by translation; None where it is not translated.
    """

    title: str
    points: np.ndarray
    item: int
    anchors: Sequence[int]
    landed: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Similarities:
    """An item's similarity to each anchor, ``(k,)``: its relative vector."""

    title: str
    values: np.ndarray
    names: Sequence[str]


class Schema:
    """Lines of steps from left to right, arrows between them.

    Parameters
    ----------
    lines
        Of the same kinds of steps; all have equal scales of similarity.
    arrows
        What is done from each step to the next, in a few short lines.
    width
        In mm.
    pictures, labeled
        Of rows: a picture ``(h, w, 4)`` uint8, or a text.
    """

    def __init__(
        self,
        lines: Sequence[Sequence[Place | Similarities]],
        arrows: Sequence[Sequence[str]],
        width: float,
        pictures: Mapping[int, np.ndarray],
        labeled: Mapping[int, str],
    ) -> None:
        self._lines, self._arrows = list(lines), list(arrows)
        self._pictures, self._labeled = pictures, labeled
        self._side = (width - BETWEEN * len(arrows)) / (len(arrows) + 1)
        self._downwards = self._side < LEAST
        if self._downwards:
            self._side = min(MOST, (width - BESIDE * (len(lines) - 1)) / len(lines))
        self._x = (
            max(0.0, (width - len(lines) * (self._side + BESIDE) + BESIDE) / 2) if self._downwards else 0.0
        )
        self._titles = [
            [titled(drawing().named(step.title), self._side - LETTERS) for step in line] for line in lines
        ]
        self._head = 0.8 + LINE * max(len(title) for line in self._titles for title in line)
        bars = [step.values for line in lines for step in line if isinstance(step, Similarities)]
        self._low, self._high = min(0.0, *(v.min() for v in bars)), max(LONGEST, *(v.max() for v in bars))

    @property
    def panels(self) -> int:
        """As many as steps."""
        return sum(map(len, self._lines))

    @property
    def height(self) -> float:
        """In mm."""
        step = self._head + self._tall + FOOT
        if self._downwards:
            return len(self._lines[0]) * step + DROP * (len(self._lines[0]) - 1)
        return len(self._lines) * step + GAP * (len(self._lines) - 1)

    @property
    def _tall(self) -> float:
        return 0.8 * self._side

    def draw(self, page: Page, x: float, y: float, letter: int | None) -> None:
        """Draw it, its top left at (x, y)."""
        high = self._head + self._tall + FOOT
        for at, line in enumerate(self._lines):
            for nth, step in enumerate(line):
                if self._downwards:
                    left, top = x + self._x + at * (self._side + BESIDE), y + nth * (high + DROP)
                else:
                    left, top = x + nth * (self._side + BETWEEN), y + at * (high + GAP)
                number = None if letter is None else letter + at * len(line) + nth
                page.head(left, top, self._titles[at][nth], number)
                axes = page.axes(left, top + self._head, self._side, self._tall)
                if isinstance(step, Place):
                    self._place(axes, step)
                else:
                    self._bars(axes, step)
                if nth and self._downwards:
                    self._arrow_down(page, left + 0.3 * self._side, top - DROP, nth - 1)
                elif nth:
                    self._arrow(page, left - BETWEEN, top + self._head + self._tall / 2, nth - 1)

    def _arrow_down(self, page: Page, x: float, top: float, at: int) -> None:
        look = {"arrowstyle": "-|>", "color": INK, "lw": 0.9, "shrinkA": 0, "shrinkB": 0}
        page.plane.annotate("", (x, top + DROP - 1), (x, top + 1), arrowprops=look)
        for number, word in enumerate(self._arrows[at]):
            middle = top + DROP / 2 + LINE * (number - (len(self._arrows[at]) - 1) / 2)
            page.text(x + 2, middle, word, SMALL, longest=0.7 * self._side)

    def _arrow(self, page: Page, left: float, middle: float, at: int) -> None:
        page.plane.annotate(
            "",
            (left + BETWEEN - 3, middle),
            (left + 3, middle),
            arrowprops={"arrowstyle": "-|>", "color": INK, "lw": 0.9, "shrinkA": 0, "shrinkB": 0},
        )
        words = self._arrows[at]
        for number, word in enumerate(words):
            above = middle - 1.2 - LINE * (len(words) - number - 0.5)
            page.text(left + BETWEEN / 2, above, word, SMALL, ha="center", longest=BETWEEN - 2)

    def _place(self, axes: Axes, step: Place) -> None:
        frame(axes, False)
        points, marked = step.points, [step.item, *step.anchors]
        shown = limits(points).widened(self._tall / self._side)
        axes.set(xlim=shown.x, ylim=shown.y, aspect="equal")
        axes.scatter(points[:, 0], points[:, 1], s=1.2, c=GROUND, linewidths=0, rasterized=True, gid="points")
        x, y = points[step.item]
        for anchor, color in zip(step.anchors, CLASSES, strict=False):
            axes.plot([x, points[anchor, 0]], [y, points[anchor, 1]], c=color, lw=1.0, zorder=2)
            axes.scatter(
                points[anchor, 0], points[anchor, 1], s=26, c=color, marker="*", zorder=3, lw=0, gid="anchors"
            )
        axes.scatter(x, y, s=16, c=INK, zorder=4, linewidths=0, gid="item")
        if step.landed is not None:
            there = step.landed.tolist()
            axes.plot([x, there[0]], [y, there[1]], c=INK, ls=":", lw=0.9, zorder=2)
            axes.scatter(
                there[:1], there[1:], s=26, c="white", edgecolors=INK, zorder=7, linewidths=1.1, gid="landed"
            )
        decorate(
            axes,
            points,
            {row: self._pictures[row] for row in marked if row in self._pictures},
            {row: self._labeled[row] for row in marked if row in self._labeled},
        )

    def _bars(self, axes: Axes, step: Similarities) -> None:
        places = np.arange(len(step.values))
        room = 0.06 * (self._high - self._low)
        numbers = [f"{round(float(value), 2) + 0.0:.2f}".replace("-", "−") for value in step.values]
        most = NAMES * self._side
        labels = [
            f"{fitted(name, most - width_of(one, SMALL), SMALL)} {one}"
            for name, one in zip(step.names, numbers, strict=True)
        ]
        low = self._low - room
        starts = [max(float(value), 0.0) + room / 2 for value in step.values]
        ends = [
            low + (start - low) / (1 - (width_of(label, SMALL) + 1) / self._side)
            for start, label in zip(starts, labels, strict=True)
        ]
        axes.barh(places, step.values, 0.66, color=CLASSES[: len(places)], gid="similarities")
        axes.axvline(0, color=FAINT, lw=0.6)
        axes.set(xlim=(low, max(self._high + room, *ends)), ylim=(len(places) - 0.4, -0.6), yticks=[])
        axes.tick_params(pad=1.5)
        for at, (start, label) in enumerate(zip(starts, labels, strict=True)):
            axes.text(start, at, label, size=printed(SMALL), va="center", color=INK)
        axes.spines["left"].set_visible(False)
