"""Maps in print: panes of the same rows in a grid, and what their colors mean."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

from relviz.plotting.class_names import name_classes
from relviz.plotting.colors import NOT_A_NUMBER, STEPS, Colors, check_length
from relviz.plotting.drawing import drawing, note_in_space, note_maps, note_turned, panels_of
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
from relviz.plotting.orbit import in_space, seen_from
from relviz.plotting.pane import MOST_DRAWN, Limits, Pane, checked, home_of, shape_of, shown_rows, turn_of
from relviz.plotting.placing import draw_inside
from relviz.plotting.stack import LETTERS, LINE, Page
from relviz.plotting.style import FAINT, INK, SMALL, TEXT, Look, titled, wrapped

VECTOR_UP_TO = 3000
"""Points of a pane that are drawn as shapes; more are made of dots, text never is."""
MOST_KEYS = 24
GAP = 3.0
NUMBERS = (9.0, 6.0)
"""What the numbers of ticks and the words of an axis take left of a map and under it, in mm."""
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
                checked(pane, total, 3 if in_space(pane) else 2)
        now = drawing()
        if now.turned:
            panes = _turned(panes, total)
        if any(map(in_space, panes)):
            note_in_space()
            panes, ticks = seen_from(panes, *now.side, total), False
        self._panes, self._colors, self._ticks = list(panes), colors, ticks
        self._shown = panels_of([pane.title for pane in panes])
        names = colors.legend["names"] if colors.legend["kind"] == "class" else ()
        note_maps([one for one in self._shown if panes[one.place].points is not None], names)
        self._columns = max(1, min(now.columns or columns, len(self._shown)))
        numbered = ticks and now.ticks == "numbers"
        self._gutter = NUMBERS if numbered else (0.0, 0.0)
        self._side = (width - GAP * (self._columns - 1)) / self._columns - self._gutter[0]
        self._stars = [_each(anchors, len(panes)), _each(discovered, len(panes))]
        self._pictures, self._labeled = pictures or {}, labeled or {}
        self._visible = visible(colors, now.hidden)
        rows = shown_rows(total, most=most)
        self._rows = rows[self._visible[rows]]
        chosen = np.asarray(chosen, np.int64)
        self._ways = spread(chosen, MOST_WAYS) if len(chosen) else spread(np.arange(total), FEW_WAYS)
        room = self._side - LETTERS
        self._titles = [titled(panel.title, room) for panel in self._shown]
        self._head = 0.6 + LINE * max([1, *map(len, self._titles)])
        kept = [replace(one, group=None) for one in panes] if now.own_scales else panes
        homes = [None if one.points is None else home_of(one, kept, total) for one in kept]
        windows = {number: Limits((x0, x1), (y0, y1)) for number, x0, x1, y0, y1 in now.windows}
        self._homes = [windows.get(one.number, homes[one.place]) for one in self._shown]
        self._zoomed = frozenset(windows)
        self._tall = self._side * (now.aspect or shape_of(self._homes))
        self._down = -(-len(self._shown) // self._columns)
        self._inside: Legend | None = None

    def hold(self, legend: Legend) -> None:
        """Have a legend inside the first panel."""
        self._inside = legend

    @property
    def panels(self) -> int:
        """As many as panes."""
        return len(self._shown)

    @property
    def height(self) -> float:
        """In mm."""
        return self._down * (self._head + self._tall + self._gutter[1]) + GAP * max(0, self._down - 1)

    def draw(self, page: Page, x: float, y: float, letter: int | None) -> None:
        """Draw it, its top left at (x, y)."""
        wide, tall = self._gutter
        for place, panel in enumerate(self._shown):
            pane = self._panes[panel.place]
            down, across = divmod(place, self._columns)
            left = x + across * (self._side + wide + GAP) + wide
            top = y + down * (self._head + self._tall + tall + GAP)
            page.head(left, top, self._titles[place], None if letter is None else letter + place)
            axes = page.axes(left, top + self._head, self._side, self._tall)
            frame(axes, self._ticks and pane.points is not None)
            if pane.points is None:
                for number, line in enumerate(wrapped(pane.message, self._side - 6, TEXT)):
                    page.text(left + 3, top + self._tall / 3 + LINE * number, line, color=FAINT)
                continue
            if wide and pane.axes:
                middle = top + self._head + self._tall / 2
                below = top + self._head + self._tall + tall - 1.2
                page.text(left + self._side / 2, below, pane.axes[0], SMALL, ha="center")
                page.text(left - wide + 1.2, middle, pane.axes[1], SMALL, ha="center", rotation=90)
            self._draw(axes, place)
            if self._inside is not None and place == 0:
                points = checked(pane, len(self._colors.codes))[self._rows]
                box = left, top + self._head, self._side, self._tall
                draw_inside(page, self._inside, axes, points, box)

    def _draw(self, axes: Axes, shown: int) -> None:
        place = self._shown[shown].place
        pane, colors = self._panes[place], self._colors
        total = len(colors.codes)
        points = checked(pane, total)
        home = self._homes[shown]
        assert home is not None
        limits = home.widened(self._tall / self._side)
        axes.set(xlim=limits.x, ylim=limits.y, aspect="equal")
        rows = self._rows
        zoomed = self._shown[shown].number in self._zoomed
        if zoomed:  # as on screen, where what is outside is cut off
            rows = rows[home.inside(points[rows])]
        if pane.depths is not None:
            rows = rows[np.argsort(pane.depths[rows], kind="stable")]
        shrink = min(1.0, (self._side / 80) ** 2)  # as dense on a small pane as on a large one
        scale = drawing().scale ** 2
        shades = rgb_of(colors)
        for shape, some in _by_shape(colors, rows):
            axes.scatter(
                points[some, 0],
                points[some, 1],
                s=scale * max(0.3, shrink * float(np.clip(9000 / max(len(rows), 1), 0.6, 12.0))),
                c=shades[some],
                alpha=colors.legend["alpha"],
                linewidths=0,
                marker=shape,
                rasterized=len(rows) > VECTOR_UP_TO,
                gid="points",
            )
        if not zoomed:
            draw_outside(axes, points[rows], shades[rows], limits)
        for starred, face, name in zip(self._stars, (STAR, "white"), ("anchors", "discovered"), strict=True):
            marked = np.asarray(starred[place], dtype=np.int64)
            marked = marked[self._visible[marked]]
            if len(marked):
                size = scale * max(9.0, float(np.sqrt(shrink) * np.clip(2400 / len(marked), 9.0, 36.0)))
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
            ways = self._ways[self._visible[self._ways]]
            draw_ways(axes, goals[ways], points[ways])
        seen = [
            {row: one for row, one in marks.items() if self._visible[row]}
            for marks in (self._pictures, self._labeled)
        ]
        decorate(axes, points, *seen)  # type: ignore[arg-type]
        if drawing().class_names and colors.legend["kind"] == "class":
            name_classes(axes, points[rows], colors.codes[rows], colors.legend)


def _turned(panes: Sequence[Pane], total: int) -> list[Pane]:
    """Panes with those turned that were fitted alone beside another; their axes have no names then."""
    made = []
    for pane in panes:
        turn = None if pane.points is None else turn_of(pane, panes, total)
        if turn is not None:
            note_turned()
            pane = replace(pane, points=checked(pane, total) @ turn.matrix, axes=None)
        made.append(pane)
    return made


def visible(colors: Colors, hidden: Collection[str]) -> np.ndarray:
    """Which rows are drawn: ``(n,)`` bool, all whose class is not hidden."""
    if not hidden or colors.legend["kind"] != "class":
        return np.ones(len(colors.codes), bool)
    shown = np.array([name not in hidden for name in colors.legend["names"]])
    kept: np.ndarray = shown[colors.codes]
    return kept


def _by_shape(colors: Colors, rows: np.ndarray) -> list[tuple[str, np.ndarray]]:
    """Markers, and the rows that are drawn with each."""
    if colors.legend["kind"] != "class":
        return [("o", rows)]
    classes = len(colors.legend["names"])
    shapes = np.array([drawing().shape(at, classes) for at in range(classes)])[colors.codes[rows]]
    return [(shape, rows[shapes == shape]) for shape in dict.fromkeys(shapes.tolist())]


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
        now = drawing()
        return np.array([to_rgb(now.color(at, color)) for at, color in enumerate(legend["palette"])])[codes]
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
