"""Sinkhorn iterations in blocks of matrix products, without a plan or a cost matrix in memory."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from relviz.bootstrapping.costs import Costs, costs

_VANISHED = 1e-25
"""A sum below this lost terms to underflow; it is taken again around its own largest term."""
_NOTHING = -100.0
"""Powers of 2 below this are taken as 0: matrix products of subnormal numbers are 200 times slower."""


class Blockwise:
    """Iterations between the rows of ``rx`` ``(n, d)`` and ``ry`` ``(m, d)``, in torch.

    Exponents are in base 2: on a CPU, powers of 2 take half the time of powers of e.
    """

    def __init__(self, rx: Tensor, ry: Tensor, eps: float, cost: str) -> None:
        self._rx, self._ry, self._cost = rx, ry.to(rx.device), cost
        self._costs = costs(rx, ry, cost)
        self._scale = math.log2(math.e) / eps

    def update(self, g: Tensor) -> tuple[Tensor, Tensor]:
        """One Sinkhorn iteration: f ``(n,)`` from g ``(m,)``, then the new g from f."""
        f, g, _ = self.update_and_average(g, None)
        return f, g

    def update_and_average(self, g: Tensor, values: Tensor | None) -> tuple[Tensor, Tensor, Tensor | None]:
        """``update``, and in the same pass the mean of the values ``(m, c)`` by the plan before g changed."""
        n, m = len(self._rx), len(self._ry)
        f = torch.empty(n, device=g.device)
        means = None if values is None else torch.empty(n, values.shape[1], device=g.device)
        exponents = self._exponents(self._costs, g)

        def work(run: Sequence[slice]) -> Tensor:
            buffer, mass = self._costs.buffer(), torch.zeros(m, device=g.device)
            for rows in run:
                powers, top, sums = _powers(exponents(rows, buffer))
                f[rows] = -(sums.log2().add_(top) + math.log2(n)) / self._scale
                # A row of powers over its sum and n is a row of the plan, so this adds up its columns.
                weight = (sums * n).reciprocal_()
                mass.addmv_(powers.T, weight)
                if means is not None and values is not None:
                    means[rows] = (powers @ values).div_(sums[:, None])
            return mass

        mass = torch.stack(list(self._costs.runs(work))).sum(0)
        g = g - (mass.log2() + math.log2(m)) / self._scale
        lost = (mass < _VANISHED).nonzero().squeeze(1)
        if len(lost):
            g[lost] = self._column_potential(lost, f)
        return f, g, means

    def average(self, f: Tensor, g: Tensor, values: Tensor) -> Tensor:
        """Mean of the values ``(m, c)`` by each row of the plan: ``(n, c)``."""
        means = torch.empty(len(self._rx), values.shape[1], device=values.device)
        exponents = self._exponents(self._costs, g)

        def work(run: Sequence[slice]) -> None:
            buffer = self._costs.buffer()
            for rows in run:
                powers = _exp2(exponents(rows, buffer).add_(f[rows, None] * self._scale))
                sums = powers.sum(1, keepdim=True)
                # Right after g was updated no power exceeds 1/m: only a row without mass needs its own shift.
                means[rows] = (powers @ values).div_(sums)
                lost = ~((sums > _VANISHED) & sums.isfinite()).squeeze(1)
                if lost.any():
                    powers, _, sums = _powers(exponents(rows, buffer)[lost])
                    means[rows][lost] = (powers @ values).div_(sums[:, None])

        list(self._costs.runs(work))
        return means

    def _exponents(self, given: Costs, potential: Tensor) -> Callable[[slice, Tensor], Tensor]:
        """Tiles of (potential − cost) / eps in base 2, by the product alone where the cost allows it."""
        if not given.euclidean:
            folded = given.right * -self._scale
            folded[-1] += potential * self._scale
            return replace(given, right=folded).raw

        def tile(rows: slice, buffer: Tensor) -> Tensor:
            costs_here = given.tile(rows, buffer)
            return torch.add(potential * self._scale, costs_here, alpha=-self._scale, out=costs_here)

        return tile

    def _column_potential(self, columns: Tensor, f: Tensor) -> Tensor:
        turned = costs(self._ry[columns], self._rx, self._cost)
        exponents = self._exponents(turned, f)
        g = torch.empty(len(columns), device=f.device)

        def work(run: Sequence[slice]) -> None:
            buffer = turned.buffer()
            for rows in run:
                _, top, sums = _powers(exponents(rows, buffer))
                g[rows] = -(sums.log2_().add_(top) + math.log2(len(self._ry))) / self._scale

        list(turned.runs(work))
        return g


def _powers(exponents: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """2 to the exponents, in their place, each row divided by its largest; the log2 of that; the row sums."""
    top = exponents.amax(1)
    powers = _exp2(exponents.sub_(top[:, None]))
    return powers, top, powers.sum(1)


def _exp2(exponents: Tensor) -> Tensor:
    return torch.threshold_(exponents, _NOTHING, -math.inf).exp2_()
