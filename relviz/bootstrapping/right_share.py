"""The share of right matches of a run that is believed, estimated without the truth."""

from dataclasses import dataclass
from math import asin, sin, sqrt

import numpy as np
import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse, Schedule, anneal
from relviz.bootstrapping.correspondence import hard, sinkhorn
from relviz.bootstrapping.principal_axes import MOST_DIMENSIONS, evened
from relviz.bootstrapping.procrustes import align
from relviz.compute.blocks import top_k
from relviz.relative_projection import unit_rows

CONFIDENCE = 0.9
HALF_WIDTH = 0.15
"""Of the interval, in ``asin(sqrt(share))``, a scale on which a share is about as uncertain everywhere."""

_MOST_ASKED, _MOST_CHOICES = 2000, 5000
"""Rows of x, and of y, that are looked at; of more a random part."""
_FOLDS = 4
_POWER = 0.5
_EPS, _SINKHORN = 0.01, 2
_REFINING = Schedule(3, (MOST_DIMENSIONS, MOST_DIMENSIONS), (_EPS, _EPS), left_out=0, power=_POWER)
"""The last steps and the matching of a run, as the solvers have them."""
_HUB = 10
_TWIN, _NEIGHBOR, _NEIGHBORS_ASKED = 0.1, 5, 500
_SMOOTHED = 15
_STEP, _FARTHEST, _NARROWED = 1.0, 4.0, 2


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
    drawn anew, along the shared axes and with the correlations that the run has on them, more or less noise
    is added until as many matches of the copy are stable, and what is right there is the estimate.

    Right means the counterpart itself or a near-duplicate of it, a row far nearer to it than rows are to
    their neighbors: which of the two is chosen is a matter of chance, and does no harm. The share is of all
    rows of x; those that have no counterpart in y can only be matched wrongly.

    It is only meant for a run that is believed: a rotation that is wrong altogether has stable matches too.
    The interval is wide enough for the errors that ``python -m tests.benchmarks.calibration`` finds.

    Parameters
    ----------
    x, y
        ``(n, rx)`` and ``(m, ry)``, as ``relviz.bootstrapping.principal_axes.principal`` gives them.
    matches
        ``(n,)``, a row of y for every row of x.
    pulse
        Called now and then; what it raises ends the estimation.
    """
    return interval(estimated_share(x, y, matches, pulse))


def interval(estimate: float, half_width: float = HALF_WIDTH) -> Interval:
    """The interval about an estimate; its half width is that of ``angle``."""
    low, high = (_share(angle(estimate) + side * half_width) for side in (-1, 1))
    return Interval(estimate, low, high)


def estimated_share(x: Tensor, y: Tensor, matches: Tensor, pulse: Pulse | None = None) -> float:
    """The estimate of ``right_share`` without its interval."""
    x, y, matches = _part(x, y, matches)
    simulation = Simulation(x, y, matches)
    asked = angle(simulation.observed)
    points: list[tuple[float, float, float]] = []

    def at(level: float) -> float:
        if pulse is not None:
            pulse()
        stable, right = simulation.run(level)
        points.append((angle(stable), level, angle(right)))
        return points[-1][0]

    step = _STEP if at(0.0) < asked else -_STEP
    while (points[-1][0] < asked) == (step > 0) and abs(points[-1][1]) < _FARTHEST:
        at(points[-1][1] + step)
    if (points[-1][0] < asked) != (step > 0):
        for _ in range(_NARROWED):
            below, above = _around(points, asked)
            part = (asked - below[0]) / max(above[0] - below[0], 1e-9)
            at(below[1] + min(max(part, 0.1), 0.9) * (above[1] - below[1]))
    below, above = _around(points, asked)
    return _share(float(np.interp(asked, (below[0], above[0]), (below[2], above[2]))))


class Simulation:
    """Copies of a run whose truth is known, at any level of noise.

    ``observed`` is the share of stable matches of the run itself.
    """

    def __init__(self, x: Tensor, y: Tensor, matches: Tensor) -> None:
        ex, ey = evened(x), evened(y)
        stable, u, v = _found_again(ex, ey, matches, _Twins(y))
        self.observed = float(stable.double().mean())
        kept = stable if stable.sum() >= 2 * _SMOOTHED else torch.ones_like(stable)
        u, v = u[kept], v[kept]
        correlation = (u * v).sum(0) / (u.norm(dim=0) * v.norm(dim=0)).clamp_min(1e-9)
        self._logit = torch.logit(_smooth(correlation).clamp(0.02, 0.995).square())
        axes = align(ex.T @ ey[matches], u.shape[1])
        self._x = unit_rows(ex @ axes.left)
        self._spread = (ey @ axes.right).square().mean(0).sqrt()
        self._twins = _Twins(x)

    def run(self, level: float) -> tuple[float, float]:
        """The shares of stable and of right matches; ``level`` is added to logits of shared variances."""
        generator = torch.Generator().manual_seed(0)
        x, every = self._x, torch.arange(len(self._x), device=self._x.device)
        shared = torch.sigmoid(self._logit + level)
        noise = torch.randn(x.shape, generator=generator).to(x.device)
        drawn = shared.sqrt() * x / x.square().mean(0).sqrt().clamp_min(1e-9) + (1 - shared).sqrt() * noise
        y = unit_rows(self._spread * drawn)
        matches = _through_others(x, y, every)[0]
        sides = align(x.T @ y[matches], MOST_DIMENSIONS, _POWER).sides(x, y)
        *_, stage = anneal(x, y, sides, _REFINING, (every[:0], every[:0]), generator)
        potentials = sinkhorn(stage.u, stage.v, _EPS, _SINKHORN, "cosine")
        matches = hard(stage.u, stage.v, "cosine", potentials=potentials).y_of_x
        stable = _found_again(x, y, matches, self._twins)[0]
        right = self._twins(matches, every)
        return float(stable.double().mean()), float(right.double().mean())


class _Twins:
    """Whether two rows are one and the same, or near-duplicates.

    These are nearer than a tenth of the cosine distance at which rows have their fifth neighbor.
    """

    def __init__(self, rows: Tensor) -> None:
        self._rows = unit_rows(rows)
        order = torch.randperm(len(rows), generator=torch.Generator().manual_seed(0)).to(rows.device)
        asked = self._rows[order[:_NEIGHBORS_ASKED]]
        near = top_k(asked, self._rows, min(_NEIGHBOR + 1, len(rows)))[0][:, -1]
        self._nearer = _TWIN * float((1 - near).median())

    def __call__(self, a: Tensor, b: Tensor) -> Tensor:
        return (a == b) | (1 - (self._rows[a] * self._rows[b]).sum(1) < self._nearer)


def _found_again(x: Tensor, y: Tensor, matches: Tensor, twins: _Twins) -> tuple[Tensor, Tensor, Tensor]:
    """Which matches are found without them, ``(n,)`` bool, and both rows on the axes of these rotations."""
    found, u, v = _through_others(x, y, matches)
    return twins(found, matches), u, v


def _through_others(x: Tensor, y: Tensor, matches: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The row of y nearest to each of x by a rotation fitted to the matches of other rows.

    Also the rows of x, and those of y they are matched with, in the coordinates of these rotations.
    """
    every = align(x.T @ y[matches], MOST_DIMENSIONS, _POWER).sides(x, y)
    crowding = top_k(every[1], every[0], min(_HUB, len(x)))[0].mean(1) / 2
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(0)).to(x.device)
    found = torch.empty_like(matches)
    sides = torch.zeros_like(every[0]), torch.zeros_like(every[0])
    for fold in order.chunk(_FOLDS):
        others = torch.ones(len(x), dtype=torch.bool, device=x.device)
        others[fold] = False
        u, v = align(x[others].T @ y[matches[others]], MOST_DIMENSIONS, _POWER).sides(x[fold], y)
        found[fold] = (u @ v.T - crowding).argmax(1)
        sides[0][fold], sides[1][fold] = u, v[matches[fold]]
    return found, *sides


