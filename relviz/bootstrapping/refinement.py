"""From an alignment to matches of all rows."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Schedule, Stage
from relviz.bootstrapping.anneal_recorded import Rows, anneal_recorded
from relviz.bootstrapping.blockwise import Blockwise
from relviz.bootstrapping.correspondence import Correspondence, hard
from relviz.bootstrapping.cross_fitting import EVENING, cross_fitted
from relviz.bootstrapping.hints import with_hints
from relviz.bootstrapping.mutual_pairs import mutual_pairs
from relviz.bootstrapping.near_duplicates import distinct
from relviz.bootstrapping.null import BEATS
from relviz.bootstrapping.pair_fits import Fitting
from relviz.bootstrapping.principal_axes import MOST_DIMENSIONS, evened
from relviz.bootstrapping.procrustes import Alignment
from relviz.bootstrapping.rounds import ALL_MATCHED, Found
from relviz.bootstrapping.run import Run
from relviz.bootstrapping.stable_matches import stable
from relviz.bootstrapping.verdict import halves_agreement

_MATCHING = 2
"""Sinkhorn iterations before rows are matched for good."""
_REFINED_ON_ALL = 1
"""Refining steps on all rows, where annealing looked at a part of them."""
_DISTINCT = 0.75
"""Share of the rows that are no near-duplicates of others, below which matches are not cross-fitted."""
_BETTER = 0.02
"""How much more the halves of cross-fitted matches have to agree for these to be taken."""

OF_PURIFYING = 1 / 4
"""Part of what is left of the progress: of a refinement that starts from stable matches."""


class Refinement:
    """The last steps of a round, in which all rows and evened directions take part, and its matches."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._evened = run.frame.evened.x, run.frame.evened.y

    def matched(self, alignment: Alignment) -> Found:
        """What an alignment is refined to and matches."""
        return self._matched_by(alignment, self._confirmed)

    def from_stable(self, matches: Tensor, cross: bool) -> Found:
        """What the stable ones of matches ``(n,)`` are refined to: cross-fitted matches, or plain.

        Those are nearly all right.
        """
        pairs = stable(self._run.null.x, self._run.null.y, matches)
        return self.from_pairs(pairs, cross, OF_PURIFYING)

    def from_pairs(self, pairs: Rows, cross: bool, progress: float) -> Found:
        """What pairs of rows of both spaces are refined to, in this part of what is left of the progress."""
        run, steps = self._run, self._run.options.refining
        run.record.begin(steps, steps + BEATS, progress)
        return self._matched_by(run.fitted(pairs), self._crossed if cross else self._plain)

    def unrefined(self, alignment: Alignment) -> Tensor:
        """What an alignment matches as it is, ``(n,)``."""
        return self._plain(self._sides(alignment)).matches

    def _sides(self, alignment: Alignment) -> Rows:
        """All rows of both spaces, as an alignment carries them."""
        frame, (dx, dy) = self._run.frame, (len(alignment.left), len(alignment.right))
        return alignment.sides(frame.x[:, :dx], frame.y[:, :dy])

    @property
    def fitting(self) -> Fitting:
        """What fits to pairs of rows need besides these."""
        run, given = self._run, self._run.given
        known, hints = (given.sx, given.sy), (given.hints.x, given.hints.y)
        return Fitting(known, hints, self.plan, run.generator, run.record.beat)

    def _matched_by(self, alignment: Alignment, found_by: Callable[[Rows], Found]) -> Found:
        run = self._run
        known = run.record.restored("matches", Found, run.generator)
        if known is not None:
            return known.to(run.frame.x.device)
        sides = self._sides(alignment)
        found = self._plain(sides) if run.record.stopped else found_by(self._refined(sides))
        found.trusted[run.given.sx] = True
        run.record.keep("matches", found, run.generator)
        return found

    def plan(self, u: Tensor, v: Tensor) -> Correspondence:
        """The largest entries of the plan between these rows, in coordinates that both spaces share."""
        step = Blockwise(u, v, self._run.options.eps_last, self._run.cost)
        f, g = torch.zeros(0), torch.zeros(len(v), device=v.device)
        for _ in range(_MATCHING):
            f, g = step.update(g)
        return hard(u, v, self._run.cost, potentials=(f, g))

    def _refined(self, sides: Rows) -> Rows:
        """Sides of all rows after the last steps."""
        run, steps = self._run, self._run.options.refining
        if run.frame.sampled:
            on_part = max(1, steps - _REFINED_ON_ALL)
            part = _all(run.worked_on[0]), _all(run.worked_on[1])
            sides = self._refine("refining a part", sides, run.worked_on, part, on_part)
            steps -= on_part
        if steps and not run.record.stopped:
            every = _all(run.frame.x), _all(run.frame.y)
            sides = self._refine("refining", sides, every, run.worked_on, steps)
        return sides

    def _refine(self, name: str, sides: Rows, rows: Rows, places: Rows, steps: int) -> Rows:
        """Steps on these rows, recorded by those worked on, which are at these places among them."""
        run = self._run
        eps, none = run.options.eps_last, run.given.sx[:0]
        x, y = (side[part] for side, part in zip(self._evened, rows, strict=True))
        schedule = Schedule(steps, (MOST_DIMENSIONS, MOST_DIMENSIONS), (eps, eps), left_out=0, power=0.5)
        hints = run.given.hints.x[rows[0]], run.given.hints.y[rows[1]]

        (rx, ry), (at_x, at_y) = run.worked_on, places

        def note(stage: Stage) -> bool:
            found = hard(stage.u[at_x], stage.v[at_y], run.cost, both=False)
            return run.note(eps, found, run.fitted((rx, ry[found.y_of_x])), run.worked_on)

        def part() -> Rows:
            return sides[0][rows[0]], sides[1][rows[1]]

        args = x, y, part, schedule, (none, none), run.generator, hints
        return anneal_recorded(name, run.record, *args, note).sides(*self._evened)

    def _plain(self, sides: Rows) -> Found:
        """The largest entries of the plan between all rows."""
        run, hints = self._run, self._run.given.hints
        found = self.plan(with_hints(sides[0], hints.x), with_hints(sides[1], hints.y))
        matches = found.y_of_x.clone()
        matches[run.given.sx] = run.given.sy
        halves = halves_agreement(run.null.x, run.null.y, matches)
        return Found(matches, found.mutual, found.agreement, halves)

    def _crossed(self, sides: Rows) -> Found:
        """Cross-fitted matches, which start from these sides."""
        sides = self._cross_fitted(sides)
        return self._trusting_mutual(self._plain(sides), sides)

    def _confirmed(self, sides: Rows) -> Found:
        """Plain matches, or cross-fitted ones if their halves agree better and they fit as well.

        Where every row has a counterpart, wrong matches are few and what each tells of itself helps. Where
        rows have near-duplicates, those tell it in their place.
        """
        found, fit = self._plain(sides), self._run.fit
        if self.pure_enough(found.halves):
            return found
        sides = self._cross_fitted(sides)
        other = self._plain(sides)
        if other.halves <= found.halves + _BETTER or fit(other.matches) < fit(found.matches):
            return found
        return self._trusting_mutual(other, sides)

    def _cross_fitted(self, sides: Rows) -> Rows:
        run, frame = self._run, self._run.frame
        x, y = (evened(side, EVENING) for side in (frame.x, frame.y))
        (rx, ry), (u, v) = run.worked_on, sides
        args = frame.hints, run.generator, run.record.beat
        return cross_fitted(x[rx], y[ry], (u[rx], v[ry]), *args)[0].sides(x, y)

    def _trusting_mutual(self, found: Found, sides: Rows) -> Found:
        hints = self._run.given.hints
        mutual = mutual_pairs(with_hints(sides[0], hints.x), with_hints(sides[1], hints.y))
        return replace(found, trusted=mutual.weights > 0)

    def pure_enough(self, halves: float) -> bool:
        """Whether hardly any of the matches is wrong whose halves agree so far, or rows have twins.

        Neither cross-fitting nor starting from stable matches makes them better.
        """
        return halves >= ALL_MATCHED or self.twins

    @cached_property
    def twins(self) -> bool:
        """Whether many rows of either space have a near-duplicate."""
        null, (rx, ry) = self._run.null, self._run.worked_on
        return min(distinct(null.x[rx]), distinct(null.y[ry])) < _DISTINCT


def _all(side: Tensor) -> Tensor:
    return torch.arange(len(side), device=side.device)
