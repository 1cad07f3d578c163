"""Where each query's counterpart stands, and what shuffled counterparts give, exactly."""

import numpy as np
import torch
from torch import Tensor

from relviz.compute.blocks import TIE, slices, steps
from relviz.measure.shuffled import Moments, moments_of_sums


def counterpart_ranks(moved: Tensor, goal: Tensor, rows: Tensor) -> Tensor:
    """Ranks ``(q,)`` float64 of ``rows`` of ``goal`` ``(n, d)`` as seen from ``moved`` ``(q, d)``, unit rows.

    Rows that score alike, to within ``TIE``, share the mean of their ranks.
    """
    return ranked(moved, goal, rows, shuffle=False)[0]


def ranked(moved: Tensor, goal: Tensor, rows: Tensor, shuffle: bool) -> tuple[Tensor, dict[str, Moments]]:
    """``counterpart_ranks``; and the moments of cosine, mrr and top1 if counterparts are to be shuffled."""
    q = len(moved)
    ranks = torch.empty(q, dtype=torch.float64)
    sums = {name: _Sums(q) for name in ("cosine", "mrr", "top1")}
    for part in slices(q, steps(len(goal), goal.device)[0]):
        tile = moved[part] @ goal.T
        wanted = tile[:, rows] if shuffle else tile.gather(1, rows[part, None])
        found = _ranks(torch.from_numpy(np.sort(tile.numpy(), axis=1)), wanted)
        if not shuffle:
            ranks[part] = found[:, 0]
            continue
        ranks[part] = found[torch.arange(len(tile)), torch.arange(part.start, part.start + len(tile))]
        for name, entries in {"cosine": wanted, "mrr": 1 / found, "top1": found == 1}.items():
            sums[name].add(entries)
    return ranks, {name: one.moments() for name, one in sums.items()} if shuffle else {}


def _ranks(rising: Tensor, values: Tensor) -> Tensor:
    """Ranks of values ``(p, w)`` among sorted rows ``(p, n)``, the highest first; ties share their mean."""
    below = torch.searchsorted(rising, values - TIE)
    upto = torch.searchsorted(rising, values + TIE, right=True)
    return rising.shape[1] - (below + upto - 1).double() / 2


class _Sums:
    """Moments of the mean of ``a[i, π(i)]`` over all permutations π, from ``a`` ``(q, q)`` block by block."""

    def __init__(self, q: int) -> None:
        self._q, self._squares = q, 0.0
        self._rows: list[Tensor] = []
        self._columns = torch.zeros(q, dtype=torch.float64)

    def add(self, entries: Tensor) -> None:
        exact = entries.double()
        self._squares += float(exact.square().sum())
        self._rows.append(exact.sum(1))
        self._columns += exact.sum(0)

    def moments(self) -> Moments:
        """Mean and standard deviation."""
        return moments_of_sums(self._q, self._squares, torch.cat(self._rows).numpy(), self._columns.numpy())
