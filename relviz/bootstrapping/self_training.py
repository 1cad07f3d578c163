"""A round that is not believed goes on from its own stable matches, while that leads anywhere.

A few percent of right matches are enough. Each refinement starts from matches that rotations fitted to
other rows find again, and that the refinement before came to, too; it is cross-fitted, so that wrong pairs do
not hold themselves. Toward a truth ever more matches are right, and fit better. Elsewhere each refinement
comes to other matches, which fit no better than the last. As in self-training (Scudder 1965) a fit learns
from those of its answers that it trusts; for matches the method is ours.
"""

from collections.abc import Sequence
from statistics import fmean

from torch import Tensor

from relviz.bootstrapping.pair_fits import PairFits, Pairs, some
from relviz.bootstrapping.principal_axes import MOST_ROWS
from relviz.bootstrapping.refinement import Refinement
from relviz.bootstrapping.rounds import Found, Round, as_shared, judged
from relviz.bootstrapping.run import Run
from relviz.bootstrapping.stable_matches import stable
from relviz.bootstrapping.stable_pairs import LEAST_PAIRS
from relviz.bootstrapping.verdict import TRAINED, TRAINED_IN_PART

_MOST, _PATIENCE = 32, 7
"""Refinements at most, and how many that fit no better are waited for."""
_SMOOTHED, _BETTER = 3, 0.002
"""Refinements over which margins are averaged, since one varies by 0.01, and how much higher is better."""
_AT_FIRST, _LEAST_AT_FIRST = 3, 0.02
"""Refinements of which one has to reach this margin for more to be made: where they led to a truth, one of
them came to 0.027 or more, and between unrelated spaces to 0.015 at most."""
_MOST_ROWS = 6000
"""Rows of a space up to which it is done: all of them take part in each refinement, in 7 CPU seconds then."""
_ANY_MARGIN = -1.0
"""Asked for, so that all margins are held against the same starts."""
_PROGRESS = 1 / 20
"""Part of what is left of the progress: of a refinement."""


class SelfTraining:
    """What rounds that are not believed come to by themselves."""

    def __init__(self, run: Run, refinement: Refinement) -> None:
        self._run, self._refinement = run, refinement

    def of(self, last: Round) -> Round | None:
        """What this round is trained to, believed or not; None if that fits too badly, or no better."""
        record, null = self._run.record, self._run.null
        if not self.possible:
            return None
        matches, margins, best = last.matches, list[float](), None
        pairs = self._stable(matches)
        while not record.stopped and len(margins) < _MOST and _promising(margins) and _rising(margins):
            found = self._refinement.from_pairs(pairs, cross=True, progress=_PROGRESS)
            stable_ones = self._stable(found.matches)
            pairs, matches = _again(stable_ones, matches), found.matches
            margins.append(null.margin(matches, _ANY_MARGIN))
            best = (found, stable_ones) if margins[-1] == max(margins) else best
        if best is None or record.stopped or max(margins) < max(TRAINED.margin, last.evidence.margin or 0.0):
            return None
        return self._judged(*best)

    @property
    def possible(self) -> bool:
        """Whether the spaces have directions enough, not too many rows, and few near-duplicates."""
        given = self._run.given
        few = max(len(given.x), len(given.y)) <= _MOST_ROWS
        return few and not self._run.null.low and not self._refinement.twins

    def _stable(self, matches: Tensor) -> Pairs:
        return stable(self._run.null.x, self._run.null.y, matches)

    def _judged(self, found: Found, pairs: Pairs) -> Round:
        """The verdict on a refinement, also by how far fits to two halves of its stable ``pairs`` agree.

        Of one that is not believed for it this is not kept, since no other round has come to the same.
        """
        run = self._run
        alone = judged(run, found)
        shared = PairFits(run.frame.x, run.frame.y, pairs, self._refinement.fitting).shared(pairs)
        least = TRAINED if shared >= TRAINED.shared else TRAINED_IN_PART
        one = as_shared(run.null, alone, shared, least)
        return one if one.converged else alone


def _again(pairs: Pairs, before: Tensor) -> Pairs:
    """Those of the pairs that matches ``(n,)`` of before name, too, if they are enough; else all."""
    again = some(pairs, before[pairs[0]] == pairs[1])
    return again if len(again[0]) >= LEAST_PAIRS * min(len(before), MOST_ROWS) else pairs


def _promising(margins: Sequence[float]) -> bool:
    """Whether one of the first margins is high enough to go on, or they are too few to tell."""
    return len(margins) < _AT_FIRST or max(margins[:_AT_FIRST]) >= _LEAST_AT_FIRST


def _rising(margins: Sequence[float]) -> bool:
    """Whether margins, averaged, have lately been clearly higher than ever before."""
    means = [fmean(margins[at : at + _SMOOTHED]) for at in range(len(margins) - _SMOOTHED + 1)]
    earlier = means[:-_PATIENCE]
    return not earlier or max(means[-_PATIENCE:]) > max(earlier) + _BETTER
