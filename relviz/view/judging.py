"""How right a run is, measured with rows that it never sees, against a pairing that its solver never sees."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from relviz.bootstrap.split import Frame, Split
from relviz.compute.blocks import top_k
from relviz.measure import Retrieval, retrieval
from relviz.relative import unit_rows

MOST_QUERIES = 500
"""Rows searched with at most, the same in every step and after the last."""
EVERY_ROWS = 5000
"""With more rows than this, the MRR is measured at every fifth step."""
NEIGHBOURS = 10
UNMATCHED = -1
"""In the place of a match: a row that is held out has none while the run goes on."""


class Judge:
    """Measures what a solver found in the parallel rows of ``x`` (n, dx) and ``y`` (n, dy).

    All rows are taken in the frames of the rows of the fit, in which the solver's points lie. What is asked
    is always the same: the queries of ``split``.
    """

    def __init__(self, x: Tensor, y: Tensor, anchors: Tensor, seeds: Tensor, split: Split) -> None:
        self.split, self._anchors, self._seeds = split, anchors, seeds
        self.frame = Frame.of(y[split.fit])
        self.x, self.y = Frame.of(x[split.fit])(x), self.frame(y)
        self.by_anchors, self._by_seeds = (self.x @ self.x[rows].T for rows in (anchors, seeds))
        self._free = split.fit[~torch.isin(split.fit, seeds)]
        self._every = 1 if len(x) <= EVERY_ROWS else 5

    def lines(self) -> dict[str, float]:
        """MRR with the true anchors and with the seeds alone: what a run lies between, or beyond."""
        if not self._asks:
            return {}
        lines = {"truth": self._mrr(self.by_anchors, self.y[self._anchors])}
        if len(self._seeds):
            lines["seeds"] = self._mrr(self._by_seeds, self.y[self._seeds])
        return lines

    def step(self, index: int, last: bool, matches: Tensor, anchors: Tensor) -> dict[str, float]:
        """Accuracy of the matches, and now and then the MRR through the anchors ``(k, dy)``."""
        told = {"accuracy": self.accuracy(matches)}
        if self._asks and (last or index % self._every == 0):
            told["mrr"] = self._mrr(self.by_anchors, anchors)
        return told

    def accuracy(self, matches: Tensor) -> float:
        """Share of right matches among the rows of the fit that are no seeds; NaN if there are none."""
        return float((matches[self._free] == self._free).double().mean())

    def complete(self, matches: Tensor, anchors: Tensor) -> Tensor:
        """Matches ``(n,)`` of the rows of the fit, and the nearest rows by the anchors of those held out."""
        held = self.split.held
        if not len(held):
            return matches
        relative_y = unit_rows(self.y @ anchors.T)
        filled = matches.clone()
        filled[held] = top_k(unit_rows(self.by_anchors[held]), relative_y, 1)[1][:, 0].cpu()
        return filled

    def outcome(self, anchors: Tensor, indices: Tensor, matches: Tensor) -> dict[str, Any]:
        """Retrieval A → B through true anchors, seeds, found anchors, and the items nearest to these.

        Beside each what a shuffled pairing of the same queries gives, and beside all what chance gives.
        """
        given = {
            "truth": (self.by_anchors, self.y[self._anchors]),
            "seeds": (self._by_seeds, self.y[self._seeds]),
            "rows": (self.by_anchors, self.y[indices]),
            "found": (self.by_anchors, anchors),
        }
        sizes = {
            "rows": len(self.x),
            "held_out": len(self.split.held),
            "queries": len(self.split.queries) if self._asks else 0,
            "right": self.accuracy(matches) if len(self._free) else None,
            "right_of": len(self._free),
        }
        if not self._asks:
            return {**sizes, "measured": {}, "chance": {}, "null": {}}
        measured = {
            name: self._retrieval(by, points, null=1) for name, (by, points) in given.items() if len(points)
        }
        return {
            **sizes,
            "measured": {name: one.figures for name, one in measured.items()},
            "chance": _plain(measured["found"].chance),
            "null": {
                name: {"mean": one.null.figures, "sd": _plain(one.null.sd)}
                for name, one in measured.items()
                if one.null is not None
            },
        }

    @property
    def _asks(self) -> bool:
        """Whether there is something to ask: a pairing of one row cannot be shuffled."""
        return len(self.split.queries) > 1

    def _mrr(self, relative_x: Tensor, anchors: Tensor) -> float:
        return self._retrieval(relative_x, anchors).mrr_full

    def _retrieval(self, relative_x: Tensor, anchors: Tensor, null: int | None = None) -> Retrieval:
        k = min(NEIGHBOURS, len(relative_x))
        return retrieval(relative_x, self.y @ anchors.T, k=k, null=null, queries=self.split.queries)


def _plain(figures: Mapping[str, float]) -> dict[str, float]:
    return {name: float(value) for name, value in figures.items()}
