"""Inverse relative projection with an inverse that the anchors themselves choose."""

from collections.abc import Callable

import torch
from torch import Tensor

from relviz.relative_projection import unit_rows
from relviz.translation.inverse import ROUNDING
from relviz.translation.method import Fit, Method
from relviz.translation.pairs import AnchorPairs


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
        return float((unit_rows(self._left_out(strength)) * unit_rows(self._y)).sum(1).mean())

    def pooled_cosine(self, strength: float) -> float:
        """The same of all anchors as one long vector: an unsure translation, which is short, counts less."""
        made = self._left_out(strength)
        return float((made * self._y).sum() / (made.norm() * self._y.norm()).clamp_min(ROUNDING))

    def reciprocal_rank(self, strength: float) -> float:
        """Mean of 1/rank of every anchor among all, seen from its translation by the other anchors."""
        scores = (unit_rows(self._left_out(strength)) @ unit_rows(self._y).T).float()
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

    def _left_out(self, strength: float) -> Tensor:
        """Each anchor's translation by the others, as long as that makes it."""
        k, penalty = len(self._x), strength * self._unit
        inverse = 1 / (self._values + penalty) - 1 / penalty
        own = (1 - 1 / k) / penalty + self._axes**2 @ inverse
        seen = self._lengths / penalty + (self._encoded * self._axes) @ inverse
        lost = (seen / own)[:, None]
        made = (self._encoded - lost * self._axes) @ (inverse[:, None] * self._seen)
        made += (self._whole - lost * self._y) / penalty
        return made


def _eigen(rows: Tensor) -> tuple[Tensor, Tensor]:
    """Eigenvalues above rounding and eigenvectors of ``rows @ rows.T``."""
    wide = rows.shape[1] >= len(rows)
    values, axes = torch.linalg.eigh(rows @ rows.T if wide else rows.T @ rows)
    kept = values > values[-1] * (max(rows.shape) * ROUNDING) ** 2
    values, axes = values[kept], axes[:, kept]
    return values, axes if wide else (rows @ axes) / values.sqrt()


FIRST = tuple(10 ** (half / 2) for half in range(-8, 5))
"""From 1e-4 to 1e2, in units of the mean eigenvalue of what is regularized."""
_BESIDE = tuple(10 ** (eighth / 8) for eighth in (-3, -2, -1, 1, 2, 3))


def tried(score: Callable[[float], float]) -> dict[float, float]:
    """Strengths and their scores, higher meaning better: half decades, then eighths beside the best.

    >>> found = tried(lambda strength: -abs(strength - 6))
    >>> round(max(found, key=found.__getitem__), 2)
    5.62
    """
    found = {strength: score(strength) for strength in FIRST}
    best = max(found, key=found.__getitem__)
    return found | {best * step: score(best * step) for step in _BESIDE}


SHARES = (1.0, 0.9, 0.7, 0.4)
"""Shares of the source in the inverted matrix that are tried, in this order, while they help."""
NEAR_TIE = 0.001
"""Cosines nearer to the best than this are as good; among them, the rank of the true anchor decides."""
FEWEST = 5
"""With fewer anchors nothing can be left out: the source's Gram matrix is inverted, penalty one."""
FEW = 150
"""Up to so many anchors, their pooled cosine decides, and no ranks."""


def irp_plus(pairs: AnchorPairs) -> Fit:
    """Decode by ``(μ A_xA_xᵀ + (1 − μ) A_yA_yᵀ + λ)⁻¹ A_y`` in place of ``(A_yA_yᵀ)⁺ A_y``.

    Both Gram matrices are the relative representation of the anchors, seen by either encoder; where the
    encoders agree they are the same. IRP inverts the target's (μ = 0, λ = 0), ridge
    regression the source's (μ = 1). Here μ and λ are those of the highest mean cosine of every anchor to
    its translation by the others; among near ties, those that rank the anchor best among all anchors.
    Of at most ``FEW`` anchors the pooled cosine decides, alone: with 50 and 100 of them it came nearer on
    nearly all demo pairs (docs/translation.md).
    Nothing is pruned: regularization does what δ and ω are for.
    """
    if len(pairs.usable) < FEWEST:
        return MixedGram(pairs, 1.0).fit(1.0)
    all_found: dict[tuple[MixedGram, float], float] = {}
    best, few = -1.0, len(pairs.usable) <= FEW
    for share in SHARES:
        mixed = MixedGram(pairs, share)
        score = mixed.pooled_cosine if few else mixed.cosine
        found = {(mixed, strength): cosine for strength, cosine in tried(score).items()}
        all_found |= found
        before, best = best, max(all_found.values())
        if max(found.values()) <= before:
            break
    if few:
        mixed, strength = max(all_found, key=all_found.__getitem__)
        return mixed.fit(strength)
    ties = [one for one, cosine in all_found.items() if cosine >= best - NEAR_TIE]
    mixed, strength = max(ties, key=lambda one: one[0].reciprocal_rank(one[1]))
    return mixed.fit(strength)


IRP_PLUS = Method(
    irp_plus,
    "IRP+",
    "inverse relative projection with a regularized inverse. Its strength is chosen by leaving anchors out",
)
