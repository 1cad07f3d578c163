"""Inverse relative projection: encode by the source's anchors, decode by the inverse of the target's."""

from collections import Counter
from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.translate.pairs import ROUNDING, AnchorPairs


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


def fold(pairs: AnchorPairs, subspaces: list[Tensor]) -> Fit:
    """All subspaces in one matrix: T = mean S_xᵀ (S_yᵀ)⁺, S the unit anchors of a subspace.

    Source: arXiv 2406.15057, section 3. With (S_yᵀ)⁺ = (S_y S_yᵀ)⁺ S_y this is A_xᵀ W A_y, A the unit
    anchors, W the mean of the inverted relative representations of the kept anchors: nothing larger than
    a subspace is ever inverted.

    The condition number is that of S_y, the largest of all subspaces.
    """
    times = Counter(rows.numpy().tobytes() for rows in subspaces)
    different = {rows.numpy().tobytes(): rows for rows in subspaces}
    k, (dx, dy) = len(pairs), pairs.dimensions
    weights = torch.zeros(k, k, dtype=torch.float64)
    rest = None
    numbers = []
    for key, rows in different.items():
        share = times[key] / len(subspaces)
        if len(rows) <= dy:
            inverse, number = inverted(pairs.target.cosines[rows[:, None], rows])
            weights[rows[:, None], rows] += share * inverse
        else:
            cross, gram = pairs.products(rows)
            inverse, number = inverted(gram)
            part = share * cross @ inverse
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


def inverted(gram: Tensor) -> tuple[Tensor, float]:
    """Pseudo-inverse of a Gram matrix, and the condition number of the rows it is made of.

    Singular values of the rows below float32 rounding count as zero.
    """
    least = (len(gram) * ROUNDING) ** 2
    factor, failed = torch.linalg.cholesky_ex(gram)
    values = torch.linalg.eigvalsh(gram)
    if not failed and values[0] > least * values[-1]:
        return torch.cholesky_inverse(factor), float((values[-1] / values[0]) ** 0.5)
    values, axes = torch.linalg.eigh(gram)
    kept = values > least * values[-1]
    values, axes = values[kept], axes[:, kept]
    return (axes / values) @ axes.T, float((values[-1] / values[0]) ** 0.5)
