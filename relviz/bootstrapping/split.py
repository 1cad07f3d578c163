"""Rows that a run never sees, to measure it with."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from relviz.errors import ParameterError
from relviz.measure import held_out

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
        ``(q,)`` int64, rising: rows of ``held``; where there are none, rows of the fit that are not anchors.
    """

    fit: Tensor
    held: Tensor
    queries: Tensor

    def in_fit(self, rows: Tensor) -> Tensor:
        """Places in ``fit`` of rows that are there."""
        return torch.searchsorted(self.fit, rows)


def check_share(share: object) -> float:
    """A share of rows to hold out, 0 to ``MOST_SHARE``; ParameterError for anything else."""
    if not isinstance(share, int | float) or isinstance(share, bool) or not 0 <= share <= MOST_SHARE:
        raise ParameterError(
            f"held_out must be a share of the rows from 0 to {MOST_SHARE:g}, 0 for none; it is {share!r}."
        )
    return float(share)


def split(n: int, anchors: Tensor, share: float, seed: int = 0, most: int | None = None) -> Split:
    """Hold out a share of n rows, none of them anchors; at most half of the rows that are not anchors.

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
