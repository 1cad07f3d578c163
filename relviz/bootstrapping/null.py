"""What matches annealed from random rotations reach on the same rows: a run is held against these."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse, Schedule, anneal
from relviz.bootstrapping.correspondence import hard, kappa
from relviz.bootstrapping.inputs import without
from relviz.bootstrapping.principal_axes import LEADING, MOST_DIMENSIONS, effective_dimensions
from relviz.bootstrapping.procrustes import align, nuclear
from relviz.relative_projection import unit_rows

_ROWS = 2000
_SCHEDULE = Schedule(steps=40, ranks=(LEADING, MOST_DIMENSIONS), eps=(0.1, 0.01))

SAME = 0.1
"""Chance-corrected agreement with a run from which a start has come to the same optimum as the run. Between
unrelated spaces of more than three dimensions it was below 0.08 in 19 of 20 runs."""
_FEWEST, _MOST, _MOST_LOW = 3, 4, 24
"""Starts to be held against: at least, at most, and at most in spaces of few dimensions.

There starts differ most and cost least. Of 48 runs between unrelated clusters in 3 to 10 dimensions, 8 starts
let 5 be believed, 24 one."""
_LOW = 32
_FURTHER = 12
"""Starts drawn beyond these, in place of those that come to the run's own matches."""
_BEYOND = 4.0
"""How many times their range a further start is thought to lie above those drawn."""
BEATS = _FEWEST * _SCHEDULE.steps
"""Steps of annealing that a verdict takes, at least."""
_LEAST_GAP = 0.02
"""Where wrong matches leave less than this unexplained, nothing can stand out; so in two dimensions."""


@dataclass(frozen=True, eq=False)
class Start:
    """What a random rotation was annealed to: its matches ``(p,)``, and their fit."""

    matches: Tensor
    fit: float


class Null:
    """Matches annealed from random rotations, once for all runs between two spaces.

    Any two spaces can be annealed to matches that look consistent, and wrong ones fit about alike. A fit is
    the mean cosine of matched rows under their best rotation.

    Attributes
    ----------
    x, y
        ``(n, rx)`` and ``(m, ry)``, as ``relviz.bootstrapping.principal_axes.principal`` gives them; where
        there are many rows, a random part of them is looked at.
    dimensions
        How many directions the rows of the narrower of the two spread over.
    pulse
        Called at each step of an annealing.

    Rows of x whose matches are ``known`` ``(s,)`` tell nothing of the others: random starts do not know them.
    """

    def __init__(self, x: Tensor, y: Tensor, pulse: Pulse | None = None, known: Tensor | None = None) -> None:
        self.x, self.y = x, y
        self.pulse = pulse
        left_out = _none(x) if known is None or len(known) == len(x) else known
        self._free = without(len(x), left_out).nonzero()[:, 0]
        self._generator = torch.Generator().manual_seed(0)
        self._part = _part(x[self._free], self._generator), _part(y, self._generator)
        self._drawn: list[Start] = []
        self.dimensions = min(effective_dimensions(side) for side in (x, y))

    @property
    def low(self) -> bool:
        """Whether there are so few dimensions that starts differ much."""
        return self.dimensions <= _LOW

    def margin(self, matches: Tensor, enough: float = 0.11) -> float:
        """``(f − f₀) / (1 − f₀)``: how far the fit of these matches ``(n,)`` stands above that of wrong ones.

        Their rotation is fitted on all rows but the known; the fits of both are taken among the same rows. f₀
        is the best fit of several random starts, since in few dimensions, or among clusters, starts differ.
        A start that comes to the matches it is held against is not wrong where they are right, and no
        evidence against them: another is drawn in its place. Where every start comes to them, the margin
        is 1.

        Starts are drawn until they are clearly enough to believe, or not to: ``enough`` is what is asked for.
        """
        held = self._start_at(self._turned(matches))
        most = _MOST_LOW if self.low else _MOST
        fits: list[float] = []
        for start in self._starts(most + _FURTHER):
            if self._same(start, held):
                continue
            fits.append(start.fit)
            best, spread = max(fits), max(fits) - min(fits)
            margin = _closed(held.fit, best)
            sure = len(fits) >= _FEWEST and _closed(held.fit, best + _BEYOND * spread) >= enough
            if margin < enough or sure or len(fits) == most:
                break
        return _closed(held.fit, max(fits)) if fits else 1.0

    def nearness(self, matches: Tensor) -> float:
        """How near rows of either space lie to the other under the rotation that fits these matches ``(n,)``.

        The mean cosine of rows of x, but the known, with the nearest rows of y, and of rows of y with the
        nearest rows of x. These are nearest whatever a row is matched with: the fit of the matches
        themselves also rises with wrong ones that fit their own rows.
        """
        x, y = self._part
        of_x, of_y = _nearest_rows(*self._turned(matches))
        return (nuclear(x, y[of_x]) + nuclear(x[of_y], y)) / 2

    def shared(self, one: Tensor, other: Tensor) -> float:
        """Cohen's kappa of two rounds' matches ``(n,)`` of the rows whose matches are not known."""
        return kappa(one[self._free], other[self._free], len(self.y))

    def _turned(self, matches: Tensor) -> tuple[Tensor, Tensor]:
        """Both spaces, turned by the rotation that fits these matches best, but for the known."""
        x, y = self.x[self._free], self.y[matches[self._free]]
        return align(x.T @ y, min(self.x.shape[1], self.y.shape[1])).sides(*self._part)

    def _starts(self, most: int) -> Iterator[Start]:
        """Starts drawn before, then further ones."""
        for place in range(most):
            if place == len(self._drawn):
                self._drawn.append(self._draw())
            yield self._drawn[place]

    def _draw(self) -> Start:
        x, y = self._part
        leading = min(LEADING, x.shape[1], y.shape[1])
        turned = torch.linalg.qr(torch.randn(leading, leading, generator=self._generator))[0].to(x.device)
        sides = unit_rows(x[:, :leading] @ turned), unit_rows(y[:, :leading])
        *_, stage = anneal(x, y, sides, _SCHEDULE, (_none(x), _none(x)), self._generator, self.pulse)
        return self._start_at((stage.u, stage.v))

    def _start_at(self, sides: tuple[Tensor, Tensor]) -> Start:
        x, y = self._part
        matches = _nearest_rows(*sides)[0]
        return Start(matches, nuclear(x, y[matches]))

    def _same(self, one: Start, other: Start) -> bool:
        return kappa(one.matches, other.matches, len(self._part[1])) >= SAME


def _nearest_rows(u: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    """The row of v nearest to each row of u, and of u to each of v; in v, but for those near to anything."""
    found = hard(v, u, "cosine", both=False)
    return found.x_of_y, found.y_of_x


def _closed(fit: float, wrong: float) -> float:
    """How much of the gap between the fit of wrong matches and a perfect one a fit closes."""
    return (fit - wrong) / max(1 - wrong, _LEAST_GAP)


def _none(x: Tensor) -> Tensor:
    return torch.empty(0, dtype=torch.int64, device=x.device)


def _part(rows: Tensor, generator: torch.Generator) -> Tensor:
    return rows[torch.randperm(len(rows), generator=generator)[:_ROWS].to(rows.device)]
