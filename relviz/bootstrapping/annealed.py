"""Anchor optimization by annealing, from many seeds, few, or none."""

from dataclasses import replace
from itertools import combinations

from relviz.bootstrapping.anneal_recorded import Rows
from relviz.bootstrapping.annealed_starts import AnnealedStarts
from relviz.bootstrapping.fitted_anchors import fitted_anchors
from relviz.bootstrapping.growth import Growth
from relviz.bootstrapping.inputs import Given
from relviz.bootstrapping.mirror_images import MirrorImages
from relviz.bootstrapping.null import BEATS
from relviz.bootstrapping.options import AnnealedOptions
from relviz.bootstrapping.purification import Purification
from relviz.bootstrapping.record import Record
from relviz.bootstrapping.refinement import Refinement
from relviz.bootstrapping.rejected import or_known_alone
from relviz.bootstrapping.result import Bootstrap, result_of
from relviz.bootstrapping.rounds import Round, Source, as_shared, compared, in_common, judged, sources
from relviz.bootstrapping.run import Run
from relviz.bootstrapping.self_training import SelfTraining
from relviz.bootstrapping.start import FEWEST_COLUMNS
from relviz.bootstrapping.verdict import (
    BY_CHANCE,
    above_chance,
    may_be_shared,
    may_find_more,
    mostly_wrong,
    with_right_share,
)
from relviz.errors import ParameterError

_HALF_RIGHT = 0.3
"""Agreement of the halves from which half of the matches are right, or nearly as many: these are purified."""
_ONE_OPTIMUM = 0.4
"""Agreement of the halves from which a round has come to an optimum. If that is not believed, growth is left
out, which would come to one that is as wrong."""


def solve(given: Given, options: object, seed: int, record: Record) -> Bootstrap:
    """Method ``annealed``: soft matches and the rotation fitted to them sharpen each other.

    A round starts from the seeds, or from what two populations of rotations come to by the shapes of the two
    spaces (see ``sources``). It anneals, on part of the rows if there are many, refines, matches all rows,
    and gives its verdict. Rounds are repeated until one is clearly believed, or another would find no more.
    What two rounds have in common is the last start: their errors differ, so it is purer than either. Where
    none is believed it is grown from pairs that several rounds and populations have in common. What is not
    believed is trained on its own stable matches, and in the end on those of its mirror image. The best of
    those believed is purified.
    """
    if options is not None and not isinstance(options, AnnealedOptions):
        raise ParameterError(f"options must be AnnealedOptions or None; they are {type(options).__name__}.")
    run = Run(given, options or AnnealedOptions(), seed, record)
    null, rounds = run.null, Rounds(run)
    made: list[Round] = []
    while (source := rounds.next_source(made)) is not None:
        last = rounds.from_start(source)
        made = [*made, last] if record.stopped else compared(null, made, last)
        if (trained := rounds.trained(made[-1])) is not None:
            made = compared(null, made[:-1], trained)
    if (united := rounds.united(made)) is not None:
        made += [rounds.trained(united) or united]
    believed = [one for one in made if one.converged]
    if united is not None and not believed:
        believed = rounds.believed_images(made[-1])
    best = rounds.purification.best(believed) if believed else max(made, key=lambda one: run.fit(one.matches))
    anchors = fitted_anchors(given, best.matches, best.trusted)
    verdict = with_right_share(null, best.matches, (best.converged, best.evidence))
    result = result_of(record, given, "annealed", anchors, best.matches, verdict)
    if best.converged or result.stopped or above_chance(null, best.evidence):
        return result

    def searched(part: Given) -> Rows:
        again = Rounds(Run(part, run.options, seed, Record(pulse=record.pulse)))
        found = again.refinement.matched(again.starts.from_seeds())
        return found.matches, found.trusted

    return or_known_alone(given, result, searched)


