"""Anchors that say different things: farthest points by 1 − |cos|, until the farthest is near."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from relviz.translate.pairs import AnchorPairs

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
