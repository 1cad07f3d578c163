"""Legends beside or inside the panels that they belong to, in place of under them."""

import copy
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from relviz.errors import ParameterError
from relviz.plotting.legend import Key, Legend
from relviz.plotting.stack import Page, Part

GAP = 3.0
"""Millimeters between panels and a legend beside them."""
EDGE = 1.2
"""Millimeters between a legend inside a panel and its frame."""
MOST = 0.75
"""Share of a panel's sides that a legend inside it may take."""
TOGETHER = ("once", "beside", "inside")
"""Places of a legend that all panels of a part share."""


class Beside:
    """A part, and at its right what its colors mean; ``width`` is the part's own in mm."""

    def __init__(self, part: Part, legend: Legend, width: float) -> None:
        self._part, self._legend, self._width = part, legend.column(), width

    @property
    def panels(self) -> int:
        """As many as the part has."""
        return self._part.panels

    @property
    def height(self) -> float:
        """In mm."""
        return max(self._part.height, self._legend.height)

    def draw(self, page: Page, x: float, y: float, letter: int | None) -> None:
        """Draw it, its top left at (x, y)."""
        self._part.draw(page, x, y, letter)
        down = max(0.0, self._part.height - self._legend.height) / 2
        self._legend.draw(page, x + self._width + GAP, y + down)


def legend_width(parts: Sequence[Part]) -> float:
    """What legends of these parts take beside them, in mm; 0 without any."""
    return max((one.natural + GAP for one in parts if isinstance(one, Legend) and one.height), default=0.0)


def placed(parts: Sequence[Part], width: float, way: str) -> list[Part]:
    """Parts with their legends where they are wanted.

    Parameters
    ----------
    width
        Of parts in mm, made for it.
    way
        ``"beside"`` or ``"inside"``; anything else leaves legends where they are.
    """
    made: list[Part] = []
    for part in parts:
        if isinstance(part, Legend) and part.height and made and way in ("beside", "inside"):
            if way == "beside":
                made[-1] = Beside(made[-1], part, width)
                continue
            hold = getattr(made[-1], "hold", None)
            if hold is not None and part.scale is None:
                hold(part.column())
                continue
        made.append(part)
    return made


def merged(keys: Sequence[Sequence[Key]]) -> list[Key]:
    """The entries of several panels, each once.

    Raises
    ------
    ParameterError
        If the same mark stands for different things, so that one legend would be wrong.
    """
    every = list(dict.fromkeys(key for some in keys for key in some))
    words_of: dict[tuple[str, str, str], str] = {}
    for key in every:
        mark = key.color, key.marker, key.line
        if words_of.setdefault(mark, key.words) != key.words:
            raise ParameterError(
                f"One legend cannot serve all panels: the same line stands for “{words_of[mark]}” in one and "
                f"for “{key.words}” in another. Draw one panel (panes), or put legends below."
            )
    return every


def draw_inside(
    page: Page, legend: Legend, axes: Axes, points: np.ndarray, box: tuple[float, float, float, float]
) -> None:
    """Draw a legend at a side of a panel, where it covers the fewest of ``(n, 2)`` points.

    Parameters
    ----------
    box
        Of the panel's frame in mm of the page: left, top, width, height.

    Raises
    ------
    ParameterError
        If the legend would cover most of the panel.
    """
    left, top, wide, tall = box
    width, height = legend.natural + 2 * EDGE, legend.height + EDGE
    if width > MOST * wide or height > MOST * tall:
        raise ParameterError(
            f"The legend takes {width:.0f} × {height:.0f} mm, too much of a panel of {wide:.0f} × "
            f"{tall:.0f} mm. Put it below or beside."
        )
    places = axes.transAxes.inverted().transform(axes.transData.transform(points))
    places = places[np.isfinite(places).all(1)]
    spots = [
        (
            left + (wide - width - EDGE) * right + EDGE * (1 - right),
            top + EDGE + (tall - height - 2 * EDGE) * down,
        )
        for down in (0.0, 1.0, 0.5)
        for right in (1.0, 0.0)
    ]
    covered = []
    for x, y in spots:
        across = places[:, 0] * wide + left - x
        down = (1 - places[:, 1]) * tall + top - y
        covered.append(int(((across > 0) & (across < width) & (down > 0) & (down < height)).sum()))
    x, y = spots[int(np.argmin(covered))]
    over = copy.copy(page)
    over.plane = page.figure.add_axes(page.plane.get_position().bounds, label="legend", zorder=8)
    over.plane.set(xlim=page.plane.get_xlim(), ylim=page.plane.get_ylim())
    over.plane.axis("off")
    over.plane.add_patch(Rectangle((x, y), width, height, fc="white", ec="none", alpha=0.85, zorder=0))
    legend.draw(over, x + EDGE, y + EDGE / 2)
