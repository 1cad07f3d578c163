"""Sides to anneal from: told by the seeds, or the best of several found without."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.bootstrap.alignment import nuclear
from relviz.bootstrap.anneal import Pulse, Schedule, Stage, anneal
from relviz.bootstrap.correspondence import Correspondence, hard
from relviz.bootstrap.start import unseeded_sides
from relviz.relative import unit_rows

LEADING = 48
"""Axes on which starts are tried: what two spaces share most, and little enough to be tried often."""
_TRIAL = Schedule(steps=40, ranks=(LEADING, LEADING), eps=(0.1, 0.03), cooled=1.0, thinned=2.0)


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
            sides = _beside(sides[0], told[0]), _beside(sides[1], told[1])
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


def _beside(told: Tensor, further: Tensor) -> Tensor:
    return unit_rows(torch.cat([told, further], 1))
