"""Consensus: what several short annealings from the same known pairs agree on, voted on anew each time."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse, Schedule, Stage, anneal
from relviz.bootstrapping.correspondence import Correspondence, hard
from relviz.bootstrapping.hints import Columns, cost_of
from relviz.bootstrapping.principal_axes import LEADING, some_rows
from relviz.bootstrapping.start import seeded_sides
from relviz.compute.parallel import side_by_side

Pairs = tuple[Tensor, Tensor]


@dataclass(frozen=True, eq=False)
class Trial:
    """A start after a short annealing: where it came to, and its matches."""

    stage: Stage
    found: Correspondence


RESTARTS = 8
"""Annealings of one generation."""
_AGREED = 6
"""Of them, how many must match a pair for it to be told to the next generation."""
CONSENSUS_STEPS, _RANK = 25, 128
_ROWS = 1000
"""Rows of x that vote, at most."""
_PATIENCE, _GROWTH = 2, 1.1
"""Generations without growth that are waited for, and how many times the pairs of before are growth."""
_HOPELESS = 0.05
"""Share of the rows that vote: where fewer pairs are agreed on, chance is enough.

Between spaces that have nothing in common they were 0.01 and less of 1,000 rows; where the truth was found,
after six generations at most, 0.2 and more."""


@dataclass(frozen=True, eq=False)
class Votes:
    """What a consensus goes on from after ``count`` generations of a round."""

    count: int
    pairs: Pairs
    eps: float
    most: int
    waited: int


class Consensus:
    """Generations of short annealings, each started from what most of the last one agree on.

    Annealings that leave out other rows at random fall into other wrong matches, so what they share is
    right far more often than what one of them finds, even when that is mostly wrong. The pairs agreed on
    tell only where to start: they are voted on anew in each generation, so a wrong one is not held.

    Spaces ``(n, dx)`` and ``(m, dy)`` are on their principal axes, the leading of which are annealed.

    Attributes
    ----------
    pairs
        Rows of x and of y, ``(p,)`` each: the seeds, then the pairs agreed on.
    rows
        ``(r,)``, those of x that vote, the seeds among them.
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
        self.pairs = seeds
        self._x, self._y, self._seeds, self._generator, self._pulse = x, y, seeds, generator, pulse
        self.rows, places = some_rows(len(x), seeds[0], _ROWS, generator)
        self._places = places, seeds[1]
        self._told = None if told is None else (told[0][self.rows], told[1])
        self._leading = x[self.rows, :_RANK].contiguous(), y[:, :_RANK].contiguous()
        self._eps = 0.1
        self._most, self._waited = 0, 0

    @property
    def grows(self) -> bool:
        """Whether one of the last two generations agreed on more pairs than any before."""
        return self._waited < _PATIENCE

    @property
    def hopeless(self) -> bool:
        """Whether no more pairs are agreed on than by chance."""
        return self._new < _HOPELESS * len(self.rows)

    @property
    def _new(self) -> int:
        return len(self.pairs[0]) - len(self._seeds[0])

    def reached(self, count: int) -> Votes:
        """What it goes on from, after so many generations of a round."""
        return Votes(count, self.pairs, self._eps, self._most, self._waited)

    def go_on(self, votes: Votes) -> None:
        """Stand where it stood."""
        x, y = votes.pairs
        self.pairs = x.to(self._x.device), y.to(self._x.device)
        self._eps, self._most, self._waited = votes.eps, votes.most, votes.waited

    def generation(self) -> Iterator[Trial]:
        """Anneal from the pairs; when the last annealing is taken, ``pairs`` are those of the next."""
        sides = seeded_sides(self._x, self._y, self.pairs)
        sides = sides[0][self.rows], sides[1]
        ranks = min(LEADING, len(self.pairs[0])), _RANK
        schedule = Schedule(CONSENSUS_STEPS, ranks, (self._eps, 0.02))
        votes = []
        drawn = torch.randint(2**62, (RESTARTS,), generator=self._generator).tolist()
        for trial in side_by_side(self._trial, [(sides, schedule, seed) for seed in drawn], self._pulse):
            votes.append(self._mutual(trial.found))
            yield trial
        self._eps, self.pairs = 0.05, self._with_seeds(torch.cat(votes))
        self._waited = 0 if self._new > _GROWTH * self._most else self._waited + 1
        self._most = max(self._most, self._new)

    def _trial(self, sides: Pairs, schedule: Schedule, seed: int, pulse: Pulse | None) -> Trial:
        generator = torch.Generator().manual_seed(seed)
        *_, stage = anneal(*self._leading, sides, schedule, self._places, generator, pulse, self._told)
        return Trial(stage, hard(stage.u, stage.v, cost_of(self._told)))

    def _mutual(self, found: Correspondence) -> Tensor:
        """Pairs that choose each other, each as one number."""
        return (self.rows * len(self._y) + found.y_of_x)[found.mutual]

    def _with_seeds(self, votes: Tensor) -> Pairs:
        pairs, counts = votes.unique(return_counts=True)
        agreed = pairs[counts >= _AGREED]
        x, y = agreed // len(self._y), agreed % len(self._y)
        sx, sy = self._seeds
        new = ~torch.isin(x, sx) & ~torch.isin(y, sy)
        return torch.cat([sx, x[new]]), torch.cat([sy, y[new]])
