"""One run of annealing: what it works on, and the record of its steps."""

import torch
from torch import Tensor

from relviz.bootstrapping.anneal_recorded import Rows
from relviz.bootstrapping.correspondence import Correspondence, hard
from relviz.bootstrapping.hints import cost_of, with_hints
from relviz.bootstrapping.inputs import Given
from relviz.bootstrapping.null import Null
from relviz.bootstrapping.options import AnnealedOptions
from relviz.bootstrapping.principal_axes import MOST_DIMENSIONS, some_rows, unexplained, working
from relviz.bootstrapping.procrustes import Alignment, align, nuclear
from relviz.bootstrapping.record import Record
from relviz.bootstrapping.search import Standing
from relviz.relative_projection import unit_rows

_NOTED = 500
"""Rows of x by which a step of annealing is recorded: all of them would take a tenth of a run."""


class Run:
    """What a run works on, and the record of its steps.

    Attributes
    ----------
    given, options, record
        What it was called with.
    generator
        Draws all that is random.
    frame
        Both spaces on their leading axes, and the rows to anneal with.
    null
        Both spaces as matches are judged by them.
    cost
        What hints add to the cost of a match.
    noted
        ``(k,)`` places among the rows to anneal with, of those that a step is recorded by.
    standing
        Where the two populations of the last search stand; None before there was one.
    """

    def __init__(self, given: Given, options: AnnealedOptions, seed: int, record: Record) -> None:
        self.given, self.options, self.record = given, options, record
        self.generator = torch.Generator().manual_seed(seed)
        self.frame = working(given, self.generator)
        self.null = Null(*unexplained(self.frame, given.hints), record.beat, given.sx)
        self.cost = cost_of(self.frame.hints)
        self.noted = some_rows(len(self.frame.rows_x), self.frame.seeds[0], _NOTED, self.generator)[0]
        self.standing: Standing | None = None

    @property
    def worked_on(self) -> Rows:
        """The rows of both spaces to anneal with."""
        return self.frame.rows_x, self.frame.rows_y

    def fitted(self, pairs: Rows) -> Alignment:
        """The rotation that is fitted to pairs of rows of both spaces."""
        return align(self.frame.x[pairs[0]].T @ self.frame.y[pairs[1]], MOST_DIMENSIONS)

    def fit(self, matches: Tensor) -> float:
        """The mean cosine of matched rows under their best rotation."""
        return nuclear(self.null.x, self.null.y[matches])

    def note(
        self,
        eps: float,
        found: Correspondence,
        alignment: Alignment,
        rows: Rows,
        standing: Standing | None = None,
    ) -> bool:
        """Record a step on these rows of both spaces; whether the run is to stop."""
        given, frame = self.given, self.frame
        (rx, ry), (dx, dy) = rows, (len(alignment.left), len(alignment.right))
        points = frame.x[given.anchors]
        placed = unit_rows(alignment.apply(points[:, :dx]))
        anchors, matches = placed @ frame.axes[:, :dy].T, ry[found.y_of_x]
        relative_x, relative_y = frame.x[rx] @ points.T, frame.y[matches, :dy] @ placed.T
        loss = float((relative_x - relative_y).square().mean())
        if self.record.on_step is not None and len(rx) < len(frame.x):
            u, v = alignment.sides(frame.x[:, :dx], frame.y[ry, :dy])
            u, v = with_hints(u, frame.hints_x), with_hints(v, frame.hints_y[ry])
            matches = ry[hard(u, v, self.cost, both=False).y_of_x]
        return self.record.step(loss, eps, found.agreement, matches, anchors, standing)
