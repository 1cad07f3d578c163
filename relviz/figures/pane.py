"""One pane of a map, on the screen or in print, and the part of the plane that it opens on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relviz.errors import ParameterError, ShapeError
from relviz.figures.limits import Limits, limits
from relviz.wording import count, plural


@dataclass(frozen=True, eq=False)
class Pane:
    """One map: ``(n, 2)`` points, its title, and the caption that says how it was made.

    Panes of one ``group`` were fitted together: they share their limits and may be moved as one.
    ``joined`` is the place of another pane of the group: selected rows are joined to their places there,
    or where nothing is selected some rows in every part. ``message`` stands in place of points that
    cannot be had.
    """

    title: str
    points: np.ndarray | None
    caption: str = ""
    group: int | None = None
    message: str = ""
    joined: int | None = None


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
