"""The frames in which two spaces are matched: leading principal axes, and evened-out directions."""

import torch
from torch import Tensor

from relviz.relative import unit_rows

MOST_DIMENSIONS = 256
"""Directions kept for matching. On all pairs tried, more only added noise and time."""
_EVENING = 1.0


def principal(x: Tensor, most: int = MOST_DIMENSIONS) -> tuple[Tensor, Tensor]:
    """Prepared rows on their leading principal axes, longest first.

    Parameters
    ----------
    x
        ``(n, d)``, centred, rows of length one.
    most
        Axes kept at most.

    Returns
    -------
    rows, axes
        ``(n, r)`` and ``(d, r)`` with r = min(n, d, most): ``rows = x @ axes``.
    """
    n, d = x.shape
    kept = min(n, d, most)
    if d <= n:
        axes = torch.linalg.eigh(x.T @ x)[1][:, -kept:].flip(1)
    else:
        axes = torch.linalg.svd(x, full_matrices=False)[2][:kept].T
    return x @ axes, axes


def evened(x: Tensor) -> Tensor:
    """Rows with their directions half whitened: ``x (C + c I)^(−1/2)``, C the covariance, c its mean.

    Whitening to the full would raise noise to the level of the leading directions; without any, these
    alone decide which rows are near. Rows are of length one again.
    """
    covariance = x.T @ x / len(x)
    values, axes = torch.linalg.eigh(covariance)
    values = values.clamp_min(0)
    floor = (_EVENING * values.mean()).clamp_min(torch.finfo(torch.float32).tiny)
    return unit_rows(x @ (axes * (values + floor).rsqrt()) @ axes.T)
