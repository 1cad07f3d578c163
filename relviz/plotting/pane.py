"""One pane of a map, on the screen or in print, and the part of the plane that it opens on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relviz.errors import ParameterError, ShapeError
from relviz.wording import count, plural

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

    def inside(self, points: np.ndarray) -> np.ndarray:
        """Which of ``(n, 2)`` points lie inside: ``(n,)`` bool."""
        low, high = np.transpose([self.x, self.y])
        kept: np.ndarray = ((points >= low) & (points <= high)).all(1)
        return kept

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


@dataclass(frozen=True, eq=False)
class Pane:
    """One map: ``(n, 2)`` points, its title, and lines of facts that say how it was made.

    Panes of one ``group`` were fitted together: they share their limits and may be moved as one.
    ``axes`` are names of the axes, where they have any, such as "PC 1 (9%)".
    ``joined`` is the place of another pane of the group: selected rows are joined to their places there,
    or where nothing is selected some rows in every part. ``message`` stands in place of points that
    cannot be had.
    """

    title: str
    points: np.ndarray | None
    facts: Sequence[Sequence[str]] = ()
    group: int | None = None
    message: str = ""
    joined: int | None = None
    axes: tuple[str, str] | None = None

    @property
    def caption(self) -> str:
        """The facts as they stand under a map on screen."""
        return "\n".join(" · ".join(line) for line in self.facts)


def checked(pane: Pane, total: int) -> np.ndarray:
    """The points of a pane; an error if they cannot be drawn."""
    points = np.asarray(pane.points, dtype=np.float64)
    if points.shape != (total, 2):
        raise ShapeError(
            f"The pane {pane.title!r} has points of shape {points.shape}; the map needs ({total}, 2)."
        )
    bad = int((~np.isfinite(points)).any(1).sum())
    if bad:
        raise ParameterError(
            f"{count(bad)} of {plural(total, 'point')} of {pane.title!r} are NaN or infinite."
        )
    return points


def home_of(pane: Pane, panes: Sequence[Pane], total: int) -> Limits:
    """The limits that a pane opens on: its own, or those that show all panes of its group."""
    together = [
        checked(other, total)
        for other in panes
        if other is pane
        or (other.points is not None and pane.group is not None and other.group == pane.group)
    ]
    return limits(np.concatenate(together))


MOST_DRAWN = 100_000
"""Rows drawn in a pane; of more, a seeded sample of the same rows in all panes."""
DENSITY_SIDE = 192


def shown_rows(n: int, seed: int = 0, most: int = MOST_DRAWN) -> np.ndarray:
    """The rows to draw of n, in order: all, or a seeded sample.

    >>> shown_rows(5, most=5)
    array([0, 1, 2, 3, 4])
    """
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, most, replace=False))


def density(points: np.ndarray, box: tuple[float, float, float, float]) -> np.ndarray:
    """How many of ``(n, 2)`` points lie in each cell of a box, highest y first, as 0 to 255.

    The scale is the square root of the count, so that single points beside a crowd are still seen.
    """
    x0, y0, x1, y1 = box
    counts, _, _ = np.histogram2d(points[:, 1], points[:, 0], bins=DENSITY_SIDE, range=[[y0, y1], [x0, x1]])
    roots = np.sqrt(counts[::-1])
    gray: np.ndarray = np.rint(255 * roots / max(roots.max(), 1))
    return gray.astype(np.uint8)
