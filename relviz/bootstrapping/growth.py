"""Pairs that several rounds and populations have in common grow to a round, where none is believed."""

from torch import Tensor

from relviz.bootstrapping.annealed_starts import AnnealedStarts
from relviz.bootstrapping.correspondence import Correspondence
from relviz.bootstrapping.mirror_images import MirrorImages
from relviz.bootstrapping.null import BEATS
from relviz.bootstrapping.refinement import Refinement
from relviz.bootstrapping.rounds import Round, as_shared, judged
from relviz.bootstrapping.run import Run
from relviz.bootstrapping.stable_matches import stable
from relviz.bootstrapping.stable_pairs import TURN_BEATS, TURNS, StablePairs, grow_recorded
from relviz.bootstrapping.verdict import GROWN, TWICE

_FURTHER = 6
"""Times that matches which were grown start from the stable ones, each with cross-fitting."""


class Growth:
    """The last resort of a run: matches that agree here and there, from starts that begin otherwise."""

    def __init__(
        self, run: Run, starts: AnnealedStarts, refinement: Refinement, images: MirrorImages
    ) -> None:
        self._run, self._starts, self._refinement, self._images = run, starts, refinement, images

    def of_either_side(self, matches: list[Tensor]) -> Round | None:
        """What grows from rounds and populations on one side of a mirror or the other; None if nothing does.

        Matches ``(n,)`` of different sides contradict each other, so pairs grow on one side at a time.
        """
        for population in range(len(self._starts.rotations)):
            matches = [*matches, self._starts.matches_of(population)]
            if self._run.record.stopped:
                return None
        grown: list[Round] = []
        for side in self._images.sides(matches):
            one = self.grown(side)
            grown += [] if one is None else [one]
            if one is not None and one.converged:
                break
        return max(grown, key=lambda one: (one.converged, one.evidence.confirmed), default=None)

    def grown(self, matches: list[Tensor]) -> Round | None:
        """A round from the most pairs that fits to parts of these agree on; None where they are too few.

        They grow further where fits to two halves of them agree: their matches start from the stable ones
        again and again, and the halves of these count, too. Where they did not agree before, wrong matches
        would come to be consistent with themselves.
        """
        run, record, frame = self._run, self._run.record, self._run.frame
        if record.stopped:
            return None
        steps = run.options.refining
        growing = StablePairs(frame.x, frame.y, matches, self._refinement.fitting)
        if not growing.promising(growing.begun):
            return None
        record.begin(TURNS + steps, (TURNS + 1) * TURN_BEATS + steps + BEATS)

        def note(found: Correspondence) -> bool:
            rows = growing.fits.rows
            return run.note(run.options.eps_last, found, run.fitted((rows[0], rows[1][found.y_of_x])), rows)

        at = grow_recorded(growing, record, run.generator, note)
        if not growing.enough(at.most):
            record.skip(steps)
            return None
        pairs = growing.most(at)
        shared = 0.0 if record.stopped else growing.fits.shared(pairs)
        found = self._refinement.matched(run.fitted(pairs))
        if shared >= TWICE.shared and not self._refinement.pure_enough(found.halves):
            for _ in range(_FURTHER):
                if not record.stopped:
                    found = self._refinement.from_stable(found.matches, cross=True)
            pairs = stable(run.null.x, run.null.y, found.matches)
            shared = 0.0 if record.stopped else max(shared, growing.fits.shared(pairs))
        return as_shared(run.null, judged(run, found), shared, GROWN)