class Rounds:
    """The rounds of a run, one after the other, and what is made of those that were."""

    def __init__(self, run: Run) -> None:
        self.run, self.refinement = run, Refinement(run)
        self.starts = AnnealedStarts(run, self.refinement)
        self.images = MirrorImages(run, self.starts, self.refinement)
        self.purification = Purification(run, self.refinement, self.images)
        self.growth = Growth(run, self.starts, self.refinement, self.images)
        self.training = SelfTraining(run, self.refinement)
        self._few_seeds = len(run.frame.seeds[0]) < FEWEST_COLUMNS
        self._patient = False

    def from_start(self, source: Source) -> Round:
        """What a start is annealed to, refined, matched and judged."""
        self._patient = self._patient or source is Source.PATIENT_POPULATIONS
        last = judged(self.run, self.refinement.matched(self.starts.annealed(source)))
        doubted = not last.clear and may_be_shared(self.run.null, last.evidence)
        if source is Source.PATIENT_POPULATIONS and doubted and not self.run.record.stopped:
            return as_shared(self.run.null, last, self._shared(last))
        return last

    def trained(self, last: Round) -> Round | None:
        """What a round that is not believed comes to by itself; None if that leads nowhere."""
        return None if last.converged or self._unrelated else self.training.of(last)

    def believed_images(self, last: Round) -> list[Round]:
        """What the first image of a round is trained to that comes to be believed, if one does.

        Grown on the wrong side of a mirror, matches lead nowhere, and their image to the truth.
        """
        if self._unrelated or not self.training.possible or self.run.record.stopped:
            return []
        for matches in self.images.of(last.matches):
            one = self.training.of(replace(last, matches=matches))
            if one is not None and one.converged:
                return [one]
        return []

    def _shared(self, last: Round) -> float:
        """How far the two populations of the last search, each by itself, come to the matches of its round.

        They never exchange members, so they are evidence for each other as two searches are.
        """
        two = range(len(self.starts.rotations))[-2:]
        found = [last.matches, *(self.starts.matches_of(population) for population in two)]
        return min(self.run.null.shared(one, other) for one, other in combinations(found, 2))

    def next_source(self, made: list[Round]) -> Source | None:
        """What another round is to start from after these; None where it would find no more.

        Where known pairs are few, and nothing has been found that would be believed if it were found twice,
        populations are patient from then on, unless they are unrelated.
        """
        null, planned = self.run.null, sources(len(self.run.frame.seeds[0]), self.run.options.rounds)
        if made and (self.run.record.stopped or self.settled(made[-1]) or len(made) == len(planned)):
            return None
        if _in_one_wrong_optimum(made):
            return None
        source = planned[len(made)]
        if self.run.standing is None:
            return source
        in_vain = not any(may_be_shared(null, one.evidence) for one in made)
        if self._few_seeds and in_vain and not self._patient and not self._unrelated:
            return Source.PATIENT_POPULATIONS
        if not may_find_more(null, made[-1].evidence, self._unrelated):
            return None
        return Source.PATIENT_POPULATIONS if self._patient else source

    def settled(self, last: Round) -> bool:
        """Whether the last round is clearly believed; with few seeds only if found twice, or half right."""
        evidence = last.evidence
        twice, half_right = evidence.confirmed >= BY_CHANCE, evidence.halves >= _HALF_RIGHT
        return last.clear and (not self._few_seeds or twice or half_right)

    def united(self, made: list[Round]) -> Round | None:
        """A round that starts from the matches which two have in common; None where these may be chance."""
        run, steps = self.run, self.run.options.refining
        if len(made) < 2 or run.record.stopped or run.null.low or _in_one_wrong_optimum(made):
            return None
        matches = [one.matches for one in made]
        if any(one.converged for one in made):
            shared = max(one.evidence.confirmed for one in made)
            if shared < BY_CHANCE:
                return None
            run.record.begin(steps, steps + BEATS)
            found = self.refinement.matched(run.fitted(in_common(matches)))
            return as_shared(run.null, judged(run, found), shared)
        if all(one.evidence.halves >= _ONE_OPTIMUM for one in made) or self._unrelated:
            return None
        if any(may_find_more(run.null, one.evidence) for one in made):
            return self.growth.of_either_side(matches)
        return None

    @property
    def _unrelated(self) -> bool:
        """Whether the populations of the last search began as those of unrelated spaces do."""
        return self.run.standing is not None and self.starts.search.unrelated


def _in_one_wrong_optimum(made: list[Round]) -> bool:
    """Whether two rounds have found the same wrong matches, as further starts and growth would."""
    return not any(one.converged for one in made) and any(mostly_wrong(one.evidence) for one in made)
