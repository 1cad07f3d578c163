"""Rows that a run never sees, to measure it with, and the frame of the rows that it does see."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from relviz.errors import ParameterError
from relviz.measure import held_out
from relviz.relative_projection import finite_matrix, unit_rows

SHARE = 0.2
"""Share of the rows that is held out by default."""
MOST_SHARE = 0.5
FEWEST_ROWS, FEWEST_HELD = 250, 50
"""Below either nothing is held out. The standard error of a share of 50 rows is 7 points already, and a fit
to fewer than 200 rows misses those it lacks."""

_DRAW = 20230302
"""First half of the seed of the rows held out."""


@dataclass(frozen=True, eq=False)
class Split:
    """Which rows of two parallel spaces take part in a fit, and which ones it is measured with.

    Attributes
    ----------
    fit, held
        ``(f,)`` and ``(h,)`` int64, rising, together all rows. Nothing is held out where h is 0.
    queries
        ``(q,)`` int64, rising: rows of ``held``; where there are none, rows of the fit that are no anchors.
    """

    fit: Tensor
    held: Tensor
    queries: Tensor

    def in_fit(self, rows: Tensor) -> Tensor:
        """Places in ``fit`` of rows that are there."""
        return torch.searchsorted(self.fit, rows)


def check_share(share: Any) -> float:
    """A share of rows to hold out, 0 to ``MOST_SHARE``; ParameterError for anything else."""
    number = isinstance(share, int | float) and not isinstance(share, bool)
    if not number or not 0 <= share <= MOST_SHARE:
        raise ParameterError(
            f"held_out must be a share of the rows from 0 to {MOST_SHARE:g}, 0 for none; it is {share!r}."
        )
    return float(share)


def split(n: int, anchors: Tensor, share: float, seed: int = 0, most: int | None = None) -> Split:
    """Hold out a share of n rows, none of them anchors; at most half of the rows that are no anchors.

    Parameters
    ----------
    anchors
        ``(k,)`` rows that stay in the fit; the seeds are among them.
    share
        Of all rows, 0 to ``MOST_SHARE``. Fewer than ``FEWEST_ROWS`` rows, or fewer than ``FEWEST_HELD`` to
        hold out, and none are.
    seed
        Of the draw.
    most
        Queries at most, drawn at random from the rows held out.

    Raises
    ------
    ParameterError
        If the share is out of range, or all rows are anchors.
    """
    share, none = check_share(share), torch.empty(0, dtype=torch.int64)
    others = held_out(n, anchors)
    many = min(round(share * n), len(others) // 2)
    if n < FEWEST_ROWS or many < FEWEST_HELD:
        return Split(torch.arange(n), none, held_out(n, anchors, most, seed))
    drawn = np.random.default_rng([_DRAW, seed]).choice(len(others), many, replace=False)
    held = others[torch.from_numpy(np.sort(drawn))]
    fit = held_out(n, held)
    return Split(fit, held, held_out(n, fit, most, seed))


@dataclass(frozen=True, eq=False)
class Frame:
    """``relviz.prepare`` with the mean ``(d,)`` of some rows, for these and for others."""

    mean: Tensor

    @staticmethod
    def of(x: Any) -> "Frame":
        """The frame of these rows: for them it gives what ``relviz.prepare`` gives."""
        return Frame(finite_matrix(x).cpu().mean(0, dtype=torch.float64).to(torch.float32))

    def __call__(self, x: Any) -> Tensor:
        """Rows minus the mean, ``(n, d)``, scaled to length one."""
        return unit_rows(self._moved(finite_matrix(x)))

    def moved_to(self, other: "Frame", points: Tensor, nearest: Tensor) -> Tensor:
        """Unit ``points`` ``(k, d)`` of this frame in another.

        A direction seen from one mean needs a length to be seen from another. Each point gets that of the
        row in ``nearest`` ``(k, d)``, the raw row that stands for it. So a point that is a row becomes that
        row in the other frame, exactly; the error of others is of second order in the shift of the mean.
        """
        if torch.equal(self.mean, other.mean):
            return points
        lengths = torch.linalg.vector_norm(nearest - self.mean, dim=1, keepdim=True)
        return unit_rows(points * lengths + (self.mean - other.mean))

    def _moved(self, x: Tensor) -> Tensor:
        moved = x.cpu() - self.mean
        # As prepare does: the last digits of rows that are otherwise equal must not become directions.
        moved[moved.abs().amax(1) <= _ROUNDING * self.mean.abs().max()] = 0
        return moved


_ROUNDING = 4 * torch.finfo(torch.float32).eps
