"""The share of right matches of a run that is believed, estimated without the truth."""

from dataclasses import dataclass
from math import asin, sin, sqrt

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse, Schedule, anneal
from relviz.bootstrapping.correspondence import hard, sinkhorn
from relviz.bootstrapping.near_duplicates import Twins
from relviz.bootstrapping.principal_axes import MOST_DIMENSIONS, evened
from relviz.bootstrapping.procrustes import align
from relviz.bootstrapping.stable_matches import POWER, looked_at, through_others
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
_MISSING = (0.25, 0.5, 0.75)
"""Shares of rows without a counterpart that are tried, beside none or as few as there can be."""
_ALIKE = 0.01
"""How many more different rows a copy may match, for each row of x, than the run."""
_LOST, _WRONG = 10, 2.0
"""Rows before a match from which it is lost, and wrong matches for each one that is lost beyond the copy's.

The second was chosen on 14 runs between demos, some of them with rows in common that are 75% or 90%."""
_WIDER = 2.0
"""How much wider the interval is where every row seems to miss its counterpart."""


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

    Matches that a rotation was fitted to are near under it, right or wrong. What can be seen is the share of
    *stable* matches: those that a rotation finds again which was fitted to three quarters of the rows, this
    one left out. How many right matches go with so many stable ones depends on the numbers of rows and of
    dimensions and on the noise between counterparts, so it is simulated: the counterpart of each row of x is
    drawn anew, along the shared axes and with the correlations that the run has on them, and matched as runs
    match. More or less noise is added until as many matches of the copy are stable; what is right there is
    the estimate. Rows that have no counterpart take those of others: where the run matches fewer different
    rows of y than the copy, counterparts are taken away from the copy until it does so too. Last, a
    match that many rows of y come before once its row is left out is held in place by itself alone: for each
    of these that the run has beyond the copy, two matches are counted as wrong.

    Right means the counterpart itself or a near-duplicate of it, a row far nearer to it than rows are to
    their neighbors: which of the two is chosen is a matter of chance, and does no harm. The share is of all
    rows of x, known pairs included; those that have no counterpart in y can only be matched wrongly.

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
    return interval(*estimated_share(x, y, matches, pulse))


def interval(estimate: float, missing: float = 0.0, half_width: float = HALF_WIDTH) -> Interval:
    """The interval about an estimate, wider the more rows seem to miss a counterpart."""
    wide = half_width * wider(missing)
    low, high = (_share(angle(estimate) + side * wide) for side in (-1, 1))
    return Interval(estimate, low, high)


def wider(missing: float) -> float:
    """How much wider the interval is where so many rows seem to miss a counterpart."""
    return 1 + _WIDER * missing


def estimated_share(x: Tensor, y: Tensor, matches: Tensor, pulse: Pulse | None = None) -> tuple[float, float]:
    """The estimate of ``right_share``, and the share of the rows of x that seem to have no counterpart."""
    asked, kept, places = looked_at(len(x), len(y), matches)
    simulation = Simulation(x[asked], y[kept], places)
    least = max(0.0, 1 - len(y) / len(x))
    level, before, missing = 0.0, None, least
    for missing in (least, *(share for share in _MISSING if share > least)):
        copy = _as_stable(simulation, missing, level, pulse)
        if copy.different <= simulation.different + _ALIKE:
            break
        before, level = (missing, copy), copy.level
    if before is not None and copy.different < before[1].different:
        part = (before[1].different - simulation.different) / (before[1].different - copy.different)
        part = min(max(part, 0.0), 1.0)
        missing = before[0] + part * (missing - before[0])
        copy = before[1].toward(copy, part)
    return min(max(copy.right - _WRONG * (simulation.lost - copy.lost), 0.0), 1.0), missing


@dataclass(frozen=True)
class Copy:
    """A simulated run: its level of noise, and shares of its rows.

    ``stable`` and ``right`` matches, how many ``different`` rows of y are matched for each different row
    of x, and ``lost`` matches, which many rows of y come before by a rotation that the row had no part in.
    """

    level: float
    stable: float
    right: float
    different: float
    lost: float

    def toward(self, other: "Copy", part: float) -> "Copy":
        """What lies between two copies, ``part`` of the way to the other."""

        def between(a: float, b: float) -> float:
            return a + part * (b - a)

        return Copy(
            between(self.level, other.level),
            between(self.stable, other.stable),
            _share(between(angle(self.right), angle(other.right))),
            between(self.different, other.different),
            between(self.lost, other.lost),
        )


