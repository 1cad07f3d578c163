"""The share of right matches of a run that is believed, estimated without the truth."""

from dataclasses import dataclass
from math import asin, pi, sin, sqrt

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse, Schedule, anneal
from relviz.bootstrapping.correspondence import hard, sinkhorn
from relviz.bootstrapping.near_duplicates import Twins
from relviz.bootstrapping.principal_axes import MOST_DIMENSIONS, effective_dimensions, evened
from relviz.bootstrapping.procrustes import align
from relviz.bootstrapping.stable_matches import POWER, looked_at, through_others, with_matched
from relviz.compute.blocks import top_k
from relviz.relative_projection import unit_rows

CONFIDENCE = 0.9
HALF_WIDTH = 0.165
"""Of the interval, in ``asin(sqrt(share))``, a scale on which a share is about as uncertain everywhere."""

_EPS, _SINKHORN = 0.01, 2
_REFINING = Schedule(3, (MOST_DIMENSIONS, MOST_DIMENSIONS), (_EPS, _EPS), left_out=0, power=POWER)
"""The last steps and the matching of a run, as the solvers have them."""
_SMOOTHED = 15
_NEAREST_ASKED = 500
_STEP, _FARTHEST, _NARROWED = 1.0, 4.0, 1
_WRONG, _AS_COPY = 1.3, 0.9
"""Wrong matches for each row that is not taken, of run and copy together; for each wrong match of the copy.

All of these are angles, as ``_off`` has them. A copy starts from the truth. A search does not, and comes, in
many dimensions, to an optimum where as many matches are stable, fewer are right, and wrong ones spread over
more rows of y. The first number is fitted to 61 runs between demos; the second is for runs whose matches are
hardly stable. See "How many matches are right" in ``docs/anchor-optimization.md``.
"""
_LOW = 16
_WRONG_LOW, _AS_COPY_LOW = 0.72, 1.0
"""The same in so many dimensions at most: there a search comes to the optimum that its copy comes to."""


@dataclass(frozen=True)
class Interval:
    """A share from 0 to 1 that was estimated, and the interval that holds it in 90% of all runs."""

    estimate: float
    low: float
    high: float

    @property
    def range(self) -> str:
        """The interval in words.

        >>> Interval(0.57, 0.49, 0.643).range
        '90% interval 49–64%'
        """
        return f"{CONFIDENCE:.0%} interval {100 * self.low:.0f}–{100 * self.high:.0f}%"

    def __str__(self) -> str:
        return f"{self.estimate:.0%} ({self.range})"


def right_share(x: Tensor, y: Tensor, matches: Tensor, pulse: Pulse | None = None) -> Interval:
    """The share of the rows of x that are matched with their own counterpart.

    Matches that a rotation was fitted to are near under it, right or wrong. Two things can be seen. Some of
    the wrong ones share their row of y, so the fewer are right, the fewer rows of y are *taken*. And right
    ones are *stable* more often: found again by a rotation that was fitted to three quarters of the rows,
    this one left out. How many are depends on the numbers of rows and of dimensions and on the noise between
    counterparts, so it is simulated: the counterpart of each row of x is drawn anew, along the shared axes
    and with the correlations that the run has on them, and matched as runs match. More or less noise is
    added until as many matches of the copy are stable. Wrong matches are then counted by the rows that are
    not taken, in the copy and in the run: the copy tells of noise, the run of rows without a counterpart.

    Right means the counterpart itself or a near-duplicate of it, a row far nearer to it than rows are to
    their neighbors: which of the two is chosen is a matter of chance, and does no harm. The share is of all
    rows of x, known pairs included; those that have no counterpart in y can only be matched wrongly. Where y
    has many more rows, wrong matches seldom share one, and the copy counts for more.

    It is only meant for a run that is believed: a rotation that is wrong altogether has stable matches too.
    The interval is as wide as ``python -m tests.benchmarks.calibration`` finds that it has to be. What hints
    tell of the rows is not simulated.

    Parameters
    ----------
    x, y
        ``(n, rx)`` and ``(m, ry)``, as ``relviz.bootstrapping.principal_axes.principal`` gives them.
    matches
        ``(n,)``, a row of y for every row of x.
    pulse
        Called now and then; what it raises ends the estimation.
    """
    return interval(estimated_share(x, y, matches, pulse), HALF_WIDTH * wider(len(x), len(y)))


