"""Where rounds begin: what known pairs, two populations of rotations, or one rotation are annealed to."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Schedule, Stage
from relviz.bootstrapping.anneal_recorded import Rows, anneal_recorded
from relviz.bootstrapping.correspondence import hard
from relviz.bootstrapping.hints import with_hints
from relviz.bootstrapping.null import BEATS
from relviz.bootstrapping.population import PATIENT, QUICK, Selection
from relviz.bootstrapping.principal_axes import LEADING, MOST_DIMENSIONS, Working
from relviz.bootstrapping.procrustes import Alignment
from relviz.bootstrapping.refinement import Refinement
from relviz.bootstrapping.rounds import Source
from relviz.bootstrapping.run import Run
from relviz.bootstrapping.search import Generations, Search, beats_of
from relviz.bootstrapping.start import seeded_sides

_STARTED_EPS = 0.05
"""First eps after trials or generations, which have cooled further than seeds have."""
MOST_SEARCHED = 6000
"""Rows of each space that populations look at."""
_PATIENTLY_SEARCHED = 6000
"""Rows that those members look at together which start in place of one of a quick search."""
_AFTER_SEARCH = 60
"""Steps of annealing after populations, which have come nearer than seeds have."""
_OF_SEARCH, OF_START = 1 / 3, 1 / 20
"""Parts of what is left of the progress: of a search, of a start to grow from."""


class AnnealedStarts:
    """What the starts of a run are annealed to.

    Attributes
    ----------
    rotations
        What the populations came to: rotations ``(d, d)`` of the leading axes.
    """

    def __init__(self, run: Run, refinement: Refinement) -> None:
        self._run, self._refinement = run, refinement
        self.rotations: list[Tensor] = []
        self._matches: dict[int, Tensor] = {}

    def annealed(self, source: Source) -> Alignment:
        """What a start is annealed to."""
        if source is Source.SEEDS:
            return self.from_seeds()
        return self._from_populations(self._patient if source is Source.PATIENT_POPULATIONS else QUICK)

    def from_seeds(self) -> Alignment:
        """What the known pairs alone are annealed to."""
        frame, options = self._run.frame, self._run.options
        steps = options.steps + options.refining
        self._run.record.begin(steps, steps + BEATS)
        sides = partial(seeded_sides, *frame.sides, frame.seeds)
        return self._anneal(sides, len(frame.seeds[0]), options.eps_first)

    def matches_of(self, population: int) -> Tensor:
        """``matches_from`` the rotation that a population came to, worked out once."""
        if population not in self._matches:
            self._matches[population] = self.matches_from(self.rotations[population])
        return self._matches[population]

    def matches_from(self, rotation: Tensor) -> Tensor:
        """What a rotation ``(d, d)`` of the leading axes is annealed to and matches, ``(n,)``."""
        steps = min(self._run.options.steps, _AFTER_SEARCH)
        self._run.record.begin(steps, steps, OF_START)
        sides = turned(rotation, self._run.frame)[1]
        return self._refinement.unrefined(self._anneal(lambda: sides, LEADING, self._eps_started, steps))

    def _from_populations(self, selection: Selection) -> Alignment:
        run, record = self._run, self._run.record
        members, generations = run.options.members, run.options.generations
        steps = min(run.options.steps, _AFTER_SEARCH)
        planned = steps + run.options.refining + generations + 1
        beats = beats_of(members, generations, selection)
        record.begin(planned, planned + beats + BEATS, _OF_SEARCH)
        rows, search = (self.searched.rows_x, self.searched.rows_y), self.search
        before = len(record.history)
        begun = record.restored("generations", Generations, run.generator)
        for standing in search.generations(generations, begun, selection):
            stage = self._stage(search.rotation)
            found = hard(stage.u, stage.v, run.cost)
            if run.note(stage.eps, found, stage.alignment, rows, standing):
                run.standing = standing
                return stage.alignment
            record.keep("generations", search.reached, run.generator)
        run.standing = search.standing
        self.rotations += search.rotations
        record.skip(before + generations + 1 - len(record.history))
        return self._anneal(lambda: turned(search.best(), run.frame)[1], LEADING, self._eps_started, steps)

    @property
    def _patient(self) -> Selection:
        """A patient selection; of fewer members where each of them has to look at many rows."""
        fewest = min(len(self.searched.rows_x), len(self.searched.rows_y))
        return replace(PATIENT, members=min(PATIENT.members, max(1, _PATIENTLY_SEARCHED // fewest)))

    @cached_property
    def searched(self) -> Working:
        """The rows that populations look at: more than annealing does, with nothing else to go by.

        Where they spread over few directions, these are evened out.
        """
        run = self._run
        frame = run.frame.evened if run.null.low else run.frame
        return frame.of_rows(MOST_SEARCHED, run.given, run.generator)

    @cached_property
    def search(self) -> Search:
        """Two populations of rotations, where known pairs are too few to start from."""
        run = self._run
        return Search(self.searched, run.options.members, run.generator, run.record.beat)

    def _stage(self, rotation: Tensor) -> Stage:
        """The rows that populations look at, as one of their rotations ``(d, d)`` turns them."""
        alignment, sides = turned(rotation, self.searched)
        u, v = (with_hints(side, hints) for side, hints in zip(sides, self.searched.hints, strict=True))
        return Stage(self._eps_started, alignment, u, v, torch.zeros(0))

    def _anneal(
        self, sides: Callable[[], Rows], rank: int, eps: float, steps: int | None = None
    ) -> Alignment:
        run, options = self._run, self._run.options
        ranks, cooling = (rank, MOST_DIMENSIONS), (eps, min(eps, options.eps_last))
        schedule = Schedule(steps or options.steps, ranks, cooling, left_out=options.left_out)

        rx, ry = run.worked_on

        def note(stage: Stage) -> bool:
            found = hard(stage.u[run.noted], stage.v, run.cost, both=False)
            return run.note(stage.eps, found, stage.alignment, (rx[run.noted], ry))

        args = *run.frame.sides, sides, schedule, run.frame.seeds, run.generator, run.frame.hints
        return anneal_recorded("annealing", run.record, *args, note)

    @property
    def _eps_started(self) -> float:
        return min(_STARTED_EPS, self._run.options.eps_first)


def turned(rotation: Tensor, rows: Working) -> tuple[Alignment, Rows]:
    """A rotation ``(d, d)`` of the leading axes, and both sides of these rows as it turns them."""
    alignment = Alignment(rotation, torch.eye(len(rotation), device=rotation.device))
    return alignment, alignment.sides(*(side[:, : len(rotation)] for side in rows.sides))
