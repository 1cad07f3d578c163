"""Heat maps in print: square cells with their figures, one scale or one for each."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize

from relviz.plotting.colors import VIRIDIS
from relviz.plotting.drawing import drawing, panels_of
from relviz.plotting.legend import BAR, Scale, ramp
from relviz.plotting.stack import LETTERS, LINE, Page
from relviz.plotting.style import SMALL, fitted, printed, readable, titled, width_of

GAP = 3.5
FEET = 3.2
"""What the names under the cells take in mm."""
LARGEST_CELL = 13.0
AROUND = 0.4
"""What a cell has beside its figure in mm at least; in narrower ones none of the map's is written."""
NAMES = 0.34
"""Most of the width that the names of rows may take."""
NOTHING = "#EEEEEE"
MOST_SHAPES = 2500
FRAME = "#D55E00"


@dataclass(frozen=True, eq=False)
class Heat:
    """Values ``(r, c)``, NaN where there is none, and the names of rows and columns.

    Colors go from ``low`` to ``high``; a cell in ``framed`` (row, column) has a frame. ``written`` are
    what cells say, in place of their values with ``digits`` after the point.
    """

    title: str
    values: np.ndarray
    rows: Sequence[str]
    columns: Sequence[str]
    low: float = 0.0
    high: float = 1.0
    digits: int = 2
    x: str = ""
    framed: tuple[int, int] | None = None
    written: np.ndarray | None = None


