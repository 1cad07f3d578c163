"""Retrieval: does each row find its counterpart in the other space, and the same neighbors?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from relviz.compute.arrays import ArrayLike, as_seed, check_same_dimension, check_same_rows
from relviz.compute.blocks import OnBlock
from relviz.compute.device import device
from relviz.compute.progress import OnProgress, heard
from relviz.errors import ParameterError
from relviz.measure.chance import chance
from relviz.measure.neighbors import jaccard, neighbors, neighbors_and_ranks
from relviz.measure.queries import check_count, query_rows
from relviz.measure.shuffled import shuffled
from relviz.names import renamed
from relviz.pair import Pair, both_sides
from relviz.relative_projection import finite_matrix, unit_rows

METRICS: dict[str, str] = {
    "jaccard": "overlap of the two lists of k nearest neighbors, the row itself counted",
    "mrr_at_k": "mean of 1/rank of the true counterpart, 0 beyond rank k",
    "cosine": "mean cosine similarity of counterparts",
    "top1": "share of queries whose counterpart is alone at rank 1",
    "mrr": "mean of 1/rank of the true counterpart, whatever its rank",
}
"""Figures of a ``Retrieval``, and what each one says."""


@dataclass(frozen=True)
class Null:
    """The figures of a retrieval when the pairing of its queries is shuffled and all else kept.

    Each is the mean over all shuffles, and ``sd`` the standard deviation of each over them: a retrieval
    that lies within two or three of it found nothing.
    """

    jaccard: float
    mrr_at_k: float
    cosine: float
    top1: float
    mrr: float
    sd: Mapping[str, float]

    @property
    def figures(self) -> dict[str, float]:
        """The five means by name, in the order of ``METRICS``."""
        return {name: getattr(self, name) for name in METRICS}


@dataclass(frozen=True, repr=False)
class Retrieval:
    """Metrics of one retrieval (see ``METRICS``), each from 0 to 1 (cosine from -1).

    ``rows`` candidates were searched for each of ``queries`` rows, with lists of ``k``. ``chance`` is the
    exact value of each metric for lists and counterparts drawn at random from all candidates: 1/n for
    top-1. ``null`` has the metrics of this retrieval with the pairing of its queries shuffled.
    """

    jaccard: float
    mrr_at_k: float
    cosine: float
    top1: float
    mrr: float
    k: int
    rows: int
    queries: int
    chance: Mapping[str, float] = field(repr=False)
    null: Null | None = None

    @property
    def figures(self) -> dict[str, float]:
        """The five metrics by name, in the order of ``METRICS``."""
        return {name: getattr(self, name) for name in METRICS}

    def __repr__(self) -> str:
        said = ", ".join(f"{name} {value:.3f}" for name, value in self.figures.items())
        return f"Retrieval({said}; k {self.k}, {self.queries} queries of {self.rows} rows)"


@renamed(rx="x", ry="y", on_block="on_progress")
def retrieval(
    x: ArrayLike | Pair,
    y: ArrayLike | None = None,
    k: int = 10,
    null: int | None = None,
    seed: int = 0,
    queries: ArrayLike | None = None,
    on_progress: OnProgress | None = None,
) -> Retrieval:
    """Measure how well the rows of ``x`` retrieve their counterparts in ``y``, by cosine.

    Both lists of a query are searched in the target space: the neighbors of ``y[i]`` and those of
    ``x[i]``, both among all rows of ``y``, the row itself included. Tied rows get their mean rank, and
    ties at the end of a list are broken at random, so a space of equal rows scores at chance.

    An anchor of both spaces retrieves itself, whatever the encoders. Exclude anchors from the ``queries``
    (``held_out``), as ``anchor_retrieval`` does.

    Source: the metrics of Moschella et al. 2023 (arXiv 2209.15430, table 1) and Cannistraci et al.
    2023 (arXiv 2303.00721), as their authors compute them. Memory O(n·d).

    Parameters
    ----------
    x, y
        Both ``(n, d)``, parallel: row i of one is the counterpart of row i of the other, n ≥ 2; or a
        ``Pair``. They are not centered.
    k
        Length of the lists, 1 to n.
    null
        None for no null. Any number from 1 computes it, exactly, over all shuffles of the queries.
    seed
        Seed of the queries and of the tie-breaking.
    queries
        Row numbers of the queries, or how many to sample at random; by default all rows. All rows are
        candidates.
    on_progress
        Called with the fraction done; see ``relviz.compute.progress``.

    Raises
    ------
    ShapeError
        If the shapes differ.
    ParameterError
        If k, null or queries is out of range, or a number is NaN or infinite.

    Examples
    --------
    >>> x = torch.eye(4)
    >>> retrieval(x, 5 * x, k=1).mrr_at_k
    1.0
    """
    left, right = both_sides(x, y)
    source, target = finite_matrix(left, "x"), finite_matrix(right, "y")
    check_same_rows(source, target, "x and y")
    check_same_dimension(source, target, "x and y")
    n = len(source)
    if n < 2:
        raise ParameterError("One row is always its own nearest; a retrieval needs at least 2 rows.")
    check_count(k, n, "k")
    if null is not None:
        check_count(null, None, "null")

    rng, on_block = np.random.default_rng(as_seed(seed)), heard(on_progress)
    asked = query_rows(queries, n, rng)
    if null is not None and len(asked) < 2:
        raise ParameterError("The pairing of one query cannot be shuffled; give at least 2, or null=None.")
    counterparts = torch.from_numpy(asked).to(device())
    source = unit_rows(source[torch.from_numpy(asked).to(source.device)].to(device()))
    target = unit_rows(target.to(device()))
    own = neighbors(target[counterparts], target, k, rng, _half(on_block, 0.0))
    found, ranks = neighbors_and_ranks(source, target, counterparts, k, rng, _half(on_block, 0.5))
    inverse = 1 / ranks
    moments = {} if null is None else shuffled(source, target, counterparts, own, found)
    return Retrieval(
        jaccard=_mean(jaccard(own, found)),
        mrr_at_k=_mean(torch.where(ranks <= k, inverse, 0)),
        cosine=_mean((source * target[counterparts]).sum(1)),
        top1=_mean(ranks == 1),
        mrr=_mean(inverse),
        k=k,
        rows=n,
        queries=len(asked),
        chance=chance(source, target, k),
        null=Null(
            **{name: one.mean for name, one in moments.items()},
            sd={name: one.sd for name, one in moments.items()},
        )
        if moments
        else None,
    )


def mean_figures(runs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Mean of each metric over the runs."""
    return {name: sum(run[name] for run in runs) / len(runs) for name in METRICS}


def _mean(values: Tensor) -> float:
    return float(values.cpu().double().mean())


def _half(on_block: OnBlock | None, start: float) -> OnBlock | None:
    return None if on_block is None else lambda done: on_block(start + done / 2)
