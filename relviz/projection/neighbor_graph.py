"""The neighbor graph of a space, and its fuzzy union as UMAP weighs it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from relviz.compute.blocks import TILE_ELEMENTS, OnBlock, negative_distance, slices, top_k
from relviz.compute.device import device

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

SPARE = 8
"""Candidates beyond k that are measured anew: distances within a tile are good to about 1e-3 only."""


@dataclass(frozen=True, eq=False)
class Neighbors:
    """The k nearest rows of each row, nearest first: ``(n, k)`` int64 indices, float32 distances."""

    indices: np.ndarray
    distances: np.ndarray


class Reference:
    """The rows of one space, ready to be searched.

    They are centered and scaled to a largest coordinate of one, so that float32 distances are sharp
    wherever the space lies, and distances are in that unit: t-SNE and UMAP do not depend on it. Only
    between clusters hundreds of times farther apart than they are wide may a neighbor be missed.
    """

    def __init__(self, rows: Tensor) -> None:
        self._center = rows.mean(0, dtype=torch.float64).float()
        self._unit = (rows - self._center).abs().max().clamp_min(torch.finfo(torch.float32).tiny)
        self._rows = self._placed(rows)

    def __len__(self) -> int:
        return len(self._rows)

    def among(self, k: int, on_block: OnBlock | None = None) -> Neighbors:
        """The k nearest other rows of each row; k is at most n - 1."""
        return self._search(self._rows, k, itself=True, on_block=on_block)

    def of(self, others: Tensor, k: int, on_block: OnBlock | None = None) -> Neighbors:
        """The k nearest rows of each row of another space of the same dimension; k is at most n."""
        return self._search(self._placed(others), k, itself=False, on_block=on_block)

    def _placed(self, rows: Tensor) -> Tensor:
        return ((rows - self._center) / self._unit).to(device())

    def _search(self, queries: Tensor, k: int, itself: bool, on_block: OnBlock | None) -> Neighbors:
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
        return Neighbors(indices.numpy(), distances.numpy())


BISECTIONS = 64
LEAST_WIDTH = 1e-3
"""A kernel is no narrower than this share of the mean distance, or ties would make it vanish."""


def memberships(distances: np.ndarray, connected: bool = True) -> np.ndarray:
    """How much each neighbor belongs to its row's neighborhood: 1 for the nearest, falling to 0.

    Parameters
    ----------
    distances
        ``(n, k)``, nearest first, the row itself not among them.
    connected
        Whether the nearest neighbor at a distance belongs wholly, which keeps every row of one
        space tied to another. For rows of another space only a neighbor at distance zero does.

    Returns
    -------
    memberships
        ``(n, k)`` float32 exp(-(d - rho) / sigma), whose sum over a row is log2(k + 1) where the
        distances allow it.
    """
    distances = distances.astype(np.float64)
    k = distances.shape[1]
    apart = np.where(distances > 0, distances, np.inf).min(1)
    rho = np.where(np.isfinite(apart), apart, 0.0) if connected else np.zeros(len(distances))
    beyond = np.maximum(distances - rho[:, None], 0.0)
    # The row itself, at distance zero, counts in the mean.
    mean = distances.sum(1) / (k + 1)
    floor = LEAST_WIDTH * np.where(rho > 0, mean, mean.mean())
    sigma = np.maximum(_widths(beyond, np.log2(k + 1)), floor)
    weights: np.ndarray = np.exp(-beyond / np.maximum(sigma, np.finfo(np.float64).tiny)[:, None])
    return weights.astype(np.float32)


def graph(neighbors: Neighbors) -> "csr_matrix":
    """The ``(n, n)`` sparse symmetric graph: the fuzzy union of all rows' neighborhoods."""
    from scipy.sparse import csr_matrix

    n, k = neighbors.indices.shape
    starts = np.arange(0, n * k + 1, k)
    values = memberships(neighbors.distances).ravel()
    directed = csr_matrix((values, neighbors.indices.ravel(), starts), shape=(n, n))
    directed.eliminate_zeros()
    mirrored = directed.T.tocsr()
    union = (directed + mirrored - directed.multiply(mirrored)).tocsr()
    union.sort_indices()
    return union


def _widths(beyond: np.ndarray, total: float) -> np.ndarray:
    """The sigma of each row at which the sum of exp(-beyond / sigma) reaches ``total``, by bisection."""
    low, high = np.zeros(len(beyond)), np.full(len(beyond), np.inf)
    sigma: np.ndarray = beyond.mean(1)
    sigma[sigma == 0] = 1.0
    for _ in range(BISECTIONS):
        with np.errstate(under="ignore"):
            above = np.exp(-beyond / sigma[:, None]).sum(1) > total
        high, low = np.where(above, sigma, high), np.where(above, low, sigma)
        sigma = np.where(np.isinf(high), 2 * sigma, (low + high) / 2)
    return sigma