def _part(x: Tensor, y: Tensor, matches: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Some rows of x where there are many, and of y: those they are matched with, and others."""
    generator = torch.Generator().manual_seed(0)
    if len(x) > _MOST_ASKED:
        asked = torch.randperm(len(x), generator=generator)[:_MOST_ASKED].to(x.device)
        x, matches = x[asked], matches[asked]
    if len(y) > _MOST_CHOICES:
        first = matches.unique()
        order = torch.randperm(len(y), generator=generator).to(y.device)
        kept = torch.cat([first, order[~torch.isin(order, first)][: _MOST_CHOICES - len(first)]])
        y, matches = y[kept], torch.searchsorted(first, matches)
    return x, y, matches


def _smooth(values: Tensor) -> Tensor:
    """Means of neighboring axes."""
    side = min(_SMOOTHED, len(values)) // 2
    padded = torch.cat([values[:1].repeat(side), values, values[-1:].repeat(side)])
    return padded.unfold(0, 2 * side + 1, 1).mean(1)


def _around(
    points: list[tuple[float, float, float]], asked: float
) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """The highest point that is not above, and the lowest above; either twice where there is no other."""
    below = [point for point in points if point[0] < asked]
    above = [point for point in points if point[0] >= asked]
    least, most = max(below, default=min(points)), min(above, default=max(points))
    return least, most


def angle(share: float) -> float:
    """``asin(sqrt(share))``: the scale on which the interval has the same width everywhere."""
    return asin(sqrt(min(max(share, 0.0), 1.0)))


def _share(angle: float) -> float:
    return sin(min(max(angle, 0.0), asin(1.0))) ** 2
