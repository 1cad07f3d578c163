"""Costs of all pairs of rows of two spaces, one block of rows at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import Tensor

from relviz.compute import blocks
from relviz.compute.blocks import on_same_device, slices
from relviz.compute.parallel import side_by_side
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
        left, right = _columns(x, _ones(x)), _columns(-y, _ones(y))
        return Costs(left, right.T.contiguous(), False, rows)
    # Distances do not change with the origin, but squares of small numbers lose fewer digits.
    origin = y.mean(0)
    x, y = x - origin, y - origin
    left = _columns(x, x.square().sum(1, keepdim=True), _ones(x))
    right = _columns(-2 * y, _ones(y), y.square().sum(1, keepdim=True))
    return Costs(left, right.T.contiguous(), True, rows)


def _tile_rows(m: int, device: torch.device) -> int:
    """As many rows as make a good product and a tile that is still at hand when it is read again."""
    if device.type != "cpu":
        return max(1, blocks.ON_ACCELERATOR * blocks.TILE_ELEMENTS // m)
    most = max(1, blocks.TILE_ELEMENTS // m)
    return min(most, max(_LEAST_ROWS, min(_MOST_ROWS, CACHED_ELEMENTS // m)))


def _columns(*parts: Tensor) -> Tensor:
    return torch.cat(parts, 1)


def _ones(x: Tensor) -> Tensor:
    return x.new_ones(len(x), 1)
