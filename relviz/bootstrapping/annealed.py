"""Anchor optimization by annealing, from many seeds, few, or none."""

from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Schedule, Stage, anneal
from relviz.bootstrapping.correspondence import Correspondence, hard
from relviz.bootstrapping.inputs import Given
from relviz.bootstrapping.options import AnnealedOptions
from relviz.bootstrapping.principal_axes import MOST_DIMENSIONS, evened, working
from relviz.bootstrapping.procrustes import Alignment, align
from relviz.bootstrapping.result import Bootstrap, Record, fitted_anchors
from relviz.bootstrapping.sinkhorn import Blockwise
from relviz.bootstrapping.start import (
    CONSENSUS_STEPS,
    LEADING,
    RESTARTS,
    TRIAL_BEATS,
    Consensus,
    seeded_sides,
    trials,
)
from relviz.bootstrapping.verdict import BEATS, Evidence, Null, is_clear, judge
from relviz.errors import ParameterError
from relviz.relative_projection import unit_rows

Rows = tuple[Tensor, Tensor]

FEWEST_TO_START = 3
"""Seeds from which they alone are a start; two directions do not tell rows apart."""
_STARTED_EPS = 0.05
"""First eps after trials or generations, which have cooled further than seeds have."""
_MATCHING = 2
"""Sinkhorn iterations before rows are matched for good."""
_REFINED_ON_ALL = 1
"""Refining steps on all rows, where annealing looked at a part of them."""


@dataclass(frozen=True, eq=False)
class _Round:
    matches: Tensor
    trusted: Tensor
    converged: bool
    evidence: Evidence

    @property
    def clear(self) -> bool:
        return self.converged and is_clear(self.evidence)


def solve(given: Given, options: object, seed: int, record: Record) -> Bootstrap:
    """Method ``annealed``: soft matches and the rotation fitted to them sharpen each other.

    The first round starts from the seeds, and further ones from the pairs that several short annealings
    from the seeds agree on; without at least three seeds, every round starts from the best of several
    starts found in the shape of the two spaces. A round anneals, on part of the rows if there are many,
    refines, matches all rows, and gives its verdict. Rounds are repeated until one is clearly believed.
    """
    if options is not None and not isinstance(options, AnnealedOptions):
        raise ParameterError(f"options must be AnnealedOptions or None; they are {type(options).__name__}.")
    run = _Run(given, options or AnnealedOptions(), seed, record)
    rounds = []
    for number in range(run.options.rounds):
        rounds.append(run.round(number))
        if run.record.stopped or rounds[-1].clear or not run.consensus.grows:
            break
    best = max(rounds, key=lambda one: (one.converged, one.evidence.halves))
    anchors = fitted_anchors(given, best.matches, best.trusted)
    return run.record.result(given, "annealed", anchors, best.matches, (best.converged, best.evidence))