class HeatGrid:
    """Heat maps of the same rows, names left of the first of a line only.

    ``scale`` is what all of them measure: then one bar stands under them, with the limits of the first;
    without it each has its own.
    """

    panels: int

    def __init__(
        self,
        heats: Sequence[Heat],
        width: float,
        columns: int = 0,
        scale: str = "",
        y: str = "",
        palette: Sequence[str] = VIRIDIS,
    ) -> None:
        now = drawing()
        shown = panels_of([heat.title for heat in heats])
        heats = [heats[panel.place] for panel in shown]
        self.panels = len(heats)
        self._heats, self._scale, self._y, self._palette = list(heats), scale, y, tuple(palette)
        self._columns = columns = min(now.columns or columns or len(heats), len(heats))
        if not heats:
            return
        most = NAMES * width
        self._names = [[fitted(now.named(name), most, SMALL) for name in heat.rows] for heat in heats]
        self._left = 1.5 + max(width_of(name, SMALL) for names in self._names for name in names)
        self._left += 3.4 if y else 0.0
        across = (width - self._left - GAP * (self._columns - 1)) / self._columns
        longest = max((width_of(word) for one in shown for word in one.title.split()), default=0.0)
        while not now.columns and self._columns > 2 and longest > max(across, 14.0) - LETTERS:
            self._columns -= 1  # fewer side by side: else titles would be cut
            across = (width - self._left - GAP * (self._columns - 1)) / self._columns
        columns = self._columns
        wide, tall = max(len(heat.columns) for heat in heats), max(len(heat.rows) for heat in heats)
        self._cell = min(LARGEST_CELL, across / wide)
        self._across, self._tall = self._cell * wide, self._cell * tall
        self._x = x = max(
            0.0, (width - self._left - self._columns * self._across - GAP * (self._columns - 1)) / 2
        )
        self._width = width - 2 * x
        room = max(self._across, 14.0) - LETTERS
        into_gap = [0.0 if place % columns == columns - 1 else GAP - 1.5 for place in range(len(shown))]
        self._titles = [titled(one.title, room + more) for one, more in zip(shown, into_gap, strict=True)]
        self._heads = [
            0.8 + LINE * most if (most := max(map(len, self._titles[at : at + self._columns]))) else 0.0
            for at in range(0, len(heats), self._columns)
        ]
        under = FEET + (LINE if any(heat.x for heat in heats) else 0.0)
        self._foot = under + (0.0 if scale else 2.2 * LINE)
        self._down = -(-len(heats) // self._columns)

    @property
    def height(self) -> float:
        """In mm."""
        if not self._heats:
            return 0.0
        rows = sum(self._heads) + self._down * (self._tall + self._foot) + GAP / 2 * (self._down - 1)
        return rows + (2 * LINE + 1.0 if self._scale else 0.0)

    def draw(self, page: Page, x: float, y: float, letter: int | None) -> None:
        """Draw it, its top left at (x, y)."""
        x += self._x
        for place, heat in enumerate(self._heats):
            down, across = divmod(place, self._columns)
            left = x + self._left + across * (self._across + GAP)
            top = y + sum(self._heads[:down]) + down * (self._tall + self._foot + GAP / 2)
            page.head(left, top, self._titles[place], None if letter is None else letter + place)
            top += self._heads[down]
            size = self._cell * len(heat.columns), self._cell * len(heat.rows)
            self._cells(page.axes(left, top, *size), heat)
            if across == 0:
                for number, name in enumerate(self._names[place]):
                    page.text(left - 1.0, top + self._cell * (number + 0.5), name, SMALL, ha="right")
                if self._y:
                    page.text(x + 1.4, top + size[1] / 2, self._y, ha="center", rotation=90)
            for number, name in enumerate(heat.columns):
                middle = left + self._cell * (number + 0.5)
                page.text(
                    middle,
                    top + size[1] + FEET / 2,
                    drawing().named(name),
                    SMALL,
                    ha="center",
                    longest=1.2 * self._cell,
                )
            if heat.x:
                page.text(left + size[0] / 2, top + size[1] + FEET + LINE / 2, heat.x, ha="center")
            if not self._scale:
                self._bar(page, heat, left, top + size[1] + self._foot - 2 * LINE, size[0])
        if self._scale:
            first = self._heats[0]
            bar = Scale(self._scale, self._palette, _short(first.low), _short(first.high))
            middle = x + self._left + (self._width - self._left - BAR) / 2
            most = x + self._width + self._x - BAR - 2.0 - width_of(bar.high, SMALL)
            bar.draw(page, min(middle, most), y + self.height - 2 * LINE)

    def _bar(self, page: Page, heat: Heat, left: float, top: float, width: float) -> None:
        bar = page.axes(left, top + 1.0, width, 1.6)
        bar.imshow(np.linspace(0, 1, 256)[None], aspect="auto", cmap=ramp(self._palette), extent=(0, 1, 0, 1))
        bar.set(xticks=[], yticks=[])
        page.text(left, top + 1.5 * LINE - 0.4, _short(heat.low), SMALL, ha="left")
        page.text(left + width, top + 1.5 * LINE - 0.4, _short(heat.high), SMALL, ha="right")

    def _cells(self, axes: Axes, heat: Heat) -> None:
        values = np.asarray(heat.values, np.float64)
        colors, norm = (
            ramp(self._palette).with_extremes(bad=NOTHING),
            Normalize(heat.low, heat.high, clip=True),
        )
        axes.pcolormesh(
            np.ma.masked_invalid(values),
            cmap=colors,
            norm=norm,
            edgecolors="white",
            linewidth=0.3 if values.size <= MOST_SHAPES else 0,
            rasterized=values.size > MOST_SHAPES,
            gid="cells",
        )
        axes.set(xlim=(0, values.shape[1]), ylim=(values.shape[0], 0), xticks=[], yticks=[])
        for spine in axes.spines.values():
            spine.set_visible(False)
        if heat.framed is not None:
            row, column = heat.framed
            edge = axes.plot(
                [column, column + 1, column + 1, column, column], [row, row, row + 1, row + 1, row]
            )
            edge[0].set(color=FRAME, linewidth=1.4, clip_on=False, zorder=5)
        texts = {at: _written(heat, at) for at, value in np.ndenumerate(values) if np.isfinite(value)}
        if max((width_of(text, SMALL) for text in texts.values()), default=0.0) > self._cell - AROUND:
            return
        for at, text in texts.items():
            ink = "black" if _light(colors(norm(values[at]))) else "white"
            place = at[1] + 0.5, at[0] + 0.5
            axes.text(*place, text, size=printed(SMALL), ha="center", va="center", color=ink)


def _written(heat: Heat, at: tuple[int, ...]) -> str:
    if heat.written is not None:
        return readable(str(heat.written[at]))
    return readable(f"{heat.values[at]:.{heat.digits}f}")


def _light(color: tuple[float, ...]) -> bool:
    return 0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2] > 0.5


def _short(value: float) -> str:
    return f"{value:.3g}".replace("-", "−")