def _as_stable(simulation: "Simulation", missing: float, level: float, pulse: Pulse | None) -> Copy:
    """The copy at the level of noise at which it is as stable as the run."""
    asked = simulation.stable
    copies: list[Copy] = []

    def above(level: float) -> bool:
        if pulse is not None:
            pulse()
        copies.append(simulation.run(level, missing))
        return copies[-1].stable >= asked

    step = -_STEP if above(level) else _STEP
    while abs(copies[-1].level - level) < _FARTHEST and above(copies[-1].level + step) == (step < 0):
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

    ``stable``, ``different`` and ``lost`` are those of the run itself, as ``Copy`` has them.
    """

    def __init__(self, x: Tensor, y: Tensor, matches: Tensor) -> None:
        ex, ey = evened(x), evened(y)
        found, before, u, v = through_others(ex, ey, matches)
        self._twins, twins_of_y = Twins(x), Twins(y)
        stable = twins_of_y(found, matches)
        self.stable = float(stable.double().mean())
        self._first = self._twins.first()
        self.different = self._different(twins_of_y.first()[matches])
        self.lost = float((before >= _LOST).double().mean())
        kept = stable if stable.sum() >= 2 * _SMOOTHED else torch.ones_like(stable)
        u, v = u[kept], v[kept]
        correlation = (u * v).sum(0) / (u.norm(dim=0) * v.norm(dim=0)).clamp_min(1e-9)
        self._logit = torch.logit(_smooth(correlation).clamp(0.02, 0.995).square())
        axes = align(ex.T @ ey[matches], u.shape[1])
        self._x, self._choices = unit_rows(ex @ axes.left), len(y)
        self._spread = (ey @ axes.right).square().mean(0).sqrt()
        near = top_k(self._x[:_NEAREST_ASKED], self._x, min(2, len(x)))[0][:, -1]
        self._near = near.median().clamp(0, 1)

    def run(self, level: float, missing: float = 0.0) -> Copy:
        """A copy; ``level`` is added to logits of shared variances, ``missing`` rows have no counterpart."""
        generator = torch.Generator().manual_seed(0)
        x, n = self._x, len(self._x)
        every = torch.arange(n, device=x.device)
        has = torch.ones(n, dtype=torch.bool, device=x.device)
        has[torch.randperm(n, generator=generator)[: round(missing * n)].to(x.device)] = False
        noise = torch.randn((n, x.shape[1]), generator=generator).to(x.device)[has]
        others = max(0, self._choices - len(noise))
        noise = torch.cat([noise, torch.randn((others, x.shape[1]), generator=generator).to(x.device)])
        beside, away = torch.randint(n, (2, others), generator=generator).to(x.device)
        # No row of x belongs to these; each is as near to one as rows of x are to their nearest.
        strangers = unit_rows(self._near * x[beside] + (1 - self._near**2).sqrt() * x[away])
        shared = torch.sigmoid(self._logit + level)
        drawn = torch.cat([x[has], strangers]) * shared.sqrt() / x.square().mean(0).sqrt().clamp_min(1e-9)
        y = unit_rows(self._spread * (drawn + (1 - shared).sqrt() * noise))
        truth = (has.cumsum(0) - 1).clamp_min(0)
        of = torch.cat([every[has], torch.full((others,), -1, device=x.device)])

        def same(a: Tensor, b: Tensor) -> Tensor:
            known = (of[a] >= 0) & (of[b] >= 0)
            return (a == b) | (known & self._twins(of[a].clamp_min(0), of[b].clamp_min(0)))

        strange = torch.arange(n, n + others, device=x.device)
        first = torch.cat([self._first[has], strange])
        matches = through_others(x, y, truth, has)[0]
        sides = align(x.T @ y[matches], MOST_DIMENSIONS, POWER).sides(x, y)
        *_, stage = anneal(x, y, sides, _REFINING, (every[:0], every[:0]), generator)
        potentials = sinkhorn(stage.u, stage.v, _EPS, _SINKHORN, "cosine")
        matches = hard(stage.u, stage.v, "cosine", potentials=potentials).y_of_x
        found, before, *_ = through_others(x, y, matches)
        stable = same(found, matches)
        right = has & same(matches, truth)
        return Copy(
            level,
            float(stable.double().mean()),
            float(right.double().mean()),
            self._different(first[matches]),
            float((before >= _LOST).double().mean()),
        )

    def _different(self, firsts: Tensor) -> float:
        """How many different rows are matched for each different row of x, near-duplicates taken as one."""
        return len(firsts.unique()) / len(self._first.unique())


def _smooth(values: Tensor) -> Tensor:
    """Means of neighboring axes."""
    side = min(_SMOOTHED, len(values)) // 2
    padded = torch.cat([values[:1].repeat(side), values, values[-1:].repeat(side)])
    return padded.unfold(0, 2 * side + 1, 1).mean(1)


def angle(share: float) -> float:
    """``asin(sqrt(share))``: the scale on which the interval has the same width everywhere."""
    return asin(sqrt(min(max(share, 0.0), 1.0)))


def _share(angle: float) -> float:
    return sin(min(max(angle, 0.0), asin(1.0))) ** 2
