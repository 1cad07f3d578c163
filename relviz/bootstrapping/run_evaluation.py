"""A run measured with parallel rows whose pairing its solver is never given: each step, and the result."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.bootstrapping.split import Split
from relviz.compute.blocks import top_k
from relviz.frame import Frame
from relviz.measure import Retrieval, retrieval
from relviz.relative_projection import unit_rows

EVERY_ROWS = 5000
"""With more rows than this, the MRR is measured at every fifth step."""
NEIGHBORS = 10


@dataclass(frozen=True)
class Shuffled:
    """Retrieval over all pairings of the same queries: the mean of each metric, and its sd."""

    mean: dict[str, float]
    sd: dict[str, float]


@dataclass(frozen=True)
class Evaluation:
    """What a run found, measured.

    Attributes
    ----------
    rows, held_out, queries
        How many rows there are, how many of them took no part in the run, and with how many it is measured:
        those held out, where there are any. Candidates are all rows.
    accuracy
        Share of right matches among the ``free`` rows of the fit that are not seeds; None if there are none.
    retrieval
        Metrics A → B through the true anchors ``"truth"``, the ``"seeds"`` alone, the points ``"found"`` and
        the ``"rows"`` nearest to them; empty where nothing is left to measure with.
    chance
        The metrics of a random order of the candidates.
    shuffled
        Beside each of ``retrieval``, what shuffled pairings of the queries give.
    """

    rows: int
    held_out: int
    queries: int
    accuracy: float | None
    free: int
    retrieval: dict[str, dict[str, float]]
    chance: dict[str, float]
    shuffled: dict[str, Shuffled]

    @property
    def mrr(self) -> dict[str, float]:
        """MRR, by the names of ``retrieval``."""
        return {name: metrics["mrr"] for name, metrics in self.retrieval.items()}


class Evaluator:
    """Measures what a solver found in the parallel rows of ``x`` (n, dx) and ``y`` (n, dy).

    All rows are taken in the frames of the rows of the fit, in which the solver's points lie. The queries
    are always the same: those of ``split``.
    """

    def __init__(self, x: Tensor, y: Tensor, anchors: Tensor, seeds: Tensor, split: Split) -> None:
        self.split, self._anchors, self._seeds = split, anchors, seeds
        self.frame = Frame().fit(y[split.fit])
        self.x, self.y = Frame().fit(x[split.fit]).transform(x), self.frame.transform(y)
        self.by_anchors, self._by_seeds = (self.x @ self.x[rows].T for rows in (anchors, seeds))
        self._free = split.fit[~torch.isin(split.fit, seeds)]
        self._every = 1 if len(x) <= EVERY_ROWS else 5

    def references(self) -> dict[str, float]:
        """MRR of the true anchors ``"truth"`` and of the ``"seeds"`` alone: what a run is compared with."""
        if not self._has_queries:
            return {}
        found = {"truth": self._mrr(self.by_anchors, self.y[self._anchors])}
        if len(self._seeds):
            found["seeds"] = self._mrr(self._by_seeds, self.y[self._seeds])
        return found

    def step(self, index: int, last: bool, matches: Tensor, anchors: Tensor) -> dict[str, float]:
        """Accuracy of the matches, and now and then the MRR through the anchors ``(k, dy)``."""
        found = {"accuracy": self.accuracy(matches)}
        if self._has_queries and (last or index % self._every == 0):
            found["mrr"] = self._mrr(self.by_anchors, anchors)
        return found

    def accuracy(self, matches: Tensor) -> float:
        """Share of right matches among the rows of the fit that are not seeds; NaN if there are none."""
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

    def evaluation(self, anchors: Tensor, nearest: Tensor, matches: Tensor) -> Evaluation:
        """Evaluate points ``anchors`` (k, dy), the rows ``nearest`` (k,) to them, and ``matches`` (n,)."""
        through = {
            "truth": (self.by_anchors, self.y[self._anchors]),
            "seeds": (self._by_seeds, self.y[self._seeds]),
            "rows": (self.by_anchors, self.y[nearest]),
            "found": (self.by_anchors, anchors),
        }
        found: dict[str, Retrieval] = {}
        if self._has_queries:
            found = {
                name: self._retrieval(by, points, null=1)
                for name, (by, points) in through.items()
                if len(points)
            }
        return Evaluation(
            rows=len(self.x),
            held_out=len(self.split.held),
            queries=len(self.split.queries) if self._has_queries else 0,
            accuracy=self.accuracy(matches) if len(self._free) else None,
            free=len(self._free),
            retrieval={name: one.figures for name, one in found.items()},
            chance=_floats(found["found"].chance) if found else {},
            shuffled={
                name: Shuffled(one.null.figures, _floats(one.null.sd))
                for name, one in found.items()
                if one.null is not None
            },
        )

    @property
    def _has_queries(self) -> bool:
        """Whether there is something to measure with: a pairing of one row cannot be shuffled."""
        return len(self.split.queries) > 1

    def _mrr(self, relative_x: Tensor, anchors: Tensor) -> float:
        return self._retrieval(relative_x, anchors).mrr

    def _retrieval(self, relative_x: Tensor, anchors: Tensor, null: int | None = None) -> Retrieval:
        k = min(NEIGHBORS, len(relative_x))
        return retrieval(relative_x, self.y @ anchors.T, k=k, null=null, queries=self.split.queries)


def _floats(metrics: Mapping[str, float]) -> dict[str, float]:
    return {name: float(value) for name, value in metrics.items()}
