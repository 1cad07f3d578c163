"""UMAP's layout: a fuzzy graph drawn by attraction and repulsion, epoch by epoch.

The epochs are umap-learn's own, but run one at a time rather than through its ``UMAP`` class: the
class cannot be stopped or watched, and it holds the interpreter's lock, which freezes the screen.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from relviz.projection.fit import Report

if TYPE_CHECKING:
    from scipy.sparse import coo_matrix

EXTENT = 10.0
"""The start is stretched to this width along every axis."""
SPREAD = 1.0
REPULSION = 1.0
REPULSIONS_PER_ATTRACTION = 5.0


def optimize(
    start: np.ndarray,
    graph: "coo_matrix",
    epochs: int,
    min_dist: float,
    random: np.random.RandomState,
    report: Report,
) -> np.ndarray:
    """Draw a symmetric fuzzy graph of n rows from ``(n, dim)`` starting places.

    Stochastic gradient descent on the cross entropy of memberships, on one core, with a step that
    falls to zero (McInnes, Healy & Melville 2018, sec. 3.2). ``graph`` holds no zeros.

    Returns
    -------
    places
        ``(n, dim)`` float32.
    """
    report(None)  # Importing and compiling takes seconds the first time, and cannot be interrupted.
    from umap.umap_ import find_ab_params, make_epochs_per_sample

    epoch_kernel = _epoch_kernel()
    a, b = find_ab_params(SPREAD, min_dist)
    attract_every = make_epochs_per_sample(graph.data, epochs)
    repel_every = attract_every / REPULSIONS_PER_ATTRACTION
    next_attraction, next_repulsion = attract_every.copy(), repel_every.copy()
    low, high = start.min(0), start.max(0)
    places = np.ascontiguousarray(EXTENT * (start - low) / (high - low), dtype=np.float32)
    states = _random_states(places, random)
    density = np.zeros(1, dtype=np.float32)  # densMAP's terms, which are not used
    for epoch in range(epochs):
        epoch_kernel(
            places,
            places,
            graph.row,
            graph.col,
            len(places),
            attract_every,
            a,
            b,
            states,
            REPULSION,
            places.shape[1],
            True,  # both ends of an edge move
            1.0 - max(epoch - 1, 0) / epochs,  # umap-learn lowers its step after the epoch
            repel_every,
            next_repulsion,
            next_attraction,
            epoch,
            False,
            *(density, density, 0, 0, 0, 0, density, density, 0),
        )
        report((epoch + 1) / epochs, places.copy())
    return places


def _random_states(places: np.ndarray, random: np.random.RandomState) -> np.ndarray:
    """One state of the kernel's generator for each row, ``(n, 3)`` int64, told apart by its place."""
    limits = np.iinfo(np.int32)
    common = random.randint(limits.min + 1, limits.max - 1, 3).astype(np.int64)
    return common + places[:, :1].astype(np.float64).view(np.int64)


@cache
def _epoch_kernel() -> Callable[..., None]:
    """One epoch as umap-learn defines it, compiled so that other threads go on meanwhile."""
    import numba
    from umap.layouts import _optimize_layout_euclidean_single_epoch

    epoch: Callable[..., None] = numba.njit(
        _optimize_layout_euclidean_single_epoch, fastmath=True, nogil=True
    )
    return epoch
