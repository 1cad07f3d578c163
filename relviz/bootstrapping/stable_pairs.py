"""From few pairs that several starts have in common to most of the right ones.

What began otherwise errs in other rows, so what several starts match alike is right far more often than any
of them. In a turn these pairs are split into four folds, and a fit is made without each of these in turn.
Each fit chooses a row of y for each row of x, and a row of x for each row of y. The pairs of the next turn
are those that five of these eight choices name, and of the pairs of before only those that the fit made
without them names: a rotation of many directions bends toward each pair that it is fitted to, and so would
hold a wrong one. What the starts matched counts as well: each one that names a pair, after the first, stands
for one of the five choices, up to three. Where there is a truth the pairs grow. Between unrelated spaces they
are soon too few, unless these are clusters, so nothing is grown from matches that fit as random ones do. What
tells in the end are two fits to halves that share no pair. As in stability selection (Meinshausen and
Bühlmann 2010, arXiv 0809.2932) only what fits to several random parts find is held; for matches the method is
ours.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse
from relviz.bootstrapping.correspondence import Correspondence, counted, kappa
from relviz.bootstrapping.cross_fitting import EVENING, cross_fitted, shares_taken_off
from relviz.bootstrapping.hints import Columns, with_hints
from relviz.bootstrapping.inputs import without
from relviz.bootstrapping.principal_axes import MOST_DIMENSIONS, MOST_ROWS, evened, rows_with
from relviz.bootstrapping.procrustes import align
from relviz.bootstrapping.record import Record
from relviz.bootstrapping.rounds import ballots
from relviz.compute.parallel import side_by_side

Pairs = tuple[Tensor, Tensor]

TURNS = 32
"""Turns at most."""
_FITS, _VOTES = 4, 5
"""Fits of a turn, each without one fold of the pairs, and how many of their choices have to name a pair."""
_STARTS, _OF_STARTS = (3, 2), 3
"""How many starts name the first pairs, fewer if these are too few; choices that starts stand for at most."""
_TAKEN_OFF = shares_taken_off(steady=2, falling=6, last=2)
_GROWTH, _PATIENCE = 1.08, 6
"""How many times as many pairs are more, and turns without more that are waited for."""
_LEAST = 0.03
"""Share of the rows below which so few pairs are agreed on that nothing can start from them."""
TURN_BEATS = _FITS * len(_TAKEN_OFF) * 10
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
    last
        How many there were when they had last become clearly more.
    waited
        Turns since then.
    """

    turn: int
    pairs: Pairs
    most: Pairs
    last: int
    waited: int

    def to(self, device: torch.device) -> "Agreed":
        """The same on a device."""
        pairs, most = ((x.to(device), y.to(device)) for x, y in (self.pairs, self.most))
        return replace(self, pairs=pairs, most=most)


