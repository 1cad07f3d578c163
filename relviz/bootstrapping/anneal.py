"""Annealing: soft matches that sharpen while the rotation fitted to them grows in rank."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.bootstrapping.blockwise import Blockwise
from relviz.bootstrapping.hints import Columns, cost_of, with_hints
from relviz.bootstrapping.procrustes import Alignment, align

Pulse = Callable[[], object]
"""Called before every step of every annealing, and of looking for a start; what it raises ends the run."""

_MOST_THINNED = 1500
_LEAST_SEED_WEIGHT, _SEED_SHARE = 5.0, 0.2


@dataclass(frozen=True)
class Schedule:
    """How an annealing goes, from first step to last.

    Attributes
    ----------
    steps
        How many.
    ranks, eps
        Rank of the rotation and regularization of the matches, first and last. The rank grows linearly;
        eps falls geometrically, to its last value when ``cooled`` of the steps are done.
    left_out
        Share of the rows of x that each step leaves out, drawn anew, until ``thinned`` of the steps are
        done: a wrong match cannot hold itself in place for long.
    power
        Weight of a direction in its singular value; see ``relviz.bootstrapping.procrustes.align``.
    """

    steps: int
    ranks: tuple[int, int]
    eps: tuple[float, float]
    cooled: float = 2 / 3
    left_out: float = 0.5
    thinned: float = 0.7
    power: float = 0.0


@dataclass(frozen=True, eq=False)
class Begun:
    """What an annealing goes on from: the steps taken, the alignment found, the potential g."""

    steps: int
    alignment: Alignment
    g: Tensor

    def to(self, device: torch.device) -> "Begun":
        left, right = self.alignment.left.to(device), self.alignment.right.to(device)
        return Begun(self.steps, Alignment(left, right), self.g.to(device))


@dataclass(frozen=True, eq=False)
class Stage:
    """Where an annealing stands: the eps used, the alignment found, the sides in it, the potential g."""

    eps: float
    alignment: Alignment
    u: Tensor
    v: Tensor
    g: Tensor


def anneal(
    x: Tensor,
    y: Tensor,
    sides: tuple[Tensor, Tensor],
    schedule: Schedule,
    seeds: tuple[Tensor, Tensor],
    generator: torch.Generator,
    pulse: Pulse | None = None,
    hints: Columns | None = None,
    begun: Begun | None = None,
) -> Iterator[Stage]:
    """Match rows softly, fit a rotation to the matches, match in its coordinates, and so on.

    Each step makes two Sinkhorn iterations between the ``sides``, going on from the potential of the
    step before, replaces every row of x by the mean of y under its row of the plan, and takes the
    leading directions of the cross-covariance. Known pairs are added to it with a weight that falls
    to 0.

    Parameters
    ----------
    x, y
        ``(n, dx)`` and ``(m, dy)``, the frames in which rotations are fitted.
    sides
        ``(n, r)`` and ``(m, r)``: rows of both in coordinates they share, to start from.
    seeds
        ``(sx, sy)``, known pairs, maybe none.
    generator
        Draws the rows that are left out.
    pulse
        Called before each step.
    hints
        What hints say of these rows of both. The sides of a stage have it.
    begun
        Where it stood before; the sides are those of its alignment.
    """
    sx, sy = seeds
    n, m, cost = len(x), len(y), cost_of(hints)
    g = torch.zeros(m, device=y.device) if begun is None else begun.g
    u, v = _hinted(sides, hints)
    known = x[sx].T @ y[sy]
    weight = max(_LEAST_SEED_WEIGHT, _SEED_SHARE * n / max(1, len(sx)))
    first, last = schedule.ranks
    for index in range(0 if begun is None else begun.steps, schedule.steps):
        if pulse is not None:
            pulse()
        done = index / max(1, schedule.steps - 1)
        eps = schedule.eps[0] * (schedule.eps[1] / schedule.eps[0]) ** min(1.0, done / schedule.cooled)
        rows = _some_rows(n, schedule, done, generator).to(x.device)
        step = Blockwise(u[rows], v, eps, cost)
        g = step.update(g)[1]
        _, g, means = step.update_and_average(g, y)
        assert means is not None
        cross = x[rows].T @ means + weight * (1 - done) * known
        alignment = align(cross, int(first + done * (last - first)), schedule.power)
        u, v = _hinted(alignment.sides(x, y), hints)
        yield Stage(eps, alignment, u, v, g)


def _hinted(sides: tuple[Tensor, Tensor], hints: Columns | None) -> tuple[Tensor, Tensor]:
    return sides if hints is None else (with_hints(sides[0], hints[0]), with_hints(sides[1], hints[1]))


def _some_rows(n: int, schedule: Schedule, done: float, generator: torch.Generator) -> Tensor:
    if not schedule.left_out or done >= schedule.thinned:
        return torch.arange(n)
    size = max(1, min(_MOST_THINNED, int(n * (1 - schedule.left_out))))
    return torch.randperm(n, generator=generator)[:size]
