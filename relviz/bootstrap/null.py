"""What wrong matches of two spaces look like, so that a run can be held against them."""

from functools import cached_property

import torch
from torch import Tensor

from relviz.bootstrap.alignment import align, nuclear
from relviz.bootstrap.anneal import Pulse, Schedule, anneal
from relviz.bootstrap.correspondence import hard
from relviz.bootstrap.frame import MOST_DIMENSIONS
from relviz.bootstrap.search import LEADING
from relviz.relative import unit_rows

_ROWS = 2000
_SCHEDULE = Schedule(steps=40, ranks=(LEADING, MOST_DIMENSIONS), eps=(0.1, 0.01))


class Null:
    """Matches annealed from a random rotation, once for all runs between two spaces.

    Any two spaces can be annealed to matches that look consistent, and all such wrong ones fit about
    alike. A fit is the mean cosine of matched rows under their best rotation.

    Attributes
    ----------
    x, y
        ``(n, rx)`` and ``(m, ry)``, as ``relviz.bootstrap.frame.principal`` gives them; where there are
        many rows, a random part of them is looked at.
    """

    def __init__(self, x: Tensor, y: Tensor, pulse: Pulse | None = None) -> None:
        self.x, self.y = x, y
        self._pulse = pulse
        self._generator = torch.Generator().manual_seed(0)
        self._part = _part(x, self._generator), _part(y, self._generator)

    def margin(self, matches: Tensor) -> float:
        """``(f − f₀) / (1 − f₀)``: how far the fit of these matches ``(n,)`` stands above that of wrong ones.

        Their rotation is fitted on all rows; the fits of both are taken among the same rows.
        """
        rotation = align(self.x.T @ self.y[matches], min(self.x.shape[1], self.y.shape[1]))
        return (self._fit(rotation.sides(*self._part)) - self.fit) / max(1 - self.fit, 1e-6)

    @cached_property
    def fit(self) -> float:
        """f₀, the fit of wrong matches."""
        x, y = self._part
        leading = min(LEADING, x.shape[1], y.shape[1])
        turned = torch.linalg.qr(torch.randn(leading, leading, generator=self._generator))[0].to(x.device)
        sides = unit_rows(x[:, :leading] @ turned), unit_rows(y[:, :leading])
        none = torch.empty(0, dtype=torch.int64, device=x.device)
        *_, stage = anneal(x, y, sides, _SCHEDULE, (none, none), self._generator, self._pulse)
        return self._fit((stage.u, stage.v))

    def _fit(self, sides: tuple[Tensor, Tensor]) -> float:
        x, y = self._part
        return nuclear(x, y[hard(*sides, "cosine").y_of_x])


def _part(rows: Tensor, generator: torch.Generator) -> Tensor:
    return rows[torch.randperm(len(rows), generator=generator)[:_ROWS].to(rows.device)]
