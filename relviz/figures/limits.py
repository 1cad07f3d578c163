"""The part of the plane that a map opens on: all of it, unless a few far rows would shrink the rest."""

from dataclasses import dataclass

import numpy as np

SHARE_INSIDE = 0.99
"""Share of the rows that must be seen along each axis."""
WASTE = 1.5
"""How much wider the whole may be than what most rows take, before the rest is left outside."""
MARGIN = 0.08


@dataclass(frozen=True)
class Limits:
    """Lowest and highest x and y to show."""

    x: tuple[float, float]
    y: tuple[float, float]

    def outside(self, points: np.ndarray) -> int:
        """How many of ``(n, 2)`` points lie outside."""
        low, high = np.transpose([self.x, self.y])
        return int(((points < low) | (points > high)).any(1).sum())


def limits(points: np.ndarray) -> Limits:
    """Limits that show all of ``(n, 2)`` points, or all but the few that lie far from the rest.

    >>> limits(np.array([[0, 0], [1, 2]])).x
    (-0.08, 1.08)
    """
    low, high = points.min(0), points.max(0)
    tail = (1 - SHARE_INSIDE) / 2
    near_low, near_high = np.quantile(points, [tail, 1 - tail], axis=0)
    wasted = (high - low) > WASTE * (near_high - near_low)
    tight = wasted & (near_high > near_low)
    low, high = np.where(tight, near_low, low), np.where(tight, near_high, high)
    room = MARGIN * np.where(high > low, high - low, 1.0)
    low, high = low - room, high + room
    (x0, y0), (x1, y1) = low.tolist(), high.tolist()
    return Limits((x0, x1), (y0, y1))
