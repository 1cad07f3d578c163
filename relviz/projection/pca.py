"""Principal components: the directions in which a space varies most."""

from dataclasses import dataclass, field

import numpy as np
from torch import Tensor

from relviz.compute.blocks import TILE_ELEMENTS, slices
from relviz.projection.fit import Report

ITERATE_ABOVE = 800
"""Size of a covariance from which a few eigenvectors cost less by iteration than by factorisation."""


@dataclass(frozen=True, eq=False)
class PCAMap:
    """Where the rows of a space fall on its first principal components.

    ``components`` is ``(d, dim)`` float64 with orthonormal columns, or zero columns where the space
    does not vary; in each, the entry that is largest in absolute value is positive.
    """

    places: np.ndarray
    mean: np.ndarray
    components: np.ndarray
    parameters: dict[str, object] = field(default_factory=dict)
    placing: str = "on the same components"

    def place(self, rows: Tensor, report: Report) -> np.ndarray:  # noqa: ARG002  # at once: nothing to report
        """Rows of any space of the same dimension, ``(m, dim)``, on these components."""
        return _scores(rows.numpy(), self.mean, self.components)


def fit(rows: Tensor, dim: int) -> PCAMap:
    """Fit ``dim`` principal components to ``(n, d)`` rows.

    Sums are taken in float64, block by block, over the smaller of the two Gram matrices, so the
    result holds where a mean or one direction dwarfs the rest (Jolliffe 2002, ch. 3).
    """
    x = rows.numpy()
    mean = x.mean(0, dtype=np.float64)
    wide = x.shape[1] > x.shape[0]
    values, vectors = _leading(_gram(x, mean, of_rows=wide), dim)
    if wide:
        vectors = _transposed_product(x, mean, vectors)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=0), np.finfo(np.float64).tiny)
    noise = max(x.shape) * np.finfo(np.float64).eps * values.max(initial=0.0)
    components = np.zeros((x.shape[1], dim))
    components[:, : len(values)] = vectors * (values > noise)
    largest = np.abs(components).argmax(0)
    components *= np.where(components[largest, range(dim)] < 0, -1.0, 1.0)
    return PCAMap(_scores(x, mean, components), mean, components)


def explained(rows: Tensor, places: np.ndarray) -> tuple[float, ...]:
    """Share of a space's whole variance that each axis of its map carries; zeros if it has none."""
    x = rows.numpy()
    mean = x.mean(0, dtype=np.float64)
    total = sum(float(np.square(x[block] - mean).sum()) for block in _blocks(x))
    carried = np.square(places - places.mean(0, dtype=np.float64)).sum(0)
    return tuple(float(share) for share in carried / total) if total else (0.0,) * places.shape[1]


def _blocks(x: np.ndarray) -> list[slice]:
    return list(slices(x.shape[0], max(1, TILE_ELEMENTS // x.shape[1])))


def _gram(x: np.ndarray, mean: np.ndarray, of_rows: bool) -> np.ndarray:
    size = x.shape[0] if of_rows else x.shape[1]
    total = np.zeros((size, size))
    if of_rows:
        for columns in slices(x.shape[1], max(1, TILE_ELEMENTS // size)):
            block = x[:, columns] - mean[columns]
            total += block @ block.T
    else:
        for rows in _blocks(x):
            block = x[rows] - mean
            total += block.T @ block
    return total


def _leading(gram: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The largest eigenvalues of a covariance, largest first, with their eigenvectors as columns."""
    from scipy.linalg import eigh
    from scipy.sparse.linalg import ArpackNoConvergence, eigsh

    size = len(gram)
    count = min(count, size)
    pairs = None
    if size > ITERATE_ABOVE and gram.any():
        # A fixed start, or each run would end a rounding error from the last.
        start = np.random.default_rng(0).standard_normal(size)
        try:
            pairs = eigsh(gram, k=count, v0=start)
        except ArpackNoConvergence:
            pairs = None
    if pairs is None:
        pairs = eigh(gram, subset_by_index=(size - count, size - 1))
    order = np.argsort(-pairs[0], kind="stable")
    return pairs[0][order], pairs[1][:, order]


def _transposed_product(x: np.ndarray, mean: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    total: np.ndarray = sum((x[rows] - mean).T @ vectors[rows] for rows in _blocks(x))
    return total


def _scores(x: np.ndarray, mean: np.ndarray, components: np.ndarray) -> np.ndarray:
    scores = np.empty((x.shape[0], components.shape[1]), dtype=np.float32)
    for rows in _blocks(x):
        scores[rows] = (x[rows] - mean) @ components
    return scores