class StablePairs:
    """Pairs that most fits agree on, turn by turn; of many rows, on a part that holds the first pairs.

    These are what three starts name; if they are too few, what two name.

    Parameters
    ----------
    x, y
        ``(n, dx)`` and ``(m, dy)``, on their principal axes, rows of length one.
    matches
        What each of the starts came to, ``(n,)``.
    known
        Rows of x and of y that are known to belong together, ``(k,)`` each.
    hints
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
        matches: Sequence[Tensor],
        known: Pairs,
        hints: Columns,
        matched: Callable[[Tensor, Tensor], Correspondence],
        generator: torch.Generator,
        pulse: Pulse | None = None,
    ) -> None:
        self._matched, self._generator, self._pulse = matched, generator, pulse
        named, times = counted(ballots(matches))
        self._least = _LEAST * min(len(x), MOST_ROWS) + len(known[0])
        first, fewer = (_some(named, times >= starts) for starts in _STARTS)
        first = first if self.enough(first) else fewer
        rx, ry = (
            rows_with(len(side), torch.cat([sure, found]), MOST_ROWS, generator)
            for side, sure, found in zip((x, y), known, first, strict=True)
        )
        self.rows = rx, ry
        self._x, self._y, self._hints = x[rx], y[ry], (hints[0][rx], hints[1][ry])
        self._known, pairs = self._places(known), self._places(first)
        choices = (times - 1).clamp(max=_OF_STARTS)
        self._by_starts = self._places(
            (named[0].repeat_interleave(choices), named[1].repeat_interleave(choices))
        )
        self._even = evened(self._x, EVENING), evened(self._y, EVENING)
        self.begun = Agreed(0, pairs, (rx[:0], ry[:0]), 0, 0)

    def promising(self, at: Agreed) -> bool:
        """Whether another turn may find more pairs."""
        return at.turn < TURNS and at.waited < _PATIENCE and self.enough(at.pairs)

    def enough(self, pairs: Pairs) -> bool:
        """Whether a fit can start from so many pairs."""
        return len(pairs[0]) >= self._least

    def turns(self, at: Agreed) -> Iterator[tuple[Agreed, Correspondence]]:
        """Where each turn comes to, and the matches of one of its fits, by places in ``rows``."""
        while self.promising(at):
            folds = torch.randint(_FITS, at.pairs[0].shape, generator=self._generator).to(self._x.device)
            fits = self._fits([_some(at.pairs, folds != fold) for fold in range(_FITS)])
            pairs = self._confirmed(at, folds, fits)
            found = len(pairs[0])
            most = pairs if found > len(at.most[0]) else at.most
            last, waited = (found, 0) if found > _GROWTH * at.last else (at.last, at.waited + 1)
            at = Agreed(at.turn + 1, pairs, most, last, waited)
            yield at, fits[0]

    def shared(self, pairs: Pairs) -> float:
        """Cohen's kappa of the matches of two fits to halves of pairs of rows, known rows left out."""
        places = self._places(pairs)
        order = torch.randperm(len(places[0]), generator=self._generator).to(places[0].device)
        one, other = self._fits([_some(places, half) for half in order.chunk(2)])
        free = without(len(self._x), self._known[0])
        return kappa(one.y_of_x[free], other.y_of_x[free], len(self._y))

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

    def _confirmed(self, at: Agreed, folds: Tensor, fits: list[Correspondence]) -> Pairs:
        """Pairs that enough choices name; of those before, that the fit without their fold names."""
        before, choices = at.pairs, [fit.pairs for fit in fits]
        named, times = counted([self._by_starts, *choices])
        x, y = _some(named, times >= _VOTES)
        matches = torch.stack([fit.y_of_x for fit in fits])
        denied = _some(before, matches[folds, before[0]] != before[1])
        return _some((x, y), ~torch.isin(x * len(self._y) + y, denied[0] * len(self._y) + denied[1]))

    def _fits(self, parts: list[Pairs]) -> list[Correspondence]:
        """What a fit to each of these parts matches."""
        drawn = torch.randint(2**62, (len(parts),), generator=self._generator).tolist()
        return list(side_by_side(self._fit, list(zip(parts, drawn, strict=True)), self._pulse))

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


def grow_recorded(
    stable: StablePairs,
    record: Record,
    generator: torch.Generator,
    note: Callable[[Correspondence], bool],
) -> Agreed:
    """Where the turns come to, as a stage of a recorded run, which goes on from where it stood.

    ``note`` is called with the matches of each new turn, by places in ``rows``, and says whether it is the
    last.
    """
    kept = record.restored("agreed", Agreed, generator)
    at = stable.begun if kept is None else kept.to(stable.rows[0].device)
    for reached, found in stable.turns(at):
        at = reached
        if note(found):
            break
        record.keep("agreed", at, generator)
    record.skip(TURNS - at.turn)
    return at


def _some(pairs: Pairs, which: Tensor) -> Pairs:
    return pairs[0][which], pairs[1][which]
