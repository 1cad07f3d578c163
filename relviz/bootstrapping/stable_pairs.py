"""From few pairs that two rounds have in common to most of the right ones.

Rounds that began otherwise err in other rows, so what two of them match alike is right far more often than
either. Two fits to random parts of these pairs err in other rows again, as long as a wrong pair cannot hold
itself (see ``relviz.bootstrapping.cross_fitting``): what they match alike are the pairs of the next two.
Where there is a truth the pairs grow; elsewhere there are fewer each time. As in stability selection
(Meinshausen and Bühlmann 2010, arXiv 0809.2932) only what fits to several random parts find is held; for
matches the method is ours.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse
from relviz.bootstrapping.correspondence import Correspondence
from relviz.bootstrapping.cross_fitting import EVENING, cross_fitted, shares_taken_off
from relviz.bootstrapping.hints import Columns, beside
from relviz.bootstrapping.principal_axes import MOST_DIMENSIONS, MOST_ROWS, evened, rows_with
from relviz.bootstrapping.procrustes import align
from relviz.bootstrapping.rounds import in_common
from relviz.bootstrapping.verdict import kappa
from relviz.compute.parallel import side_by_side

Pairs = tuple[Tensor, Tensor]

TURNS = 16
"""Turns at most."""
_PART = 0.7
"""Share of the pairs that a fit starts from."""
_TAKEN_OFF = shares_taken_off(steady=2, falling=6, last=2)
_GROWTH, _PATIENCE = 1.05, 3
"""How many times the most pairs of before are more, and turns without more that are waited for."""
_LEAST = 0.03
"""Share of the rows below which so few pairs are agreed on that nothing can start from them."""
TURN_BEATS = 2 * len(_TAKEN_OFF) * 5
"""Pulses of a turn, about."""


@dataclass(frozen=True, eq=False)
class Agreed:
    """Where the turns stand.

    Attributes
    ----------
    turn
        How many there were.
    pairs
        Rows of x and of y, ``(s,)`` each, to go on from.
    most
        The most pairs of any turn, ``(t,)`` each.
    shared
        Cohen's kappa of the matches that these were taken from.
    waited
        Turns since there were more of them.
    """

    turn: int
    pairs: Pairs
    most: Pairs
    shared: float
    waited: int

    def to(self, device: torch.device) -> "Agreed":
        """The same on a device."""
        pairs, most = ((x.to(device), y.to(device)) for x, y in (self.pairs, self.most))
        return replace(self, pairs=pairs, most=most)


class StablePairs:
    """Pairs that two fits agree on, turn by turn; of many rows, on a part that holds the first pairs.

    Parameters
    ----------
    x, y
        ``(n, dx)`` and ``(m, dy)``, on their principal axes, rows of length one.
    first
        The pairs to begin with, which two rounds have in common.
    shared
        Cohen's kappa of the matches of these rounds.
    known
        Rows of x and of y that are known to belong together, ``(k,)`` each.
    told
        What hints say of the rows.
    matched
        The matches of rows in coordinates that both spaces share.

    Attributes
    ----------
    rows
        Of x and of y that are looked at, ``(p,)`` and ``(q,)``.
    begun
        Where the turns begin.
    """

    def __init__(
        self,
        x: Tensor,
        y: Tensor,
        first: Pairs,
        shared: float,
        known: Pairs,
        told: Columns,
        matched: Callable[[Tensor, Tensor], Correspondence],
        generator: torch.Generator,
        pulse: Pulse | None = None,
    ) -> None:
        self._matched, self._generator, self._pulse = matched, generator, pulse
        rx, ry = (
            rows_with(len(side), torch.cat([sure, found]), MOST_ROWS, generator)
            for side, sure, found in zip((x, y), known, first, strict=True)
        )
        self.rows = rx, ry
        self._x, self._y, self._told = x[rx], y[ry], (told[0][rx], told[1][ry])
        self._known, pairs = self._places(known), self._places(first)
        self._even = evened(self._x, EVENING), evened(self._y, EVENING)
        self.begun = Agreed(0, pairs, pairs, shared, 0)

    def promising(self, at: Agreed) -> bool:
        """Whether another turn may find more pairs."""
        found = len(at.pairs[0]) - len(self._known[0])
        return at.turn < TURNS and at.waited < _PATIENCE and found >= _LEAST * len(self._x)

    def turns(self, at: Agreed) -> Iterator[tuple[Agreed, Correspondence]]:
        """Where each turn comes to, and the matches of one of its two fits, by places in ``rows``."""
        while self.promising(at):
            drawn = torch.randint(2**62, (2,), generator=self._generator).tolist()
            one, other = side_by_side(self._fit, [(at.pairs, seed) for seed in drawn], self._pulse)
            pairs = in_common([one.y_of_x, other.y_of_x])
            found, before = len(pairs[0]), len(at.most[0])
            waited = 0 if found > _GROWTH * before else at.waited + 1
            if found > before:
                shared = kappa(one.y_of_x, other.y_of_x, len(self._y))
                at = Agreed(at.turn + 1, pairs, pairs, shared, waited)
            else:
                at = replace(at, turn=at.turn + 1, pairs=pairs, waited=waited)
            yield at, one

    def most(self, at: Agreed) -> Pairs:
        """The most pairs of any turn, as rows of both spaces."""
        (rx, ry), (x, y) = self.rows, at.most
        return rx[x], ry[y]

    def _places(self, pairs: Pairs) -> Pairs:
        """Pairs of rows as places in ``rows``, without those that are not both among them."""
        found = []
        for rows, wanted in zip(self.rows, pairs, strict=True):
            place = wanted.new_full((int(torch.cat([rows, wanted]).max()) + 1,), -1)
            place[rows] = torch.arange(len(rows), device=rows.device)
            found.append(place[wanted])
        there = (found[0] >= 0) & (found[1] >= 0)
        return found[0][there], found[1][there]

    def _fit(self, pairs: Pairs, seed: int, pulse: Pulse | None) -> Correspondence:
        """What a fit to a random part of the pairs matches; known pairs stay."""
        generator = torch.Generator().manual_seed(seed)
        part = (torch.rand(len(pairs[0]), generator=generator) < _PART).to(pairs[0].device)
        cross = self._x[pairs[0][part]].T @ self._y[pairs[1][part]]
        sides = align(cross, MOST_DIMENSIONS).sides(self._x, self._y)
        alignment, _ = cross_fitted(*self._even, sides, self._told, generator, pulse, _TAKEN_OFF)
        u, v = alignment.sides(*self._even)
        found = self._matched(beside(u, self._told[0]), beside(v, self._told[1]))
        matches = found.y_of_x.clone()
        matches[self._known[0]] = self._known[1]
        return Correspondence(matches, found.x_of_y)
