"""How far a map can be trusted: whether points that lie together on it belong together."""

import numpy as np
import torch
from torch import Tensor

from relviz.compute.arrays import ArrayLike, as_matrix, as_seed, as_whole, check_same_rows
from relviz.compute.blocks import TILE_ELEMENTS, ascending, negative_distance, slices
from relviz.compute.device import device
from relviz.errors import ParameterError
from relviz.projection.neighbor_graph import Reference


def trustworthiness(
    x: ArrayLike, points: ArrayLike, k: int = 10, queries: int | None = 1000, seed: int = 0
) -> float:
    """Share of trust, 0 to 1, that the k nearest points on a map deserve.

    ``1 − 2 / (n k (2n − 3k − 1)) Σᵢ Σⱼ (r(i, j) − k)`` over the points j that are among the k nearest
    of i on the map and not in the space, where ``r`` is the place of j among the others in the space.

    Source: Venna and Kaski 2001, "Neighborhood preservation in nonlinear projection methods". Both
    with euclidean distances. Memory O(n·d).

    Parameters
    ----------
    x, points
        ``(n, d)`` rows of the space, and ``(n, 2)`` their places on the map.
    k
        How many neighbors, 1 to less than n / 2.
    queries
        Of how many rows the neighbors are judged, drawn at random; None for all.
    seed
        Of the draw.

    Raises
    ------
    ShapeError
        If the rows are not as many.
    ParameterError
        If k is out of range.

    Examples
    --------
    >>> places = [[0.0, 0.0], [1.0, 0.0], [3.0, 0.0], [7.0, 0.0], [20.0, 0.0]]
    >>> trustworthiness(places, places, k=2)
    1.0
    """
    space, places = as_matrix(x, "x"), as_matrix(points, "points")
    check_same_rows(space, places, "x and points")
    n, k, seed = len(space), as_whole(k, "k"), as_seed(seed)
    if not 1 <= k < n / 2:
        raise ParameterError(f"k must be at least 1 and less than half of the {n} rows; it is {k}.")
    rows = np.arange(n)
    if queries is not None and queries < n:
        rows = np.sort(np.random.default_rng(seed).choice(n, queries, replace=False))
    chosen = torch.from_numpy(rows)
    near = _nearest_others(places, chosen, k)
    beyond = (_places_among_others(space, chosen, near) - k).clamp_min(0).sum().item()
    return 1 - 2 * beyond / (len(rows) * k * (2 * n - 3 * k - 1))


def _nearest_others(points: Tensor, rows: Tensor, k: int) -> Tensor:
    lists = torch.from_numpy(Reference(points).of(points[rows], k + 1).indices)
    itself = (lists == rows[:, None]).to(torch.int8)
    return lists.gather(1, itself.argsort(dim=1, stable=True))[:, :k]


def _places_among_others(x: Tensor, rows: Tensor, others: Tensor) -> Tensor:
    """Place of each of ``others`` ``(q, k)`` among all other rows as seen from ``rows``, the nearest 1."""
    x = (x - x.mean(0, keepdim=True)).to(device())
    places = torch.empty(others.shape)
    for part in slices(len(rows), max(1, TILE_ELEMENTS // len(x))):
        scores = negative_distance(x[rows[part]], x)
        scores.scatter_(1, rows[part, None].to(x.device), -torch.inf)
        own = scores.gather(1, others[part].to(x.device))
        nearer = len(x) - torch.searchsorted(ascending(scores), own, right=True)
        places[part] = 1 + nearer.float().cpu()
    return places
