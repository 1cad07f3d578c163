"""Charts in print: lines over steps, anchors or lengths, side by side."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from relviz.plotting.drawing import SHAPES, drawing, panels_of
from relviz.plotting.legend import Key, Legend
from relviz.plotting.placing import TOGETHER, draw_inside, merged
from relviz.plotting.stack import LETTERS, LINE, Page
from relviz.plotting.style import FAINT, SMALL, Look, readable, titled, width_of

GAP = 5.0
FOOT, UNDER = 4.2, 3.6
"""What the figures under a chart take in mm, and the words under them."""
MARGINS = 1.1
"""Length of an axis in lengths of what is drawn along it."""
BETWEEN = 1.2
"""Between the figures of two ticks in mm, at least."""
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
FINE = 0.01
"""Share of its numbers that an axis spans, below which its ticks take more digits."""
STACKED = 0.48
"""Height of frames in widths where several stand under each other, to leave room on the page."""
LEAST_SHAPE = 0.62
"""Height of a chart's frame in widths."""
TALLEST = 48.0
"""Millimeters of a frame that is as tall as its shape says; wider ones are lower."""


@dataclass(frozen=True, eq=False)
class Line:
    """Places along x and y; ``sd`` as error bars; ``dash`` as matplotlib has it; ``filled`` down to zero."""

    words: str
    x: np.ndarray
    y: np.ndarray
    color: str
    sd: np.ndarray | None = None
    dash: str = "-"
    marker: str = ""
    filled: bool = False


@dataclass(frozen=True, eq=False)
class Chart:
    """One panel. ``levels`` are dashed lines across with their words; ``marks`` dotted ones upwards."""

    title: str
    lines: Sequence[Line]
    x: str
    y: str = ""
    log_x: bool = False
    log_y: bool = False
    range_y: tuple[float, float] | None = None
    ticks: Sequence[float] = ()
    levels: Sequence[tuple[float, str, str]] = ()
    marks: Sequence[float] = field(default_factory=tuple)


