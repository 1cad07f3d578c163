"""Clusters of two spaces put in correspondence without any known pair, by how they lie to each other."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import one_hot

from relviz.bootstrapping.anneal import Pulse
from relviz.compute.blocks import slices
from relviz.compute.parallel import side_by_side
from relviz.relative_projection import unit_rows

Matrix = NDArray[np.float64]
Orders = NDArray[np.int64]

_STEPS = 25
_BALANCING = 10
_LEAST_RISE = 1e-9


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
    cosine, order
        The cosine of the two matrices, 1 when ``a == b[order][:, order]``; and the order ``(k,)``.
    """
    plans = np.stack([_random_plan(len(a), rng) for _ in range(restarts)])
    orders = _exchanged(a, b, _frank_wolfe(a, b, plans))
    values = _total(a * _arranged(b, orders))
    best = int(values.argmax())
    size = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float(values[best]) / size if size else 0.0, orders[best]


def _random_plan(k: int, rng: np.random.Generator) -> Matrix:
    plan = rng.random((k, k))
    for _ in range(_BALANCING):
        plan /= plan.sum(0)
        plan /= plan.sum(1)[:, None]
    return (plan + 1 / k) / 2


def _frank_wolfe(a: Matrix, b: Matrix, plans: Matrix) -> Orders:
    """The order ``(p, k)`` that each of the plans ``(p, k, k)`` comes to."""
    from scipy.optimize import linear_sum_assignment

    moving = np.arange(len(plans))
    for _ in range(_STEPS):
        slope = a @ plans[moving] @ b
        direction = -plans[moving]
        for one, towards in zip(slope, direction, strict=True):
            towards[linear_sum_assignment(one, maximize=True)] += 1
        curve = _total((a @ direction @ b) * direction)
        rise = 2 * _total(slope * direction)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = np.where(curve < 0, np.clip(-rise / (2 * curve), 0, 1), curve + rise > 0)
        moving, further = moving[step != 0], step != 0
        if not len(moving):
            break
        plans[moving] += step[further, None, None] * direction[further]
    return np.stack([linear_sum_assignment(plan, maximize=True)[1] for plan in plans])


def _exchanged(a: Matrix, b: Matrix, orders: Orders) -> Orders:
    """Each order ``(p, k)`` after exchanges of two rows, as long as one helps."""
    orders, places = orders.copy(), np.arange(len(orders))
    values = np.full(len(orders), -np.inf)
    while len(places):
        arranged = _arranged(b, orders[places])
        now = _total(a * arranged)
        rises = now > values[places] + _LEAST_RISE
        places, arranged = places[rises], arranged[rises]
        values[places] = now[rises]
        crossed = a @ arranged
        own = np.diagonal(crossed, axis1=1, axis2=2)
        # What exchanging r and s changes the sum by; 4·a_rs·b_rs stays as it is under the exchange.
        gain = 2 * (crossed + crossed.swapaxes(1, 2) - own[:, :, None] - own[:, None]) + 4 * a * arranged
        gain[:, range(len(a)), range(len(a))] = -np.inf
        gain = gain.reshape(len(places), len(a) ** 2)
        most = gain.argmax(1)
        helps = gain[range(len(places)), most] > _LEAST_RISE
        places, (r, s) = places[helps], np.divmod(most[helps], len(a))
        orders[places, r], orders[places, s] = orders[places, s], orders[places, r]
    return orders


def _arranged(b: Matrix, orders: Orders) -> Matrix:
    """``b`` with its rows and columns in each of the orders ``(p, k)``: ``(p, k, k)``."""
    arranged: Matrix = b[orders[:, :, None], orders[:, None]]
    return arranged


def _total(matrices: Matrix) -> Matrix:
    """The sum of each of the matrices ``(p, k, k)``: ``(p,)``."""
    total: Matrix = matrices.sum((1, 2))
    return total


_ROUNDS = 15


def centroids(x: Tensor, k: int, generator: torch.Generator) -> Tensor:
    """Directions of k clusters of the unit rows ``(n, d)``: ``(k, d)``, rows of length one.

    Rows are drawn as first centroids with probability falling in their cosine to those drawn before
    (k-means++, Arthur and Vassilvitskii 2007), then the means of the rows nearest to each take over.
    """
    return _centroids(x, [_seeding(len(x), k, generator)])[0]


@dataclass(frozen=True, eq=False)
class _Seeding:
    """What chance adds to one clustering: its first row ``(1,)``, and how long all rows wait ``(k - 1, n)``.

    The row with the least wait for its share is drawn with the probability of that share.
    """

    first: Tensor
    waits: Tensor


