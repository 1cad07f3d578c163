"""Believed matches are purified of wrong ones: the stable ones start the next refinement."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from statistics import fmean

from relviz.bootstrapping.mirror_images import MirrorImages
from relviz.bootstrapping.refinement import Refinement
from relviz.bootstrapping.rounds import Round, found_as_often, judged
from relviz.bootstrapping.run import Run

_TIMES = 6
"""Times that matches start from their stable ones, after the first."""
_TOLD = 0.008
"""By how much one side of a mirror has to lead the other: if it does not, both are purified as often again.
After six times the better side of names in two languages was 0.002 below the other to 0.024 above it, after
twelve 0.003 or more above."""
_AS_NEAR = 0.001
"""How much less near the rows may be that purified matches find: chance makes as much."""

Scored = tuple[float, Round]
"""How near and mutual matches were on the way, and the round that they came to."""


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
        rows are nearer and whose matches are more often mutual, on the way.
        """
        null = self._run.null
        nearest, best = self.nearest(believed)
        if null.low or self._refinement.pure_enough(best.evidence.halves):
            return best
        images = (replace(best, matches=image) for image in self._images.of(best.matches))
        sides = self._purified(self._judged(one, cross=True) for one in chain([best], images))
        best_score = max((score for score, _ in sides), default=0.0)
        leading = [one for score, one in sides if score > best_score - _TOLD]
        if len(leading) > 1:
            sides = self._purified(leading)
        _, last = max(sides, key=lambda side: side[0], default=(0.0, best))
        return last if null.nearness(last.matches) > nearest - _AS_NEAR else best

    def _purified(self, sides: Iterable[Round]) -> list[Scored]:
        """What each of these comes to, if it stays believed; nothing if the run is stopped meanwhile."""
        found: list[Scored] = []
        for side in sides:
            last, scores = side, list[float]()
            while last.converged and len(scores) < _TIMES and not self._run.record.stopped:
                last = self._judged(last, cross=False)
                scores.append(self._run.null.nearness(last.matches) + last.evidence.agreement)
            if self._run.record.stopped:
                return []
            found += [(fmean(scores), last)] if last.converged else []
        return found

    def nearest(self, believed: list[Round]) -> tuple[float, Round]:
        """The one of these rounds that finds the nearest rows, and how near."""
        near = [self._run.null.nearness(one.matches) for one in believed]
        return max(zip(near, believed, strict=True), key=lambda pair: pair[0])

    def _judged(self, last: Round, cross: bool) -> Round:
        """The verdict on what a believed round starts, which was found as often as that."""
        shared = last.evidence.shared
        one = judged(self._run, self._refinement.from_stable(last.matches, cross=cross))
        return one if shared is None else found_as_often(self._run.null, one, shared)
