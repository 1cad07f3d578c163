"""Pairs that several annealings from the same few seeds agree on, as a start for further ones."""

from collections.abc import Iterator

import torch
from torch import Tensor

from relviz.bootstrap.anneal import Pulse, Schedule
from relviz.bootstrap.correspondence import Correspondence
from relviz.bootstrap.search import LEADING, Trial, seeded_sides, trial_from

RESTARTS = 8
"""Annealings of one generation."""
_AGREED = 6
"""Of them, how many must match a pair for it to be told to the next generation."""
_STEPS, _RANK = 25, 128
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
        schedule = Schedule(_STEPS, ranks, (self._eps, 0.02))
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
