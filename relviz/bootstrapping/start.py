"""Where anchor optimization starts: from known pairs, or without any by graphs, clusters and consensus."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse, Schedule, Stage, anneal
from relviz.bootstrapping.correspondence import Correspondence, hard
from relviz.bootstrapping.procrustes import nuclear
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
    """Rows of both spaces relative to clusters that were matched without any seed.

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
    grams = [standardized((c @ c.T).cpu().double().numpy()) for c in (cx, cy)]
    rng = np.random.default_rng(int(torch.randint(2**31, (1,), generator=generator)))
    likeness, order = match_graphs(grams[0], grams[1], rng)
    return Matched(likeness, cx, cy[torch.from_numpy(order).to(cy.device)])


def _told(x: Tensor, directions: Tensor) -> Tensor:
    """Cosines to the directions, each as deviations from its mean over the rows."""
    cosines = x @ directions.T
    spread = cosines.std(0)
    return unit_rows((cosines - cosines.mean(0)) / torch.where(spread > 0, spread, 1.0))


LEADING = 48
"""Axes on which starts are tried: what two spaces share most, and little enough to be tried often."""
_TRIAL = Schedule(steps=40, ranks=(LEADING, LEADING), eps=(0.1, 0.03), cooled=1.0, thinned=2.0)
TRIAL_BEATS = _DRAWS + _TRIAL.steps
"""Matched clusterings and steps of annealing that one trial takes."""


@dataclass(frozen=True, eq=False)
class Trial:
    """A start after a short annealing: where it came to, its matches, and how well they fit a rotation.

    ``fit`` is the mean cosine of matched rows, on the axes that were annealed, under their best rotation.
    Starts that lead to the truth reach a higher one than all others.
    """

    stage: Stage
    found: Correspondence
    fit: float


def seeded_sides(x: Tensor, y: Tensor, seeds: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """Rows of both spaces relative to the seeds: ``(n, s)`` and ``(m, s)``, rows of length one."""
    sx, sy = seeds
    return unit_rows(x @ x[sx].T), unit_rows(y @ y[sy].T)


def trials(
    x: Tensor,
    y: Tensor,
    seeds: tuple[Tensor, Tensor],
    count: int,
    generator: torch.Generator,
    pulse: Pulse | None = None,
) -> Iterator[Trial]:
    """Starts found without seeds, each annealed briefly; known pairs, if any, take part in it."""
    leading = x[:, :LEADING], y[:, :LEADING]
    for _ in range(count):
        sides = unseeded_sides(x, y, generator, pulse)
        if len(seeds[0]):
            told = seeded_sides(x, y, seeds)
            sides = _joined(sides[0], told[0]), _joined(sides[1], told[1])
        yield trial_from(*leading, sides, _TRIAL, seeds, generator, pulse)


def trial_from(
    x: Tensor,
    y: Tensor,
    sides: tuple[Tensor, Tensor],
    schedule: Schedule,
    seeds: tuple[Tensor, Tensor],
    generator: torch.Generator,
    pulse: Pulse | None = None,
) -> Trial:
    """Anneal from these sides to the end of the schedule; parameters as those of ``anneal``."""
    *_, stage = anneal(x, y, sides, schedule, seeds, generator, pulse)
    found = hard(stage.u, stage.v, "cosine")
    return Trial(stage, found, nuclear(x, y[found.y_of_x]))


def _joined(clusters: Tensor, seeds: Tensor) -> Tensor:
    """Columns relative to clusters and to seeds, as one space."""
    return unit_rows(torch.cat([clusters, seeds], 1))


RESTARTS = 8
"""Annealings of one generation."""
_AGREED = 6
"""Of them, how many must match a pair for it to be told to the next generation."""
CONSENSUS_STEPS, _RANK = 25, 128
_PATIENCE, _NOISE = 2, 5e-4
"""Generations without growth that are waited for, and how much of a better fit is none."""

Pairs = tuple[Tensor, Tensor]


class Consensus:
    """Generations of short annealings, each started from what most of the last one agree on.

    Annealings that leave out other rows at random fall into other wrong matches, so what they share is
    right far more often than what one of them finds, even when that is mostly wrong. The pairs agreed on
    tell only where to start: they are voted on anew in each generation, so a wrong one is not held.

    Attributes
    ----------
    pairs
        Rows of x and of y, ``(p,)`` each: the seeds, then the pairs agreed on.
    """

    def __init__(
        self, x: Tensor, y: Tensor, seeds: Pairs, generator: torch.Generator, pulse: Pulse | None = None
    ) -> None:
        self.pairs = seeds
        self._x, self._y, self._seeds, self._generator, self._pulse = x, y, seeds, generator, pulse
        self._eps = 0.1
        self._best, self._waited = 0.0, 0

    @property
    def grows(self) -> bool:
        """Whether one of the last two generations fitted a rotation better than any before."""
        return self._waited < _PATIENCE

    def generation(self) -> Iterator[Trial]:
        """Anneal from the pairs; when the last annealing is taken, ``pairs`` are those of the next."""
        sides = seeded_sides(self._x, self._y, self.pairs)
        ranks = min(LEADING, len(self.pairs[0])), _RANK
        schedule = Schedule(CONSENSUS_STEPS, ranks, (self._eps, 0.02))
        votes, fits = [], 0.0
        for _ in range(RESTARTS):
            trial = trial_from(self._x, self._y, sides, schedule, self._seeds, self._generator, self._pulse)
            votes.append(self._mutual(trial.found))
            fits += trial.fit / RESTARTS
            yield trial
        self._waited = 0 if fits > self._best + _NOISE else self._waited + 1
        self._best, self._eps = max(self._best, fits), 0.05
        self.pairs = self._with_seeds(torch.cat(votes))

    def _mutual(self, found: Correspondence) -> Tensor:
        """Pairs that choose each other, each as one number."""
        rows = torch.arange(len(self._x), device=self._x.device)
        return (rows * len(self._y) + found.y_of_x)[found.mutual]

    def _with_seeds(self, votes: Tensor) -> Pairs:
        pairs, counts = votes.unique(return_counts=True)
        agreed = pairs[counts >= _AGREED]
        x, y = agreed // len(self._y), agreed % len(self._y)
        sx, sy = self._seeds
        new = ~torch.isin(x, sx) & ~torch.isin(y, sy)
        return torch.cat([sx, x[new]]), torch.cat([sy, y[new]])
