"""Anchor optimization by annealing, from many seeds, few, or none."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Schedule, Stage
from relviz.bootstrapping.anneal_recorded import Rows, anneal_recorded
from relviz.bootstrapping.correspondence import Correspondence, hard
from relviz.bootstrapping.hints import beside
from relviz.bootstrapping.inputs import Given
from relviz.bootstrapping.options import AnnealedOptions
from relviz.bootstrapping.population import CHILD_STEPS, Spaces, annealed, nearest_rotation, spaces_of
from relviz.bootstrapping.principal_axes import LEADING, MOST_DIMENSIONS, Working
from relviz.bootstrapping.procrustes import Alignment
from relviz.bootstrapping.refinement import Refinement
from relviz.bootstrapping.reflection import MIRROR_BEATS, Mirror, mirrored
from relviz.bootstrapping.rejected import or_known_alone
from relviz.bootstrapping.result import Bootstrap, Record, fitted_anchors
from relviz.bootstrapping.right_share import stable
from relviz.bootstrapping.rounds import (
    Found,
    Judged,
    Round,
    Source,
    as_shared,
    compared,
    in_common,
    sources,
)
from relviz.bootstrapping.run import Run
from relviz.bootstrapping.search import Generations, Search, Standing, beats_of
from relviz.bootstrapping.stable_pairs import TURN_BEATS, TURNS, StablePairs, grow_recorded
from relviz.bootstrapping.start import FEWEST_COLUMNS, Starts, seeded_sides
from relviz.bootstrapping.verdict import (
    BEATS,
    BY_CHANCE,
    GROWN,
    TWICE,
    above_chance,
    judge,
    may_find_more,
)
from relviz.errors import ParameterError

_STARTED_EPS = 0.05
"""First eps after trials or generations, which have cooled further than seeds have."""
_HALF_RIGHT = 0.3
"""Agreement of the halves from which half of the matches are right, or nearly as many: these are purified."""
_PURIFIED = 3
"""Times that a run that is believed starts from its stable matches."""
_FURTHER_GROWN = 6
"""Times that matches which were grown start from the stable ones, each with cross-fitting."""
_AS_NEAR = 0.001
"""How much less near the rows may be that purified matches find: chance makes as much."""
MOST_SEARCHED = 6000
"""Rows of each space that populations look at."""
_AFTER_SEARCH = 60
"""Steps of annealing after populations, which have come nearer than seeds have."""
_OF_SEARCH, _OF_START, _OF_PURIFYING = 1 / 3, 1 / 20, 1 / 4
"""Parts of what is left of the progress: of a search, of a start to grow from, of purification."""


def solve(given: Given, options: object, seed: int, record: Record) -> Bootstrap:
    """Method ``annealed``: soft matches and the rotation fitted to them sharpen each other.

    A round starts from the seeds, or from what two populations of rotations come to by the shapes of the two
    spaces (see ``sources``). It anneals, on part of the rows if there are many, refines, matches all rows,
    and gives its verdict. Rounds are repeated until one is clearly believed, or another would find no more.
    What two rounds have in common is the last start: their errors differ, so it is purer than either. Where
    none is believed it is grown from pairs that several rounds and populations have in common. The best of
    those believed is purified.
    """
    if options is not None and not isinstance(options, AnnealedOptions):
        raise ParameterError(f"options must be AnnealedOptions or None; they are {type(options).__name__}.")
    run = Run(given, options or AnnealedOptions(), seed, record)
    null, rounds = run.null, _Rounds(run)
    made: list[Round] = []
    for source in sources(len(run.frame.seeds[0]), run.options.rounds):
        last = rounds.judged(rounds.started(source))
        made = [*made, last] if record.stopped else compared(null, made, last)
        if record.stopped or rounds.settled(made[-1]) or not rounds.promising(made[-1]):
            break
    united = rounds.united(made)
    made += [] if united is None else [united]
    believed = [one for one in made if one.converged]
    best = rounds.purified(believed) if believed else max(made, key=lambda one: run.fit(one.matches))
    anchors = fitted_anchors(given, best.matches, best.trusted)
    verdict = null.with_right_share(best.matches, (best.converged, best.evidence))
    result = record.result(given, "annealed", anchors, best.matches, verdict)
    if best.converged or result.stopped or above_chance(null, best.evidence):
        return result

    def searched(part: Given) -> Rows:
        again = _Rounds(Run(part, run.options, seed, Record(pulse=record.pulse)))
        found = again.refinement.matched(again.from_seeds())
        return found.matches, found.trusted

    return or_known_alone(given, result, searched)


class _Rounds:
    """The rounds of a run: from each of its starts to matches of all rows, and their verdict."""

    def __init__(self, run: Run) -> None:
        self.run, self.refinement = run, Refinement(run)
        self._few_seeds = len(run.frame.seeds[0]) < FEWEST_COLUMNS
        self._standing: Standing | None = None
        self._rotations: list[Tensor] = []

    def promising(self, last: Round) -> bool:
        """Whether another round may find more than the last, or what it found once more."""
        return self._standing is None or may_find_more(self.run.null, last.evidence)

    def settled(self, last: Round) -> bool:
        """Whether the last round is clearly believed; with few seeds only if found twice, or half right."""
        evidence = last.evidence
        twice, half_right = evidence.confirmed >= BY_CHANCE, evidence.halves >= _HALF_RIGHT
        return last.clear and (not self._few_seeds or twice or half_right)

    def judged(self, alignment: Alignment) -> Round:
        """What a start was annealed to, refined, matched and judged."""
        return self._judged(self.refinement.matched(alignment))

    def _judged(self, found: Found) -> Round:
        record = self.run.record
        verdict = record.kept("verdict", Judged)
        if verdict is None:
            args = self.run.null, found.matches, found.agreement, record.stopped
            verdict = Judged(*judge(*args, halves=found.halves))
            record.keep("verdict", verdict)
        evidence = verdict.evidence
        if self._standing is not None:
            agreement = f"{self._standing.agreement:.2f} (1: the same rotation)"
            reason = f"{evidence.reason} Two independent searches agree by {agreement}."
            evidence = replace(evidence, reason=reason)
        return Round(found.matches, found.trusted, verdict.converged, evidence)

    def united(self, made: list[Round]) -> Round | None:
        """A round that starts from the matches which two have in common; None where these may be chance."""
        run, steps = self.run, self.run.options.refining
        if len(made) < 2 or run.record.stopped or run.null.low:
            return None
        matches = [one.matches for one in made]
        if any(one.converged for one in made):
            shared = max(one.evidence.confirmed for one in made)
            if shared < BY_CHANCE:
                return None
            run.record.begin(steps, steps + BEATS)
            return as_shared(run.null, self.judged(run.fitted(in_common(matches))), shared)
        if any(may_find_more(run.null, one.evidence) for one in made):
            return self._of_either_side(matches)
        return None

    def purified(self, believed: list[Round]) -> Round:
        """The best of rounds that are believed, or what its stable matches are refined to.

        The best finds the nearest rows (see ``Null.nearness``), and is kept where the other finds clearly
        less near ones. Stable matches are right far more often than others, so what starts from them keeps
        fewer wrong ones. The first time they are cross-fitted, which leaves an optimum where many are wrong;
        plain ones get purer after that. What mirrors the best is purified beside it at first, since of two
        optima that are yet impure the worse may find rows as near.
        """
        run, null = self.run, self.run.null
        nearest, best = self._nearest(believed)
        if null.low or self.refinement.pure_enough(best.evidence.halves) or run.record.stopped:
            return best
        firsts: list[Round] = []
        for matches in chain([best.matches], self._mirror_images(best.matches)):
            firsts += [self._judged_beside(best, self._purified(matches, cross=True))]
            if run.record.stopped:
                return best
        last = self._nearest([one for one in firsts if one.converged] or [best])[1]
        for _ in range(_PURIFIED - 1):
            last = self._judged_beside(best, self._purified(last.matches, cross=False))
            if run.record.stopped or not last.converged:
                return best
        return last if null.nearness(last.matches) > nearest - _AS_NEAR else best

    def _nearest(self, believed: list[Round]) -> tuple[float, Round]:
        """The one of these rounds that finds the nearest rows, and how near."""
        near = [self.run.null.nearness(one.matches) for one in believed]
        return max(zip(near, believed, strict=True), key=lambda pair: pair[0])

    def _judged_beside(self, best: Round, found: Found) -> Round:
        """The verdict on what a believed round came to, which was found as often as that."""
        shared, one = best.evidence.shared, self._judged(found)
        return one if shared is None else as_shared(self.run.null, one, shared)

    def _mirror_images(self, matches: Tensor) -> Iterator[Tensor]:
        """Matches ``(n,)`` of the other optima that mirror the rotation of these in one direction."""
        run, steps = self.run, self.run.options.refining
        for mirror in self._mirrors(matches):
            run.record.begin(steps, steps, _OF_PURIFYING)
            yield self.refinement.matched(_turning(mirror.image, run.frame)[0]).matches

    def _mirrors(self, matches: Tensor) -> list[Mirror]:
        """Directions in which the rotation of these matches ``(n,)`` has another optimum."""
        record = self.run.record
        record.begin(0, MIRROR_BEATS, _OF_START)
        return mirrored(self._spaces, self._rotation(matches), self.run.generator, record.beat)

    def _rotation(self, matches: Tensor) -> Tensor:
        """The rotation ``(d, d)`` of the leading axes that is fitted to matches ``(n,)``."""
        frame, d = self.run.frame, self._spaces.x.shape[1]
        return nearest_rotation(frame.x[:, :d].T @ frame.y[matches][:, :d])

    @cached_property
    def _spaces(self) -> Spaces:
        """The leading axes of the rows to anneal with."""
        frame = self.run.frame
        return spaces_of(*frame.sides, frame.seeds, LEADING, frame.told)

    def _purified(self, matches: Tensor, cross: bool) -> Found:
        """What the stable ones of these matches ``(n,)`` are refined to."""
        run, steps = self.run, self.run.options.refining
        pairs = stable(run.null.x, run.null.y, matches)
        run.record.begin(steps, steps + BEATS, _OF_PURIFYING)
        return self.refinement.purified(run.fitted(pairs), cross)

    def _of_either_side(self, matches: list[Tensor]) -> Round | None:
        """What grows from rounds and populations on one side of a mirror or the other; None if nothing does.

        Matches of different sides contradict each other, so pairs grow on one side at a time.
        """
        for rotation in self._rotations:
            matches = [*matches, self._by_itself(rotation)]
            if self.run.record.stopped:
                return None
        grown: list[Round] = []
        for side in self._sides(matches):
            one = self._grown(side)
            grown += [] if one is None else [one]
            if one is not None and one.converged:
                break
        return max(grown, key=lambda one: (one.converged, one.evidence.confirmed), default=None)

    def _sides(self, matches: list[Tensor]) -> list[list[Tensor]]:
        """Matches on each side of the clearest mirror: those found there, and images of the others.

        The side with more pairs in common comes first. Without a clear mirror, all are on one side.
        """
        best = max(matches, key=self.run.fit)
        mirror = min(self._mirrors(best), key=lambda one: one.kept, default=None)
        if mirror is None or not mirror.clear:
            return [matches]
        here: list[Tensor] = []
        beyond: list[Tensor] = []
        for one in matches:
            rotation = self._rotation(one)
            image = mirror.reflected(rotation)[None]
            args = image, CHILD_STEPS, self.run.generator, self.run.record.beat
            other = self._by_itself(annealed(self._spaces, *args)[0])
            own, across = (beyond, here) if mirror.beyond(rotation) else (here, beyond)
            own.append(one)
            across.append(other)
            if self.run.record.stopped:
                break
        return sorted((here, beyond), key=lambda side: len(in_common(side)[0]), reverse=True)

    def _grown(self, matches: list[Tensor]) -> Round | None:
        """A round from the most pairs that fits to parts of these agree on; None where they are too few.

        They grow further where fits to two halves of them agree: their matches start from the stable ones
        again and again, and the halves of these count, too. Where they did not agree before, wrong matches
        would come to be consistent with themselves.
        """
        run, record, frame = self.run, self.run.record, self.run.frame
        if record.stopped:
            return None
        known, told, steps = (run.given.sx, run.given.sy), run.given.told, run.options.refining
        args = known, (told.x, told.y), self.refinement.plan, run.generator, record.beat
        growing = StablePairs(frame.x, frame.y, matches, *args)
        if not growing.promising(growing.begun):
            return None
        record.begin(TURNS + steps, (TURNS + 1) * TURN_BEATS + steps + BEATS)

        def note(found: Correspondence) -> bool:
            rows = growing.rows
            return run.note(run.options.eps_last, found, run.fitted((rows[0], rows[1][found.y_of_x])), rows)

        at = grow_recorded(growing, record, run.generator, note)
        if not growing.enough(at.most):
            record.skip(steps)
            return None
        pairs = growing.most(at)
        shared = 0.0 if record.stopped else growing.shared(pairs)
        found = self.refinement.matched(run.fitted(pairs))
        if shared >= TWICE.shared and not self.refinement.pure_enough(found.halves):
            for _ in range(_FURTHER_GROWN):
                if not record.stopped:
                    found = self._purified(found.matches, cross=True)
            pairs = stable(run.null.x, run.null.y, found.matches)
            shared = 0.0 if record.stopped else max(shared, growing.shared(pairs))
        return as_shared(run.null, self._judged(found), shared, GROWN)

    def _by_itself(self, rotation: Tensor) -> Tensor:
        """What a rotation ``(d, d)`` of the leading axes is annealed to and matches, ``(n,)``."""
        steps = min(self.run.options.steps, _AFTER_SEARCH)
        self.run.record.begin(steps, steps, _OF_START)
        sides = _turning(rotation, self.run.frame)[1]
        return self.refinement.unrefined(self._anneal(lambda: sides, LEADING, self._eps_started, steps))

    def started(self, source: Source) -> Alignment:
        """What a start is annealed to."""
        return self.from_seeds() if source is Source.SEEDS else self._from_populations()

    def from_seeds(self) -> Alignment:
        """What the known pairs alone are annealed to."""
        frame, options = self.run.frame, self.run.options
        steps = options.steps + options.refining
        self.run.record.begin(steps, steps + BEATS)
        sides = partial(seeded_sides, *frame.sides, frame.seeds)
        return self._anneal(sides, len(frame.seeds[0]), options.eps_first)

    def _from_populations(self) -> Alignment:
        run, record = self.run, self.run.record
        most, steps = run.options.generations, min(run.options.steps, _AFTER_SEARCH)
        planned = steps + run.options.refining + most + 1
        record.begin(planned, planned + beats_of(run.options.members, most) + BEATS, _OF_SEARCH)
        rows, search = (self.searched.rows_x, self.searched.rows_y), self.search
        before = len(record.history)
        begun = record.kept("generations", Generations, run.generator)
        for standing in search.generations(most, begun):
            stage = self._turned(search.rotation)
            found = hard(stage.u, stage.v, run.cost)
            if run.note(stage.eps, found, stage.alignment, rows, standing):
                self._standing = standing
                return stage.alignment
            record.keep("generations", search.reached, run.generator)
        self._standing = search.standing
        self._rotations += search.rotations
        record.skip(before + most + 1 - len(record.history))
        return self._anneal(lambda: _turning(search.best(), run.frame)[1], LEADING, self._eps_started, steps)

    @cached_property
    def searched(self) -> Working:
        """The rows that populations look at: more than annealing does, with nothing else to go by."""
        return self.run.frame.of_rows(MOST_SEARCHED, self.run.given, self.run.generator)

    @cached_property
    def search(self) -> Search:
        """Two populations of rotations, where known pairs are too few to start from."""
        frame, generator, pulse = self.searched, self.run.generator, self.run.record.beat
        starts = Starts(*frame.sides, frame.seeds, generator, pulse)
        spaces = spaces_of(*frame.sides, frame.seeds, LEADING, frame.told)
        return Search(spaces, starts.draw, self.run.options.members, generator, pulse)

    def _turned(self, rotation: Tensor) -> Stage:
        """The rows that populations look at, as one of their rotations ``(d, d)`` turns them."""
        alignment, sides = _turning(rotation, self.searched)
        u, v = (beside(side, told) for side, told in zip(sides, self.searched.told, strict=True))
        return Stage(self._eps_started, alignment, u, v, torch.zeros(0))

    def _anneal(
        self, sides: Callable[[], Rows], rank: int, eps: float, steps: int | None = None
    ) -> Alignment:
        run, options = self.run, self.run.options
        ranks, cooling = (rank, MOST_DIMENSIONS), (eps, min(eps, options.eps_last))
        schedule = Schedule(steps or options.steps, ranks, cooling, left_out=options.left_out)

        rx, ry = run.worked_on

        def note(stage: Stage) -> bool:
            found = hard(stage.u[run.noted], stage.v, run.cost, both=False)
            return run.note(stage.eps, found, stage.alignment, (rx[run.noted], ry))

        args = *run.frame.sides, sides, schedule, run.frame.seeds, run.generator, run.frame.told
        return anneal_recorded("annealing", run.record, *args, note)

    @property
    def _eps_started(self) -> float:
        return min(_STARTED_EPS, self.run.options.eps_first)


def _turning(rotation: Tensor, rows: Working) -> tuple[Alignment, Rows]:
    """A rotation ``(d, d)`` of the leading axes, and both sides of these rows as it turns them."""
    alignment = Alignment(rotation, torch.eye(len(rotation), device=rotation.device))
    return alignment, alignment.sides(*(side[:, : len(rotation)] for side in rows.sides))
