"""Examples: what B answers for single items of A."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from relviz.compute.device import device
from relviz.compute.job import Ticket
from relviz.compute.key import value_digest
from relviz.compute.task import Task, task
from relviz.measure import held_out
from relviz.measure.neighbors import neighbors
from relviz.relative_projection import unit_rows
from relviz.results.comparison import Comparison, Sides


@dataclass(frozen=True, eq=False)
class Examples:
    """Items drawn at random, and the nearest item of B for each.

    Attributes
    ----------
    rows
        ``(m,)`` items that are not anchors, and took part in no fit.
    original
        ``(m,)`` rows of B nearest to A's own vectors; None where the dimensions differ.
    relative
        ``(m,)`` rows of B nearest relative to the anchors.
    """

    rows: np.ndarray
    original: np.ndarray | None
    relative: np.ndarray


@task("examples", "Drawing examples")
def _examples(
    ticket: Ticket, original: Sides | None, relative: Sides, queries: Tensor, *, count: int, seed: int
) -> Examples:
    ticket.check()
    rng = np.random.default_rng(seed)
    rows = torch.from_numpy(rng.permutation(queries.numpy())[:count])
    before = None if original is None else nearest_in_b(original, rows, rng)
    return Examples(rows.numpy(), before, nearest_in_b(relative, rows, rng))


def examples(comparison: Comparison, count: int, seed: int) -> Task[Examples]:
    """The task that draws held-out items of A and finds the nearest item of B for each, twice."""
    pair = comparison.pair
    frame = value_digest([pair.digest, comparison.quantum, comparison.centered])
    alike = pair.a.dimension == pair.b.dimension
    queries = comparison.held_out(0)
    return _examples(
        Sides(frame, lambda: comparison.frames) if alike else None,
        comparison.row("relative"),
        held_out(len(pair), comparison.anchors) if queries is None else queries,
        count=count,
        seed=seed,
    )


def nearest_in_b(sides: Sides, rows: Tensor, rng: np.random.Generator) -> np.ndarray:
    """The rows of the second side nearest to some rows of the first, ``(m,)``; ties are drawn by lot."""
    x, y = (unit_rows(side.to(device())) for side in sides.make())
    return neighbors(x[rows.to(x.device)], y, 1, rng)[:, 0].cpu().numpy()
