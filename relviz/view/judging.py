"""How right a run is, measured against a pairing that its solver never sees."""

from typing import Any

import torch
from torch import Tensor

from relviz.measure import Retrieval, retrieval

STEP_QUERIES = 256
"""Rows that the MRR of one step is measured with, the same in every step."""
LAST_QUERIES = 1000
EVERY_ROWS = 5000
"""With more rows than this, the MRR is measured at every fifth step."""
NEIGHBOURS = 10


class Judge:
    """Measures what a solver found in prepared ``x`` (n, dx) and ``y`` (n, dy) whose rows are parallel."""

    def __init__(self, x: Tensor, y: Tensor, anchors: Tensor, seeds: Tensor) -> None:
        self._y = y
        self._anchors, self._seeds = anchors, seeds
        self._by_anchors, self._by_seeds = x @ x[anchors].T, x @ x[seeds].T
        self._rows = torch.arange(len(x))
        self._every = 1 if len(x) <= EVERY_ROWS else 5

    def lines(self) -> dict[str, float]:
        """MRR with the true anchors and with the seeds alone: what a run lies between, or beyond."""
        lines = {"truth": self._mrr(self._by_anchors, self._y[self._anchors])}
        if len(self._seeds):
            lines["seeds"] = self._mrr(self._by_seeds, self._y[self._seeds])
        return lines

    def step(self, index: int, last: bool, matches: Tensor, anchors: Tensor) -> dict[str, float]:
        """Accuracy of the matches, and now and then the MRR through the anchors ``(k, dy)``."""
        told = {"accuracy": self.accuracy(matches)}
        if last or index % self._every == 0:
            told["mrr"] = self._mrr(self._by_anchors, anchors)
        return told

    def accuracy(self, matches: Tensor) -> float:
        """Share of the rows that are matched with their partner."""
        return float((matches == self._rows).double().mean())

    def outcome(self, anchors: Tensor, indices: Tensor) -> dict[str, dict[str, Any]]:
        """Retrieval A → B through true anchors, seeds, found anchors, and the rows nearest to these."""
        given = {
            "truth": (self._by_anchors, self._y[self._anchors]),
            "seeds": (self._by_seeds, self._y[self._seeds]),
            "found": (self._by_anchors, anchors),
            "rows": (self._by_anchors, self._y[indices]),
        }
        return {
            name: self._retrieval(by, points, LAST_QUERIES).figures
            for name, (by, points) in given.items()
            if len(points)
        }

    def _mrr(self, relative_x: Tensor, anchors: Tensor) -> float:
        return self._retrieval(relative_x, anchors, STEP_QUERIES).mrr_full

    def _retrieval(self, relative_x: Tensor, anchors: Tensor, queries: int) -> Retrieval:
        n = len(relative_x)
        chosen = queries if queries < n else None
        return retrieval(relative_x, self._y @ anchors.T, k=min(NEIGHBOURS, n), queries=chosen)