def _seeding(n: int, k: int, generator: torch.Generator) -> _Seeding:
    first = torch.randint(n, (1,), generator=generator)
    waits = [torch.empty(n).exponential_(1, generator=generator) for _ in range(k - 1)]
    return _Seeding(first, torch.stack(waits) if waits else torch.empty(0, n))


def _centroids(x: Tensor, seedings: Sequence[_Seeding]) -> Tensor:
    """Several clusterings of the same rows at once: ``(b, k, d)``."""
    chosen = x[torch.cat([one.first for one in seedings]).to(x.device)][:, None]
    k = 1 + len(seedings[0].waits)
    for waits in torch.stack([one.waits for one in seedings], 1).to(x.device):
        far = (1 - (x @ chosen.mT).amax(2)).clamp_min(1e-6)
        chosen = torch.cat([chosen, x[(far / waits).argmax(1)][:, None]], 1)
    for _ in range(_ROUNDS):
        sums = _sums(x, (x @ chosen.mT).argmax(2), k)
        empty = torch.linalg.vector_norm(sums, dim=2, keepdim=True) == 0
        chosen = torch.where(empty, chosen, unit_rows(sums.flatten(0, 1)).view_as(sums))
    return chosen


def _sums(x: Tensor, places: Tensor, k: int) -> Tensor:
    """The sum of the rows that are at each of k ``places`` ``(b, n)``: ``(b, k, d)``."""
    if x.device.type == "cpu":
        return torch.stack([x.new_zeros(k, x.shape[1]).index_add_(0, rows, x) for rows in places])
    # Elsewhere index_add_ adds up in another order each time.
    return one_hot(places, k).mT.to(x.dtype) @ x


CLUSTERS = 20
_POOL, _KEPT, _TAKEN = 60, 24, 7
"""Clusterings that are drawn and matched; the most alike of them; and how many of these one start takes."""


@dataclass(frozen=True, eq=False)
class Matched:
    """Cluster directions ``(k, dx)`` and ``(k, dy)`` put in correspondence, and how alike their Grams are."""

    cosine: float
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
    k = max(2, min(CLUSTERS, len(x) // 4, len(y) // 4))
    at_once = 1 if x.device.type == "cpu" else _POOL
    drawn = [_drawn(len(x), len(y), k, generator) for _ in range(_POOL)]

    def work(some: Sequence[_Drawn], pulse: Pulse | None) -> list[Matched]:
        cx, cy = _centroids(x, [one.x for one in some]), _centroids(y, [one.y for one in some])
        return [_matched(a, b, one.seed, pulse) for a, b, one in zip(cx, cy, some, strict=True)]

    args = [(drawn[part],) for part in slices(_POOL, at_once)]
    found = [one for some in side_by_side(work, args, pulse) for one in some]
    return sorted(found, key=lambda one: -one.cosine)[:_KEPT]


def relative_to_clusters(
    x: Tensor, y: Tensor, pool: list[Matched], generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Rows of both spaces relative to some of the matched clusters, drawn anew: ``(n, r)`` and ``(m, r)``."""
    drawn = [pool[place] for place in torch.randperm(len(pool), generator=generator)[:_TAKEN].tolist()]
    cx, cy = (torch.cat(centers) for centers in ([one.cx for one in drawn], [one.cy for one in drawn]))
    return _centered_cosines(x, cx), _centered_cosines(y, cy)


@dataclass(frozen=True, eq=False)
class _Drawn:
    """What chance adds to one clustering of each space and to their matching."""

    x: _Seeding
    y: _Seeding
    seed: int


def _drawn(n: int, m: int, k: int, generator: torch.Generator) -> _Drawn:
    x, y = _seeding(n, k, generator), _seeding(m, k, generator)
    return _Drawn(x, y, int(torch.randint(2**31, (1,), generator=generator)))


def _matched(cx: Tensor, cy: Tensor, seed: int, pulse: Pulse | None) -> Matched:
    if pulse is not None:
        pulse()
    grams = [standardized((c @ c.T).cpu().double().numpy()) for c in (cx, cy)]
    cosine, order = match_graphs(grams[0], grams[1], np.random.default_rng(seed))
    return Matched(cosine, cx, cy[torch.from_numpy(order).to(cy.device)])


def _centered_cosines(x: Tensor, directions: Tensor) -> Tensor:
    """Cosines to the directions, each as deviations from its mean over the rows."""
    cosines = x @ directions.T
    spread = cosines.std(0)
    return unit_rows((cosines - cosines.mean(0)) / torch.where(spread > 0, spread, 1.0))
