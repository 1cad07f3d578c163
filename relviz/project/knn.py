"""Exact nearest neighbours by euclidean distance, for the maps that are drawn from them."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from relviz.compute.blocks import TILE_ELEMENTS, OnBlock, negative_distance, slices, top_k
from relviz.compute.device import device

SPARE = 8
"""Candidates beyond k that are measured anew: distances within a tile are good to about 1e-3 only."""


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The k nearest rows of each row, nearest first: ``(n, k)`` int64 indices, float32 distances."""

    indices: np.ndarray
    distances: np.ndarray


class Reference:
    """The rows of one space, ready to be searched.

    They are centred and scaled to a largest coordinate of one, so that float32 distances are sharp
    wherever the space lies, and distances are in that unit: t-SNE and UMAP do not depend on it. Only
    between clusters hundreds of times farther apart than they are wide may a neighbour be missed.
    """

    def __init__(self, rows: Tensor) -> None:
        self._centre = rows.mean(0, dtype=torch.float64).float()
        self._unit = (rows - self._centre).abs().max().clamp_min(torch.finfo(torch.float32).tiny)
        self._rows = self._placed(rows)

    def __len__(self) -> int:
        return len(self._rows)

    def among(self, k: int, on_block: OnBlock | None = None) -> Neighbours:
        """The k nearest other rows of each row; k is at most n - 1."""
        return self._search(self._rows, k, itself=True, on_block=on_block)

    def of(self, others: Tensor, k: int, on_block: OnBlock | None = None) -> Neighbours:
        """The k nearest rows of each row of another space of the same dimension; k is at most n."""
        return self._search(self._placed(others), k, itself=False, on_block=on_block)

    def _placed(self, rows: Tensor) -> Tensor:
        return ((rows - self._centre) / self._unit).to(device())

    def _search(self, queries: Tensor, k: int, itself: bool, on_block: OnBlock | None) -> Neighbours:
        count = min(k + itself + SPARE, len(self))
        _, candidates = top_k(queries, self._rows, count, negative_distance, on_block)
        candidates = candidates.sort(1).values
        indices = torch.empty(len(queries), k, dtype=torch.int64)
        distances = torch.empty(len(queries), k)
        for rows in slices(len(queries), max(1, TILE_ELEMENTS // (count * queries.shape[1]))):
            chosen = candidates[rows]
            exact = (self._rows[chosen] - queries[rows, None]).square().sum(2).sqrt()
            if itself:
                own = torch.arange(rows.start, rows.stop, device=chosen.device)
                exact[chosen == own[:, None]] = torch.inf
            ordered, order = exact.sort(stable=True, dim=1)
            distances[rows] = ordered[:, :k].cpu()
            indices[rows] = chosen.gather(1, order[:, :k]).cpu()
        return Neighbours(indices.numpy(), distances.numpy())
