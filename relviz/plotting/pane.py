"""One pane of a map, on the screen or in print, and the part of the plane that it opens on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from relviz.errors import ParameterError, ShapeError
from relviz.wording import count, plural

MIDDLE = 0.98
"""Share of the rows, along each axis, that a pane is filled with."""
FILL = 0.81
"""How much of the pane they take at least, along the axis that limits it. What lies outside is counted."""
MARGIN = 0.04


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

    @property
    def sides(self) -> np.ndarray:
        """Width and height, ``(2,)``."""
        return np.array([self.x[1] - self.x[0], self.y[1] - self.y[0]])

    def widened(self, shape: float) -> "Limits":
        """What a pane of some shape, its height in widths, shows of the plane, both axes at one scale."""
        pane = np.array([1.0, shape])
        return around([sum(self.x) / 2, sum(self.y) / 2], pane * np.max(self.sides / pane))


def around(middle: ArrayLike, sides: np.ndarray) -> Limits:
    """Limits of that width and height about a point."""
    low, high = np.asarray(middle) - sides / 2, np.asarray(middle) + sides / 2
    (x0, y0), (x1, y1) = low.tolist(), high.tolist()
    return Limits((x0, x1), (y0, y1))


def extent(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest coordinates of ``(n, d)`` points. By axis: ``min(0)`` of many rows is far slower."""
    axes = [points[:, axis] for axis in range(points.shape[1])]
    return np.array([one.min() for one in axes]), np.array([one.max() for one in axes])


def limits(points: np.ndarray) -> Limits:
    """Limits that the middle of ``(n, 2)`` points fills: all of them, or all but the few that lie far out.

    >>> limits(np.array([[0, 0], [1, 2]])).x
    (-0.04, 1.04)
    """
    low, high = extent(points)
    tail = (1 - MIDDLE) / 2
    near_low, near_high = np.quantile(points, [tail, 1 - tail], axis=0)
    middle = near_high - near_low
    whole = np.where(high > low, high - low, 1.0)
    room = MARGIN * np.where(middle > 0, np.minimum(whole, middle / FILL), whole)
    low, high = low - room, high + room
    spare = middle / FILL - middle
    tight = (middle > 0) & (high - low > middle + spare)
    under = np.minimum(near_low - low, np.maximum(spare / 2, spare - (high - near_high)))
    low = np.where(tight, near_low - under, low)
    high = np.where(tight, near_high + spare - under, high)
    (x0, y0), (x1, y1) = low.tolist(), high.tolist()
    return Limits((x0, x1), (y0, y1))


@dataclass(frozen=True, eq=False)
class Pane:
    """One map: ``(n, 2)`` points, its title, and lines of facts that say how it was made.

    In a browser the points may be ``(n, 3)``: they are orbited.

    Panes of one ``group`` were fitted together: they share their limits and may be moved as one. Panes of
    one ``alone`` were each fitted by itself: the later ones may be turned onto the first. ``axes`` are names
    of the axes, where they have any, such as "PC 1 (9%)".
    ``joined`` is the place of another pane of the group: selected rows are joined to their places there,
    or where nothing is selected some rows in every part. ``message`` stands in place of points that
    cannot be had. ``depths`` ``(n,)`` say how near to the eye points are: the nearest are drawn last.
    """

    title: str
    points: np.ndarray | None
    facts: Sequence[Sequence[str]] = ()
    group: int | None = None
    message: str = ""
    joined: int | None = None
    axes: tuple[str, str] | None = None
    alone: int | None = None
    depths: np.ndarray | None = None

    @property
    def caption(self) -> str:
        """The facts as they stand under a map on screen."""
        return "\n".join(" · ".join(line) for line in self.facts)


def checked(pane: Pane, total: int, dimension: int = 2) -> np.ndarray:
    """The points of a pane, in the plane or in space; an error if they cannot be drawn."""
    points = np.asarray(pane.points, dtype=np.float64)
    if points.shape != (total, dimension):
        raise ShapeError(
            f"The pane {pane.title!r} has points of shape {points.shape}; the map needs "
            f"({total}, {dimension})."
        )
    finite = np.isfinite(points)
    if not finite.all():
        bad = int((~finite).any(1).sum())
        raise ParameterError(
            f"{count(bad)} of {plural(total, 'point')} of {pane.title!r} are NaN or infinite."
        )
    return points


def home_of(pane: Pane, panes: Sequence[Pane], total: int) -> Limits:
    """The limits that a pane opens on: its own, or those that show all panes of its group."""
    return limits(np.concatenate([checked(other, total) for other in _group(pane, panes)]))


