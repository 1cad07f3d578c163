"""Which row of one space goes with which row of the other: hard matches in one fused pass."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.bootstrapping.costs import Costs, costs
from relviz.bootstrapping.sinkhorn import apply, sinkhorn

ROW_CHUNK = 64
COLUMN_CHUNK = 16


def row_minima(tile: Tensor) -> tuple[Tensor, Tensor]:
    """The least number of each row of a ``(p, q)`` tile and its column, both ``(p,)``."""
    q = tile.shape[1]
    size = min(ROW_CHUNK, q)
    whole = q // size * size
    chunks = tile[:, :whole].unflatten(1, (-1, size)).amin(2)
    if whole < q:
        # The last chunk reaches back into the one before it: seeing a number twice changes no minimum.
        chunks = torch.cat([chunks, tile[:, q - size :].amin(1, keepdim=True)], 1)
    least, chunk = chunks.min(1)
    start = (chunk * size).clamp_(max=q - size)
    inside = tile.gather(1, start[:, None] + torch.arange(size, device=tile.device)).min(1).indices
    return least, start + inside


class ColumnMinima:
    """The least number of each of q columns and its row, over row blocks seen one after another."""

    def __init__(self, q: int, device: torch.device) -> None:
        self.least = torch.full((q,), torch.inf, device=device)
        self.row = torch.zeros(q, dtype=torch.int64, device=device)

    def see(self, tile: Tensor, start: int) -> None:
        """Take in a ``(p, q)`` tile whose first row is row ``start``."""
        p = len(tile)
        size = min(COLUMN_CHUNK, p)
        whole = p // size * size
        chunks = tile[:whole].unflatten(0, (-1, size)).amin(1)
        if whole < p:
            chunks = torch.cat([chunks, tile[p - size :].amin(0, keepdim=True)])
        least = chunks.amin(0)
        # Of t blocks of like rows the last betters one column in t, so few places are looked for.
        columns = (least < self.least).nonzero().squeeze(1)
        first = (chunks[:, columns].min(0).indices * size).clamp_(max=p - size)
        rows = first + torch.arange(size, device=tile.device)[:, None]
        self.least[columns] = least[columns]
        self.row[columns] = first + tile[rows, columns].min(0).indices + start

    def take(self, later: "ColumnMinima") -> None:
        """Take in what was seen of rows after these."""
        columns = later.least < self.least
        self.least[columns], self.row[columns] = later.least[columns], later.row[columns]


__all__ = ["Correspondence", "apply", "hard", "sinkhorn"]

_CORRECTED = 0.999
"""Share of its least cost that is taken off a row: the rest lets the nearer of tied rows win."""


@dataclass(frozen=True, eq=False)
class Correspondence:
    """Hard matches: ``y_of_x`` (n,) and ``x_of_y`` (m,), int64."""

    y_of_x: Tensor
    x_of_y: Tensor

    def to(self, device: torch.device) -> "Correspondence":
        """The same on a device."""
        return Correspondence(self.y_of_x.to(device), self.x_of_y.to(device))

    @property
    def mutual(self) -> Tensor:
        """Which rows of x are chosen back by their match: (n,) bool."""
        return self.x_of_y[self.y_of_x] == torch.arange(len(self.y_of_x), device=self.y_of_x.device)

    @property
    def pairs(self) -> tuple[Tensor, Tensor]:
        """Each row of either space and its match, ``(n + m,)`` rows of x and of y; mutual ones are twice."""
        n, m = (torch.arange(len(one), device=one.device) for one in (self.y_of_x, self.x_of_y))
        return torch.cat([n, self.x_of_y]), torch.cat([self.y_of_x, m])

    @property
    def agreement(self) -> float:
        """Share of the rows of x whose match chooses them back, 0 to 1."""
        return float(self.mutual.float().mean())


def counted(ballots: Sequence[tuple[Tensor, Tensor]]) -> tuple[tuple[Tensor, Tensor], Tensor]:
    """The pairs of rows that these name, ``(s,)`` rows of x and of y, sorted, and how often ``(s,)``."""
    every = torch.cat([torch.stack(pairs, 1) for pairs in ballots])
    pairs, times = every.unique(dim=0, return_counts=True)
    return (pairs[:, 0], pairs[:, 1]), times


def hard(
    rx: Tensor,
    ry: Tensor,
    cost: str = "euclidean",
    both: bool = True,
    potentials: tuple[Tensor, Tensor] | None = None,
) -> Correspondence:
    """The matches that one log-domain Sinkhorn iteration gives as its eps goes to 0.

    Row j of ``ry`` is matched with ``argmin_i (M_ij − min_j' M_ij')``: a nearest neighbor whose cost is
    corrected for how near row i is to anything. All rows whose nearest row is j tie there at 0; the
    nearest of them is taken. Work O(n·m·d) in one pass, memory O(n·d + m·d).

    Source: Cannistraci et al. 2023 (arXiv 2303.00721), section 2, at their eps of 1e-4.

    Parameters
    ----------
    rx, ry
        ``(n, d)`` and ``(m, d)``.
    cost
        One of ``relviz.bootstrapping.costs.COSTS``.
    both
        Match the rows of ``rx`` in the same corrected way, by a second pass; else with their nearest
        row of ``ry``, which the one pass finds as well.
    potentials
        ``(f, g)`` of ``sinkhorn``: both directions then take the largest entry of its plan, in one pass.
    """
    if potentials is not None:
        y_of_x, x_of_y = _largest_entries(costs(rx, ry, cost), *potentials)
    else:
        y_of_x, x_of_y = _one_iteration(costs(rx, ry, cost))
        if both:
            y_of_x = _one_iteration(costs(ry, rx, cost))[1]
    return Correspondence(y_of_x, x_of_y)


def _one_iteration(given: Costs) -> tuple[Tensor, Tensor]:
    """The nearest column of each row, and the row of each column after the rows' minima are taken off."""
    n, m = len(given.left), given.right.shape[1]
    nearest = torch.empty(n, dtype=torch.int64, device=given.left.device)

    def work(run: Sequence[slice]) -> ColumnMinima:
        buffer, best = given.buffer(), ColumnMinima(m, given.left.device)
        for rows in run:
            tile = given.raw(rows, buffer)
            least, nearest[rows] = row_minima(tile)
            taken = given.finished(least).mul_(_CORRECTED)
            best.see(given.finished(tile).sub_(taken[:, None]), rows.start)
        return best

    return nearest, _least(given.runs(work)).row


