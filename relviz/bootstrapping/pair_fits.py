"""What fits to pairs of rows match, and how far two of them agree."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse
from relviz.bootstrapping.correspondence import Correspondence, kappa
from relviz.bootstrapping.cross_fitting import EVENING, cross_fitted, shares_taken_off
from relviz.bootstrapping.hints import Columns, with_hints
from relviz.bootstrapping.inputs import without
from relviz.bootstrapping.principal_axes import MOST_DIMENSIONS, MOST_ROWS, evened, rows_with
from relviz.bootstrapping.procrustes import align
from relviz.compute.parallel import side_by_side

Pairs = tuple[Tensor, Tensor]
Matching = Callable[[Tensor, Tensor], Correspondence]
"""How rows are matched in coordinates that both spaces share."""

_TAKEN_OFF = shares_taken_off(steady=2, falling=6, last=2)
BEATS = len(_TAKEN_OFF) * 10
"""Pulses of a fit, about."""


@dataclass(frozen=True, eq=False)
class Fitting:
    """What fits to pairs of rows need besides these.

    Attributes
    ----------
    known
        Rows of x and of y that are known to belong together, ``(k,)`` each.
    hints
        What hints say of the rows.
    matched
        The matches of rows in coordinates that both spaces share.
    generator
        Draws all that is random.
    pulse
        Called within each fit.
    """

    known: Pairs
    hints: Columns
    matched: Matching
    generator: torch.Generator
    pulse: Pulse | None = None


class PairFits:
    """Cross-fitted rotations that start from pairs, and what each matches; of many rows, on a part.

    Parameters
    ----------
    x, y
        ``(n, dx)`` and ``(m, dy)``, on their principal axes, rows of length one.
    pairs
        Rows of x and of y, ``(s,)`` each, which are among those looked at.

    Attributes
    ----------
    rows
        Of x and of y that are looked at, ``(p,)`` and ``(q,)``.
    """

    def __init__(self, x: Tensor, y: Tensor, pairs: Pairs, fitting: Fitting) -> None:
        self._matched, self._generator, self._pulse = fitting.matched, fitting.generator, fitting.pulse
        known, hints = fitting.known, fitting.hints
        rx, ry = (
            rows_with(len(side), torch.cat([sure, found]), MOST_ROWS, self._generator)
            for side, sure, found in zip((x, y), known, pairs, strict=True)
        )
        self.rows = rx, ry
        self._x, self._y, self._hints = x[rx], y[ry], (hints[0][rx], hints[1][ry])
        self._known = self.places(known)
        self._even = evened(self._x, EVENING), evened(self._y, EVENING)

    def of_parts(self, parts: Sequence[Pairs]) -> list[Correspondence]:
        """What a fit to each of these pairs of places in ``rows`` matches."""
        drawn = torch.randint(2**62, (len(parts),), generator=self._generator).tolist()
        return list(side_by_side(self._fit, list(zip(parts, drawn, strict=True)), self._pulse))

    def shared(self, pairs: Pairs) -> float:
        """Cohen's kappa of the matches of two fits to halves of pairs of rows, known rows left out."""
        places = self.places(pairs)
        order = torch.randperm(len(places[0]), generator=self._generator).to(places[0].device)
        one, other = self.of_parts([some(places, half) for half in order.chunk(2)])
        free = without(len(self._x), self._known[0])
        return kappa(one.y_of_x[free], other.y_of_x[free], len(self._y))

    def places(self, pairs: Pairs) -> Pairs:
        """Pairs of rows as places in ``rows``, without those that are not both among them."""
        found = []
        for rows, wanted in zip(self.rows, pairs, strict=True):
            place = wanted.new_full((int(torch.cat([rows, wanted]).max()) + 1,), -1)
            place[rows] = torch.arange(len(rows), device=rows.device)
            found.append(place[wanted])
        there = (found[0] >= 0) & (found[1] >= 0)
        return found[0][there], found[1][there]

    def _fit(self, pairs: Pairs, seed: int, pulse: Pulse | None) -> Correspondence:
        """What a fit to pairs matches; known pairs stay."""
        generator = torch.Generator().manual_seed(seed)
        sides = align(self._x[pairs[0]].T @ self._y[pairs[1]], MOST_DIMENSIONS).sides(self._x, self._y)
        alignment, _ = cross_fitted(*self._even, sides, self._hints, generator, pulse, _TAKEN_OFF)
        u, v = alignment.sides(*self._even)
        found = self._matched(with_hints(u, self._hints[0]), with_hints(v, self._hints[1]))
        (x, y), there, back = self._known, found.y_of_x.clone(), found.x_of_y.clone()
        there[x], back[y] = y, x
        return Correspondence(there, back)


def some(pairs: Pairs, which: Tensor) -> Pairs:
    """Those of the pairs."""
    return pairs[0][which], pairs[1][which]