def wider(n: int, m: int) -> float:
    """How much wider the interval is between spaces of n and of m rows: 1 for as many, 2 at most."""
    return 2 - _alike(n, m)


def interval(estimate: float, half_width: float = HALF_WIDTH) -> Interval:
    """The interval about an estimate."""
    low, high = (_share(angle(estimate) + side * half_width) for side in (-1, 1))
    return Interval(estimate, low, high)


def estimated_share(x: Tensor, y: Tensor, matches: Tensor, pulse: Pulse | None = None) -> float:
    """The estimate of ``right_share``."""
    n, m = len(x), len(y)
    most = min(1.0, m / n)
    asked = looked_at(n, m, matches)[0]
    # As many rows of y as of x, or those that belong to none would outnumber the others in every copy.
    kept, places = with_matched(matches[asked], m, len(asked), torch.Generator().manual_seed(0))
    simulation = Simulation(x[asked], y[kept], places, missing=1 - most)
    copy = _as_stable(simulation, pulse)
    # Among a part of the rows, fewer share a row of y.
    taken = simulation.taken * _distinct(matches) / _distinct(places)
    in_copy, in_run = _off(copy.taken / most), _off(taken / most)
    alike = _alike(n, m)
    in_run = alike * in_run + (1 - alike) * in_copy
    low = min(effective_dimensions(side) for side in (x, y)) <= _LOW
    wrong, as_copy = (_WRONG_LOW, _AS_COPY_LOW) if low else (_WRONG, _AS_COPY)
    off = max(wrong * (in_run + in_copy), as_copy * _off(copy.right / most))
    return most * _share(pi / 2 - off)


def _alike(n: int, m: int) -> float:
    """How much the rows taken tell of wrong matches between spaces of n and of m rows, 0 to 1."""
    return (min(n, m) / max(n, m)) ** 2


@dataclass(frozen=True)
class Copy:
    """A simulated run: its level of noise, and shares of its rows.

    ``stable`` and ``right`` matches, and how many different rows of y are ``taken`` for each different one
    of x.
    """

    level: float
    stable: float
    right: float
    taken: float

    def toward(self, other: "Copy", part: float) -> "Copy":
        """What lies between two copies, ``part`` of the way to the other."""

        def between(a: float, b: float) -> float:
            return a + part * (b - a)

        return Copy(
            between(self.level, other.level),
            between(self.stable, other.stable),
            _share(between(angle(self.right), angle(other.right))),
            _share(between(angle(self.taken), angle(other.taken))),
        )


def _as_stable(simulation: "Simulation", pulse: Pulse | None) -> Copy:
    """The copy at the level of noise at which it is as stable as the run."""
    asked = simulation.stable
    copies: list[Copy] = []

    def above(level: float) -> bool:
        if pulse is not None:
            pulse()
        copies.append(simulation.run(level))
        return copies[-1].stable >= asked

    step = -_STEP if above(0.0) else _STEP
    while abs(copies[-1].level) < _FARTHEST and above(copies[-1].level + step) == (step < 0):
        pass
    below, more = _around(copies, asked)
    for _ in range(_NARROWED if below is not more else 0):
        part = min(max(_part_of_way(below, more, asked), 0.1), 0.9)
        above(below.level + part * (more.level - below.level))
        below, more = _around(copies, asked)
    return below.toward(more, min(max(_part_of_way(below, more, asked), 0.0), 1.0))


def _around(copies: list[Copy], asked: float) -> tuple[Copy, Copy]:
    """The most stable copy below what is asked for, and the least above; one twice if there is no other."""

    def stable(copy: Copy) -> float:
        return copy.stable

    below = max((copy for copy in copies if copy.stable < asked), key=stable, default=None)
    above = min((copy for copy in copies if copy.stable >= asked), key=stable, default=None)
    assert below is not None or above is not None
    return below or above, above or below  # type: ignore[return-value]


def _part_of_way(below: Copy, above: Copy, asked: float) -> float:
    way = angle(above.stable) - angle(below.stable)
    return (angle(asked) - angle(below.stable)) / way if way else 0.0


