"""Examples of a run of anchor optimization: items, and what is nearest to them in B before it."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from relviz.compute.job import Ticket
from relviz.compute.key import array_digest, value_digest
from relviz.compute.task import Task, task
from relviz.pair import Pair
from relviz.relative_projection import prepare, relative
from relviz.results.bootstrap import rows_of, split_of
from relviz.results.comparison import Sides
from relviz.results.examples import nearest_in_b
from relviz.state.view import Run

FEWEST_SEEDS = 2
"""Known pairs that tell items apart: relative to one, all are like it or unlike it."""


@dataclass(frozen=True, eq=False)
class BeforeRun:
    """Items drawn at random for a run, and the nearest item of B for each before it.

    Attributes
    ----------
    rows
        ``(m,)`` items that take part in the run, and are not known pairs.
    original
        ``(m,)`` rows of B nearest to A's own vectors; None where the dimensions differ.
    seeded
        ``(m,)`` rows of B nearest relative to the known pairs alone; None where they are too few.
    """

    rows: np.ndarray
    original: np.ndarray | None
    seeded: np.ndarray | None


@task("before-run", "Drawing examples")
def _before(
    ticket: Ticket, original: Sides | None, seeded: Sides | None, free: Tensor, *, count: int, seed: int
) -> BeforeRun:
    ticket.check()
    rng = np.random.default_rng(seed)
    rows = torch.from_numpy(rng.permutation(free.numpy())[:count])
    found = [None if sides is None else nearest_in_b(sides, rows, rng) for sides in (original, seeded)]
    return BeforeRun(rows.numpy(), *found)


def before_run(run: Run, pair: Pair, count: int, seed: int) -> Task[BeforeRun]:
    """The task that draws items of a run, and finds what is nearest to them in B before it.

    Raises
    ------
    ParameterError
        If the run cannot be: see ``relviz.results.bootstrap.rows_of``.
    """
    anchors, seeds = rows_of(run, pair.a.vectors, pair.labels)
    fit = split_of(run, len(pair), anchors).fit
    free = fit[~torch.isin(fit, seeds)]

    def by_seeds() -> tuple[Tensor, Tensor]:
        x, y = prepare(pair.a.vectors), prepare(pair.b.vectors)
        return relative(x, x[seeds]), relative(y, y[seeds])

    return _before(
        Sides(pair.digest, lambda: (pair.a.vectors, pair.b.vectors))
        if pair.a.dimension == pair.b.dimension
        else None,
        Sides(value_digest([pair.digest, array_digest(seeds)]), by_seeds)
        if len(seeds) >= FEWEST_SEEDS
        else None,
        free,
        count=count,
        seed=seed,
    )
