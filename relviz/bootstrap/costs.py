"""The cost of matching a row with a row, tile by tile, and how many rows a tile has."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.compute import blocks
from relviz.compute.blocks import on_same_device, slices
from relviz.errors import ParameterError
from relviz.relative import unit_rows

COSTS: dict[str, str] = {
    "euclidean": "distance of the rows, not squared",
    "cosine": "one minus the cosine of the rows",
}
"""Costs that a correspondence accepts, and what each one is."""

CACHED_ELEMENTS = 2_500_000
"""Numbers in a tile that a CPU's cache still holds, so that passes over it after the product are cheap."""
_LEAST_ROWS, _MOST_ROWS = 256, 512


@dataclass(frozen=True, eq=False)
class Costs:
    """Costs ``M`` of the n rows of one matrix with the m rows of another, one row block at a time.

    A tile is one product of ``left`` and ``right``: norms ride along as
    further dimensions of both factors.
    """

    left: Tensor
    right: Tensor
    euclidean: bool
    buffer: Tensor

    def raw(self, rows: slice) -> Tensor:
        """``(p, m)`` tile in the order of the costs: squared distances, maybe just below 0, or the costs.

        The next tile takes its place in memory.
        """
        part = self.left[rows]
        return torch.mm(part, self.right, out=self.buffer[: len(part)])

    def finished(self, values: Tensor) -> Tensor:
        """The costs themselves, in place of what ``raw`` gives."""
        # Not sqrt_: on a CPU torch hands it to a library that is twenty times slower than this.
        return values.clamp_(min=0).pow_(0.5) if self.euclidean else values

    def tile(self, rows: slice) -> Tensor:
        """``(p, m)`` tile of costs."""
        return self.finished(self.raw(rows))

    def blocks(self) -> Iterator[slice]:
        """Runs of rows that cover all n."""
        return slices(len(self.left), len(self.buffer))


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
    buffer = torch.empty(rows, len(y), device=x.device)
    if cost == "cosine":
        left, right = _beside(unit_rows(x), _ones(x)), _beside(-unit_rows(y), _ones(y))
        return Costs(left, right.T.contiguous(), False, buffer)
    # Distances do not change with the origin, but squares of small numbers lose fewer digits.
    origin = y.mean(0)
    x, y = x - origin, y - origin
    left = _beside(x, x.square().sum(1, keepdim=True), _ones(x))
    right = _beside(-2 * y, _ones(y), y.square().sum(1, keepdim=True))
    return Costs(left, right.T.contiguous(), True, buffer)


def _tile_rows(m: int, device: torch.device) -> int:
    """As many rows as make a good product and a tile that is still at hand when it is read again."""
    most = max(1, blocks.TILE_ELEMENTS // m)
    if device.type != "cpu":
        return most
    return min(most, max(_LEAST_ROWS, min(_MOST_ROWS, CACHED_ELEMENTS // m)))


def _beside(*parts: Tensor) -> Tensor:
    return torch.cat(parts, 1)


def _ones(x: Tensor) -> Tensor:
    return x.new_ones(len(x), 1)
