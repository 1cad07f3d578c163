"""Legends beside a figure, never on it: classes, a scale, marks, lines."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.offsetbox import AnnotationBbox, OffsetImage
from matplotlib.ticker import FuncFormatter, MaxNLocator

from relviz.plotting.colors import LegendFacts
from relviz.plotting.drawing import drawing
from relviz.plotting.stack import LINE, Page
from relviz.plotting.style import (
    FAINT,
    INK,
    SMALL,
    Look,
    column_widths,
    fitted,
    flowed,
    printed,
    readable,
    width_of,
)
from relviz.wording import count

KEY = 3.6
"""What the mark of an entry takes, in mm."""
GAP = 3.5
DASHES = {"--": (0, (2.2, 1.2)), ":": (0, (0.9, 0.9)), "-.": (0, (2.6, 0.9, 0.8, 0.9))}
"""Of lines in their entries, which are short."""
LONGEST = 45.0
BAR = 42.0
AROUND = 8.0
"""What the figures at each end of a scale take."""


@dataclass(frozen=True)
class Key:
    """An entry: its words, its color, and the mark or the line that it stands for."""

    words: str
    color: str
    marker: str = "o"
    line: str = ""
    hollow: bool = False


class Legend:
    """Entries in lines of a width in mm, with a scale after them if there is one, and a note under both."""

    def __init__(self, width: float, keys: Sequence[Key], scale: "Scale | None" = None) -> None:
        gone = drawing().legend == "none"
        self.width, self.keys, self.scale = width, [] if gone else keys, None if gone else scale
        self.words = [fitted(key.words, min(LONGEST, width - KEY)) for key in self.keys]
        self._widths = [KEY + width_of(words) for words in self.words]
        self.lines = flowed(self._widths, width, GAP)

    @property
    def natural(self) -> float:
        """The width in mm of its entries under each other."""
        bar = 0.0 if self.scale is None else BAR + 2 * AROUND
        return max([bar, *self._widths])

    def column(self) -> "Legend":
        """The same with its entries under each other, no wider than they are."""
        made = copy.copy(self)
        made.width, made.lines = self.natural, [[at] for at in range(len(self.keys))]
        return made

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
    """A bar of colors from low to high, and what it measures."""

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
    """A color map through a palette."""
    return LinearSegmentedColormap.from_list("relviz", list(palette), N=256)


def class_keys(legend: LegendFacts, most: int) -> list[Key]:
    """An entry for each class of a legend, the first ``most``, and a word on the others."""
    now, names = drawing(), legend["names"]
    entries = [
        Key(readable(now.named(name)) or "(empty)", now.color(at, color), now.shape(at, len(names)))
        for at, (name, color) in enumerate(zip(names, legend["palette"], strict=True))
        if name not in now.hidden
    ]
    keys = entries[:most]
    if len(entries) > most:
        keys.append(Key(f"and {count(len(entries) - most)} more", FAINT, ""))
    return keys


def _mark(page: Page, key: Key, x: float, y: float) -> None:
    if key.line:
        dashes = DASHES.get(key.line, key.line)
        page.plane.plot([x, x + KEY - 0.7], [y, y], ls=dashes, color=key.color, lw=printed(1.2))
    if key.marker:
        middle = x + (KEY - 0.7) / 2
        face = "white" if key.hollow else key.color
        edge = INK if key.marker == "*" else key.color
        size = 34 if key.marker == "*" else 10 if key.line else 14
        page.plane.scatter(
            [middle],
            [y],
            s=size * drawing().scale ** 2,
            marker=key.marker,
            c=[face],
            edgecolors=edge,
            linewidths=0.5,
            zorder=3,
        )


PICTURE = 5.0
"""Width of a picture on a point, in mm."""
FEW_WAYS, MOST_WAYS = 60, 500
"""Lines to other places where no rows are chosen, and where some are: as many as on the screen."""
FRAME = "#C8C8C8"


def spread(rows: np.ndarray, most: int) -> np.ndarray:
    """At most so many of the rows, from the first to the last, those that the screen takes.

    >>> spread(np.arange(10), 4)
    array([0, 3, 5, 8])
    """
    step = max(1.0, len(rows) / most)
    parts = np.floor(np.arange(-1, len(rows)) / step)
    kept: np.ndarray = rows[parts[1:] != parts[:-1]]
    return kept


def draw_ways(axes: Axes, starts: np.ndarray, ends: np.ndarray) -> None:
    """Lines from ``(w, 2)`` places to others, a square at each start."""
    look: Look = {"linewidths": 0.35, "alpha": 0.7 if len(starts) <= 100 else 0.35, "zorder": 3}
    axes.add_collection(
        LineCollection(list(np.stack([starts, ends], axis=1)), colors=INK, gid="ways", **look), autolim=False
    )
    axes.scatter(starts[:, 0], starts[:, 1], s=4, marker="s", c="none", edgecolors=INK, gid="goals", **look)


def decorate(
    axes: Axes, points: np.ndarray, pictures: Mapping[int, np.ndarray], labeled: Mapping[int, str]
) -> None:
    """Pictures in place of points, and texts beside them, at ``(n, 2)`` places."""
    for row, picture in pictures.items():
        zoom = printed(PICTURE) / 25.4 * 72 / max(picture.shape[:2])
        image = OffsetImage(picture, zoom=zoom, interpolation="none")
        box = AnnotationBbox(image, tuple(points[row]), frameon=False, pad=0)
        box.set_zorder(5)
        axes.add_artist(box)
    taken: list[tuple[float, float, float, float]] = []
    for row, text in labeled.items():
        shown, far = readable(text, 30), 8 if row in pictures else 2.5
        across, up, ha, va = _free_side(axes, points[row], width_of(shown, SMALL), far, taken)
        axes.annotate(
            shown,
            tuple(points[row]),
            xytext=(across, up),
            textcoords="offset points",
            size=printed(SMALL),
            ha=ha,
            va=va,
            color=INK,
            zorder=6,
            annotation_clip=True,
            bbox={"boxstyle": "square,pad=0.12", "fc": "white", "ec": "none", "alpha": 0.75},
        )


def _free_side(
    axes: Axes, point: np.ndarray, width: float, far: float, taken: list[tuple[float, float, float, float]]
) -> tuple[float, float, str, str]:
    """Where a text ``width`` mm wide stands beside a point: right of it, or where no other text is.

    ``taken`` are places of texts in points of print, which this one is added to.
    """
    figure = axes.get_figure(root=True)
    assert figure is not None
    dots = figure.dpi / 72
    x, y = axes.transData.transform(point) / dots
    box = axes.get_window_extent()
    wide, tall = printed(width / 25.4 * 72), printed(SMALL) * 1.2
    sides = [
        (far, 0.0, "left", "center"),
        (-far, 0.0, "right", "center"),
        (0.0, far, "center", "bottom"),
        (0.0, -far, "center", "top"),
        (far, tall, "left", "center"),
        (far, -tall, "left", "center"),
        (-far, tall, "right", "center"),
        (-far, -tall, "right", "center"),
    ]
    boxes = []
    for across, up, ha, va in sides:
        left = x + across - {"left": 0.0, "right": wide, "center": wide / 2}[ha]
        low = y + up - {"bottom": 0.0, "top": tall, "center": tall / 2}[va]
        boxes.append((left, left + wide, low, low + tall))
    free = [
        at
        for at, (left, right, low, high) in enumerate(boxes)
        if box.x0 / dots <= left
        and right <= box.x1 / dots
        and not any(left < b and right > a and low < d and high > c for a, b, c, d in taken)
    ]
    at = free[0] if free else 0
    taken.append(boxes[at])
    return sides[at]


def frame(axes: Axes, ticks: bool) -> None:
    """The frame of a map, with ticks where places mean something, and their numbers if these are wanted."""
    for spine in axes.spines.values():
        spine.set_visible(True)
        spine.set_color(FRAME)
    if ticks and drawing().ticks == "numbers":
        axes.tick_params(direction="in", color=FRAME, pad=1.5)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(3, steps=[1, 2, 5, 10]))
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.3g}".replace("-", "−")))
    elif ticks and drawing().ticks == "marks":
        axes.tick_params(labelbottom=False, labelleft=False, direction="in", color=FRAME)
    else:
        axes.set(xticks=[], yticks=[])
