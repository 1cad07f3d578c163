"""Which rows serve as anchors (RR A.2)."""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relviz.clusters import kmeans
from relviz.compute.arrays import ArrayLike, as_indices, as_seed, as_whole
from relviz.compute.blocks import top_k
from relviz.compute.device import device
from relviz.errors import ParameterError, ShapeError
from relviz.names import Selector
from relviz.relative_projection import finite_matrix, unit_rows

Numbers = NDArray[np.int64]

METHODS: dict[str, str] = {
    "uniform": "rows drawn at random",
    "fps": "farthest points: each next anchor is the row least like those taken, from a random start",
    "kmeans": "the row nearest to each of k cluster centers",
    "top": "drawn at random among the first rows, for rows sorted by frequency",
    "per_class": "drawn at random, as many from every class as its size allows",
}
"""Names that ``select_anchors`` accepts, and what each one does."""

OwnSelector = Callable[[Tensor, int, int], ArrayLike]
"""A selection of one's own: rows ``(n, d)`` float32, how many, and a seed, to ``(k,)`` row numbers."""


def select_anchors(
    x: ArrayLike,
    k: int,
    method: Selector | OwnSelector = "uniform",
    seed: int = 0,
    labels: Sequence[object] | None = None,
    candidates: ArrayLike | None = None,
    top: int | None = None,
    *,
    skip: int = 0,
) -> Tensor:
    """Select k rows of ``x`` as anchors.

    For a given seed, selections are nested: fewer anchors are a prefix of more. The exceptions are
    ``kmeans``, and ``top`` without a given pool.

    Source: Moschella et al. 2023 (arXiv 2209.15430), appendix A.2. ``fps`` and ``kmeans`` use the
    directions of the rows (unit length), as the cosine does.

    Parameters
    ----------
    x
        ``(n, d)``.
    k
        Number of anchors, 1 to the number of candidates.
    method
        One of ``relviz.SELECTORS``, or a function of the candidates' rows ``(n, d)``, k and the seed that
        returns k different row numbers of these rows, such as ``lambda rows, k, seed: range(k)``.
    labels
        One class per row of ``x``; needed by ``per_class``.
    candidates
        Row numbers that may become anchors, or a mask; by default all rows. For ``top`` they are in order
        of frequency.
    top
        Number of leading candidates that ``top`` samples from; by default a fifth of them, and at least k.
        Skipped candidates are not counted.
    skip
        Number of leading candidates that ``top`` leaves out: in RR appendix A.2 the 400 most frequent words,
        most of which are stop words.

    Returns
    -------
    anchors
        ``(k,)`` int64 row numbers of ``x``, all different.

    Raises
    ------
    ParameterError
        If there is no such method, k, ``top`` or ``skip`` is out of range, or labels are missing.
    ShapeError
        If the number of labels is not the number of rows, candidates repeat or are out of range, or a
        custom method does not return k different rows.

    Examples
    --------
    >>> select_anchors([[1.0, 0.0], [0.9, 0.1], [-1.0, 0.0]], 2, method="fps", seed=0).tolist()
    [2, 0]
    """
    check_selector(method)
    rows = finite_matrix(x)
    pool = _pool(candidates, len(rows))
    n = len(pool)
    k, seed = as_whole(k, "k", 1, n, "rows to choose from"), as_seed(seed)
    rng = np.random.default_rng(seed)
    if not isinstance(method, str):
        chosen = _own(method, rows[pool.to(rows.device)], k, seed)
    elif method == "fps":
        chosen = _farthest(unit_rows(rows[pool.to(rows.device)]), k, int(rng.integers(n)))
    elif method == "kmeans":
        chosen = _nearest_to_centroids(unit_rows(rows[pool.to(rows.device)]), k, seed)
    elif method == "per_class":
        classes = _classes(labels, len(rows))[pool.numpy()]
        chosen = torch.from_numpy(_round_robin(classes, rng)[:k])
    elif method == "top":
        skip = as_whole(skip, "skip", 0, n - k, f"rows that leave {k} to choose from")
        chosen = torch.from_numpy(skip + rng.permutation(_first(top, k, n - skip))[:k])
    else:
        chosen = torch.from_numpy(rng.permutation(n)[:k])
    return pool[chosen]


def check_selector(method: object) -> None:
    """ParameterError unless it is one of ``METHODS``, or a function."""
    if not callable(method) and method not in list(METHODS):
        raise ParameterError(
            f"There is no anchor selection {method!r}; use one of {', '.join(METHODS)}, or a function of the "
            "rows, a number and a seed."
        )


def _own(method: OwnSelector, rows: Tensor, k: int, seed: int) -> Tensor:
    chosen = as_indices(method(rows, k, seed), len(rows), "the anchors that method gives")
    if len(chosen.unique()) != k or len(chosen) != k:
        raise ShapeError(
            f"method must return {k} different rows; it returned {len(chosen)}, {len(chosen.unique())} of "
            "them different."
        )
    return chosen


def _pool(candidates: ArrayLike | None, n: int) -> Tensor:
    if candidates is None:
        return torch.arange(n)
    pool = as_indices(candidates, n, "candidates")
    if len(pool.unique()) != len(pool):
        raise ShapeError(f"candidates must all differ; {len(pool) - len(pool.unique())} of them are repeats.")
    return pool


def _first(top: int | None, k: int, n: int) -> int:
    if top is None:
        return max(k, n // 5)
    return as_whole(top, "top", k, n, "rows to choose from")


def _classes(labels: Sequence[object] | None, n: int) -> Numbers:
    if labels is None:
        raise ParameterError("Choosing anchors per class needs labels, one per row; none were given.")
    if len(labels) != n:
        raise ShapeError(f"There are {n} rows but {len(labels)} labels; give one for each row.")
    return np.unique([str(label) for label in labels], return_inverse=True)[1].astype(np.int64)


def _round_robin(classes: Numbers, rng: np.random.Generator) -> Numbers:
    """Row numbers in an order that takes one row of every class, then a second of every class, …"""
    order = rng.permutation(len(classes)).astype(np.int64)
    seen: Counter[int] = Counter()
    turn = np.empty(len(classes), dtype=np.int64)
    for place, which in enumerate(classes[order].tolist()):
        turn[place] = seen[which]
        seen[which] += 1
    class_order = rng.permutation(len(seen))
    return order[np.lexsort((class_order[classes[order]], turn))]


def _farthest(unit: Tensor, k: int, start: int) -> Tensor:
    unit = unit.to(device())
    chosen = torch.empty(k, dtype=torch.int64, device=unit.device)
    nearest = torch.full((len(unit),), -torch.inf, device=unit.device)
    current = torch.tensor(start, device=unit.device)
    for step in range(k):
        chosen[step] = current
        nearest = torch.maximum(nearest, unit @ unit[current])
        nearest[current] = torch.inf
        current = nearest.argmin()
    return chosen.cpu()


def _nearest_to_centroids(unit: Tensor, k: int, seed: int) -> Tensor:
    from scipy.optimize import linear_sum_assignment

    rows = unit.cpu()
    centroids, _ = kmeans(rows, k, seed)
    near = top_k(centroids, rows, min(8, len(rows)), score=lambda p, q: -torch.cdist(p, q))[1]
    # The first k rows are among the options, so that k different ones can always be assigned.
    options: Tensor = torch.cat([near.flatten(), torch.arange(k)]).unique()
    row, column = linear_sum_assignment(torch.cdist(centroids, rows[options]).numpy())
    return options[torch.from_numpy(column[np.argsort(row)])]
