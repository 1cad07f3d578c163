"""What a retrieval gives when the pairing of its queries is shuffled: mean and spread, exactly.

A metric is a mean over queries of some ``a[i, j]``: what query i scores when its counterpart is that of query
j. Over all ways to shuffle the q queries its mean is that of ``a``, and its variance follows from ``a`` minus
its row and column means (Hoeffding 1951, theorem 2). Nothing is drawn, so no seed is needed.
"""

import math
from typing import NamedTuple

import numpy as np
import torch
from scipy.sparse import csr_array
from torch import Tensor

from relviz.compute.blocks import slices

_ROWS = 1024
"""Queries whose lists are compared with those of all others at a time."""


class Moments(NamedTuple):
    """Mean and standard deviation of a metric over all shuffles."""

    mean: float
    sd: float


def shuffled(
    source: Tensor, target: Tensor, counterparts: Tensor, own: Tensor, found: Tensor
) -> dict[str, Moments]:
    """Moments of every metric of ``relviz.retrieval`` under a shuffled pairing of its queries.

    The full-ranking MRR, whose ``a`` would need every rank, is taken as if a counterpart were equally likely
    at every rank.

    Parameters
    ----------
    source, target
        ``(q, d)`` the queries and ``(n, d)`` the candidates, unit rows.
    counterparts
        ``(q,)`` rows of ``target``, distinct.
    own, found
        ``(q, k)`` the lists of the counterparts and of the queries.
    """
    q, n = len(source), len(target)
    place_of = torch.full((n,), -1, dtype=torch.int64, device=found.device)
    place_of[counterparts] = torch.arange(q, device=found.device)
    columns = place_of[found].cpu().numpy()
    hits = np.zeros_like(columns, dtype=np.float64)
    hits[:, 0] = 1
    inverse = np.broadcast_to(1 / np.arange(1, found.shape[1] + 1), columns.shape)
    harmonic = 1 / np.arange(1, n + 1)
    mean = float(harmonic.sum()) / n
    return {
        "jaccard": _of_lists(found.cpu().numpy(), own.cpu().numpy(), n),
        "mrr_at_k": _of_entries(columns, inverse),
        "cosine": moments_of_products(source, target[counterparts]),
        "top1": _of_entries(columns, hits),
        "mrr": Moments(mean, math.sqrt((float((harmonic**2).sum()) / n - mean**2) / q)),
    }


def _of_entries(columns: np.ndarray, values: np.ndarray) -> Moments:
    """``a`` given by some entries a row, ``(q, k)`` each; columns of -1 are none of the queries'."""
    q = len(columns)
    values = np.where(columns < 0, 0, values)
    by_column = np.bincount(np.maximum(columns, 0).ravel(), values.ravel(), minlength=q)
    return moments_of_sums(q, float((values**2).sum()), values.sum(1), by_column)


def _of_lists(found: np.ndarray, own: np.ndarray, n: int) -> Moments:
    q, k = found.shape
    ones, starts = np.ones(q * k, np.float64), np.arange(0, q * k + 1, k)
    lists = csr_array((ones, own.ravel(), starts), shape=(q, n)).T.tocsr()
    squares, by_row, by_column = 0.0, [], np.zeros(q)
    for rows in slices(q, _ROWS):
        part = found[rows]
        common = (
            csr_array((ones[: part.size], part.ravel(), starts[: len(part) + 1]), shape=(len(part), n))
            @ lists
        )
        common.data = common.data / (2 * k - common.data)
        squares += float((common.data**2).sum())
        by_row.append(common.sum(1))
        by_column += common.sum(0)
    return moments_of_sums(q, squares, np.concatenate(by_row), by_column)


def moments_of_products(source: Tensor, wanted: Tensor) -> Moments:
    """Of the mean product of rows ``(q, d)`` of one with shuffled rows of the other."""
    left, right = source.double(), wanted.double()
    mean = float(left.mean(0) @ right.mean(0))
    left, right = left - left.mean(0), right - right.mean(0)
    if len(left) < left.shape[1]:
        spread = float((left @ right.T).square().sum())
    else:
        spread = float(((left.T @ left) * (right.T @ right)).sum())
    return Moments(mean, _sd(len(left), spread))


def moments_of_sums(q: int, squares: float, by_row: np.ndarray, by_column: np.ndarray) -> Moments:
    """From the sum of squares of ``a`` ``(q, q)``, and the sums ``(q,)`` of its rows and of its columns."""
    mean = float(by_row.sum()) / q**2
    spread = squares - float((by_row**2).sum() + (by_column**2).sum()) / q + (q * mean) ** 2
    return Moments(mean, _sd(q, spread))


def _sd(q: int, spread: float) -> float:
    return math.sqrt(max(spread, 0.0) / (q - 1)) / q
