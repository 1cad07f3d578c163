"""Inverse relative projection: encoded by the source's anchors, decoded by the inverse of the target's."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from relviz.names import DecidedBy
from relviz.translation.inverse import inverted
from relviz.translation.method import Fit, Method
from relviz.translation.pairs import AnchorPairs


def fold(pairs: AnchorPairs, subspaces: list[Tensor], completion: bool = True) -> Fit:
    """The mean over all subspaces in one matrix ``(dx, dy)``; S are the unit anchors of a subspace.

    Source: arXiv 2406.15057, section 3. Eq. 2 gives each subspace S_xᵀ (S_yᵀ)⁺. Completion takes the unit
    vectors of the source and their images M = S_xᵀ (S_yᵀ)⁺ as new anchors, and eq. 2 on these is (Mᵀ)⁺. The
    paper leaves open where this happens; here in each subspace, since completing the mean collapses. In a
    subspace of no more anchors than dimensions, as all are in the paper, (Mᵀ)⁺ = S_x⁺ S_y: least squares on
    the kept anchors. With more anchors the two part, and least squares is what is computed.

    Both are A_xᵀ W A_y, A the unit anchors: S_x⁺ = S_xᵀ (S_x S_xᵀ)⁺ and (S_yᵀ)⁺ = (S_y S_yᵀ)⁺ S_y, so
    nothing larger than a subspace or a space is ever inverted. The condition number is that of the anchors
    inverted, S_x with completion and S_y without: the largest of all subspaces, and their mean.
    """
    times = Counter(rows.numpy().tobytes() for rows in subspaces)
    different = {rows.numpy().tobytes(): rows for rows in subspaces}
    k, (dx, dy) = len(pairs), pairs.dimensions
    inner = pairs.source if completion else pairs.target
    weights = torch.zeros(k, k, dtype=torch.float64)
    rest = None
    numbers, mean = [], 0.0
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
        mean += share * number
    kept = sum(map(len, subspaces)) / len(subspaces)
    if rest is None and k * (dx + k + dy) < dx * dy:
        return Fit(None, max(numbers), kept, weights=weights, mean_condition_number=mean)
    matrix = between(pairs, weights)
    whole = (matrix if rest is None else matrix + rest).float()
    return Fit(whole, max(numbers), kept, mean_condition_number=mean)


def between(pairs: AnchorPairs, weights: Tensor) -> Tensor:
    """A_xᵀ W A_y ``(dx, dy)`` for W ``(k, k)``, in the cheaper order."""
    rows = weights.any(1).nonzero()[:, 0]
    source, goal = pairs.source.exact[rows], pairs.target.exact[rows]
    weights = weights[rows[:, None], rows]
    if goal.shape[1] <= source.shape[1]:
        return source.T @ (weights @ goal)
    return (source.T @ weights) @ goal


DECIDED_BY: dict[str, str] = {
    "source": "distance in the source space",
    "target": "distance in the target space, whose anchors are inverted",
    "both": "the smaller of the two distances",
}
"""What may decide how far apart two anchors are."""


@dataclass(frozen=True, eq=False)
class Orders:
    """Farthest-point orders of the same anchors from different starts.

    Greedy choice does not depend on where it stops, so one order serves every δ: a subspace is the
    beginning of its order. ``anchors`` ``(s, u)`` int64 numbers of anchors; ``distances`` ``(s, u)``
    float64, never rising, that of each anchor to the nearest before it, infinite for the start.
    """

    anchors: Tensor
    distances: Tensor

    def subspaces(self, delta: float, omega: int) -> list[Tensor]:
        """Anchors kept by each of the first ``omega`` orders, ``(p,)`` int64, sorted."""
        kept = (self.distances[:omega] >= delta).sum(1).tolist()
        return [order[:count].sort()[0] for order, count in zip(self.anchors[:omega], kept, strict=True)]


@lru_cache(maxsize=8)
def farthest_orders(pairs: AnchorPairs, decided_by: str, starts: int, seed: int) -> Orders:
    """Orders from ``starts`` different random anchors, or from every anchor where there are fewer.

    The orders of fewer starts are the first of more.
    """
    usable = pairs.usable.numpy()
    sides = {"source": [pairs.source], "target": [pairs.target], "both": [pairs.source, pairs.target]}
    parts = [1 - np.abs(side.cosines.numpy()[np.ix_(usable, usable)]) for side in sides[decided_by]]
    distance = np.minimum.reduce(parts)
    first = np.random.default_rng(seed).permutation(len(usable))[:starts]
    rows = np.arange(len(first))
    chosen = np.empty((len(first), len(usable)), dtype=np.int64)
    at = np.empty(chosen.shape)
    near = np.full(chosen.shape, np.inf)
    current = first
    for step in range(len(usable)):
        chosen[:, step], at[:, step] = current, near[rows, current]
        np.minimum(near, distance[current], out=near)
        near[rows, current] = -np.inf
        current = near.argmax(1)
    return Orders(torch.from_numpy(usable[chosen]), torch.from_numpy(np.maximum(at, 0)))


def irp(
    pairs: AnchorPairs, *, delta: float, omega: int, completion: bool, seed: int, decided_by: DecidedBy
) -> Fit:
    """Inverse relative projection on what pruning keeps; options as ``relviz.translator`` has them."""
    orders = farthest_orders(pairs, decided_by, omega, seed)
    return fold(pairs, orders.subspaces(delta, omega), completion)


IRP = Method(
    irp,
    "IRP",
    "inverse relative projection (arXiv 2406.15057). Relative vectors are mapped back by the inverse of the "
    "target anchors. Anchors are pruned, and several subspaces averaged",
    ("delta", "omega", "completion", "seed", "decided_by"),
)
