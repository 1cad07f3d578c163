"""Linear centered kernel alignment, without any n × n kernel."""

import math

import torch
from torch import Tensor

from relviz.compute.arrays import ArrayLike, check_same_rows
from relviz.compute.blocks import gram
from relviz.compute.device import device
from relviz.errors import ParameterError
from relviz.pair import Pair, both_sides
from relviz.relative_projection import centered, finite_matrix

_NOTHING = 1e-9
"""Unbiased variance of a kernel, as a share of its trace squared, that is only rounding."""


def cka(x: ArrayLike | Pair, y: ArrayLike | None = None, debiased: bool = False) -> float:
    """Linear CKA of two spaces of the same rows: 1 when one is a rotated, rescaled, shifted copy.

    With centered columns it is ``‖XᵀY‖² / (‖XᵀX‖ ‖YᵀY‖)`` (Kornblith et al. 2019, arXiv 1905.00414), in
    [0, 1]. This estimate is biased upward: unrelated Gaussian spaces have about ``√(dx dy / ((n + dx) (n +
    dy)))``, 0.96 for 20 rows of 500 dimensions and 0.05 for 10,000 of 500. Unless there are many more rows
    than dimensions, use ``debiased``: the unbiased HSIC (Song et al. 2012), which is 0 on average for
    unrelated spaces, in [-1, 1].

    Parameters
    ----------
    x, y
        ``(n, dx)`` and ``(n, dy)``, parallel rows, or a ``Pair``; n ≥ 3 (two centered rows are always
        alike), debiased needs n ≥ 4.

    Raises
    ------
    ShapeError
        If the numbers of rows differ.
    ParameterError
        If all rows of one side are equal, if there are too few rows, or a number is NaN or infinite.

    Examples
    --------
    >>> round(cka([[0.0, 1.0], [2.0, 0.0], [3.0, 5.0]], [[1.0, 0.0], [0.0, 2.0], [5.0, 3.0]]), 4)
    1.0
    """
    one, other = both_sides(x, y)
    left, right = _centered(one, "x"), _centered(other, "y")
    check_same_rows(left, right)
    n = len(left)
    least, kind = (4, "Debiased CKA") if debiased else (3, "CKA")
    if n < least:
        why = " Of two rows CKA is always 1." if n == 2 else ""
        raise ParameterError(f"{kind} needs at least {least} rows; there are {n}.{why}")
    hsic = _unbiased_hsic if debiased else _hsic
    own_left, own_right = hsic(left, left), hsic(right, right)
    for name, own, side in (("x", own_left, left), ("y", own_right, right)):
        if own <= _NOTHING * float(_squared_norms(side).sum()) ** 2:
            raise ParameterError(f"Too few of the {n} rows of {name} differ for debiased CKA; use the plain.")
    value = hsic(left, right) / math.sqrt(own_left * own_right)
    return min(1.0, max(-1.0 if debiased else 0.0, value))


def _centered(x: ArrayLike, name: str) -> Tensor:
    matrix = centered(finite_matrix(x, name))
    largest = float(matrix.abs().max())
    if largest == 0:
        raise ParameterError(f"All {len(matrix)} rows of {name} are equal; CKA needs rows that differ.")
    return matrix.div_(largest).to(device())


def _hsic(x: Tensor, y: Tensor) -> float:
    return float(gram(x, y).square().sum())


def _unbiased_hsic(x: Tensor, y: Tensor) -> float:
    """n(n-3) times the unbiased HSIC; centered columns make the row sums of both kernels zero."""
    n = len(x)
    p, q = _squared_norms(x), _squared_norms(y)
    own = float(p @ q)
    return _hsic(x, y) - own * n / (n - 2) + float(p.sum() * q.sum()) / ((n - 1) * (n - 2))


def _squared_norms(x: Tensor) -> Tensor:
    return x.square().sum(1).cpu().to(torch.float64)
