"""Neighbor lists by cosine, ties broken by lot, and how far two lists agree."""

import numpy as np
import torch
from torch import Tensor

from relviz.compute.blocks import TIE, TILE_ELEMENTS, OnBlock, inner, slices, top_k, top_k_and_ranks


def neighbors(
    x: Tensor, y: Tensor, k: int, rng: np.random.Generator, on_block: OnBlock | None = None
) -> Tensor:
    """The k rows of ``y`` nearest to each row of ``x``, both of unit rows.

    Where the last place of a list is tied, the tied rows draw lots for the places left. Without
    that, lists in a space of equal rows would all name the same first rows and agree perfectly.

    Returns
    -------
    lists
        ``(n, k)`` int64, best first.
    """
    values, lists = top_k(x, y, min(k + 1, len(y)), on_block=on_block)
    return _settle_ties(x, y, k, values, lists, rng)


def neighbors_and_ranks(
    x: Tensor,
    y: Tensor,
    counterparts: Tensor,
    k: int,
    rng: np.random.Generator,
    on_block: OnBlock | None = None,
) -> tuple[Tensor, Tensor]:
    """``neighbors``, and where row ``counterparts[i]`` stands among all rows of ``y`` for row i of ``x``.

    Returns
    -------
    lists, ranks
        ``(n, k)`` int64, and ``(n,)`` float32 as ``counterpart_ranks`` gives them.
    """
    values, lists, ranks = top_k_and_ranks(x, y, counterparts, min(k + 1, len(y)), on_block=on_block)
    return _settle_ties(x, y, k, values, lists, rng), ranks


def jaccard(left: Tensor, right: Tensor) -> Tensor:
    """Jaccard index |∩| / |∪| of two ``(n, k)`` lists of distinct rows, row by row; ``(n,)`` float32."""
    both = torch.cat([left, right], 1).sort(1).values
    common = (both.diff(dim=1) == 0).sum(1)
    return common / (2 * left.shape[1] - common)


def _settle_ties(
    x: Tensor, y: Tensor, k: int, values: Tensor, lists: Tensor, rng: np.random.Generator
) -> Tensor:
    if lists.shape[1] == k:
        return lists
    last, lists = values[:, k - 1 : k], lists[:, :k].clone()
    tied = (last - values[:, k:] <= TIE).nonzero()[:, 0]
    for part in slices(len(tied), max(1, TILE_ELEMENTS // len(y))):
        rows = tied[part]
        score = inner(x[rows], y)
        above = score - last[rows]
        lots = torch.from_numpy(rng.random(score.shape, dtype=np.float32)).to(x.device)
        # Cosines end at -1: tied rows come after all that are truly nearer, the rest after the tied.
        score = torch.where(above > TIE, score, torch.where(above >= -TIE, lots - 3, -4))
        lists[rows] = score.topk(k, dim=1).indices
    return lists
