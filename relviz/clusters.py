"""Which rows of a space belong together: k-means, and the centers it finds."""

import warnings

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relviz.compute.arrays import ArrayLike, as_seed, as_whole
from relviz.relative_projection import prepare

FULL_ROWS = 20_000
"""Up to so many rows, each step looks at all of them; beyond, at a part drawn at random."""
STARTS = 4


def clusters(x: ArrayLike, k: int, seed: int = 0) -> Tensor:
    """Cluster of every row, by k-means on centered rows of unit length.

    So rows are near each other when their cosine after centering is high, as everywhere in relviz. The
    best of four starts is taken. Beyond 20 000 rows, steps see a part of the rows (Sculley 2010,
    "Web-scale k-means clustering"). Memory O(n·d).

    Parameters
    ----------
    x
        ``(n, d)``.
    k
        How many clusters, 1 to n. There are fewer where fewer rows differ.
    seed
        Of the starts.

    Returns
    -------
    members
        ``(n,)`` int64: 0 for the rows of the largest cluster, 1 for those of the next, …

    Raises
    ------
    ParameterError
        If k is out of range, or a number is NaN or infinite.

    Examples
    --------
    >>> clusters([[1.0, 0.0], [1.0, 0.1], [0.9, 0.1], [-1.0, 0.0], [-1.0, 0.1]], 2).tolist()
    [0, 0, 0, 1, 1]
    """
    rows = prepare(x).cpu()
    k, seed = as_whole(k, "k", 1, len(rows), "rows"), as_seed(seed)
    _, members = kmeans(rows, k, seed, starts=STARTS)
    names, first, sizes = np.unique(members, return_index=True, return_counts=True)
    order = np.lexsort((first, -sizes))
    place = np.empty(k, dtype=np.int64)
    place[names[order]] = np.arange(len(names))
    return torch.from_numpy(place[members])


def kmeans(rows: Tensor, k: int, seed: int, starts: int = 1) -> tuple[Tensor, NDArray[np.int32]]:
    """Centers ``(k, d)`` and the number of its center for each of ``(n, d)`` rows, by scikit-learn."""
    from sklearn.cluster import KMeans, MiniBatchKMeans
    from sklearn.exceptions import ConvergenceWarning

    solver = KMeans if len(rows) <= FULL_ROWS else MiniBatchKMeans
    with warnings.catch_warnings():
        # Fewer distinct rows than clusters is no failure: some centers are then alike.
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = solver(k, n_init=starts, random_state=seed).fit(rows.numpy())
    return torch.from_numpy(found.cluster_centers_), found.labels_
