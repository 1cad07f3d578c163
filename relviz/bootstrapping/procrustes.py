"""The rotation of limited rank that carries one space onto another, from a cross-covariance."""

from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.bootstrapping.decompositions import singular_values, svd
from relviz.relative_projection import unit_rows

_ORTHOGONAL = 1e-3
"""The largest inner product of two singular vectors that are taken for orthogonal."""


@dataclass(frozen=True, eq=False)
class Alignment:
    """Shared coordinates of two spaces: ``x @ left`` and ``y @ right``, ``(dx, r)`` and ``(dy, r)``."""

    left: Tensor
    right: Tensor

    def sides(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        """Both spaces in the shared coordinates, rows of length one."""
        return unit_rows(x @ self.left), unit_rows(y @ self.right)

    def apply(self, x: Tensor) -> Tensor:
        """Rows of the first space ``(n, dx)`` in the second: ``(n, dy)``."""
        return x @ self.left @ self.right.T


def align(cross: Tensor, rank: int, power: float = 0.0) -> Alignment:
    """The alignment that a cross-covariance ``(dx, dy)`` calls for.

    Its ``rank`` leading pairs of directions; with ``power`` p each is weighted by its singular value to
    the p, so that directions the two spaces hardly share count less. Without, this is the orthogonal
    Procrustes solution (Schönemann 1966) of that rank.
    """
    u, values, vt = singular(cross)
    rank = max(1, min(rank, len(values)))
    weights = values[:rank] ** power
    return Alignment(u[:, :rank] * weights, vt[:rank].T * weights)


def singular(matrices: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Thin singular value decompositions ``u, values, vt`` of one matrix or many ``(…, r, c)``."""
    if matrices.device.type == "cuda" and (found := _at_once(matrices)) is not None:
        return found
    return svd(matrices)


def _at_once(matrices: Tensor) -> tuple[Tensor, Tensor, Tensor] | None:
    """The same by cuSOLVER's ``gesvda``; None where a matrix is of too low a rank for it.

    Else torch takes many matrices one after the other. This works on the squares of singular values, which
    costs half the digits, so it is given twice as many.
    """
    if matrices.shape[-2] < matrices.shape[-1]:
        turned = _at_once(matrices.mT)
        return None if turned is None else (turned[2].mT, turned[1], turned[0].mT)
    try:
        u, values, vt = torch.linalg.svd(matrices.double(), full_matrices=False, driver="gesvda")
    except RuntimeError:
        return None
    off = u.mT @ u - torch.eye(u.shape[-1], dtype=u.dtype, device=u.device)
    if float(off.abs().amax()) > _ORTHOGONAL:
        return None
    return u.to(matrices.dtype), values.to(matrices.dtype), vt.to(matrices.dtype)


def nuclear(x: Tensor, y: Tensor) -> float:
    """Mean inner product of parallel rows ``(n, dx)`` and ``(n, dy)`` under their best rotation."""
    return float(nuclear_norms(x.T @ y) / len(x))


def nuclear_norms(matrices: Tensor) -> Tensor:
    """Sums of the singular values of one matrix or many ``(…, r, c)``."""
    if matrices.device.type == "cuda":
        return singular(matrices)[1].sum(-1)
    return singular_values(matrices).sum(-1)
