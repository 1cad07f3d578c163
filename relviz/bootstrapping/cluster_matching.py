"""Clusters of two spaces put in correspondence without any known pair, by how they lie to each other."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse
from relviz.relative_projection import unit_rows

Matrix = NDArray[np.float64]

_STEPS = 25
_BALANCING = 10


def standardized(gram: Matrix) -> Matrix:
    """A similarity matrix ``(k, k)`` with zero diagonal, its other entries of mean 0 and deviation 1."""
    off = ~np.eye(len(gram), dtype=bool)
    spread = gram[off].std()
    scaled: Matrix = (gram - gram[off].mean()) / (spread if spread > 0 else 1.0)
    np.fill_diagonal(scaled, 0)
    return scaled


def match_graphs(
    a: Matrix, b: Matrix, rng: np.random.Generator, restarts: int = 20
) -> tuple[float, NDArray[np.int64]]:
    """The order of the rows of ``b`` that makes it most like ``a``; both ``(k, k)``, symmetric, diagonal 0.

    From several random starts, Frank-Wolfe steps over doubly stochastic matrices (FAQ, Vogelstein et al.
    2015), then exchanges of two rows as long as one helps.

    Returns
    -------
    likeness, order
        The cosine of the two matrices, 1 when ``a == b[order][:, order]``; and the order ``(k,)``.
    """
    found = [_exchanged(a, b, _frank_wolfe(a, b, _random_plan(len(a), rng))) for _ in range(restarts)]
    values = [float((a * b[np.ix_(order, order)]).sum()) for order in found]
    best = int(np.argmax(values))
    size = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return values[best] / size if size else 0.0, found[best]


def _random_plan(k: int, rng: np.random.Generator) -> Matrix:
    plan = rng.random((k, k))
    for _ in range(_BALANCING):
        plan /= plan.sum(0)
        plan /= plan.sum(1)[:, None]
    return (plan + 1 / k) / 2


def _frank_wolfe(a: Matrix, b: Matrix, plan: Matrix) -> NDArray[np.int64]:
    from scipy.optimize import linear_sum_assignment

    for _ in range(_STEPS):
        slope = a @ plan @ b
        rows, columns = linear_sum_assignment(slope, maximize=True)
        direction = -plan
        direction[rows, columns] += 1
        curve = float(((a @ direction @ b) * direction).sum())
        rise = 2 * float((slope * direction).sum())
        step = min(1.0, max(0.0, -rise / (2 * curve))) if curve < 0 else float(curve + rise > 0)
        if step == 0:
            break
        plan = plan + step * direction
    order: NDArray[np.int64] = linear_sum_assignment(plan, maximize=True)[1]
    return order


def _exchanged(a: Matrix, b: Matrix, order: NDArray[np.int64]) -> NDArray[np.int64]:
    value = -np.inf
    while True:
        arranged = b[np.ix_(order, order)]
        now = float((a * arranged).sum())
        if now <= value + 1e-9:
            return order
        value = now
        crossed = a @ arranged
        own = np.diag(crossed)
        # What exchanging r and s changes the sum by; 4·a_rs·b_rs stays as it is under the exchange.
        gain = 2 * (crossed + crossed.T - own[:, None] - own) + 4 * a * arranged
        np.fill_diagonal(gain, -np.inf)
        r, s = divmod(int(gain.argmax()), len(order))
        if gain[r, s] <= 1e-9:
            return order
        order = order.copy()
        order[[r, s]] = order[[s, r]]


_ROUNDS = 15


def centroids(x: Tensor, k: int, generator: torch.Generator) -> Tensor:
    """Directions of k clusters of the unit rows ``(n, d)``: ``(k, d)``, rows of length one.

    Rows are drawn as first centroids with probability falling in their cosine to those drawn before
    (k-means++, Arthur and Vassilvitskii 2007), then the means of the rows nearest to each take over.
    """
    first = torch.randint(len(x), (1,), generator=generator).to(x.device)
    chosen = x[first]
    for _ in range(k - 1):
        far = (1 - (x @ chosen.T).amax(1)).clamp_min(1e-6)
        drawn = torch.multinomial(far.cpu(), 1, generator=generator).to(x.device)
        chosen = torch.cat([chosen, x[drawn]])
    for _ in range(_ROUNDS):
        nearest = (x @ chosen.T).argmax(1)
        sums = torch.zeros_like(chosen).index_add_(0, nearest, x)
        empty = torch.linalg.vector_norm(sums, dim=1) == 0
        chosen = torch.where(empty[:, None], chosen, unit_rows(sums))
    return chosen


CLUSTERS = 20
_POOL, _KEPT, _TAKEN = 60, 24, 7
"""Clusterings that are drawn and matched; the most alike of them; and how many of these one start takes."""


@dataclass(frozen=True, eq=False)
class Matched:
    """Cluster directions ``(k, dx)`` and ``(k, dy)`` put in correspondence, and how alike their Grams are."""

    likeness: float
    cx: Tensor
    cy: Tensor


def matched_clusters(
    x: Tensor, y: Tensor, generator: torch.Generator, pulse: Pulse | None = None
) -> list[Matched]:
    """Matched clusterings of two spaces ``(n, dx)`` and ``(m, dy)``, the most alike first.

    Several times over, each space is cut into clusters and the two matrices of cosines between cluster
    directions are matched as a quadratic assignment. Each such matching is mostly wrong, but the more alike
    of many are right often enough to begin with.
    """
    drawn = []
    for _ in range(_POOL):
        if pulse is not None:
            pulse()
        drawn.append(_matched(x, y, generator))
    return sorted(drawn, key=lambda one: -one.likeness)[:_KEPT]


def relative_to_clusters(
    x: Tensor, y: Tensor, pool: list[Matched], generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Rows of both spaces relative to some of the matched clusters, drawn anew: ``(n, r)`` and ``(m, r)``."""
    drawn = [pool[place] for place in torch.randperm(len(pool), generator=generator)[:_TAKEN].tolist()]
    return _told(x, torch.cat([one.cx for one in drawn])), _told(y, torch.cat([one.cy for one in drawn]))


def _matched(x: Tensor, y: Tensor, generator: torch.Generator) -> Matched:
    k = max(2, min(CLUSTERS, len(x) // 4, len(y) // 4))
    cx, cy = centroids(x, k, generator), centroids(y, k, generator)
    grams = [standardized((c @ c.T).cpu().double().numpy()) for c in (cx, cy)]
    rng = np.random.default_rng(int(torch.randint(2**31, (1,), generator=generator)))
    likeness, order = match_graphs(grams[0], grams[1], rng)
    return Matched(likeness, cx, cy[torch.from_numpy(order).to(cy.device)])


def _told(x: Tensor, directions: Tensor) -> Tensor:
    """Cosines to the directions, each as deviations from its mean over the rows."""
    cosines = x @ directions.T
    spread = cosines.std(0)
    return unit_rows((cosines - cosines.mean(0)) / torch.where(spread > 0, spread, 1.0))
