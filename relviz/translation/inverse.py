"""Pseudo-inverses of Gram matrices, and how hard the rows they are made of were to invert."""

import torch
from torch import Tensor

ROUNDING = torch.finfo(torch.float32).eps
"""Singular values below it, relative to the largest and times the size, are left out of an inverse."""
NOTHING = 8 * ROUNDING
"""Singular values below it, relative to the largest, are rounding: a direction that is not there."""


def condition_number(squares: Tensor) -> float:
    """Largest over smallest singular value of a matrix, from its squared singular values.

    It is that of the matrix as given: a small singular value counts, whether or not an inverse leaves it
    out. Only directions that are not there do not count, those below ``NOTHING``. Centering takes one, and
    many encoders make no use of some. 1 where there is no direction at all.

    >>> condition_number(torch.tensor([16.0, 1.0, 0.0], dtype=torch.float64))
    4.0
    """
    there = squares[squares > NOTHING**2 * squares.max().clamp_min(torch.finfo(squares.dtype).tiny)]
    return float((there.max() / there.min()) ** 0.5) if len(there) else 1.0


def inverted(gram: Tensor) -> tuple[Tensor, float]:
    """Pseudo-inverse of a Gram matrix ``(k, k)`` float64, and the condition number of its rows.

    Singular values of the rows below float32 rounding count as zero in the inverse: k times ``ROUNDING``
    of the largest. The condition number is that of the rows as given, see ``condition_number``.
    """
    least = (len(gram) * ROUNDING) ** 2
    factor, failed = torch.linalg.cholesky_ex(gram)
    pivots = factor.diagonal() ** 2
    if not failed and pivots.min() > least * pivots.max():  # else it is singular: the least pivot is larger
        values = torch.linalg.eigvalsh(gram)
        if values[0] > least * values[-1]:
            return torch.cholesky_inverse(factor), condition_number(values)
    values, axes = torch.linalg.eigh(gram)
    kept = values > least * values[-1]
    return (axes[:, kept] / values[kept]) @ axes[:, kept].T, condition_number(values)
