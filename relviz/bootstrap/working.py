"""What annealing works on: as many rows as it needs, on their leading axes."""

from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.bootstrap.frame import principal
from relviz.bootstrap.given import Given

MOST_ROWS = 3000
"""Rows of each space that annealing looks at; all rows are matched after it."""


@dataclass(frozen=True, eq=False)
class Working:
    """Both spaces on their leading axes, and the rows to anneal with.

    Attributes
    ----------
    x, y
        ``(n, rx)`` and ``(m, ry)``: all rows on the leading axes.
    axes
        ``(dy, ry)``, those of y.
    rows_x, rows_y
        The rows to work with, int64; the seeds are among them.
    seeds
        The seeds as places in ``rows_x`` and ``rows_y``.
    """

    x: Tensor
    y: Tensor
    axes: Tensor
    rows_x: Tensor
    rows_y: Tensor
    seeds: tuple[Tensor, Tensor]

    @property
    def sampled(self) -> bool:
        """Whether there are more rows than annealing works with."""
        return len(self.rows_x) < len(self.x) or len(self.rows_y) < len(self.y)

    @property
    def sides(self) -> tuple[Tensor, Tensor]:
        """The rows to work with, ``(p, rx)`` and ``(q, ry)``."""
        return self.x[self.rows_x], self.y[self.rows_y]


def working(given: Given, generator: torch.Generator) -> Working:
    """The working frame of ``given``; where there are too many rows, a random part of them."""
    (x, _), (y, axes) = principal(given.x), principal(given.y)
    rows_x, seeds_x = _part(len(x), given.sx, generator)
    rows_y, seeds_y = _part(len(y), given.sy, generator)
    return Working(x, y, axes, rows_x, rows_y, (seeds_x, seeds_y))


def _part(n: int, seeds: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Rows to work with, the seeds first where not all are taken; and where the seeds are among them."""
    if n <= MOST_ROWS:
        return torch.arange(n, device=seeds.device), seeds
    shuffled = torch.randperm(n, generator=generator).to(seeds.device)
    others = shuffled[~torch.isin(shuffled, seeds)][: max(0, MOST_ROWS - len(seeds))]
    return torch.cat([seeds, others]), torch.arange(len(seeds), device=seeds.device)
