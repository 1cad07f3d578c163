"""A start without seeds: coordinates that two spaces share, from the shape of each alone."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from relviz.bootstrap.anneal import Pulse
from relviz.bootstrap.clusters import centroids
from relviz.bootstrap.graphs import match_graphs, standardised
from relviz.relative import unit_rows

CLUSTERS = 20
_DRAWS = 20
_KEPT = 7


@dataclass(frozen=True, eq=False)
class Matched:
    """Cluster directions ``(k, dx)`` and ``(k, dy)`` put in correspondence, and how alike their Grams are."""

    likeness: float
    cx: Tensor
    cy: Tensor


def unseeded_sides(
    x: Tensor, y: Tensor, generator: torch.Generator, pulse: Pulse | None = None
) -> tuple[Tensor, Tensor]:
    """Rows of both spaces told by their similarities to clusters that were matched without any seed.

    Several times over, each space is cut into clusters and the two matrices of cosines between cluster
    directions are matched as a quadratic assignment. Each such matching is mostly wrong, but the better
    third of many is right often enough for annealing to begin with.

    Returns
    -------
    u, v
        ``(n, r)`` and ``(m, r)``, rows of length one.
    """
    drawn = []
    for _ in range(_DRAWS):
        if pulse is not None:
            pulse()
        drawn.append(_matched(x, y, generator))
    kept = sorted(drawn, key=lambda one: -one.likeness)[:_KEPT]
    return _told(x, torch.cat([one.cx for one in kept])), _told(y, torch.cat([one.cy for one in kept]))


def _matched(x: Tensor, y: Tensor, generator: torch.Generator) -> Matched:
    k = max(2, min(CLUSTERS, len(x) // 4, len(y) // 4))
    cx, cy = centroids(x, k, generator), centroids(y, k, generator)
    grams = [standardised((c @ c.T).cpu().double().numpy()) for c in (cx, cy)]
    rng = np.random.default_rng(int(torch.randint(2**31, (1,), generator=generator)))
    likeness, order = match_graphs(grams[0], grams[1], rng)
    return Matched(likeness, cx, cy[torch.from_numpy(order).to(cy.device)])


def _told(x: Tensor, directions: Tensor) -> Tensor:
    """Cosines to the directions, each as deviations from its mean over the rows."""
    cosines = x @ directions.T
    spread = cosines.std(0)
    return unit_rows((cosines - cosines.mean(0)) / torch.where(spread > 0, spread, 1.0))
