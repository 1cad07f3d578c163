"""Rows of two spaces that choose each other, corrected for hubs.

The correction is the cross-domain local scaling of Conneau et al. 2018 (arXiv 1710.04087), section 2.3. It
takes two passes over the similarities, tile by tile, each of which serves the rows of both spaces. Where they
are few, the second pass has them from the first.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse
from relviz.compute import blocks
from relviz.compute.parallel import side_by_side

T = TypeVar("T")

_NEAR = 10
_HALF = 0.02
"""A pair this far ahead of the second best counts half."""
_LEAST_ROWS = 64
"""Rows of a tile, at least: the best of each column are compared anew for every tile."""
_HELD = 2 * blocks.TILE_ELEMENTS
"""Similarities that are held between the passes, at most: all of 2,000 rows with 2,000."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Matches ``(n,)``, and how much each counts ``(n,)``, 0 where the rows do not choose each other."""

    matches: Tensor
    weights: Tensor


def mutual_pairs(u: Tensor, v: Tensor, pulse: Pulse | None = None) -> Pairs:
    """Rows that choose each other; a pair far ahead of the second best counts more.

    ``u`` (n, r) and ``v`` (m, r); their inner products are the similarities. The pulse is called before each
    tile of them.
    """
    tiles = _Tiles(u, v, pulse)
    hubs_u, hubs_v = _hubs(tiles)
    (ahead, matches), (ahead_back, back) = _best(tiles, hubs_u, hubs_v)
    mutual = back[matches] == torch.arange(len(u), device=u.device)
    gap = torch.minimum(ahead, ahead_back[matches]).clamp_min(0)
    return Pairs(matches, mutual * gap / (gap + _HALF))


class _Tiles:
    """Similarities of some rows of u at a time with all of v, for two passes."""

    def __init__(self, u: Tensor, v: Tensor, pulse: Pulse | None) -> None:
        self.u, self.v, self._pulse = u, v, pulse
        self._held: dict[int, Tensor] = {}

    def each(self, work: Callable[[slice, Tensor], T]) -> Iterator[tuple[slice, T]]:
        """Some rows of u, and what the work makes of their similarities with all of v."""

        def of_tile(rows: slice, pulse: Pulse | None) -> tuple[slice, T]:
            if pulse is not None:
                pulse()
            return rows, work(rows, self._tile(rows))

        step, _ = blocks.steps(len(self.v), self.u.device)
        parts = blocks.slices(len(self.u), max(_LEAST_ROWS, step))
        return side_by_side(of_tile, [(rows,) for rows in parts], self._pulse)

    def _tile(self, rows: slice) -> Tensor:
        held = self._held.pop(rows.start, None)
        if held is not None:
            return held
        tile = self.u[rows] @ self.v.T
        if len(self.u) * len(self.v) <= _HELD:
            self._held[rows.start] = tile
        return tile


def _hubs(tiles: _Tiles) -> tuple[Tensor, Tensor]:
    """How similar the rows near to each row of u, ``(n,)``, and of v, ``(m,)``, are to it."""
    u, v = tiles.u, tiles.v
    near = min(_NEAR, len(u), len(v))

    def work(_: slice, tile: Tensor) -> tuple[Tensor, Tensor]:
        return _highest(tile, near).mean(1), _highest(tile.T.contiguous(), near)

    hubs, best = u.new_empty(len(u)), v.new_empty(len(v), 0)
    for rows, (own, found) in tiles.each(work):
        hubs[rows] = own
        best = _highest(torch.cat([best, found], 1), near)
    return hubs, best.mean(1)


def _best(
    tiles: _Tiles, hubs_u: Tensor, hubs_v: Tensor
) -> tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]:
    """Of each row of u and of v: how far the best is ahead of the second best, and which it is.

    It changes the tiles.
    """
    u, v = tiles.u, tiles.v

    def work(rows: slice, tile: Tensor) -> tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]:
        tile *= 2
        return _two_highest(tile - hubs_v), _two_highest((tile - hubs_u[rows, None]).T.contiguous())

    ahead, matches = u.new_empty(len(u)), torch.empty(len(u), dtype=torch.int64, device=u.device)
    values = v.new_empty(len(v), 0)
    places = torch.empty(len(v), 0, dtype=torch.int64, device=v.device)
    for rows, (own, (found, at)) in tiles.each(work):
        ahead[rows], matches[rows] = _first(*own)
        values, places = torch.cat([values, found], 1), torch.cat([places, at + rows.start], 1)
        values, order = _two_highest(values)
        places = places.gather(1, order)
    return (ahead, matches), _first(values, places)


def _highest(rows: Tensor, count: int) -> Tensor:
    """The highest values of each row, in no order. On a processor numpy is quicker than torch."""
    count = min(count, rows.shape[1])
    if rows.device.type != "cpu":
        return rows.topk(count, 1).values
    first = rows.shape[1] - count
    return torch.from_numpy(np.partition(rows.numpy(), first, 1)[:, first:])


def _two_highest(rows: Tensor) -> tuple[Tensor, Tensor]:
    found = rows.topk(min(2, rows.shape[1]), 1)
    return found.values, found.indices


def _first(values: Tensor, places: Tensor) -> tuple[Tensor, Tensor]:
    return values[:, 0] - values[:, -1], places[:, 0]