class _Run:
    """One run: what it works on, and the record of its steps."""

    def __init__(self, given: Given, options: AnnealedOptions, seed: int, record: Record) -> None:
        self.given, self.options, self.record = given, options, record
        self.generator = torch.Generator().manual_seed(seed)
        self.frame = working(given, self.generator)
        self.consensus = Consensus(*self.frame.sides, self.frame.seeds, self.generator, record.beat)
        self._null = Null(self.frame.x, self.frame.y, record.beat)
        self._evened = evened(self.frame.x), evened(self.frame.y)

    def round(self, number: int) -> _Round:
        """One start, annealed, refined, matched and judged."""
        stage = self._started(number)
        dx, dy = len(stage.alignment.left), len(stage.alignment.right)
        sides = stage.alignment.sides(self.frame.x[:, :dx], self.frame.y[:, :dy])
        if not self.record.stopped:
            sides = self._refined(sides)
        found = _matched(*sides, self.options.eps_last)
        matches, trusted = found.y_of_x.clone(), found.mutual
        matches[self.given.sx], trusted[self.given.sx] = self.given.sy, True
        return _Round(matches, trusted, *judge(self._null, matches, found.agreement, self.record.stopped))

    def _started(self, number: int) -> Stage:
        options, seeded = self.options, len(self.given.sx) >= FEWEST_TO_START
        steps = options.steps + options.refining
        if not seeded:
            self.record.begin(steps + options.trials, steps + options.trials * TRIAL_BEATS + BEATS)
            return self._annealed_from_trials()
        if number:
            tried = options.generations * RESTARTS
            self.record.begin(steps + tried, steps + tried * CONSENSUS_STEPS + BEATS)
            return self._annealed_from_consensus()
        self.record.begin(steps, steps + BEATS)
        sides = seeded_sides(*self.frame.sides, self.frame.seeds)
        return self._anneal(sides, len(self.given.sx), options.eps_first)

    def _annealed_from_consensus(self) -> Stage:
        for _ in range(self.options.generations):
            for trial in self.consensus.generation():
                if self._note(trial.stage.eps, trial.found, trial.stage.alignment, self._worked_on):
                    return trial.stage
        pairs = self.consensus.pairs
        rank = min(LEADING, len(pairs[0]))
        return self._anneal(seeded_sides(*self.frame.sides, pairs), rank, self._eps_started)

    def _annealed_from_trials(self) -> Stage:
        best = None
        count, pulse = self.options.trials, self.record.beat
        for trial in trials(*self.frame.sides, self.frame.seeds, count, self.generator, pulse):
            if best is None or trial.fit > best.fit:
                best = trial
            if self._note(trial.stage.eps, trial.found, trial.stage.alignment, self._worked_on):
                return best.stage
        assert best is not None
        return self._anneal((best.stage.u, best.stage.v), LEADING, self._eps_started)

    def _anneal(self, sides: tuple[Tensor, Tensor], rank: int, eps: float) -> Stage:
        options = self.options
        ranks, cooling = (rank, MOST_DIMENSIONS), (eps, min(eps, options.eps_last))
        schedule = Schedule(options.steps, ranks, cooling, left_out=options.left_out)
        seeds, pulse = self.frame.seeds, self.record.beat
        for stage in anneal(*self.frame.sides, sides, schedule, seeds, self.generator, pulse):
            found = hard(stage.u, stage.v, "cosine", both=False)
            if self._note(stage.eps, found, stage.alignment, self._worked_on):
                break
        return stage

    def _refined(self, sides: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        """Sides of all rows after the last steps, in which all rows and evened directions take part."""
        steps = self.options.refining
        if self.frame.sampled:
            on_part = max(1, steps - _REFINED_ON_ALL)
            sides = self._refine(sides, self._worked_on, on_part)
            steps -= on_part
        if steps and not self.record.stopped:
            sides = self._refine(sides, (self._all(self.frame.x), self._all(self.frame.y)), steps)
        return sides

    def _refine(self, sides: tuple[Tensor, Tensor], rows: Rows, steps: int) -> tuple[Tensor, Tensor]:
        eps, none = self.options.eps_last, self.given.sx[:0]
        x, y = (side[part] for side, part in zip(self._evened, rows, strict=True))
        part = sides[0][rows[0]], sides[1][rows[1]]
        schedule = Schedule(steps, (MOST_DIMENSIONS, MOST_DIMENSIONS), (eps, eps), left_out=0, power=0.5)
        for stage in anneal(x, y, part, schedule, (none, none), self.generator, self.record.beat):
            found = hard(stage.u, stage.v, "cosine", both=False)
            plain = self.frame.x[rows[0]], self.frame.y[rows[1]][found.y_of_x]
            if self._note(eps, found, align(plain[0].T @ plain[1], MOST_DIMENSIONS), rows):
                break
        return stage.alignment.sides(*self._evened)

    def _note(self, eps: float, found: Correspondence, alignment: Alignment, rows: Rows) -> bool:
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
            matches = ry[hard(u, v, "cosine", both=False).y_of_x]
        return self.record.step(loss, eps, found.agreement, matches, anchors)

    @property
    def _eps_started(self) -> float:
        return min(_STARTED_EPS, self.options.eps_first)

    @property
    def _worked_on(self) -> Rows:
        return self.frame.rows_x, self.frame.rows_y

    @staticmethod
    def _all(side: Tensor) -> Tensor:
        return torch.arange(len(side), device=side.device)


def _matched(u: Tensor, v: Tensor, eps: float) -> Correspondence:
    """The largest entries of the plan between all rows."""
    step = Blockwise(u, v, eps, "cosine")
    f, g = torch.zeros(0), torch.zeros(len(v), device=v.device)
    for _ in range(_MATCHING):
        f, g = step.update(g)
    return hard(u, v, "cosine", potentials=(f, g))
