"""Inverse relative projection with an inverse that the anchors themselves choose."""

from relviz.translate.irp import Fit
from relviz.translate.left_out import MixedGram
from relviz.translate.pairs import AnchorPairs
from relviz.translate.strengths import tried

SHARES = (1.0, 0.9, 0.7, 0.4)
"""Shares of the source in the inverted matrix that are tried, in this order, while they help."""
NEAR_TIE = 0.001
"""Cosines nearer to the best than this are as good; among them, the rank of the true anchor decides."""
FEWEST = 5
"""With fewer anchors nothing can be left out: the source's Gram matrix is inverted, penalty one."""


def irp_plus(pairs: AnchorPairs) -> Fit:
    """Decode by ``(μ A_xA_xᵀ + (1 − μ) A_yA_yᵀ + λ)⁻¹ A_y`` in place of ``(A_yA_yᵀ)⁺ A_y``.

    Both Gram matrices are the relative representation of the anchors, seen by either encoder; where the
    encoders agree they are the same. The paper's method inverts the target's (μ = 0, λ = 0), ridge
    regression the source's (μ = 1). Here μ and λ are those of the highest mean cosine of every anchor to
    its translation by the others; among near ties, those that rank the anchor best among all anchors.
    Nothing is pruned: regularisation does what δ and ω are for.
    """
    if len(pairs.usable) < FEWEST:
        return MixedGram(pairs, 1.0).fit(1.0)
    all_found: dict[tuple[MixedGram, float], float] = {}
    best = -1.0
    for share in SHARES:
        mixed = MixedGram(pairs, share)
        found = {(mixed, strength): cosine for strength, cosine in tried(mixed.cosine).items()}
        all_found |= found
        before, best = best, max(all_found.values())
        if max(found.values()) <= before:
            break
    ties = [one for one, cosine in all_found.items() if cosine >= best - NEAR_TIE]
    mixed, strength = max(ties, key=lambda one: one[0].reciprocal_rank(one[1]))
    return mixed.fit(strength)
