"""Retrieval: does each row find its partner in the other space, and the same neighbours?"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from relviz.compute.arrays import check_same_dimension, check_same_rows
from relviz.compute.blocks import OnBlock
from relviz.compute.device import device
from relviz.errors import ParameterError
from relviz.measure.neighbours import jaccard, neighbours, neighbours_and_ranks
from relviz.relative import finite_matrix, unit_rows

METRICS: dict[str, str] = {
    "jaccard": "overlap of the two lists of k nearest neighbours, the row itself counted",
    "mrr": "mean of 1/rank of the true partner, 0 beyond rank k",
    "cosine": "mean cosine of partners",
    "top1": "share of rows whose partner is alone at the first place",
    "mrr_full": "mean of 1/rank of the true partner, whatever its rank",
}
"""Figures of a ``Retrieval``, and what each one says."""


@dataclass(frozen=True)
class Retrieval:
    """Figures of one retrieval (see ``METRICS``), each from 0 to 1 (cosine from -1).

    ``rows`` were searched for each of ``queries`` rows, with lists of ``k``. ``null`` holds the same
    figures for partners permuted at random, the mean over the permutations: what chance gives.
    """

    jaccard: float
    mrr: float
    cosine: float
    top1: float
    mrr_full: float
    k: int
    rows: int
    queries: int
    null: "Retrieval | None" = None

    @property
    def figures(self) -> dict[str, float]:
        """The five figures by name, in the order of ``METRICS``."""
        return {name: getattr(self, name) for name in METRICS}


def retrieval(
    rx: Any,
    ry: Any,
    k: int = 10,
    null: int | None = None,
    seed: int = 0,
    queries: int | None = None,
    on_block: OnBlock | None = None,
) -> Retrieval:
    """Retrieve the rows of ``ry`` with the parallel rows of ``rx``, by cosine.

    Both lists of a row are searched in the target space: the neighbours of ``ry[i]`` and those of
    ``rx[i]``, both among all rows of ``ry``, the row itself included. Ranks give tied rows the mean
    of their places, and ties at the end of a list are broken by lot, so a space of equal rows
    scores as chance does.

    Source: the metrics of Moschella et al. 2023 (arXiv 2209.15430, table 1) and Cannistraci et al.
    2023 (arXiv 2303.00721), as their authors compute them. Memory O(n·d).

    Parameters
    ----------
    rx, ry
        Both ``(n, d)``, parallel: row i of one is the partner of row i of the other. They are taken
        as they are, not centred.
    k
        Length of the lists, 1 to n.
    null
        How many permutations of the partners give the level of chance; None for no null.
    seed
        Of the permutations, the queries and the lots.
    queries
        How many rows, drawn at random, are searched with; all of them without it.
    on_block
        Called with the fraction done; it may raise to stop.

    Raises
    ------
    ShapeError
        If the shapes differ.
    ParameterError
        If k, null or queries is out of range, or a number is NaN or infinite.

    Examples
    --------
    >>> x = torch.eye(4)
    >>> retrieval(x, 5 * x, k=1).mrr
    1.0
    """
    source, target = finite_matrix(rx, "rx"), finite_matrix(ry, "ry")
    check_same_rows(source, target, "rx and ry")
    check_same_dimension(source, target, "rx and ry")
    n = len(source)
    for name, value in {"k": k, "queries": queries}.items():
        if value is not None and not 1 <= value <= n:
            raise ParameterError(f"{name} must lie between 1 and the {n} rows; it is {value}.")
    if null is not None and null < 1:
        raise ParameterError(f"null must be at least 1 permutation, or None for no null; it is {null}.")

    rng = np.random.default_rng(seed)
    asked = np.arange(n) if queries is None else np.sort(rng.choice(n, queries, replace=False))
    partners = torch.from_numpy(asked).to(device())
    source = unit_rows(source[torch.from_numpy(asked).to(source.device)].to(device()))
    target = unit_rows(target.to(device()))
    expected = neighbours(target[partners], target, k, rng, _half(on_block, 0.0))
    found, ranks = neighbours_and_ranks(source, target, partners, k, rng, _half(on_block, 0.5))
    inverse = 1 / ranks
    figures = {
        "jaccard": _mean(jaccard(expected, found)),
        "mrr": _mean(torch.where(ranks <= k, inverse, 0)),
        "cosine": _mean((source * target[partners]).sum(1)),
        "top1": _mean(ranks == 1),
        "mrr_full": _mean(inverse),
    }

    def result(figures: dict[str, Any], null: Retrieval | None) -> Retrieval:
        return Retrieval(**figures, k=k, rows=n, queries=len(asked), null=null)

    if null is None:
        return result(figures, None)
    runs = [_permuted(source, target, partners, expected, found, rng) for _ in range(null)]
    return result(figures, result(mean_figures(runs), None))


def mean_figures(runs: list[dict[str, float]]) -> dict[str, float]:
    """Mean of each metric over the runs."""
    return {name: sum(run[name] for run in runs) / len(runs) for name in METRICS}


def _permuted(
    source: Tensor,
    target: Tensor,
    partners: Tensor,
    expected: Tensor,
    found: Tensor,
    rng: np.random.Generator,
) -> dict[str, float]:
    """The figures with partners permuted, from lists that exist already: no search is repeated."""
    order = torch.from_numpy(rng.permutation(len(partners))).to(partners.device)
    wrong = partners[order]
    places = torch.arange(1, found.shape[1] + 1, device=found.device)
    hits = found == wrong[:, None]
    every_place = torch.arange(1, len(target) + 1, dtype=torch.float64)
    return {
        "jaccard": _mean(jaccard(expected[order], found)),
        "mrr": _mean((hits / places).sum(1)),
        "cosine": _mean((source * target[wrong]).sum(1)),
        "top1": _mean(hits[:, 0]),
        # A partner at random is as likely at every place, so this mean is known without ranking.
        "mrr_full": _mean(1 / every_place),
    }


def _mean(values: Tensor) -> float:
    return float(values.cpu().double().mean())


def _half(on_block: OnBlock | None, start: float) -> OnBlock | None:
    return None if on_block is None else lambda done: on_block(start + done / 2)