def _largest_entries(given: Costs, f: Tensor, g: Tensor) -> tuple[Tensor, Tensor]:
    n, m = len(given.left), given.right.shape[1]
    chosen = torch.empty(n, dtype=torch.int64, device=given.left.device)

    def work(run: Sequence[slice]) -> ColumnMinima:
        buffer, best = given.buffer(), ColumnMinima(m, given.left.device)
        reduced = torch.empty_like(buffer)
        for rows in run:
            tile = given.tile(rows, buffer)
            chosen[rows] = row_minima(torch.sub(tile, g, out=reduced[: len(tile)]))[1]
            best.see(tile.sub_(f[rows, None]), rows.start)
        return best

    return chosen, _least(given.runs(work)).row


def _least(parts: Iterable[ColumnMinima]) -> ColumnMinima:
    best, *later = parts
    for one in later:
        best.take(one)
    return best


def kappa(a: Tensor, b: Tensor, choices: int) -> float:
    """Cohen's kappa of two choices ``(n,)`` out of so many: 1 if they agree in every row, 0 as by chance.

    Chance is what two independent choices with the same preferences would share.
    """
    observed = float((a == b).double().mean())
    shares = [torch.bincount(rows, minlength=choices).double() / len(rows) for rows in (a, b)]
    chance = float(shares[0] @ shares[1])
    return (observed - chance) / (1 - chance) if chance < 1 else 0.0
