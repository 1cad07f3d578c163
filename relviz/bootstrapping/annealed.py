"""Anchor optimization by annealing, from many seeds, few, or none."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Schedule, Stage
from relviz.bootstrapping.anneal_recorded import Rows, anneal_recorded
from relviz.bootstrapping.correspondence import Correspondence, hard
from relviz.bootstrapping.cross_fitting import EVENING, cross_fitted
from relviz.bootstrapping.hints import beside, cost_of
from relviz.bootstrapping.inputs import Given
from relviz.bootstrapping.mutual_pairs import mutual_pairs
from relviz.bootstrapping.options import AnnealedOptions
from relviz.bootstrapping.population import spaces_of
from relviz.bootstrapping.principal_axes import (
    LEADING,
    MOST_DIMENSIONS,
    Working,
    evened,
    some_rows,
    unexplained,
    working,
)
from relviz.bootstrapping.procrustes import Alignment, align, nuclear
from relviz.bootstrapping.rejected import or_known_alone
from relviz.bootstrapping.result import Bootstrap, Record, fitted_anchors
from relviz.bootstrapping.right_share import distinct
from relviz.bootstrapping.rounds import Found, Judged, Round, Source, as_shared, compared, in_common, sources
from relviz.bootstrapping.search import Generations, Search, Standing, beats_of
from relviz.bootstrapping.sinkhorn import Blockwise
from relviz.bootstrapping.stable_pairs import TURN_BEATS, TURNS, StablePairs, grow_recorded
from relviz.bootstrapping.start import FEWEST_COLUMNS, Starts, seeded_sides
from relviz.bootstrapping.verdict import (
    BEATS,
    BY_CHANCE,
    Null,
    above_chance,
    halves_agreement,
    judge,
    may_find_more,
)
from relviz.errors import ParameterError
from relviz.relative_projection import unit_rows

_STARTED_EPS = 0.05
"""First eps after trials or generations, which have cooled further than seeds have."""
MOST_SEARCHED = 6000
"""Rows of each space that populations look at."""
_AFTER_SEARCH = 60
"""Steps of annealing after populations, which have come nearer than seeds have."""
_NOTED = 1000
"""Rows of x by which a step of annealing is recorded."""
_MATCHING = 2
"""Sinkhorn iterations before rows are matched for good."""
_REFINED_ON_ALL = 1
"""Refining steps on all rows, where annealing looked at a part of them."""
_ALL_MATCHED = 0.6
"""Agreement of the halves of the matches from which no rows lack a counterpart, as far as it matters."""
_DISTINCT = 0.75
"""Share of the rows that are no near-duplicates of others, below which matches are not cross-fitted."""
_VOTES = 3, 2
"""How many starts have to match a row alike for its pair to be grown from; fewer, if there are too few."""
_BETTER = 0.02
"""How much more the halves of cross-fitted matches have to agree for these to be taken."""


def solve(given: Given, options: object, seed: int, record: Record) -> Bootstrap:
    """Method ``annealed``: soft matches and the rotation fitted to them sharpen each other.

    A round starts from the seeds, or from what two populations of rotations come to by the shapes of the two
    spaces (see ``sources``). It anneals, on part of the rows if there are many, refines, matches all rows,
    and gives its verdict. Rounds are repeated until one is clearly believed, or another would find no more.
    What two rounds have in common is the last start: their errors differ, so it is purer than either. Where
    none is believed it is grown from pairs that several rounds and populations have in common.
    """
    if options is not None and not isinstance(options, AnnealedOptions):
        raise ParameterError(f"options must be AnnealedOptions or None; they are {type(options).__name__}.")
    run = _Run(given, options or AnnealedOptions(), seed, record)
    rounds: list[Round] = []
    for source in sources(len(run.frame.seeds[0]), run.options.rounds):
        last = run.round(run.started(source))
        rounds = [*rounds, last] if record.stopped else compared(run.null, rounds, last)
        if record.stopped or run.settled(rounds) or not run.promising(rounds):
            break
    united = run.united(rounds)
    rounds += [] if united is None else [united]
    best = max(rounds, key=lambda one: (one.converged, run.fit(one.matches)))
    anchors = fitted_anchors(given, best.matches, best.trusted)
    verdict = run.null.with_right_share(best.matches, (best.converged, best.evidence))
    result = run.record.result(given, "annealed", anchors, best.matches, verdict)
    if best.converged or result.stopped or above_chance(run.null, best.evidence):
        return result

    def searched(part: Given) -> Rows:
        again = _Run(part, run.options, seed, Record(pulse=record.pulse))
        found = again.matched(again.started_from_seeds())
        return found.matches, found.trusted

    return or_known_alone(given, result, searched)


class _Run:
    """One run: what it works on, and the record of its steps."""

    def __init__(self, given: Given, options: AnnealedOptions, seed: int, record: Record) -> None:
        self.given, self.options, self.record = given, options, record
        self.generator = torch.Generator().manual_seed(seed)
        self.frame = working(given, self.generator)
        self.null = Null(*unexplained(self.frame, given.told), record.beat, given.sx)
        self._evened = evened(self.frame.x), evened(self.frame.y)
        self._few_seeds = len(self.frame.seeds[0]) < FEWEST_COLUMNS
        self.standing: Standing | None = None
        self._rotations: list[Tensor] = []
        self._cost = cost_of(self.frame.told)
        self._noted = some_rows(len(self.frame.rows_x), self.frame.seeds[0], _NOTED, self.generator)[0]

    def promising(self, rounds: list[Round]) -> bool:
        """Whether another round may find more than those before, or what they found once more."""
        return self.standing is None or may_find_more(self.null, rounds[-1].evidence)

    def settled(self, rounds: list[Round]) -> bool:
        """Whether a round is clearly believed; the first of few seeds only where hardly a match is wrong."""
        last = rounds[-1]
        sure = len(rounds) > 1 or not self._few_seeds or last.evidence.halves >= _ALL_MATCHED
        return last.clear and sure

    def round(self, alignment: Alignment) -> Round:
        """What a start was annealed to, refined, matched and judged."""
        found = self.matched(alignment)
        judged = self.record.kept("verdict", Judged)
        if judged is None:
            args = self.null, found.matches, found.agreement, self.record.stopped
            judged = Judged(*judge(*args, halves=found.halves))
            self.record.keep("verdict", judged)
        evidence = judged.evidence
        if self.standing is not None:
            said = f" Two independent searches agree by {self.standing.agreement:.2f} (1: the same rotation)."
            evidence = replace(evidence, reason=evidence.reason + said)
        return Round(found.matches, found.trusted, judged.converged, evidence)

    def fit(self, matches: Tensor) -> float:
        """The mean cosine of matched rows under their best rotation."""
        return nuclear(self.null.x, self.null.y[matches])

    def united(self, rounds: list[Round]) -> Round | None:
        """A round that starts from the matches which two have in common; None where these may be chance."""
        if len(rounds) < 2 or self.record.stopped or self.null.low:
            return None
        matches, steps = [one.matches for one in rounds], self.options.refining
        if any(one.converged for one in rounds):
            shared = max(one.evidence.shared or 0.0 for one in rounds)
            if shared < BY_CHANCE:
                return None
            pairs = in_common(matches)
            self.record.begin(steps, steps + BEATS)
        elif any(may_find_more(self.null, one.evidence) for one in rounds):
            if (grown := self._grown(matches)) is None:
                return None
            pairs, shared = grown
        else:
            return None
        alignment = align(self.frame.x[pairs[0]].T @ self.frame.y[pairs[1]], MOST_DIMENSIONS)
        return as_shared(self.null, self.round(alignment), shared)

    def _grown(self, matches: list[Tensor]) -> tuple[Rows, float] | None:
        """The most pairs that fits to parts of these agree on, and how much; None where they are too few."""
        frame, given, steps = self.frame, self.given, self.options.refining
        for rotation in self._rotations:
            matches = [*matches, self._by_itself(rotation)]
            if self.record.stopped:
                return None
        told = given.told.x, given.told.y
        args = (given.sx, given.sy), told, self._plan, self.generator, self.record.beat
        tried = (StablePairs(frame.x, frame.y, in_common(matches, votes), *args) for votes in _VOTES)
        stable = next((one for one in tried if one.promising(one.begun)), None)
        if stable is None:
            return None
        self.record.begin(TURNS + steps, (TURNS + 1) * TURN_BEATS + steps + BEATS)

        def note(found: Correspondence) -> bool:
            rows = stable.rows
            plain = align(frame.x[rows[0]].T @ frame.y[rows[1][found.y_of_x]], MOST_DIMENSIONS)
            return self._note(self.options.eps_last, found, plain, rows)

        at = grow_recorded(stable, self.record, self.generator, note)
        if not stable.enough(at.most):
            self.record.skip(steps)
            return None
        return stable.most(at), 0.0 if self.record.stopped else stable.shared(at)

    def _by_itself(self, rotation: Tensor) -> Tensor:
        """What one population of a search is annealed to and matched, ``(n,)``."""
        steps = min(self.options.steps, _AFTER_SEARCH)
        planned = steps + self.options.refining
        self.record.begin(planned, planned)
        sides = _turning(rotation, self.frame)[1]
        return self.matched(self._anneal(lambda: sides, LEADING, self._eps_started, steps)).matches

    def matched(self, alignment: Alignment) -> Found:
        """What a start was annealed to, refined and matched."""
        known = self.record.kept("matches", Found, self.generator)
        if known is not None:
            return known.to(self.frame.x.device)
        dx, dy = len(alignment.left), len(alignment.right)
        sides = alignment.sides(self.frame.x[:, :dx], self.frame.y[:, :dy])
        if self.record.stopped:
            found = self._found(self._matched(sides))
        else:
            sides = self._refined(sides)
            found = self._confirmed(sides, self._found(self._matched(sides)))
        found.trusted[self.given.sx] = True
        self.record.keep("matches", found, self.generator)
        return found

    def started(self, source: Source) -> Alignment:
        """What a start is annealed to."""
        return self.started_from_seeds() if source is Source.SEEDS else self._from_populations()

    def started_from_seeds(self) -> Alignment:
        """What the known pairs alone are annealed to."""
        steps = self.options.steps + self.options.refining
        self.record.begin(steps, steps + BEATS)
        sides = partial(seeded_sides, *self.frame.sides, self.frame.seeds)
        return self._anneal(sides, len(self.frame.seeds[0]), self.options.eps_first)

    def _from_populations(self) -> Alignment:
        most, steps = self.options.generations, min(self.options.steps, _AFTER_SEARCH)
        planned = steps + self.options.refining + most + 1
        self.record.begin(planned, planned + beats_of(self.options.members, most) + BEATS)
        frame, search = self.searched, self.search
        before = len(self.record.history)
        begun = self.record.kept("generations", Generations, self.generator)
        for standing in search.generations(most, begun):
            stage, rows = self._turned(search.rotation), (frame.rows_x, frame.rows_y)
            found = hard(stage.u, stage.v, self._cost)
            if self._note(stage.eps, found, stage.alignment, rows, standing):
                self.standing = standing
                return stage.alignment
            self.record.keep("generations", search.reached, self.generator)
        self.standing = search.standing
        self._rotations += search.rotations
        self.record.skip(before + most + 1 - len(self.record.history))
        return self._anneal(lambda: _turning(search.best(), self.frame)[1], LEADING, self._eps_started, steps)

    @cached_property
    def searched(self) -> Working:
        """The rows that populations look at: more than annealing does, with nothing else to go by."""
        return self.frame.of_rows(MOST_SEARCHED, self.given, self.generator)

    @cached_property
    def search(self) -> Search:
        """Two populations of rotations, where known pairs are too few to start from."""
        frame, generator, pulse = self.searched, self.generator, self.record.beat
        starts = Starts(*frame.sides, frame.seeds, generator, pulse)
        spaces = spaces_of(*frame.sides, frame.seeds, LEADING, frame.told)
        return Search(spaces, starts.draw, self.options.members, generator, pulse)

    def _turned(self, rotation: Tensor) -> Stage:
        """The rows that populations look at, as one of their rotations ``(d, d)`` turns them."""
        alignment, sides = _turning(rotation, self.searched)
        u, v = (beside(side, told) for side, told in zip(sides, self.searched.told, strict=True))
        return Stage(self._eps_started, alignment, u, v, torch.zeros(0))

    def _anneal(
        self, sides: Callable[[], Rows], rank: int, eps: float, steps: int | None = None
    ) -> Alignment:
        options = self.options
        ranks, cooling = (rank, MOST_DIMENSIONS), (eps, min(eps, options.eps_last))
        schedule = Schedule(steps or options.steps, ranks, cooling, left_out=options.left_out)

        rx, ry = self._worked_on

        def note(stage: Stage) -> bool:
            found = hard(stage.u[self._noted], stage.v, self._cost, both=False)
            return self._note(stage.eps, found, stage.alignment, (rx[self._noted], ry))

        args = *self.frame.sides, sides, schedule, self.frame.seeds, self.generator, self.frame.told
        return anneal_recorded("annealing", self.record, *args, note)

    def _refined(self, sides: Rows) -> Rows:
        """Sides of all rows after the last steps, in which all rows and evened directions take part."""
        steps = self.options.refining
        if self.frame.sampled:
            on_part = max(1, steps - _REFINED_ON_ALL)
            part = self._all(self._worked_on[0]), self._all(self._worked_on[1])
            sides = self._refine("refining a part", sides, self._worked_on, part, on_part)
            steps -= on_part
        if steps and not self.record.stopped:
            every = self._all(self.frame.x), self._all(self.frame.y)
            sides = self._refine("refining", sides, every, self._worked_on, steps)
        return sides

    def _refine(self, name: str, sides: Rows, rows: Rows, places: Rows, steps: int) -> Rows:
        """Steps on these rows, recorded by those worked on, which are at these places among them."""
        eps, none = self.options.eps_last, self.given.sx[:0]
        x, y = (side[part] for side, part in zip(self._evened, rows, strict=True))
        schedule = Schedule(steps, (MOST_DIMENSIONS, MOST_DIMENSIONS), (eps, eps), left_out=0, power=0.5)
        told = self.given.told.x[rows[0]], self.given.told.y[rows[1]]

        (rx, ry), (at_x, at_y) = self._worked_on, places

        def note(stage: Stage) -> bool:
            found = hard(stage.u[at_x], stage.v[at_y], self._cost, both=False)
            plain = align(self.frame.x[rx].T @ self.frame.y[ry[found.y_of_x]], MOST_DIMENSIONS)
            return self._note(eps, found, plain, self._worked_on)

        def part() -> Rows:
            return sides[0][rows[0]], sides[1][rows[1]]

        args = x, y, part, schedule, (none, none), self.generator, told
        return anneal_recorded(name, self.record, *args, note).sides(*self._evened)

    def _confirmed(self, sides: Rows, found: Found) -> Found:
        """These matches, or cross-fitted ones if their halves agree better and they fit as well.

        Where every row has a counterpart, wrong matches are few and what each tells of itself helps. Where
        rows have near-duplicates, those tell it in their place.
        """
        if found.halves >= _ALL_MATCHED or self._twins:
            return found
        frame, told = self.frame, self.given.told
        x, y = (evened(side, EVENING) for side in (frame.x, frame.y))
        (rx, ry), (u, v) = self._worked_on, sides
        args = frame.told, self.generator, self.record.beat
        alignment, _ = cross_fitted(x[rx], y[ry], (u[rx], v[ry]), *args)
        sides = alignment.sides(x, y)
        other = self._found(self._matched(sides))
        if other.halves <= found.halves + _BETTER or self.fit(other.matches) < self.fit(found.matches):
            return found
        mutual = mutual_pairs(beside(sides[0], told.x), beside(sides[1], told.y))
        return replace(other, trusted=mutual.weights > 0)

    @cached_property
    def _twins(self) -> bool:
        """Whether many rows of either space have a near-duplicate."""
        rows = self.null.x[self.frame.rows_x], self.null.y[self.frame.rows_y]
        return min(distinct(side) for side in rows) < _DISTINCT

    def _found(self, found: Correspondence) -> Found:
        matches = found.y_of_x.clone()
        matches[self.given.sx] = self.given.sy
        return Found(
            matches, found.mutual, found.agreement, halves_agreement(self.null.x, self.null.y, matches)
        )

    def _matched(self, sides: Rows) -> Correspondence:
        """The largest entries of the plan between all rows."""
        told = self.given.told
        return self._plan(beside(sides[0], told.x), beside(sides[1], told.y))

    def _plan(self, u: Tensor, v: Tensor) -> Correspondence:
        step = Blockwise(u, v, self.options.eps_last, self._cost)
        f, g = torch.zeros(0), torch.zeros(len(v), device=v.device)
        for _ in range(_MATCHING):
            f, g = step.update(g)
        return hard(u, v, self._cost, potentials=(f, g))

    def _note(
        self,
        eps: float,
        found: Correspondence,
        alignment: Alignment,
        rows: Rows,
        standing: Standing | None = None,
    ) -> bool:
        """Record a step on these rows of both spaces; whether the run is to stop."""
        given, frame = self.given, self.frame
        (rx, ry), (dx, dy) = rows, (len(alignment.left), len(alignment.right))
        points = frame.x[given.anchors]
        placed = unit_rows(alignment.carry(points[:, :dx]))
        relative_x, relative_y = frame.x[rx] @ points.T, frame.y[ry, :dy] @ placed.T
        loss = float((relative_x - relative_y[found.y_of_x]).square().mean())
        anchors, matches = placed @ frame.axes[:, :dy].T, ry[found.y_of_x]
        if self.record.on_step is not None and len(rx) < len(frame.x):
            u, v = alignment.sides(frame.x[:, :dx], frame.y[ry, :dy])
            u, v = beside(u, frame.told_x), beside(v, frame.told_y[ry])
            matches = ry[hard(u, v, self._cost, both=False).y_of_x]
        return self.record.step(loss, eps, found.agreement, matches, anchors, standing)

    @property
    def _eps_started(self) -> float:
        return min(_STARTED_EPS, self.options.eps_first)

    @property
    def _worked_on(self) -> Rows:
        return self.frame.rows_x, self.frame.rows_y

    @staticmethod
    def _all(side: Tensor) -> Tensor:
        return torch.arange(len(side), device=side.device)


def _turning(rotation: Tensor, rows: Working) -> tuple[Alignment, Rows]:
    """A rotation ``(d, d)`` of the leading axes, and both sides of these rows as it turns them."""
    alignment = Alignment(rotation, torch.eye(len(rotation), device=rotation.device))
    return alignment, alignment.sides(*(side[:, : len(rotation)] for side in rows.sides))