class ChartRow:
    """Charts side by side, with one legend if all have the same lines, else each with its own under it.

    The first column is ``first`` times as wide.
    """

    def __init__(
        self,
        charts: Sequence[Chart],
        width: float,
        columns: int = 0,
        shape: float = LEAST_SHAPE,
        first: float = 1.0,
    ) -> None:
        now = drawing()
        shown = panels_of([chart.title for chart in charts])
        self._charts = charts = [_shaped(charts[panel.place]) for panel in shown]
        self._columns = columns = min(now.columns or columns or len(charts), len(charts))
        if not charts:
            return
        keys = [_keys(chart) for chart in charts]
        together = len(charts) > 1 and all(some == keys[0] for some in keys)
        shared = Legend(width, keys[0]) if together else None
        self._way = now.legend if now.legend in TOGETHER else "below"
        if self._way != "below":
            shared = Legend(width, merged(keys))
        self._beside = 0.0
        if shared is not None and self._way in ("beside", "inside"):
            shared = shared.column()
            self._beside = width - shared.natural if self._way == "beside" and shared.keys else 0.0
            width = self._beside - GAP if self._beside else width
        self._legend: Legend | None = shared
        every = width - GAP * (columns - 1)
        shares = np.array([first, *[1.0] * (columns - 1)])
        self._cells = (every * shares / shares.sum()).tolist()
        self._starts = np.cumsum([0.0, *(cell + GAP for cell in self._cells[:-1])]).tolist()
        cells = [self._cells[place % columns] for place in range(len(charts))]
        self._titles = [titled(panel.title, cell - LETTERS) for panel, cell in zip(shown, cells, strict=True)]
        self._head = 0.8 + LINE * max(1, *map(len, self._titles))
        self._left = [_left(chart) for chart in charts]
        room = min(cells) - max(self._left)
        if columns == 1 and len(charts) > 1:
            shape = min(shape, STACKED)
        self._frame: float = now.aspect * room if now.aspect else min(shape * room, TALLEST)
        self._legends = [
            Legend(cell, [] if shared is not None else some) for some, cell in zip(keys, cells, strict=True)
        ]
        legends = max(legend.height for legend in self._legends)
        self._foot = FOOT + UNDER + (legends + 1.0 if legends else 0.0)

    @property
    def panels(self) -> int:
        """As many as charts."""
        return len(self._charts)

    @property
    def height(self) -> float:
        """In mm."""
        if not self._charts:
            return 0.0
        down = -(-len(self._charts) // self._columns)
        under = self._legend if self._way in ("below", "once") else None
        shared = under.height + 1.0 if under is not None and under.height else 0.0
        return down * (self._head + self._frame + self._foot) + GAP / 2 * (down - 1) + shared

    def draw(self, page: Page, x: float, y: float, letter: int | None) -> None:
        """Draw it, its top left at (x, y)."""
        for place, chart in enumerate(self._charts):
            down, across = divmod(place, self._columns)
            cell = self._cells[across]
            left = x + self._starts[across]
            top = y + down * (self._head + self._frame + self._foot + GAP / 2)
            page.head(left, top, self._titles[place], None if letter is None else letter + place)
            room = self._left[place]
            wide = cell - room - 1.0
            axes = page.axes(left + room, top + self._head, wide, self._frame)
            _draw(axes, chart, wide)
            if place == 0 and self._way == "inside" and self._legend is not None and self._legend.keys:
                box = left + room, top + self._head, wide, self._frame
                draw_inside(page, self._legend, axes, _points(chart), box)
            middle = left + room + (cell - room) / 2
            bottom = top + self._head + self._frame
            page.text(middle, bottom + FOOT + UNDER / 2 - 0.4, chart.x, SMALL, ha="center", longest=cell)
            if chart.y:
                middle = top + self._head + self._frame / 2
                along = self._frame + self._head
                page.text(left + 1.2, middle, chart.y, SMALL, ha="center", rotation=90, longest=along)
            self._legends[place].draw(page, left, bottom + FOOT + UNDER + 1.0)
        if self._legend is not None and self._way == "beside":
            self._legend.draw(page, x + self._beside, y + self._head)
        elif self._legend is not None and self._way != "inside":
            self._legend.draw(page, x, y + self.height - self._legend.height)

    def hold(self, legend: Legend) -> None:
        """Have a legend of other parts inside the first panel."""
        self._legend, self._way = legend, "inside"


def _shaped(chart: Chart) -> Chart:
    """The same chart; those of its lines that have dots have shapes, one for each line of the legend."""
    words = list(dict.fromkeys(line.words for line in chart.lines if line.words and line.marker))
    return replace(
        chart,
        lines=[
            replace(line, marker=drawing().shape_of_line(words.index(line.words)))
            if line.words and line.marker == SHAPES[0]
            else line
            for line in chart.lines
        ],
    )


def _draw(axes: Axes, chart: Chart, wide: float) -> None:
    for line in chart.lines:
        x, y = np.asarray(line.x, np.float64), np.asarray(line.y, np.float64)
        if line.filled:
            axes.fill_between(x, 0, y, step="mid", color=line.color, alpha=0.25, lw=0)
            axes.step(x, y, where="mid", color=line.color, lw=1.0)
            continue
        look: Look = {
            "color": line.color,
            "ls": line.dash,
            "marker": line.marker or None,
            "gid": line.words,
        }
        known = np.isfinite(y)
        axes.plot(x[known], y[known], **look)
        intervals = drawing().intervals
        if line.sd is not None and intervals != "none":
            spread = np.nan_to_num(np.asarray(line.sd, np.float64))[known]
            if intervals == "band":
                low, high = y[known] - spread, y[known] + spread
                axes.fill_between(x[known], low, high, color=line.color, alpha=0.2, lw=0)
                continue
            axes.errorbar(
                x[known], y[known], spread, fmt="none", ecolor=line.color, elinewidth=0.7, capsize=1.5
            )
    for level, _, color in chart.levels:
        axes.axhline(level, color=color, ls=(0, (4, 2)), lw=0.8, zorder=1)
    for mark in chart.marks:
        axes.axvline(mark, color=FAINT, ls=":", lw=0.8, zorder=1)
    if chart.log_x:
        axes.set_xscale("log")
    if chart.log_y:
        axes.set_yscale("log")
    if chart.range_y is not None:
        axes.set_ylim(*chart.range_y)
    if len(chart.ticks):
        axes.xaxis.set_major_locator(FixedLocator(_apart(chart.ticks, chart.log_x, wide)))
    elif not chart.log_x:
        axes.xaxis.set_major_locator(MaxNLocator(2 if _is_fine(axes) else 5))
    if not chart.log_y:
        axes.yaxis.set_major_locator(MaxNLocator(5))
        axes.yaxis.set_major_formatter(FuncFormatter(_figure))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_locator(NullLocator())
    start, end = axes.get_xlim()
    digits = 1 - math.floor(math.log10((end - start) or 1.0))
    fine = not chart.log_x and not len(chart.ticks) and _is_fine(axes)
    axes.xaxis.set_major_formatter(
        FuncFormatter(lambda value, _: f"{value:.{digits}f}") if fine else FuncFormatter(_figure)
    )
    if chart.log_y:
        axes.yaxis.set_major_formatter(FuncFormatter(_figure))
    axes.tick_params(pad=1.5)
    axes.grid(axis="y", color="#E6E6E6", lw=0.4)
    axes.set_axisbelow(True)


def _is_fine(axes: Axes) -> bool:
    """Whether the x axis spans so little of its numbers that usual ticks would all read the same."""
    start, end = axes.get_xlim()
    return bool(end - start < FINE * max(abs(start), abs(end)))


def _points(chart: Chart) -> np.ndarray:
    """Places that the lines of a chart run through, ``(n, 2)``: what a legend should not cover."""
    found = []
    for line in chart.lines:
        x, y = np.asarray(line.x, np.float64), np.asarray(line.y, np.float64)
        known = np.isfinite(x) & np.isfinite(y)
        x, y = x[known], y[known]
        if len(x):
            steps = np.linspace(0, len(x) - 1, 20 * len(x))
            found.append(np.stack([np.interp(steps, np.arange(len(x)), one) for one in (x, y)], axis=1))
    ends = [float(x) for line in chart.lines for x in np.asarray(line.x, np.float64)[[0, -1]]]
    spread = np.linspace(min(ends), max(ends), 20) if ends else np.empty(0)
    found += [np.stack([spread, np.full(len(spread), level)], axis=1) for level, _, _ in chart.levels]
    return np.concatenate(found) if found else np.empty((0, 2))


def _apart(ticks: Sequence[float], log: bool, wide: float) -> list[float]:
    """Ticks on an axis ``wide`` mm long without those that would touch the next one; the last is kept."""
    values = np.asarray(ticks, np.float64)
    places = np.log(values) if log else values
    places = places / (float(np.ptp(places)) or 1.0) * wide / MARGINS
    half = [width_of(_figure(value), SMALL) / 2 for value in values]
    kept = [len(values) - 1]
    for at in range(len(values) - 2, -1, -1):
        if places[kept[-1]] - places[at] >= half[kept[-1]] + half[at] + BETWEEN:
            kept.append(at)
    return [float(values[at]) for at in reversed(kept)]


def _figure(value: float, _: int | None = None) -> str:
    power = math.log10(value) if value > 0 else 0.0
    if not -3 <= power < 4 and power.is_integer():
        return f"10{str(int(power)).translate(RAISED)}"
    if 1e4 <= abs(value) < 1e7:
        return f"{value:,.0f}".replace("-", "−")
    return f"{value:.4g}".replace("-", "−")


def _left(chart: Chart) -> float:
    """What figures and words left of a chart take, in mm."""
    widest = max(width_of(_figure(value), SMALL) for value in (0.25, 0.75, *_extremes(chart)))
    return widest + 2.2 + (3.2 if chart.y else 0.0)


def _extremes(chart: Chart) -> list[float]:
    values = [float(v) for line in chart.lines for v in np.asarray(line.y, float) if np.isfinite(v)]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if chart.range_y is not None:
        return []
    return [float(f"{low:.1g}"), float(f"{high:.1g}"), float(f"{(low + high) / 2:.2g}")]


def _keys(chart: Chart) -> list[Key]:
    keys = [
        Key(readable(drawing().named(line.words)), line.color, line.marker, line.dash)
        for line in chart.lines
        if line.words
    ]
    return keys + [Key(words, color, "", "--") for _, words, color in chart.levels if words]
