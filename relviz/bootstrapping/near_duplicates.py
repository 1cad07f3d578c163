"""Rows that are one and the same, or nearly: which of them is chosen is a matter of chance."""

import torch
from torch import Tensor

from relviz.compute.blocks import top_k
from relviz.relative_projection import unit_rows

_TWIN, _NEIGHBOR, _NEIGHBORS_ASKED = 0.1, 5, 500
_ROUNDING = 1e-5
_BLOCK = 500


def distinct(rows: Tensor) -> float:
    """Share of the rows ``(n, d)`` that are left if near-duplicates are taken as one."""
    return len(Twins(rows).first().unique()) / len(rows)


class Twins:
    """Whether two rows are one and the same, or near-duplicates.

    These are nearer than a tenth of the cosine distance at which rows have their fifth neighbor.
    """

    def __init__(self, rows: Tensor) -> None:
        self._rows = unit_rows(rows)
        order = torch.randperm(len(rows), generator=torch.Generator().manual_seed(0)).to(rows.device)
        asked = self._rows[order[:_NEIGHBORS_ASKED]]
        near = top_k(asked, self._rows, min(_NEIGHBOR + 1, len(rows)))[0][:, -1]
        self._nearer = _TWIN * float((1 - near).median()) + _ROUNDING

    def first(self) -> Tensor:
        """For each row the first that is the same or a near-duplicate of it."""
        parts = self._rows.split(_BLOCK)
        return torch.cat([((1 - part @ self._rows.T) <= self._nearer).int().argmax(1) for part in parts])

    def __call__(self, a: Tensor, b: Tensor) -> Tensor:
        return (a == b) | (1 - (self._rows[a] * self._rows[b]).sum(1) < self._nearer)
