"""Inverse relative projection: encode by the source's anchors, decode by the inverse of the target's."""

from collections import Counter
from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.translate.inverse import inverted
from relviz.translate.pairs import AnchorPairs


@dataclass(frozen=True, eq=False)
class Fit:
    """A matrix ``(dx, dy)`` between the two unit frames, and what its making rested on.

    ``condition_number`` is that of whatever was inverted, 1 where nothing was; ``anchors_kept`` is the
    mean number of anchors used; ``offset`` ``(dy,)`` is added to the product; ``chosen`` holds the
    strengths that the method chose for itself. ``weights`` ``(k, k)`` float64 stand for the matrix
    ``A_xᵀ W A_y`` where going through the anchors takes fewer products than the matrix itself.
    """

    matrix: Tensor | None
    condition_number: float
    anchors_kept: float
    offset: Tensor | None = None
    chosen: tuple[tuple[str, float], ...] = ()
    weights: Tensor | None = None


def fold(pairs: AnchorPairs, subspaces: list[Tensor], completion: bool = True) -> Fit:
    """The mean over all subspaces in one matrix ``(dx, dy)``; S are the unit anchors of a subspace.

    Source: arXiv 2406.15057, section 3. Eq. 2 gives each subspace S_xᵀ (S_yᵀ)⁺. Completion takes the unit
    vectors of the source and their images M = S_xᵀ (S_yᵀ)⁺ as new anchors, and eq. 2 on these is (Mᵀ)⁺. The
    paper leaves open where this happens; here in each subspace, since completing the mean collapses. In a
    subspace of no more anchors than dimensions, as all are in the paper, (Mᵀ)⁺ = S_x⁺ S_y: least squares on
    the kept anchors. With more anchors the two part, and least squares is what is computed.

    Both are A_xᵀ W A_y, A the unit anchors: S_x⁺ = S_xᵀ (S_x S_xᵀ)⁺ and (S_yᵀ)⁺ = (S_y S_yᵀ)⁺ S_y, so
    nothing larger than a subspace or a space is ever inverted. The condition number is that of the anchors
    inverted, S_x with completion and S_y without, the largest of all subspaces.
    """
    times = Counter(rows.numpy().tobytes() for rows in subspaces)
    different = {rows.numpy().tobytes(): rows for rows in subspaces}
    k, (dx, dy) = len(pairs), pairs.dimensions
    inner = pairs.source if completion else pairs.target
    weights = torch.zeros(k, k, dtype=torch.float64)
    rest = None
    numbers = []
    for key, rows in different.items():
        share = times[key] / len(subspaces)
        if len(rows) <= inner.unit.shape[1]:
            inverse, number = inverted(inner.cosines[rows[:, None], rows])
            weights[rows[:, None], rows] += share * inverse
        else:
            cross, gram = pairs.products(rows, inner)
            inverse, number = inverted(gram)
            part = share * (inverse @ cross if completion else cross @ inverse)
            rest = part if rest is None else rest + part
        numbers.append(number)
    kept = sum(map(len, subspaces)) / len(subspaces)
    if rest is None and k * (dx + k + dy) < dx * dy:
        return Fit(None, max(numbers), kept, weights=weights)
    matrix = between(pairs, weights)
    return Fit((matrix if rest is None else matrix + rest).float(), max(numbers), kept)


def between(pairs: AnchorPairs, weights: Tensor) -> Tensor:
    """A_xᵀ W A_y ``(dx, dy)`` for W ``(k, k)``, in the cheaper order."""
    rows = weights.any(1).nonzero()[:, 0]
    source, goal = pairs.source.exact[rows], pairs.target.exact[rows]
    weights = weights[rows[:, None], rows]
    if goal.shape[1] <= source.shape[1]:
        return source.T @ (weights @ goal)
    return (source.T @ weights) @ goal
