"""Anchor optimisation on two spaces whose pairing is known here, and never told to the solver."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor

from relviz.anchors import select_anchors
from relviz.bootstrap import OnStep, Pulse, bootstrap
from relviz.bootstrap.alignment import align
from relviz.bootstrap.continuous import fitted_anchors
from relviz.bootstrap.given import check_given
from relviz.compute.arrays import check_same_rows
from relviz.compute.blocks import OnBlock
from relviz.measure import Retrieval, retrieval
from relviz.relative import finite_matrix, prepare, relative, unit_rows

BothWays = tuple[Retrieval, Retrieval]
"""A retrieval x → y, and y → x."""

_ORDER = 20230301
"""First half of the seed of the order in which a solver is given the rows of y."""


@dataclass(frozen=True, eq=False)
class Judged:
    """What a solver found, in the order of the pairing.

    Attributes
    ----------
    anchors
        ``(k, dy)`` points in the frame of ``relviz.prepare(y)``.
    indices
        ``(k,)`` int64, the rows of y that stand for them.
    right
        Share of the rows of x that are matched with their partner.
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
    """Two parallel spaces ``x`` ``(n, dx)`` and ``y`` ``(n, dy)``, and retrieval through any anchors.

    ``k`` and ``queries`` are those of ``relviz.retrieval``.

    Raises
    ------
    ShapeError
        If the numbers of rows differ.
    ParameterError
        If a number is NaN or infinite.
    """

    def __init__(self, x: Any, y: Any, k: int = 10, queries: int | None = None) -> None:
        self._given = finite_matrix(x), finite_matrix(y, "y")
        check_same_rows(*self._given)
        self.x, self.y = (prepare(side) for side in self._given)
        self._k, self._queries = k, queries

    def draw(self, anchors: int, seed: int) -> Tensor:
        """Rows that are anchors, at random: ``(anchors,)`` int64. Fewer of one seed are among more."""
        return select_anchors(self.x, anchors, "uniform", seed)

    def through(
        self, rows: Tensor, points: Tensor, seed: int, on_block: Sequence[OnBlock | None] = (None, None)
    ) -> BothWays:
        """Retrieval where rows of x ``(k,)`` and ``points`` ``(k, dy)`` are the anchors."""
        rx, ry = relative(self.x, self.x[rows]), relative(self.y, points)
        there, back = on_block
        return (
            retrieval(rx, ry, self._k, seed=seed, queries=self._queries, on_block=there),
            retrieval(ry, rx, self._k, seed=seed, queries=self._queries, on_block=back),
        )

    def rotated(self, rows: Tensor) -> Tensor:
        """Rows of x carried into y by the orthogonal Procrustes rotation of all true partners."""
        rotation = align(self.x.T @ self.y, min(self.x.shape[1], self.y.shape[1]))
        return unit_rows(rotation.carry(self.x[rows]))

    def fitted(self, rows: Tensor) -> Tensor:
        """Anchors fitted to all true partners as ``annealed`` fits them to its matches."""
        none = rows[:0]
        given = check_given(*self._given, rows, (none, none))
        every = torch.arange(len(given.x), device=given.x.device)
        return fitted_anchors(given, every, torch.ones_like(every, dtype=torch.bool)).cpu()

    def solve(
        self,
        rows: Tensor,
        seeds: Tensor,
        method: str,
        seed: int,
        on_step: OnStep | None = None,
        pulse: Pulse | None = None,
        partners: Tensor | None = None,
    ) -> Judged:
        """Have a solver look for the anchors ``rows`` of x in y, told the partners of ``seeds`` only.

        The rows of y reach it in an order drawn anew for each ``seed``. ``partners`` ``(s,)`` are told
        in place of the true ones, to see what becomes of a lie.
        """
        x, y = self._given
        order = torch.from_numpy(np.random.default_rng([_ORDER, seed]).permutation(len(y)))
        pairs = seeds, order.argsort()[seeds if partners is None else partners]
        began = time.perf_counter()
        found = bootstrap(x, y[order], rows, pairs, method, seed, on_step, pulse=pulse)
        seconds = time.perf_counter() - began
        right = float((order[found.matches] == torch.arange(len(x))).double().mean())
        return Judged(
            found.anchors, order[found.indices], right, found.converged, found.evidence.reason, seconds
        )
