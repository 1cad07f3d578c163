"""Singular values and eigenvectors that come out even where LAPACK gives up on a matrix of single precision.

Its divide and conquer fails on a few matrices that nothing is wrong with. In double precision, it decomposes
these, too.
"""

from collections.abc import Callable

import torch
from torch import Tensor

Parts = tuple[Tensor, ...]


def svd(matrices: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Thin singular value decompositions ``u, values, vt`` of one matrix or many ``(…, r, c)``."""
    u, values, vt = _never_given_up(_svd, matrices)
    return u, values, vt


def singular_values(matrices: Tensor) -> Tensor:
    """Singular values alone ``(…, min(r, c))``, largest first."""
    (values,) = _never_given_up(_values, matrices)
    return values


def eigh(matrices: Tensor) -> tuple[Tensor, Tensor]:
    """Eigenvalues, smallest first, and eigenvectors of one symmetric matrix or many ``(…, n, n)``."""
    values, vectors = _never_given_up(torch.linalg.eigh, matrices)
    return values, vectors


def _svd(matrices: Tensor) -> Parts:
    parts: Parts = torch.linalg.svd(matrices, full_matrices=False)
    return parts


def _values(matrices: Tensor) -> Parts:
    return (torch.linalg.svdvals(matrices),)


def _never_given_up(decompose: Callable[[Tensor], Parts], matrices: Tensor) -> Parts:
    """The parts of each; one that fails is taken in double precision, the others as if it were not there."""
    try:
        return decompose(matrices)
    except torch.linalg.LinAlgError:  # type: ignore[attr-defined]
        if matrices.ndim > 2:
            each = (_never_given_up(decompose, one) for one in matrices)
            return tuple(torch.stack(parts) for parts in zip(*each, strict=True))
        return tuple(part.to(matrices.dtype) for part in decompose(matrices.double()))
