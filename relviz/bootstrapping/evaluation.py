"""Anchor optimization on two spaces whose pairing is known here, and never told to the solver."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor

from relviz.anchors import select_anchors
from relviz.bootstrapping import Checkpoint, OnStep, Pulse, bootstrap
from relviz.bootstrapping.fitted_anchors import fitted_anchors
from relviz.bootstrapping.inputs import check_given, without
from relviz.bootstrapping.procrustes import align
from relviz.bootstrapping.split import Split, check_share, split
from relviz.compute.arrays import ArrayLike, check_same_rows
from relviz.compute.blocks import OnBlock
from relviz.frame import Frame
from relviz.measure import Retrieval, retrieval
from relviz.names import BootstrapMethod
from relviz.relative_projection import finite_matrix, relative, unit_rows

BothWays = tuple[Retrieval, Retrieval]
"""A retrieval x → y, and y → x."""

_ORDER = 20230301
"""First half of the seed of the order in which a solver is given the rows of y."""


@dataclass(frozen=True, eq=False)
class Solution:
    """What a solver found, in the order of the pairing.

    Attributes
    ----------
    anchors
        ``(k, dy)`` points in the frame of the draw, that of ``relviz.prepare`` of the rows of the fit.
    indices
        ``(k,)`` int64, the rows of y that stand for them.
    right
        Share of the rows of the fit that are matched with their counterpart, seeds left out; NaN if there
        are none.
    converged, reason
        The solver's own verdict, and what it rests on.
    seconds
        How long it took.
    """

    anchors: Tensor
    indices: Tensor
    right: float
    converged: bool
    reason: str
    seconds: float = field(compare=False)


class Pairing:
    """Two parallel spaces ``x`` ``(n, dx)`` and ``y`` ``(n, dy)`` whose pairing is known here.

    ``k`` is that of ``relviz.retrieval``, ``queries`` how many rows are searched with at most.
    ``held_out`` is the share of the rows that takes part in no fit, and is searched with. With
    ``include_anchors`` all rows take part in the fit, and all are searched with, as the papers count.

    Raises
    ------
    ShapeError
        If the numbers of rows differ.
    ParameterError
        If a number is NaN or infinite, or the share is out of range.
    """

    def __init__(
        self,
        x: ArrayLike,
        y: ArrayLike,
        k: int = 10,
        queries: int | None = None,
        held_out: float = 0.0,
        include_anchors: bool = False,
    ) -> None:
        self.given = finite_matrix(x), finite_matrix(y, "y")
        check_same_rows(*self.given)
        self.k, self._queries = k, queries
        self._share, self._include = check_share(held_out), include_anchors

    def draw(self, anchors: int, seed: int) -> "Draw":
        """Rows that are anchors, at random. Fewer of one seed are among more."""
        return Draw(self, select_anchors(self.given[0], anchors, "uniform", seed), seed)

    def split(self, rows: Tensor, seed: int) -> Split:
        """The rows of the fit and the queries, where these rows are anchors."""
        n = len(self.given[0])
        if not self._include:
            return split(n, rows, self._share, seed, self._queries)
        every, asked = torch.arange(n), np.arange(n)
        if self._queries is not None and self._queries < n:
            asked = np.sort(np.random.default_rng(seed).choice(n, self._queries, replace=False))
        return Split(every, every[:0], torch.from_numpy(asked))


class Draw:
    """A anchor sample from a pairing, and the rows that are held out with it.

    Attributes
    ----------
    rows
        ``(k,)`` rows of x that are anchors.
    split
        Rows of the fit, rows held out, and queries.
    x, y
        All rows, in the frames of the rows of the fit.
    """

    def __init__(self, pairing: Pairing, rows: Tensor, seed: int) -> None:
        self.rows, self.split = rows, pairing.split(rows, seed)
        self._pairing, self._seed = pairing, seed
        x, y = pairing.given
        self._seen = x[self.split.fit], y[self.split.fit]
        self.x, self.y = (
            Frame().fit(seen).transform(rows) for seen, rows in zip(self._seen, (x, y), strict=True)
        )

    def through(
        self, points: Tensor, on_block: Sequence[OnBlock | None] = (None, None), rows: Tensor | None = None
    ) -> BothWays:
        """Retrieval where the anchors of x, or ``rows`` ``(k,)``, and ``points`` ``(k, dy)`` are anchors."""
        rows = self.rows if rows is None else rows
        return self.between(relative(self.x, self.x[rows]), relative(self.y, points), on_block)

    def between(self, rx: Tensor, ry: Tensor, on_block: Sequence[OnBlock | None] = (None, None)) -> BothWays:
        """Retrieval of ``ry`` ``(n, d)`` with ``rx``, and the other way, by the queries of the draw."""
        there, back = on_block
        options: dict[str, Any] = {"k": self._pairing.k, "seed": self._seed, "queries": self.split.queries}
        options["null"] = 1 if len(self.split.queries) > 1 else None
        return retrieval(rx, ry, on_progress=there, **options), retrieval(ry, rx, on_progress=back, **options)

    def rotated(self) -> Tensor:
        """The anchors translated into y by the Procrustes rotation of all true counterparts of the fit."""
        x, y = (side[self.split.fit] for side in (self.x, self.y))
        return unit_rows(align(x.T @ y, min(x.shape[1], y.shape[1])).apply(self.x[self.rows]))

    def fitted(self, matches: Tensor | None = None) -> Tensor:
        """Anchors fitted to matches of the fit ``(n,)`` as ``annealed`` fits them; else to the true ones."""
        none = self.rows[:0]
        x, y = self._seen
        given = check_given(x, y, self.split.in_fit(self.rows), (none, none))
        found = torch.arange(len(given.x)) if matches is None else matches
        found = found.to(given.x.device)
        return fitted_anchors(given, found, torch.ones_like(found, dtype=torch.bool)).cpu()

    def solve(
        self,
        known: int,
        method: BootstrapMethod,
        on_step: OnStep | None = None,
        pulse: Pulse | None = None,
        counterparts: Tensor | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> Solution:
        """Have a solver look for the anchors in y, told the counterparts of the first ``known`` only.

        It is given the rows of the fit, those of y in an order drawn anew for each seed. ``counterparts``
        ``(s,)``, rows of the fit, are told in place of the true ones, to see what becomes of a lie.
        ``on_step``, ``pulse`` and ``checkpoint`` are those of ``relviz.bootstrap``.
        """
        x, y = self._seen
        fit, seeds = self.split.fit, self.rows[:known]
        order = torch.from_numpy(np.random.default_rng([_ORDER, self._seed]).permutation(len(fit)))
        pairs = (
            self.split.in_fit(seeds),
            order.argsort()[self.split.in_fit(seeds if counterparts is None else counterparts)],
        )
        anchors = self.split.in_fit(self.rows)
        began = time.perf_counter()
        args = x, y[order], anchors, pairs, method, self._seed, on_step
        found = bootstrap(*args, on_pulse=pulse, checkpoint=checkpoint)
        seconds = time.perf_counter() - began
        right = order[found.matches] == torch.arange(len(fit))
        right = right[without(len(fit), pairs[0])]
        share = float(right.double().mean()) if len(right) else float("nan")
        indices = fit[order[found.indices]]
        return Solution(found.anchors, indices, share, found.converged, found.evidence.reason, seconds)