class Simulation:
    """Copies of a run whose truth is known, at any level of noise.

    A share of the rows of x is ``missing`` its counterpart. ``stable`` and ``taken`` are those of the run
    itself, as ``Copy`` has them.
    """

    def __init__(self, x: Tensor, y: Tensor, matches: Tensor, missing: float = 0.0) -> None:
        ex, ey = evened(x), evened(y)
        found, u, v = through_others(ex, ey, matches)
        self._twins, twins_of_y, self._missing = Twins(x), Twins(y), missing
        stable = twins_of_y(found, matches)
        self.stable = _mean(stable)
        self._first = self._twins.first()
        self.taken = self._taken(twins_of_y.first()[matches])
        kept = stable if stable.sum() >= 2 * _SMOOTHED else torch.ones_like(stable)
        u, v = u[kept], v[kept]
        correlation = (u * v).sum(0) / (u.norm(dim=0) * v.norm(dim=0)).clamp_min(1e-9)
        self._logit = torch.logit(_smooth(correlation).clamp(0.02, 0.995).square())
        axes = align(ex.T @ ey[matches], u.shape[1])
        self._x, self._choices = unit_rows(ex @ axes.left), len(y)
        self._spread = (ey @ axes.right).square().mean(0).sqrt()
        near = top_k(self._x[:_NEAREST_ASKED], self._x, min(2, len(x)))[0][:, -1]
        self._near = near.median().clamp(0, 1)

    def run(self, level: float) -> Copy:
        """A copy; ``level`` is added to logits of shared variances."""
        generator = torch.Generator().manual_seed(0)
        x, n = self._x, len(self._x)
        every = torch.arange(n, device=x.device)
        has = torch.ones(n, dtype=torch.bool, device=x.device)
        has[torch.randperm(n, generator=generator)[: round(self._missing * n)].to(x.device)] = False

        def drawn(rows: int) -> Tensor:
            return torch.randn((rows, x.shape[1]), generator=generator).to(x.device)

        count, scale = int(has.sum()), x.square().mean(0).sqrt()
        noise, others = drawn(max(count, self._choices)), max(0, self._choices - count)
        beside = torch.randint(n, (others,), generator=generator).to(x.device)
        # No row of x belongs to these; each is as near to one as rows of x are to their nearest.
        away = (1 - self._near**2).sqrt() * unit_rows(drawn(others) * scale)
        strangers = unit_rows(self._near * x[beside] + away)
        shared = torch.sigmoid(self._logit + level)
        known = torch.cat([x[has], strangers]) * shared.sqrt() / scale.clamp_min(1e-9)
        y = unit_rows(self._spread * (known + (1 - shared).sqrt() * noise))
        truth = (has.cumsum(0) - 1).clamp_min(0)
        of = torch.cat([every[has], torch.full((others,), -1, device=x.device)])

        def same(a: Tensor, b: Tensor) -> Tensor:
            known = (of[a] >= 0) & (of[b] >= 0)
            return (a == b) | (known & self._twins(of[a].clamp_min(0), of[b].clamp_min(0)))

        first = torch.cat([self._first[has], torch.arange(n, n + others, device=x.device)])
        matches = through_others(x, y, truth, has)[0]
        sides = align(x.T @ y[matches], MOST_DIMENSIONS, POWER).sides(x, y)
        *_, stage = anneal(x, y, sides, _REFINING, (every[:0], every[:0]), generator)
        potentials = sinkhorn(stage.u, stage.v, _EPS, _SINKHORN, "cosine")
        matches = hard(stage.u, stage.v, "cosine", potentials=potentials).y_of_x
        stable = same(through_others(x, y, matches)[0], matches)
        right = has & same(matches, truth)
        return Copy(level, _mean(stable), _mean(right), self._taken(first[matches]))

    def _taken(self, firsts: Tensor) -> float:
        """How many different rows are matched for each different row of x, near-duplicates taken as one."""
        return len(firsts.unique()) / len(self._first.unique())


def _smooth(values: Tensor) -> Tensor:
    """Means of neighboring axes."""
    side = min(_SMOOTHED, len(values)) // 2
    padded = torch.cat([values[:1].repeat(side), values, values[-1:].repeat(side)])
    return padded.unfold(0, 2 * side + 1, 1).mean(1)


def _mean(flags: Tensor) -> float:
    return float(flags.double().mean())


def _distinct(matches: Tensor) -> float:
    """How many rows are matched, for each match."""
    return len(matches.unique()) / len(matches)


def angle(share: float) -> float:
    """``asin(sqrt(share))``: the scale on which the interval has the same width everywhere."""
    return asin(sqrt(min(max(share, 0.0), 1.0)))


def _off(share: float) -> float:
    """How far the angle of a share is from that of all."""
    return pi / 2 - angle(share)


def _share(angle: float) -> float:
    return sin(min(max(angle, 0.0), pi / 2)) ** 2
