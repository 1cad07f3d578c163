"""Believed matches are purified of wrong ones: the stable ones start the next refinement."""

from itertools import chain
from statistics import fmean

from torch import Tensor

from relviz.bootstrapping.mirror_images import MirrorImages
from relviz.bootstrapping.refinement import Refinement
from relviz.bootstrapping.rounds import Found, Round, found_as_often, judged
from relviz.bootstrapping.run import Run

_TIMES = 6
"""Times that matches start from their stable ones, after the first."""
_AS_NEAR = 0.001
"""How much less near the rows may be that purified matches find: chance makes as much."""


class Purification:
    """The last rounds of a run that is believed.

    Stable matches are right far more often than others, so what starts from them keeps fewer wrong ones.
    The first time they are cross-fitted, which leaves an optimum where many are wrong; plain ones get purer
    after that.
    """

    def __init__(self, run: Run, refinement: Refinement, images: MirrorImages) -> None:
        self._run, self._refinement, self._images = run, refinement, images

    def best(self, believed: list[Round]) -> Round:
        """The best of rounds that are believed, or what it is purified to.

        The best finds the nearest rows (see ``Null.nearness``), and is kept where the other finds clearly
        less near ones. What clearly mirrors it is purified beside it, and the one of these is taken whose
        rows are nearer and whose matches are more often mutual, on the way. The worse of two optima was
        nearer in 2 of 32 comparisons, and had the higher sum in none of these; in a later run it did, by
        0.001.
        """
        null = self._run.null
        nearest, best = self.nearest(believed)
        if null.low or self._refinement.pure_enough(best.evidence.halves):
            return best
        sides: list[tuple[float, Round]] = []
        for matches in chain([best.matches], self._images.of(best.matches)):
            side = self._purified(best, matches)
            if self._run.record.stopped:
                return best
            sides += [] if side is None else [side]
        _, last = max(sides, key=lambda side: side[0], default=(0.0, best))
        return last if null.nearness(last.matches) > nearest - _AS_NEAR else best

    def _purified(self, best: Round, matches: Tensor) -> tuple[float, Round] | None:
        """What matches ``(n,)`` come to, and how near and mutual on the way; None where not believed."""
        last, scores = best, list[float]()
        for step in range(1 + _TIMES):
            if self._run.record.stopped or not last.converged:
                return None
            last = self._judged(best, self._refinement.from_stable(matches, cross=step == 0))
            matches = last.matches
            scores.append(self._run.null.nearness(matches) + last.evidence.agreement)
        return (fmean(scores[1:]), last) if last.converged else None

    def nearest(self, believed: list[Round]) -> tuple[float, Round]:
        """The one of these rounds that finds the nearest rows, and how near."""
        near = [self._run.null.nearness(one.matches) for one in believed]
        return max(zip(near, believed, strict=True), key=lambda pair: pair[0])

    def _judged(self, best: Round, found: Found) -> Round:
        """The verdict on what a believed round came to, which was found as often as that."""
        shared, one = best.evidence.shared, judged(self._run, found)
        return one if shared is None else found_as_often(self._run.null, one, shared)
