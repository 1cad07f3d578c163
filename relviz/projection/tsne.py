"""t-SNE by openTSNE, on our own exact neighbors."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from relviz.projection import pca
from relviz.projection.fit import Report
from relviz.projection.neighbor_graph import Reference

ITERATIONS = (250, 500)
"""With early exaggeration, and without: the defaults of openTSNE."""
PLACING_ITERATIONS = 250
PLACING_PERPLEXITY = 5.0
REPORT_EVERY = 10
"""Iterations between two reports: for each one openTSNE also sums up how far the map is from the rows."""
SEARCH = 0.1
"""Share of the progress that the neighbor search is given."""
INTERPOLATE_FROM = 10_000
"""Rows from which repulsion costs less on a grid (two dimensions only) than by a tree, as in openTSNE."""


@dataclass(frozen=True, eq=False)
class TSNEMap:
    """A finished t-SNE map, into which rows of other spaces can be placed."""

    places: np.ndarray
    parameters: dict[str, object]
    _embedding: Any
    _watch: "_Watch"
    placing: str = "row by row against the finished map"

    def place(self, rows: Tensor, report: Report) -> np.ndarray:
        """Optimize each row of ``(m, d)`` against the finished map, which does not move.

        Rows do not act on each other (Poličar et al. 2019, Embedding to reference t-SNE space).
        """
        self._watch.begin(report, PLACING_ITERATIONS)
        perplexity = min(PLACING_PERPLEXITY, len(self.places) / 3)
        placed = self._embedding.transform(rows, perplexity=perplexity, n_iter=PLACING_ITERATIONS)
        return np.asarray(placed, dtype=np.float32)


def fit(rows: Tensor, dim: int, seed: int, perplexity: float, report: Report) -> TSNEMap:
    """Fit a t-SNE map to ``(n, d)`` rows (van der Maaten & Hinton 2008; openTSNE, Poličar et al. 2024).

    It starts from the principal components, scaled to a deviation of 1e-4 (Kobak & Berens 2019). A
    perplexity above (n - 1) / 3 is lowered to that, since three times as many neighbors are used.
    """
    import openTSNE
    from openTSNE.affinity import PerplexityBasedNN
    from openTSNE.initialization import jitter, rescale

    n = len(rows)
    used = min(perplexity, (n - 1) / 3)
    index = _Index(rows, min(n - 1, int(np.ceil(3 * used))), report.part(0.0, SEARCH))
    # As many as torch has, which in the app leaves a core to the screen. The result does not depend on it.
    jobs = torch.get_num_threads()
    affinities = PerplexityBasedNN(perplexity=used, knn_index=index, n_jobs=jobs)
    random = np.random.RandomState(seed)
    start = jitter(rescale(pca.fit(rows, dim).places.astype(np.float64)), random_state=random)
    watch = _Watch()
    watch.begin(report.part(SEARCH, 1.0), sum(ITERATIONS))
    embedding = openTSNE.TSNE(
        n_components=dim,
        early_exaggeration_iter=ITERATIONS[0],
        n_iter=ITERATIONS[1],
        negative_gradient_method="fft" if n >= INTERPOLATE_FROM and dim == 2 else "bh",
        callbacks=watch,
        callbacks_every_iters=REPORT_EVERY,
        n_jobs=jobs,
        random_state=random,
    ).fit(affinities=affinities, initialization=start)
    # As transform does to the map in place, so that rows placed later share these coordinates.
    embedding -= (embedding.max(0) + embedding.min(0)) / 2
    parameters: dict[str, object] = {
        "perplexity": used,
        "initialization": "pca",
        "iterations": sum(ITERATIONS),
    }
    if used < perplexity:
        parameters["perplexity_asked"] = perplexity
    return TSNEMap(np.asarray(embedding, dtype=np.float32), parameters, embedding, watch)


class _Index:
    """Our neighbors in the form in which openTSNE asks for them."""

    def __init__(self, rows: Tensor, k: int, report: Report) -> None:
        self._reference = Reference(rows)
        self._report = report
        self.n_samples, self.k = len(rows), k

    def build(self) -> tuple[np.ndarray, np.ndarray]:
        found = self._reference.among(self.k, self._report)
        return found.indices, found.distances

    def query(self, rows: Tensor, k: int) -> tuple[np.ndarray, np.ndarray]:
        found = self._reference.of(rows, k)
        return found.indices, found.distances


class _Watch:
    """Turns openTSNE's callbacks, which count each phase from one, into one report."""

    def begin(self, report: Report, iterations: int) -> None:
        """Report the next iterations, as many as given, to this report."""
        self._report, self._iterations, self._done = report, iterations, 0

    def __call__(self, _iteration: int, _error: float, embedding: np.ndarray) -> None:
        self._done += REPORT_EVERY
        self._report(self._done / self._iterations, np.array(embedding, dtype=np.float32))
