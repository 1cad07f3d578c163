"""Names of classes on a map, beside each other and never over one another."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import Bbox

from relviz.plotting.colors import LegendFacts
from relviz.plotting.drawing import drawing
from relviz.plotting.style import FAINT, INK, SMALL, fitted, printed, width_of

LONGEST_NAME = 30.0
MOVES = sorted(
    ((dx, dy) for dx in range(-6, 7) for dy in range(-8, 9)),
    key=lambda move: (abs(move[0]) + abs(move[1]), move),
)
"""Where a name goes when another is in its way, in heights and thirds of its width, the nearest first."""


def name_classes(axes: Axes, points: np.ndarray, codes: np.ndarray, legend: LegendFacts) -> None:
    """The name of each class at the middle of its ``(n, 2)`` points, or beside it where another name is.

    One that has no room is left to the legend.
    """
    box = axes.get_window_extent()
    figure = axes.get_figure(root=True)
    assert figure is not None
    dots = figure.dpi / 72
    taken: list[tuple[float, float, float, float]] = []
    for at, name in enumerate(legend["names"]):
        mine = points[codes == at]
        if not len(mine) or name in drawing().hidden:
            continue
        words = fitted(drawing().named(name), LONGEST_NAME, SMALL)
        place = np.median(mine, axis=0)
        x, y = axes.transData.transform(place)
        wide = _points_of(width_of(words, SMALL)) * dots + dots
        tall = printed(SMALL) * dots * 1.15
        spots = [(x + dx * wide / 3, y + dy * tall) for dx, dy in MOVES]
        free = [spot for spot in spots if _is_free(spot, wide, tall, taken, box)]
        if not free:
            continue  # the legend names it
        across, up = free[0]
        taken.append((across - wide / 2, across + wide / 2, up - tall / 2, up + tall / 2))
        axes.annotate(
            words,
            tuple(place),
            xytext=((across - x) / dots, (up - y) / dots),
            textcoords="offset points",
            size=printed(SMALL),
            ha="center",
            va="center",
            color=INK,
            zorder=7,
            gid="class name",
            bbox={"boxstyle": "square,pad=0.1", "fc": "white", "ec": "none", "alpha": 0.8},
            arrowprops={"arrowstyle": "-", "color": FAINT, "lw": 0.4} if (across, up) != (x, y) else None,
        )


def _is_free(
    spot: tuple[float, float], wide: float, tall: float, taken: Sequence[Sequence[float]], box: Bbox
) -> bool:
    x, y = spot
    inside = box.x0 + wide / 2 <= x <= box.x1 - wide / 2 and box.y0 + tall / 2 <= y <= box.y1 - tall / 2
    return inside and not any(
        x - wide / 2 < right and x + wide / 2 > left and y - tall / 2 < high and y + tall / 2 > low
        for left, right, low, high in taken
    )


def _points_of(millimeters: float) -> float:
    """Printed points of millimeters of the layout."""
    return printed(millimeters / 25.4 * 72)
