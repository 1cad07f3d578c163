"""The rotation of limited rank that carries one space onto another, from a cross-covariance."""

from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.relative_projection import unit_rows


@dataclass(frozen=True, eq=False)
class Alignment:
    """Shared coordinates of two spaces: ``x @ left`` and ``y @ right``, ``(dx, r)`` and ``(dy, r)``."""

    left: Tensor
    right: Tensor

    def sides(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        """Both spaces in the shared coordinates, rows of length one."""
        return unit_rows(x @ self.left), unit_rows(y @ self.right)

    def carry(self, x: Tensor) -> Tensor:
        """Rows of the first space ``(n, dx)`` in the second: ``(n, dy)``."""
        return x @ self.left @ self.right.T


def align(cross: Tensor, rank: int, power: float = 0.0) -> Alignment:
    """The alignment that a cross-covariance ``(dx, dy)`` calls for.

    Its ``rank`` leading pairs of directions; with ``power`` p each is weighted by its singular value to
    the p, so that directions the two spaces hardly share count less. Without, this is the orthogonal
    Procrustes solution (Schönemann 1966) of that rank.
    """
    u, values, vt = torch.linalg.svd(cross, full_matrices=False)
    rank = max(1, min(rank, len(values)))
    weights = values[:rank] ** power
    return Alignment(u[:, :rank] * weights, vt[:rank].T * weights)


def nuclear(x: Tensor, y: Tensor) -> float:
    """Mean inner product of parallel rows ``(n, dx)`` and ``(n, dy)`` under their best rotation."""
    return float(torch.linalg.svdvals(x.T @ y).sum() / len(x))
