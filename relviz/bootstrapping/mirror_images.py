"""Matches by the other optima that a run meets, which mirror one of the spaces in a direction."""

from collections.abc import Iterator
from functools import cached_property

from torch import Tensor

from relviz.bootstrapping.annealed_starts import OF_START, AnnealedStarts, turned
from relviz.bootstrapping.population import CHILD_STEPS, Spaces, annealed, nearest_rotation, spaces_of
from relviz.bootstrapping.principal_axes import LEADING
from relviz.bootstrapping.refinement import OF_PURIFYING, Refinement
from relviz.bootstrapping.reflection import MIRROR_BEATS, Mirror, mirrored
from relviz.bootstrapping.rounds import in_common
from relviz.bootstrapping.run import Run


class MirrorImages:
    """Matches of a run, and their images in the directions in which its spaces are nearly symmetric."""

    def __init__(self, run: Run, starts: AnnealedStarts, refinement: Refinement) -> None:
        self._run, self._starts, self._refinement = run, starts, refinement

    def of(self, matches: Tensor) -> Iterator[Tensor]:
        """Matches ``(n,)`` of the other optima that clearly mirror the rotation of these in one direction."""
        run, steps = self._run, self._run.options.refining
        for mirror in self._mirrors(matches):
            run.record.begin(steps, steps, OF_PURIFYING)
            yield self._refinement.matched(turned(mirror.image, run.frame)[0]).matches

    def sides(self, matches: list[Tensor]) -> list[list[Tensor]]:
        """Matches on each side of the clearest mirror: those found there, and images of the others.

        The side with more pairs in common comes first. Without a clear mirror, all are on one side.
        """
        run = self._run
        best = max(matches, key=run.fit)
        mirror = min(self._mirrors(best), key=lambda one: one.kept, default=None)
        if mirror is None:
            return [matches]
        here: list[Tensor] = []
        beyond: list[Tensor] = []
        for one in matches:
            rotation = self._rotation(one)
            args = mirror.reflected(rotation)[None], CHILD_STEPS, run.generator, run.record.beat
            other = self._starts.matches_from(annealed(self._spaces, *args)[0])
            own, across = (beyond, here) if mirror.beyond(rotation) else (here, beyond)
            own.append(one)
            across.append(other)
            if run.record.stopped:
                break
        return sorted((here, beyond), key=lambda side: len(in_common(side)[0]), reverse=True)

    def _mirrors(self, matches: Tensor) -> list[Mirror]:
        """Directions in which the rotation of these matches ``(n,)`` clearly has another optimum."""
        record = self._run.record
        record.begin(0, MIRROR_BEATS, OF_START)
        found = mirrored(self._spaces, self._rotation(matches), self._run.generator, record.beat)
        return [one for one in found if one.clear]

    def _rotation(self, matches: Tensor) -> Tensor:
        """The rotation ``(d, d)`` of the leading axes that is fitted to matches ``(n,)``."""
        frame, d = self._run.frame, self._spaces.x.shape[1]
        return nearest_rotation(frame.x[:, :d].T @ frame.y[matches][:, :d])

    @cached_property
    def _spaces(self) -> Spaces:
        """The leading axes of the rows to anneal with."""
        frame = self._run.frame
        return spaces_of(*frame.sides, frame.seeds, LEADING, frame.hints)
