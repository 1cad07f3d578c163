"""Consensus: what several short annealings from the same known pairs agree on, voted on anew each time."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse, Schedule, Stage, anneal
from relviz.bootstrapping.correspondence import Correspondence, hard
from relviz.bootstrapping.hints import Columns, cost_of
from relviz.bootstrapping.principal_axes import LEADING
from relviz.bootstrapping.procrustes import nuclear
from relviz.bootstrapping.start import seeded_sides

Pairs = tuple[Tensor, Tensor]


@dataclass(frozen=True, eq=False)
class Trial:
    """A start after a short annealing: where it came to, its matches, and how well they fit a rotation.

    ``fit`` is the mean cosine of matched rows, on the axes that were annealed, under their best rotation.
    Starts that lead to the truth reach a higher one than all others.
    """

    stage: Stage
    found: Correspondence
    fit: float


def trial_from(
    x: Tensor,
    y: Tensor,
    sides: tuple[Tensor, Tensor],
    schedule: Schedule,
    seeds: tuple[Tensor, Tensor],
    generator: torch.Generator,
    pulse: Pulse | None = None,
    told: Columns | None = None,
) -> Trial:
    """Anneal from these sides to the end of the schedule; parameters as those of ``anneal``."""
    *_, stage = anneal(x, y, sides, schedule, seeds, generator, pulse, told)
    found = hard(stage.u, stage.v, cost_of(told))
    return Trial(stage, found, nuclear(x, y[found.y_of_x]))


RESTARTS = 8
"""Annealings of one generation."""
_AGREED = 6
"""Of them, how many must match a pair for it to be told to the next generation."""
CONSENSUS_STEPS, _RANK = 25, 128
_PATIENCE, _NOISE = 2, 5e-4
"""Generations without growth that are waited for, and how much of a better fit is none."""


@dataclass(frozen=True, eq=False)
class Votes:
    """What a consensus goes on from after ``count`` generations of a round."""

    count: int
    pairs: Pairs
    eps: float
    best: float
    waited: int


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
        self,
        x: Tensor,
        y: Tensor,
        seeds: Pairs,
        generator: torch.Generator,
        pulse: Pulse | None = None,
        told: Columns | None = None,
    ) -> None:
        self.pairs, self._told = seeds, told
        self._x, self._y, self._seeds, self._generator, self._pulse = x, y, seeds, generator, pulse
        self._eps = 0.1
        self._best, self._waited = 0.0, 0

    @property
    def grows(self) -> bool:
        """Whether one of the last two generations fitted a rotation better than any before."""
        return self._waited < _PATIENCE

    def reached(self, count: int) -> Votes:
        """What it goes on from, after so many generations of a round."""
        return Votes(count, self.pairs, self._eps, self._best, self._waited)

    def go_on(self, votes: Votes) -> None:
        """Stand where it stood."""
        x, y = votes.pairs
        self.pairs = x.to(self._x.device), y.to(self._x.device)
        self._eps, self._best, self._waited = votes.eps, votes.best, votes.waited

    def generation(self) -> Iterator[Trial]:
        """Anneal from the pairs; when the last annealing is taken, ``pairs`` are those of the next."""
        sides = seeded_sides(self._x, self._y, self.pairs)
        ranks = min(LEADING, len(self.pairs[0])), _RANK
        schedule = Schedule(CONSENSUS_STEPS, ranks, (self._eps, 0.02))
        votes, fits = [], 0.0
        for _ in range(RESTARTS):
            args = schedule, self._seeds, self._generator, self._pulse, self._told
            trial = trial_from(self._x, self._y, sides, *args)
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
