"""Maps in print: panes of the same rows in a grid, and what their colors mean."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

from relviz.plotting.colors import NOT_A_NUMBER, STEPS, Colors, check_length
from relviz.plotting.legend import (
    FEW_WAYS,
    MOST_WAYS,
    Key,
    Legend,
    Scale,
    class_keys,
    decorate,
    draw_ways,
    frame,
    ramp,
    spread,
)
from relviz.plotting.pane import MOST_DRAWN, Limits, Pane, checked, home_of, shape_of, shown_rows
from relviz.plotting.stack import LETTERS, LINE, Page
from relviz.plotting.style import FAINT, INK, TEXT, Look, titled, wrapped

VECTOR_UP_TO = 3000
"""Points of a pane that are drawn as shapes; more are made of dots, text never is."""
MOST_KEYS = 24
GAP = 3.0
EDGE = 0.012
"""How far from the border what lies beyond it is marked, in sides of the pane."""
STAR = INK
Rows = Sequence[int] | np.ndarray


class MapGrid:
    """Panes of the same rows, as on the screen; equal scales on both axes.

    Parameters
    ----------
    panes
        One without points shows its message.
    width, columns
        In mm, and how many panes stand side by side.
    anchors, discovered
        Rows drawn as stars, and as hollow ones, in every pane; or for each pane its own.
    pictures, labeled
        Rows that a picture ``(h, w, 3 or 4)`` uint8 stands for, or a text beside them.
    ticks
        Whether places along the axes mean something.
    chosen
        Rows that lines join to their places in another pane, where a pane names one; without any, some.
    most
        Points drawn in a pane; of more rows, a seeded sample.

    Raises
    ------
    ShapeError, ParameterError
        If a pane has not a finite point for each color.
    """

    def __init__(
        self,
        panes: Sequence[Pane],
        colors: Colors,
        width: float,
        columns: int = 2,
        anchors: Rows | Sequence[Rows] = (),
        discovered: Rows | Sequence[Rows] = (),
        pictures: Mapping[int, np.ndarray] | None = None,
        labeled: Mapping[int, str] | None = None,
        ticks: bool = True,
        chosen: Rows = (),
        most: int = MOST_DRAWN,
    ) -> None:
        total = len(colors.codes)
        check_length(colors, total)
        for pane in panes:
            if pane.points is not None:
                checked(pane, total)
        self._panes, self._colors, self._ticks = list(panes), colors, ticks
        self._columns = min(columns, len(panes))
        self._side = (width - GAP * (self._columns - 1)) / self._columns
        self._stars = [_each(anchors, len(panes)), _each(discovered, len(panes))]
        self._pictures, self._labeled = pictures or {}, labeled or {}
        self._rows = shown_rows(total, most=most)
        chosen = np.asarray(chosen, np.int64)
        self._ways = spread(chosen, MOST_WAYS) if len(chosen) else spread(np.arange(total), FEW_WAYS)
        room = self._side - LETTERS
        self._titles = [titled(pane.title, room) for pane in panes]
        self._head = 0.6 + LINE * max(1, *map(len, self._titles))
        self._homes = [None if one.points is None else home_of(one, panes, total) for one in panes]
        self._tall = self._side * shape_of(self._homes)
        self._down = -(-len(panes) // self._columns)

    @property
    def panels(self) -> int:
        """As many as panes."""
        return len(self._panes)

    @property
    def height(self) -> float:
        """In mm."""
        return self._down * (self._head + self._tall) + GAP * (self._down - 1)

    def draw(self, page: Page, x: float, y: float, letter: int | None) -> None:
        """Draw it, its top left at (x, y)."""
        for place, pane in enumerate(self._panes):
            down, across = divmod(place, self._columns)
            left = x + across * (self._side + GAP)
            top = y + down * (self._head + self._tall + GAP)
            page.head(left, top, self._titles[place], None if letter is None else letter + place)
            axes = page.axes(left, top + self._head, self._side, self._tall)
            frame(axes, self._ticks and pane.points is not None)
            if pane.points is None:
                for number, line in enumerate(wrapped(pane.message, self._side - 6, TEXT)):
                    page.text(left + 3, top + self._tall / 3 + LINE * number, line, color=FAINT)
                continue
            self._draw(axes, place)

    def _draw(self, axes: Axes, place: int) -> None:
        pane, colors = self._panes[place], self._colors
        total = len(colors.codes)
        rows = self._rows
        points = checked(pane, total)
        home = self._homes[place]
        assert home is not None
        shown = home.widened(self._tall / self._side)
        axes.set(xlim=shown.x, ylim=shown.y, aspect="equal")
        shrink = min(1.0, (self._side / 80) ** 2)  # as dense on a small pane as on a large one
        axes.scatter(
            points[rows, 0],
            points[rows, 1],
            s=max(0.3, shrink * float(np.clip(9000 / len(rows), 0.6, 12.0))),
            c=rgb_of(colors)[rows],
            alpha=colors.legend["alpha"],
            linewidths=0,
            rasterized=len(rows) > VECTOR_UP_TO,
            gid="points",
        )
        draw_outside(axes, points[rows], rgb_of(colors)[rows], shown)
        for starred, face, name in zip(self._stars, (STAR, "white"), ("anchors", "discovered"), strict=True):
            marked = np.asarray(starred[place], dtype=np.int64)
            if len(marked):
                size = max(9.0, float(np.sqrt(shrink) * np.clip(2400 / len(marked), 9.0, 36.0)))
                look: Look = {
                    "c": face,
                    "edgecolors": "white" if face == STAR else STAR,
                    "linewidths": 0.35,
                }
                axes.scatter(
                    points[marked, 0], points[marked, 1], s=size, marker="*", zorder=4, gid=name, **look
                )
        if pane.joined is not None:
            goals = checked(self._panes[pane.joined], total)
            draw_ways(axes, goals[self._ways], points[self._ways])
        decorate(axes, points, self._pictures, self._labeled)


def legend_of(
    colors: Colors, width: float, anchors: bool = False, discovered: bool = False, words: str = ""
) -> Legend:
    """What colors and stars mean; ``words`` for the anchors if they are something else."""
    legend = colors.legend
    keys: list[Key] = class_keys(legend, MOST_KEYS) if legend["kind"] == "class" else []
    if anchors:
        keys.append(Key(words or ("known pairs" if discovered else "anchors"), STAR, "*"))
    if discovered:
        keys.append(Key("discovered anchors", STAR, "*", hollow=True))
    scale = None
    if legend["kind"] == "number":
        scale = Scale(
            legend["title"] or "value", tuple(legend["palette"]), legend["low_text"], legend["high_text"]
        )
    return Legend(width, keys, scale)


def rgb_of(colors: Colors) -> np.ndarray:
    """``(n, 3)`` the color of every row, as the screen has it."""
    codes, legend = colors.codes.astype(np.int64), colors.legend
    if legend["kind"] == "class":
        return np.array([to_rgb(color) for color in legend["palette"]])[codes]
    missing = codes == NOT_A_NUMBER
    shades: np.ndarray = ramp(legend["palette"])(np.where(missing, 0, codes) / STEPS)[:, :3]
    shades[missing] = to_rgb(legend["missing"])
    return shades


def draw_outside(axes: Axes, points: np.ndarray, colors: np.ndarray, shown: Limits) -> None:
    """Points ``(n, 2)`` beyond the limits, as small triangles at the border where they are."""
    low, high = np.transpose([shown.x, shown.y])
    edge = EDGE * (high - low)
    at = np.clip(points, low + edge, high - edge)
    sides = {"<": points[:, 0] < low[0], ">": points[:, 0] > high[0]}
    sides |= {"v": points[:, 1] < low[1], "^": points[:, 1] > high[1]}
    for marker, beyond in sides.items():
        if beyond.any():
            look: Look = {"c": colors[beyond], "linewidths": 0, "gid": "outside"}
            axes.scatter(at[beyond, 0], at[beyond, 1], s=5, marker=marker, zorder=3, **look)


def _each(rows: Rows | Sequence[Rows], many: int) -> list[Rows]:
    """Rows for each pane."""
    if len(rows) == many and not np.isscalar(rows[0]):
        return list(rows)
    return [rows] * many  # type: ignore[list-item]
