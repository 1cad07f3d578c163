"""Names of classes on a map, beside each other and never over one another."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import Bbox

from relviz.plotting.colors import Told
from relviz.plotting.drawing import drawing
from relviz.plotting.style import FAINT, INK, SMALL, fitted, printed, width_of

LONGEST_NAME = 30.0
MOVES = tuple((dx, dy) for far in range(8) for dx in (0, -far, far) for dy in (0, far, -far))
"""Where a name goes when another is in its way, in heights and thirds of its width, the nearest first."""


def name_classes(axes: Axes, points: np.ndarray, codes: np.ndarray, legend: Told) -> None:
    """The name of each class at the middle of its ``(n, 2)`` points, or beside it where another name is."""
    box = axes.get_window_extent()
    figure = axes.get_figure(root=True)
    assert figure is not None
    dots = figure.dpi / 72
    taken: list[tuple[float, float, float, float]] = []
    for at, (name, color) in enumerate(zip(legend["names"], legend["palette"], strict=True)):
        mine = points[codes == at]
        if not len(mine) or name in drawing().hidden:
            continue
        words = fitted(drawing().named(name), LONGEST_NAME, SMALL)
        place = np.median(mine, axis=0)
        x, y = axes.transData.transform(place)
        wide = _points_of(width_of(words, SMALL)) * dots + 2 * dots
        tall = printed(SMALL) * dots * 1.25
        spots = [(x + dx * wide / 3, y + dy * tall) for dx, dy in MOVES]
        free = [spot for spot in spots if _is_free(spot, wide, tall, taken, box)]
        across, up = free[0] if free else (x, y)
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
            bbox={
                **{"boxstyle": "square,pad=0.15", "fc": "white", "alpha": 0.85},
                **{"ec": drawing().color(at, color), "lw": 0.6},
            },
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
