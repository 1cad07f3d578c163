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

from relviz.bootstrapping.correspondence import Correspondence, counted
from relviz.bootstrapping.pair_fits import BEATS, Fitting, PairFits, Pairs, some
from relviz.bootstrapping.principal_axes import MOST_ROWS
from relviz.bootstrapping.record import Record
from relviz.bootstrapping.rounds import ballots

TURNS = 32
"""Turns at most."""
_FITS, _VOTES = 4, 5
"""Fits of a turn, each without one fold of the pairs, and how many of their choices have to name a pair."""
_STARTS, _OF_STARTS = (3, 2), 3
"""How many starts name the first pairs, fewer if these are too few; choices that starts stand for at most."""
_GROWTH, _PATIENCE = 1.08, 6
"""How many times as many pairs are more, and turns without more that are waited for."""
LEAST_PAIRS = 0.03
"""Share of the rows below which so few pairs are agreed on that nothing can start from them."""
TURN_BEATS = _FITS * BEATS
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
    fitting
        What fits need besides pairs.

    Attributes
    ----------
    fits
        Of pairs among the rows that are looked at.
    begun
        Where the turns begin.
    """

    def __init__(self, x: Tensor, y: Tensor, matches: Sequence[Tensor], fitting: Fitting) -> None:
        self._generator = fitting.generator
        named, times = counted(ballots(matches))
        self._least = LEAST_PAIRS * min(len(x), MOST_ROWS) + len(fitting.known[0])
        first, fewer = (some(named, times >= starts) for starts in _STARTS)
        first = first if self.enough(first) else fewer
        self.fits = PairFits(x, y, first, fitting)
        choices = (times - 1).clamp(max=_OF_STARTS)
        self._by_starts = self.fits.places(
            (named[0].repeat_interleave(choices), named[1].repeat_interleave(choices))
        )
        nothing = named[0][:0], named[1][:0]
        self.begun = Agreed(0, self.fits.places(first), nothing, 0, 0)

    def promising(self, at: Agreed) -> bool:
        """Whether another turn may find more pairs."""
        return at.turn < TURNS and at.waited < _PATIENCE and self.enough(at.pairs)

    def enough(self, pairs: Pairs) -> bool:
        """Whether a fit can start from so many pairs."""
        return len(pairs[0]) >= self._least

    def turns(self, at: Agreed) -> Iterator[tuple[Agreed, Correspondence]]:
        """Where each turn comes to, and the matches of one of its fits, by places in ``fits.rows``."""
        while self.promising(at):
            rows = at.pairs[0]
            folds = torch.randint(_FITS, rows.shape, generator=self._generator).to(rows.device)
            fits = self.fits.of_parts([some(at.pairs, folds != fold) for fold in range(_FITS)])
            pairs = self._confirmed(at, folds, fits)
            found = len(pairs[0])
            most = pairs if found > len(at.most[0]) else at.most
            last, waited = (found, 0) if found > _GROWTH * at.last else (at.last, at.waited + 1)
            at = Agreed(at.turn + 1, pairs, most, last, waited)
            yield at, fits[0]

    def most(self, at: Agreed) -> Pairs:
        """The most pairs of any turn, as rows of both spaces."""
        (rx, ry), (x, y) = self.fits.rows, at.most
        return rx[x], ry[y]

    def _confirmed(self, at: Agreed, folds: Tensor, fits: list[Correspondence]) -> Pairs:
        """Pairs that enough choices name; of those before, that the fit without their fold names."""
        before, choices = at.pairs, [fit.pairs for fit in fits]
        named, times = counted([self._by_starts, *choices])
        x, y = some(named, times >= _VOTES)
        matches = torch.stack([fit.y_of_x for fit in fits])
        denied = some(before, matches[folds, before[0]] != before[1])
        m = len(self.fits.rows[1])
        return some((x, y), ~torch.isin(x * m + y, denied[0] * m + denied[1]))


def grow_recorded(
    stable: StablePairs,
    record: Record,
    generator: torch.Generator,
    note: Callable[[Correspondence], bool],
) -> Agreed:
    """Where the turns come to, as a stage of a recorded run, which goes on from where it stood.

    ``note`` is called with the matches of each new turn, by places in ``fits.rows``, and says whether it is
    the last.
    """
    kept = record.restored("agreed", Agreed, generator)
    at = stable.begun if kept is None else kept.to(stable.fits.rows[0].device)
    for reached, found in stable.turns(at):
        at = reached
        if note(found):
            break
        record.keep("agreed", at, generator)
    record.skip(TURNS - at.turn)
    return at
