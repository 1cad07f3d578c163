"""The frames in which two spaces are matched: leading principal axes, and evened-out directions."""

from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from relviz.bootstrapping.decompositions import eigh, svd
from relviz.bootstrapping.hints import HintColumns
from relviz.bootstrapping.inputs import Given
from relviz.relative_projection import unit_rows

MOST_DIMENSIONS = 256
"""Directions kept for matching. On all pairs tried, more only added noise and time."""
LEADING = 48
"""Axes on which starts are tried: what two spaces share most, and little enough to be tried often."""
_EVENING = 1.0


def principal(x: Tensor, most: int = MOST_DIMENSIONS) -> tuple[Tensor, Tensor]:
    """Prepared rows on their leading principal axes, longest first.

    Parameters
    ----------
    x
        ``(n, d)``, centered, rows of length one.
    most
        Axes kept at most.

    Returns
    -------
    rows, axes
        ``(n, r)`` and ``(d, r)`` with r = min(n, d, most): ``rows = x @ axes``.
    """
    n, d = x.shape
    kept = min(n, d, most)
    axes = eigh(x.T @ x)[1][:, -kept:].flip(1) if d <= n else svd(x)[2][:kept].T
    return x @ axes, axes


def effective_dimensions(rows: Tensor) -> float:
    """How many directions the rows ``(n, r)`` on their principal axes spread over, 1 to r.

    The exponential of the entropy of the axes' shares of the variance, as the effective rank of Roy and
    Vetterli (2007) is of singular values.
    """
    variance = rows.square().sum(0)
    shares = variance / variance.sum().clamp_min(torch.finfo(rows.dtype).tiny)
    return float(torch.special.entr(shares).sum().exp())


def evened(x: Tensor, floor: float = _EVENING) -> Tensor:
    """Rows with their directions half whitened: ``x (C + c I)^(−1/2)``, C the covariance, c ``floor`` means.

    Whitening to the full would raise noise to the level of the leading directions; without any, these
    alone decide which rows are near. Rows are of length one again.
    """
    covariance = x.T @ x / len(x)
    values, axes = eigh(covariance)
    values = values.clamp_min(0)
    least = (floor * values.mean()).clamp_min(torch.finfo(torch.float32).tiny)
    return unit_rows(x @ (axes * (values + least).rsqrt()) @ axes.T)


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
        The seeds and likely pairs as places in ``rows_x`` and ``rows_y``.
    hints_x, hints_y
        ``(n, h)`` and ``(m, h)``, what hints say of all rows.
    """

    x: Tensor
    y: Tensor
    axes: Tensor
    rows_x: Tensor
    rows_y: Tensor
    seeds: tuple[Tensor, Tensor]
    hints_x: Tensor
    hints_y: Tensor

    @property
    def sampled(self) -> bool:
        """Whether there are more rows than annealing works with."""
        return len(self.rows_x) < len(self.x) or len(self.rows_y) < len(self.y)

    @property
    def hints(self) -> tuple[Tensor, Tensor]:
        """What hints say of the rows to work with."""
        return self.hints_x[self.rows_x], self.hints_y[self.rows_y]

    @property
    def sides(self) -> tuple[Tensor, Tensor]:
        """The rows to work with, ``(p, rx)`` and ``(q, ry)``."""
        return self.x[self.rows_x], self.y[self.rows_y]

    @cached_property
    def evened(self) -> "Working":
        """The same with directions evened out, so that the first few alone do not decide what is near."""
        return replace(self, x=evened(self.x), y=evened(self.y))

    def of_rows(self, most: int, given: Given, generator: torch.Generator) -> "Working":
        """The same frame with so many rows of each space at most, drawn anew."""
        (sx, sy) = _start(given)
        rows_x, seeds_x = some_rows(len(self.x), sx, most, generator)
        rows_y, seeds_y = some_rows(len(self.y), sy, most, generator)
        return replace(self, rows_x=rows_x, rows_y=rows_y, seeds=(seeds_x, seeds_y))


def working(given: Given, generator: torch.Generator) -> Working:
    """The working frame of ``given``; where there are too many rows, a random part of them."""
    (x, _), (y, axes) = principal(given.x), principal(given.y)
    sx, sy = _start(given)
    rows_x, seeds_x = some_rows(len(x), sx, MOST_ROWS, generator)
    rows_y, seeds_y = some_rows(len(y), sy, MOST_ROWS, generator)
    hints = given.hints
    return Working(x, y, axes, rows_x, rows_y, (seeds_x, seeds_y), hints.x, hints.y)


def _start(given: Given) -> tuple[Tensor, Tensor]:
    """The seeds, then the likely pairs, as many as annealing has room for."""
    px, py = given.hints.likely
    room = max(0, MOST_ROWS // 2 - len(given.sx))
    return torch.cat([given.sx, px[:room]]), torch.cat([given.sy, py[:room]])


def some_rows(n: int, seeds: Tensor, most: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """So many of n rows, the seeds first where not all are taken; and where the seeds are among them."""
    if n <= most:
        return torch.arange(n, device=seeds.device), seeds
    shuffled = torch.randperm(n, generator=generator).to(seeds.device)
    others = shuffled[~torch.isin(shuffled, seeds)][: max(0, most - len(seeds))]
    return torch.cat([seeds, others]), torch.arange(len(seeds), device=seeds.device)


def rows_with(n: int, wanted: Tensor, most: int, generator: torch.Generator) -> Tensor:
    """So many of n rows at most, those ``wanted`` among them, which may name a row more than once."""
    return some_rows(n, wanted.unique()[:most], most, generator)[0]


def unexplained(frame: Working, hints: HintColumns) -> tuple[Tensor, Tensor]:
    """Both spaces without what labels and groups tell of their rows, which fits in wrong matches as well."""
    sides = []
    for rows, columns in ((frame.x, hints.x), (frame.y, hints.y)):
        if hints.shared:
            shared = columns[:, : hints.shared]
            left = rows - shared @ torch.linalg.lstsq(shared, rows, driver="gelsd").solution
            rows = principal(unit_rows(left - left.mean(0)))[0]
        sides.append(rows)
    return sides[0], sides[1]
