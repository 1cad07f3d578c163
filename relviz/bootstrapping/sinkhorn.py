"""Sinkhorn matching: costs, plans in blocks or by KeOps, and the entropy that goes down."""

import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Protocol, TypeVar

import torch
from torch import Tensor

from relviz.compute import blocks
from relviz.compute.arrays import check_same_dimension
from relviz.compute.blocks import on_same_device, slices
from relviz.compute.parallel import side_by_side
from relviz.compute.store import default_store
from relviz.errors import ParameterError
from relviz.relative_projection import unit_rows

T = TypeVar("T")

COSTS: dict[str, str] = {
    "euclidean": "distance of the rows, not squared",
    "cosine": "one minus the cosine of the rows",
    "inner": "one minus the inner product of the rows",
}
"""Costs that a correspondence accepts, and what each one is."""

CACHED_ELEMENTS = 1_250_000
"""Numbers in a tile that a CPU's cache still holds, so that passes over it after the product are cheap."""
_LEAST_ROWS, _MOST_ROWS = 128, 256
_RUNS = 8
"""Parts of the rows that may be at work at once. Sums over rows are those of the parts, in their order."""


@dataclass(frozen=True, eq=False)
class Costs:
    """Costs ``M`` of the n rows of one matrix with the m rows of another, one row block at a time.

    A tile is one product of ``left`` and ``right``: norms ride along as
    further dimensions of both factors. It has ``rows`` rows at most.
    """

    left: Tensor
    right: Tensor
    euclidean: bool
    rows: int

    def buffer(self) -> Tensor:
        """Room for one tile."""
        return self.left.new_empty(self.rows, self.right.shape[1])

    def raw(self, rows: slice, buffer: Tensor) -> Tensor:
        """``(p, m)`` tile in the order of the costs: squared distances, maybe just below 0, or the costs.

        It is in the buffer, where the next one takes its place.
        """
        part = self.left[rows]
        return torch.mm(part, self.right, out=buffer[: len(part)])

    def finished(self, values: Tensor) -> Tensor:
        """The costs themselves, in place of what ``raw`` gives."""
        # Not sqrt_: on a CPU torch hands it to a library that is twenty times slower than this.
        return values.clamp_(min=0).pow_(0.5) if self.euclidean else values

    def tile(self, rows: slice, buffer: Tensor) -> Tensor:
        """``(p, m)`` tile of costs, in the buffer."""
        return self.finished(self.raw(rows, buffer))

    def runs(self, work: Callable[[Sequence[slice]], T]) -> Iterator[T]:
        """What the work gives for parts of the rows, each some blocks; on a CPU several at once."""
        blocks = list(slices(len(self.left), self.rows))
        length = -(-len(blocks) // _RUNS)
        runs = [blocks[part] for part in slices(len(blocks), length)]
        if self.left.device.type != "cpu":
            return map(work, runs)
        return side_by_side(lambda run, _: work(run), [(run,) for run in runs])


def costs(rx: Tensor, ry: Tensor, cost: str = "euclidean") -> Costs:
    """Costs of the rows of ``rx`` ``(n, d)`` with those of ``ry`` ``(m, d)``; one of ``COSTS``.

    Raises
    ------
    ShapeError
        If the dimensions differ.
    ParameterError
        If there is no such cost.
    """
    if cost not in COSTS:
        raise ParameterError(f"There is no cost {cost!r}; use one of {', '.join(COSTS)}.")
    x, y = on_same_device(rx, ry)
    rows = min(len(x), _tile_rows(len(y), x.device))
    if cost != "euclidean":
        if cost == "cosine":
            x, y = unit_rows(x), unit_rows(y)
        left, right = _beside(x, _ones(x)), _beside(-y, _ones(y))
        return Costs(left, right.T.contiguous(), False, rows)
    # Distances do not change with the origin, but squares of small numbers lose fewer digits.
    origin = y.mean(0)
    x, y = x - origin, y - origin
    left = _beside(x, x.square().sum(1, keepdim=True), _ones(x))
    right = _beside(-2 * y, _ones(y), y.square().sum(1, keepdim=True))
    return Costs(left, right.T.contiguous(), True, rows)


def _tile_rows(m: int, device: torch.device) -> int:
    """As many rows as make a good product and a tile that is still at hand when it is read again."""
    if device.type != "cpu":
        return max(1, blocks.ON_ACCELERATOR * blocks.TILE_ELEMENTS // m)
    most = max(1, blocks.TILE_ELEMENTS // m)
    return min(most, max(_LEAST_ROWS, min(_MOST_ROWS, CACHED_ELEMENTS // m)))


def _beside(*parts: Tensor) -> Tensor:
    return torch.cat(parts, 1)


def _ones(x: Tensor) -> Tensor:
    return x.new_ones(len(x), 1)


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


@cache
def unavailable() -> str:
    """Why KeOps cannot be used here, or an empty text if it can; tried once, with a compilation."""
    for name in ("PYKEOPS_VERBOSE", "KEOPS_VERBOSE"):
        os.environ.setdefault(name, "0")
    # Beside the results, which may all be deleted: compiled formulas are kept there between runs.
    os.environ.setdefault("KEOPS_CACHE_FOLDER", str(default_store().root / "keops"))
    try:
        x = torch.eye(3)
        found = _exponents(x, x, torch.zeros(3), 1.0, True).logsumexp(dim=1)
    except Exception as reason:
        return f"{type(reason).__name__}: {reason}"
    expected = math.log(1 + 2 / math.e)
    return "" if bool((found - expected).abs().max() < 1e-5) else f"it finds {found.tolist()}, not {expected}"


class KeOps:
    """Iterations between the rows of ``rx`` ``(n, d)`` and ``ry`` ``(m, d)``, by KeOps.

    Every formula and dimension is compiled at its first use, which takes half a minute or less.

    Raises
    ------
    ParameterError
        If KeOps cannot be used on this machine.
    """

    def __init__(self, rx: Tensor, ry: Tensor, eps: float, cost: str) -> None:
        if why := unavailable():
            raise ParameterError(f"The backend 'keops' cannot be used here ({why}). Use backend='torch'.")
        check_same_dimension(rx, ry)
        self._inner = cost != "euclidean"
        self._rx, self._ry = (unit_rows(r.to(rx.device)) if cost == "cosine" else r for r in (rx, ry))
        self._eps = eps

    def update(self, g: Tensor) -> tuple[Tensor, Tensor]:
        """One Sinkhorn iteration: f ``(n,)`` from g ``(m,)``, then the new g from f."""
        f = self._potential(self._rx, self._ry, g)
        return f, self._potential(self._ry, self._rx, f)

    def average(self, f: Tensor, g: Tensor, values: Tensor) -> Tensor:
        """Mean of the values ``(m, c)`` by each row of the plan: ``(n, c)``."""
        from pykeops.torch import LazyTensor

        # KeOps shifts each row by its own largest exponent, which is what f would do.
        del f
        exponents = _exponents(self._rx, self._ry, g, self._eps, self._inner)
        means: Tensor = exponents.sumsoftmaxweight(LazyTensor(values[None].contiguous()), dim=1)
        return means

    def _potential(self, left: Tensor, right: Tensor, potential: Tensor) -> Tensor:
        """The other potential. Both directions are this one formula, so it is compiled once."""
        log_sum: Tensor = _exponents(left, right, potential, self._eps, self._inner).logsumexp(dim=1)
        return -self._eps * (log_sum.squeeze(1) + math.log(len(left)))


def _exponents(left: Tensor, right: Tensor, potential: Tensor, eps: float, inner: bool) -> Any:
    from pykeops.torch import LazyTensor

    x, y = LazyTensor(left[:, None].contiguous()), LazyTensor(right[None].contiguous())
    cost = 1 - (x | y) if inner else ((x - y) ** 2).sum(-1).sqrt()
    return (LazyTensor(potential[None, :, None].contiguous()) - cost) / eps


BACKENDS: dict[str, str] = {
    "torch": "blocks of matrix products, on any device",
    "keops": "compiled reductions; needs a compiler, pays at low dimension or on a GPU",
}
"""Names that ``sinkhorn`` and ``apply`` accept, and what each one is."""


class Iteration(Protocol):
    """What a backend does for two given spaces, cost and eps."""

    def update(self, g: Tensor) -> tuple[Tensor, Tensor]:
        """One Sinkhorn iteration: f ``(n,)`` from g ``(m,)``, then the new g from f."""

    def average(self, f: Tensor, g: Tensor, values: Tensor) -> Tensor:
        """Mean of the values ``(m, c)`` by each row of the plan: ``(n, c)``."""


def sinkhorn(
    rx: Tensor,
    ry: Tensor,
    eps: float,
    iterations: int = 10,
    cost: str = "cosine",
    tolerance: float = 0.0,
    start: Tensor | None = None,
    backend: str = "torch",
) -> tuple[Tensor, Tensor]:
    """Potentials of the entropic transport plan between the rows of two spaces, uniform marginals.

    The plan is ``P_ij = exp((f_i + g_j − M_ij) / eps)``. Each iteration updates f, then g, so that the
    columns of the plan sum to 1/m, and its rows to 1/n in the limit. One product and one exponential
    for each entry and iteration; memory O(n·d + m·d).

    Source: Cuturi 2013 (arXiv 1306.0895), in the log domain.

    Parameters
    ----------
    rx, ry
        ``(n, d)`` and ``(m, d)``.
    eps
        Regularization, above 0, in the units of the cost.
    iterations
        At most this many.
    cost
        One of ``relviz.bootstrapping.sinkhorn.COSTS``.
    tolerance
        Stop when f changes by less than this on average, in the units of the cost.
    start
        ``(m,)``, the g to start from; zeros without it.
    backend
        One of ``BACKENDS``; their answers agree within float32 rounding.

    Returns
    -------
    f, g
        ``(n,)`` and ``(m,)`` float32, in the units of the cost.

    Raises
    ------
    ParameterError
        If an option is out of range, or KeOps is asked for and cannot be used.
    """
    if iterations < 1:
        raise ParameterError(f"iterations must be at least 1; it is {iterations}.")
    step = _iteration(rx, ry, eps, cost, backend)
    g = torch.zeros(len(ry), device=rx.device) if start is None else start.to(rx.device)
    f, g = step.update(g)
    for _ in range(iterations - 1):
        before = f
        f, g = step.update(g)
        if tolerance and float((f - before).abs().mean()) < tolerance:
            break
    return f, g


def apply(
    rx: Tensor,
    ry: Tensor,
    f: Tensor,
    g: Tensor,
    eps: float,
    values: Tensor,
    cost: str = "cosine",
    backend: str = "torch",
) -> Tensor:
    """Rows of the plan, each scaled to sum 1, times the values ``(m, c)``: ``(n, c)`` float32.

    ``f`` and ``g`` are those of ``sinkhorn`` for the same spaces, cost and eps.
    """
    return _iteration(rx, ry, eps, cost, backend).average(f, g, values.to(rx.device))


def _iteration(rx: Tensor, ry: Tensor, eps: float, cost: str, backend: str) -> Iteration:
    if not (eps > 0 and math.isfinite(eps)):
        raise ParameterError(f"eps must be a finite number above 0; it is {eps}.")
    if backend not in BACKENDS:
        raise ParameterError(f"There is no backend {backend!r}; use one of {', '.join(BACKENDS)}.")
    return (Blockwise if backend == "torch" else KeOps)(rx, ry, eps, cost)
