"""Every anchor left out in turn, translated by the others: in closed form, for any regularisation."""

import torch
from torch import Tensor

from relviz.relative import unit_rows
from relviz.translate.inverse import ROUNDING
from relviz.translate.irp import Fit
from relviz.translate.pairs import AnchorPairs


class MixedGram:
    """The decoder ``(μ A_xA_xᵀ + (1 − μ) A_yA_yᵀ + λ)⁻¹ A_y`` for one μ and every λ.

    Leaving a row out of a linear smoother needs no new fit (the block inverse; Golub, Heath and Wahba 1979
    for μ = 1). The anchor mean is one more thing that the anchor left out had no part in.

    Parameters
    ----------
    pairs
        At least two anchors that are not zero.
    share
        μ, from 0 to 1.
    """

    def __init__(self, pairs: AnchorPairs, share: float) -> None:
        x, y = pairs.source.level, pairs.target.level
        rows = x if share == 1 else torch.cat([share**0.5 * x, (1 - share) ** 0.5 * y], 1)
        self.share, self._x, self._y = share, x, y
        self._values, self._axes = _eigen(rows)
        self._unit = float(self._values.mean())
        self._encoded = x @ (x.T @ self._axes)
        self._seen = self._axes.T @ y
        self._whole = x @ (x.T @ y)
        self._lengths = (x**2).sum(1)

    def cosine(self, strength: float) -> float:
        """Mean cosine of the anchors to their translations by the other anchors."""
        return float((self._translated(strength) * unit_rows(self._y)).sum(1).mean())

    def reciprocal_rank(self, strength: float) -> float:
        """Mean of 1/rank of every anchor among all, seen from its translation by the other anchors."""
        scores = (self._translated(strength) @ unit_rows(self._y).T).float()
        ranks = (scores >= scores.diagonal()[:, None]).sum(1)
        return float((1 / ranks).mean())

    def fit(self, strength: float) -> Fit:
        """The matrix between the unit frames; condition number of the root of what is inverted."""
        penalty = strength * self._unit
        inverse = 1 / (self._values + penalty) - 1 / penalty
        weights = self._y / penalty + self._axes @ (inverse[:, None] * self._seen)
        number = ((self._values.max() + penalty) / (self._values.min() + penalty)) ** 0.5
        chosen = (("strength", strength), ("share", self.share))
        return Fit((self._x.T @ weights).float(), float(number), len(self._x), chosen=chosen)

    def _translated(self, strength: float) -> Tensor:
        k, penalty = len(self._x), strength * self._unit
        inverse = 1 / (self._values + penalty) - 1 / penalty
        own = (1 - 1 / k) / penalty + self._axes**2 @ inverse
        seen = self._lengths / penalty + (self._encoded * self._axes) @ inverse
        lost = (seen / own)[:, None]
        made = (self._encoded - lost * self._axes) @ (inverse[:, None] * self._seen)
        made += (self._whole - lost * self._y) / penalty
        return unit_rows(made)


def _eigen(rows: Tensor) -> tuple[Tensor, Tensor]:
    """Eigenvalues above rounding and eigenvectors of ``rows @ rows.T``."""
    wide = rows.shape[1] >= len(rows)
    values, axes = torch.linalg.eigh(rows @ rows.T if wide else rows.T @ rows)
    kept = values > values[-1] * (max(rows.shape) * ROUNDING) ** 2
    values, axes = values[kept], axes[:, kept]
    return values, axes if wide else (rows @ axes) / values.sqrt()
