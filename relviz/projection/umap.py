"""UMAP: umap-learn's layout of a fuzzy graph built on our own exact neighbors."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from relviz.projection import layout, pca
from relviz.projection.fit import Report
from relviz.projection.neighbor_graph import Reference, graph, memberships

SEARCH = 0.1
"""Share of the progress that the neighbor search is given."""
START_EXTENT, START_NOISE = 10.0, 1e-4
"""Largest coordinate of the start, and the noise that parts rows which would begin in one place."""
MANY_ROWS = 10_000
EPOCHS, EPOCHS_OF_MANY = 500, 200


@dataclass(frozen=True, eq=False)
class UMAPMap:
    """A finished UMAP, into which rows of other spaces can be placed."""

    places: np.ndarray
    parameters: dict[str, Any]
    _reference: Reference
    placing: str = "by neighbors"

    def place(self, rows: Tensor, report: Report) -> np.ndarray:
        """Put each row of ``(m, d)`` at the mean place of its neighbors, weighted by membership.

        A row that equals one of the map's lies exactly on it.
        """
        found = self._reference.of(rows, self.parameters["n_neighbors"], report)
        weights = memberships(found.distances, connected=False)
        same = found.distances[:, 0] == 0
        weights[same] = found.distances[same] == 0
        weighted: np.ndarray = self.places[found.indices] * weights[:, :, None]
        mean: np.ndarray = weighted.sum(1) / weights.sum(1, keepdims=True)
        return mean.astype(np.float32)


def fit(rows: Tensor, dim: int, seed: int, n_neighbors: int, min_dist: float, report: Report) -> UMAPMap:
    """Fit a UMAP to ``(n, d)`` rows by euclidean distance (McInnes, Healy & Melville 2018).

    ``n_neighbors`` counts the row itself, as umap-learn does, and is lowered to n where it is more.
    The layout starts from the principal components.
    """
    n = len(rows)
    used = min(n_neighbors, n)
    reference = Reference(rows)
    edges = graph(reference.among(used - 1, report.part(0.0, SEARCH))).tocoo()
    random = np.random.RandomState(seed)
    start = pca.fit(rows, dim).places
    start = START_EXTENT * start / np.abs(start).max() + random.normal(scale=START_NOISE, size=start.shape)
    epochs = EPOCHS if n <= MANY_ROWS else EPOCHS_OF_MANY
    places = layout.optimize(start, edges, epochs, min_dist, random, report.part(SEARCH, 1.0))
    parameters: dict[str, Any] = {
        "n_neighbors": used,
        "min_dist": min_dist,
        "initialization": "pca",
        "epochs": epochs,
    }
    if used < n_neighbors:
        parameters["n_neighbors_asked"] = n_neighbors
    return UMAPMap(places, parameters, reference)


def warm_umap() -> None:
    """Import umap-learn and compile what it needs: once in a process, safe in any thread."""
    rows = torch.from_numpy(np.random.default_rng(0).standard_normal((12, 3), dtype=np.float32))
    fit(rows, dim=2, seed=0, n_neighbors=4, min_dist=0.1, report=Report())
