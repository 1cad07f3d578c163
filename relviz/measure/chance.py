"""What the figures of a retrieval come to by chance, exactly."""

from math import exp, lgamma

import torch
from torch import Tensor


def chance(source: Tensor, target: Tensor, k: int) -> dict[str, float]:
    """Every figure of a retrieval whose lists and counterparts are drawn at random among all candidates.

    Parameters
    ----------
    source, target
        ``(q, d)`` queries and ``(n, d)`` candidates, unit rows: the cosine of a random pair depends on them.
    k
        Length of the lists.
    """
    n = len(target)
    inverse = 1 / torch.arange(1, n + 1, dtype=torch.float64)
    return {
        "jaccard": chance_jaccard(n, k),
        "mrr_at_k": float(inverse[:k].sum()) / n,
        "cosine": float(source.double().mean(0) @ target.double().mean(0)),
        "top1": 1 / n,
        "mrr": float(inverse.sum()) / n,
    }


def chance_jaccard(others: int, k: int) -> float:
    """Mean Jaccard index of two lists of k drawn at random of so many others (hypergeometric).

    >>> round(chance_jaccard(2, 1), 6)
    0.5
    """
    log_all = _log_choose(others, k)
    return sum(
        exp(_log_choose(k, common) + _log_choose(others - k, k - common) - log_all)
        * common
        / (2 * k - common)
        for common in range(max(1, 2 * k - others), k + 1)
    )


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
