"""The fuzzy neighbour graph that UMAP draws (McInnes, Healy & Melville 2018, sec. 3.1)."""

from typing import TYPE_CHECKING

import numpy as np

from relviz.project.knn import Neighbours

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

BISECTIONS = 64
LEAST_WIDTH = 1e-3
"""A kernel is no narrower than this share of the mean distance, or ties would make it vanish."""


def memberships(distances: np.ndarray, connected: bool = True) -> np.ndarray:
    """How much each neighbour belongs to its row's neighbourhood: 1 for the nearest, falling to 0.

    Parameters
    ----------
    distances
        ``(n, k)``, nearest first, the row itself not among them.
    connected
        Whether the nearest neighbour at a distance belongs wholly, which keeps every row of one
        space tied to another. For rows of another space only a neighbour at distance zero does.

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
    return np.exp(-beyond / np.maximum(sigma, np.finfo(np.float64).tiny)[:, None]).astype(np.float32)


def graph(neighbours: Neighbours) -> "csr_matrix":
    """The ``(n, n)`` sparse symmetric graph: the fuzzy union of all rows' neighbourhoods."""
    from scipy.sparse import csr_matrix

    n, k = neighbours.indices.shape
    starts = np.arange(0, n * k + 1, k)
    values = memberships(neighbours.distances).ravel()
    directed = csr_matrix((values, neighbours.indices.ravel(), starts), shape=(n, n))
    directed.eliminate_zeros()
    mirrored = directed.T.tocsr()
    union = (directed + mirrored - directed.multiply(mirrored)).tocsr()
    union.sort_indices()
    return union


def _widths(beyond: np.ndarray, total: float) -> np.ndarray:
    """The sigma of each row at which the sum of exp(-beyond / sigma) reaches ``total``, by bisection."""
    low, high = np.zeros(len(beyond)), np.full(len(beyond), np.inf)
    sigma = beyond.mean(1)
    sigma[sigma == 0] = 1.0
    for _ in range(BISECTIONS):
        with np.errstate(under="ignore"):
            above = np.exp(-beyond / sigma[:, None]).sum(1) > total
        high, low = np.where(above, sigma, high), np.where(above, low, sigma)
        sigma = np.where(np.isinf(high), 2 * sigma, (low + high) / 2)
    return sigma