@dataclass(frozen=True, eq=False)
class Room:
    """What a pane of points in space opens on: a cube.

    Attributes
    ----------
    middle
        ``(3,)``, about which the points are orbited.
    half
        Half of the cube's side.
    """

    middle: np.ndarray
    half: float


def room_of(pane: Pane, panes: Sequence[Pane], total: int) -> Room:
    """The cube that the middle of the points of a pane, or of all panes of its group, fills.

    >>> pane = Pane("A", np.array([[-8.1, 0, 0], [0, 2, 2], [8.1, 0, 1]]))
    >>> round(room_of(pane, [pane], 3).half, 1)
    9.8
    """
    points = np.concatenate([checked(other, total, 3) for other in _group(pane, panes)])
    tail = (1 - MIDDLE) / 2
    low, high = np.quantile(points, [tail, 1 - tail], axis=0)
    longest = float((high - low).max()) or 1.0
    return Room((low + high) / 2, longest / FILL / 2)


def _own_home(own: Limits, every: Sequence[Limits]) -> Limits:
    """The limits of a pane about its own points, at one scale with the other panes of its group."""
    if len(every) == 1:
        return own
    return around([sum(own.x) / 2, sum(own.y) / 2], np.max([one.sides for one in every], axis=0))


def frames_of(panes: Sequence[Pane], total: int) -> dict[Pane, tuple[Limits, Limits]]:
    """What all panes that have points in the plane open on, and the same about their own points.

    The second are of the same scale in all panes of a group. See ``home_of``.
    """
    flat = [pane for pane in panes if pane.points is not None and np.shape(pane.points)[1:] != (3,)]
    own = {pane: limits(checked(pane, total)) for pane in flat}
    found: dict[Pane, tuple[Limits, Limits]] = {}
    for pane in flat:
        group = _group(pane, flat)
        if len(group) == 1:
            found[pane] = own[pane], own[pane]
            continue
        known = next((found[other][0] for other in group if other in found), None)
        home = known or home_of(pane, flat, total)
        found[pane] = home, _own_home(own[pane], [own[other] for other in group])
    return found


def _group(pane: Pane, panes: Sequence[Pane]) -> list[Pane]:
    return [
        other
        for other in panes
        if other is pane
        or (other.points is not None and pane.group is not None and other.group == pane.group)
    ]


def shape_of(homes: Sequence[Limits | None]) -> float:
    """Height of the panes of a print in widths: lower where every map is wider than tall, but not a slit."""
    shapes = [home.sides[1] / home.sides[0] for home in homes if home is not None]
    return float(np.clip(max(shapes, default=1.0), LOWEST, 1.0))


LOWEST = 0.6


@dataclass(frozen=True, eq=False)
class Turn:
    """How a map is turned onto another of the same rows, without a change of scale.

    Attributes
    ----------
    matrix
        ``(2, 2)`` orthogonal: turned points are ``points @ matrix``.
    correlation
        Procrustes correlation of the two maps, 0 to 1: the same shape.
    """

    matrix: np.ndarray
    correlation: float

    @property
    def words(self) -> str:
        """What was done, for a caption."""
        mirrored = np.linalg.det(self.matrix) < 0
        how = "mirrored and turned" if mirrored else "turned"
        return f"{how} onto the first map (Procrustes correlation {self.correlation:.2f})"


def turn_of(pane: Pane, panes: Sequence[Pane], total: int) -> Turn | None:
    """The turn of a pane onto the first that was fitted alone beside it; None where there is no other.

    The best orthogonal matrix (Schönemann 1966), of the points about their means.
    """
    first = next((one for one in panes if one.alone == pane.alone and one.points is not None), pane)
    if pane.alone is None or first is pane:
        return None
    source, target = (checked(one, total) for one in (pane, first))
    source, target = source - source.mean(0), target - target.mean(0)
    left, singular, right = np.linalg.svd(source.T @ target)
    sizes = float(np.linalg.norm(source) * np.linalg.norm(target))
    return Turn(left @ right, float(singular.sum()) / sizes) if sizes else None


MOST_DRAWN = 100_000
"""Rows that a print draws in a pane; of more, a seeded sample of the same rows in all panes."""


def shown_rows(n: int, seed: int = 0, most: int = MOST_DRAWN) -> np.ndarray:
    """The rows to draw of n, in order: all, or a seeded sample.

    >>> shown_rows(5, most=5)
    array([0, 1, 2, 3, 4])
    """
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, most, replace=False))
