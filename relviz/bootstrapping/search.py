"""Two populations that never exchange a member, so that their agreement is evidence."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse
from relviz.bootstrapping.population import (
    CHILD_STEPS,
    FIRST_STEPS,
    FITTED,
    QUICK,
    Members,
    Population,
    Selection,
    Spaces,
    annealed,
    correlation,
    fits,
    spaces_of,
)
from relviz.bootstrapping.principal_axes import LEADING, Working
from relviz.bootstrapping.start import Sides, Starts

ONE, ALIKE = 0.95, 0.75
"""Coherence from which a population is one rotation; agreement from which two have found the same."""
_JOINED = 6
"""Generations at most of what both populations have in common, where they do not agree."""
_APART, _APART_AFTER = 0.35, 2
"""Agreement below which two populations, after so many generations, go separate ways for good."""
_UNRELATED, _ENOUGH_ROWS = 0.2, 600
"""Agreement below which two populations begin with nothing in common, in spaces of so many rows.

Between spaces that have a quarter of their rows in common they began with 0.23 or more. With fewer rows,
signatures are so uncertain that populations may begin with less, and yet come to the truth. Later they may
agree by less since one of them has come to the truth, and the other has not."""
_FALLEN = 0.05
"""How much less than at first they may agree. Known pairs and hints make both begin alike, however little
truth there is; towards a truth they come nearer to each other, and elsewhere they drift apart."""


@dataclass(frozen=True)
class Standing:
    """Where two independent populations stand after a generation.

    Attributes
    ----------
    fits, coherences
        Of the two populations: the best fit, and how far the better members are one rotation, 0 to 1.
    agreement
        Correlation of what the members of each have in common. Where there is a truth both come to it, where
        there is none each comes to another rotation.
    """

    fits: tuple[float, float]
    coherences: tuple[float, float]
    agreement: float

    @property
    def settled(self) -> bool:
        """Whether the two agree, or each has become one rotation."""
        return self.agreement >= ALIKE or min(self.coherences) >= ONE

    def apart(self, generations: int, at_first: float = 0.0) -> bool:
        """Whether, after so many generations, the two have too little in common to come together.

        ``at_first`` is the agreement that they began with.
        """
        least = max(_APART, at_first - _FALLEN)
        return generations >= _APART_AFTER and not self.settled and self.agreement < least


@dataclass(frozen=True, eq=False)
class Generations:
    """What a search goes on from.

    Attributes
    ----------
    count
        The number of its last generation.
    members
        Of both populations.
    at_first
        The agreement that they began with.
    """

    count: int
    members: tuple[Members, Members]
    at_first: float


class Search:
    """Two populations side by side that never exchange a member, so that their agreement is evidence.

    They turn the larger of the two spaces, which has more rows to compare them on. The rotations that
    a search gives are those of x.

    Parameters
    ----------
    rows
        Both spaces, and the rows that populations look at.
    members
        Of each population.
    """

    def __init__(
        self, rows: Working, members: int, generator: torch.Generator, pulse: Pulse | None = None
    ) -> None:
        x, y = rows.sides
        self._turns_y = len(y) > len(x)
        self._starts = Starts(x, y, rows.seeds, generator, pulse)
        self._told = len(rows.seeds[0]) > 0
        seeds, hints = self._turned_first(rows.seeds), self._turned_first(rows.hints)
        self._spaces = spaces_of(*self._turned_first((x, y)), seeds, LEADING, hints)
        self._members, self._generator, self._pulse = members, generator, pulse
        self._populations: list[Population] = []
        self._selection = QUICK

    def generations(
        self, most: int, begun: Generations | None = None, selection: Selection = QUICK
    ) -> Iterator[Standing]:
        """Generations until both agree, are one each, go separate ways or rise no more.

        They are ``most`` at most; those up to the one that was ``begun`` are not made again. Where selection
        is patient, both go on while they are apart, unless they are unrelated: what their starts have in
        common by the shapes of the two spaces is mostly wrong.
        """
        members = (None, None) if begun is None else begun.members
        self._selection = selection
        told = self._spaces, self._starts, self._generator
        self._populations = [self._begin(*told, selection, first) for first in members]
        self._count = 0 if begun is None else begun.count
        self.standing = self._stand()
        self._at_first = self.standing.agreement if begun is None else begun.at_first
        if begun is None:
            yield self.standing
        while self._count < most and self._promising:
            for population in self._populations:
                if population.coherence < ONE:
                    population.generation()
            self._count += 1
            self.standing = self._stand()
            yield self.standing

    @property
    def reached(self) -> Generations:
        """What it goes on from."""
        one, other = self._populations
        return Generations(self._count, (one.members, other.members), self._at_first)

    @property
    def apart(self) -> bool:
        """Whether the two have gone separate ways for good."""
        return self.standing.apart(self._count, self._at_first)

    @property
    def unrelated(self) -> bool:
        """Whether the two began with no more in common than those of unrelated spaces.

        Known pairs make both begin alike, so what begins without them tells as well.
        """
        enough = min(len(self._spaces.x), len(self._spaces.y)) >= _ENOUGH_ROWS
        return enough and (self._at_first < _UNRELATED or (self._told and self._untold < _UNRELATED))

    @cached_property
    def _untold(self) -> float:
        """The agreement that two populations begin with which know no pairs."""
        generator = torch.Generator().manual_seed(self._generator.initial_seed())
        spaces = replace(self._spaces, known=torch.zeros_like(self._spaces.known))
        untold = spaces, self._starts.untold(generator), generator
        one, other = (self._begin(*untold, QUICK).rotation for _ in range(2))
        return correlation(one, other)

    def _begin(
        self,
        spaces: Spaces,
        starts: Starts,
        generator: torch.Generator,
        selection: Selection,
        begun: Members | None = None,
    ) -> Population:
        def start() -> Sides:
            return self._turned_first(starts.draw(selection.one_kind))

        return Population(spaces, start, self._members, generator, self._pulse, selection, begun)

    @property
    def _promising(self) -> bool:
        in_vain = self.unrelated if self._selection.patient else self.apart
        if self.standing.settled or in_vain:
            return False
        return any(population.rises for population in self._populations)

    @property
    def rotations(self) -> list[Tensor]:
        """What the better members of each of the two have in common, ``(d, d)``."""
        return [self._of_x(population.rotation) for population in self._populations]

    def best(self) -> Tensor:
        """The best of what either population has in common, or both, annealed once more: ``(d, d)``.

        Where the two do not agree, their better members have children together, whose errors differ more.
        Those of unrelated populations have nothing else in common, and none.
        """
        one, other = (population.rotation for population in self._populations)
        candidates = [one, other, one + other]
        if self.standing.agreement < ALIKE and not self.unrelated:
            candidates.append(self._joined())
        args = torch.stack(candidates), CHILD_STEPS, self._generator, self._pulse
        tried = annealed(self._spaces, *args)
        rows = torch.randperm(len(self._spaces.x), generator=self._generator)[:FITTED]
        return self._of_x(tried[int(fits(self._spaces, tried, rows.to(self._spaces.x.device)).argmax())])

    def _joined(self) -> Tensor:
        population = self._populations[0].joined(self._populations[1])
        for _ in range(_JOINED):
            if population.coherence >= ONE or not population.rises:
                break
            population.generation()
        return population.rotation

    @property
    def rotation(self) -> Tensor:
        """The best member's, ``(d, d)``."""
        better = max(self._populations, key=lambda population: float(population.fits.max()))
        return self._of_x(better.rotations[int(better.fits.argmax())])

    def _turned_first(self, sides: Sides) -> Sides:
        """Of both spaces the one that is turned, then the other."""
        return (sides[1], sides[0]) if self._turns_y else sides

    def _of_x(self, rotation: Tensor) -> Tensor:
        """A rotation ``(d, d)`` of the populations, as one of x."""
        return rotation.T if self._turns_y else rotation

    def _stand(self) -> Standing:
        one, other = self._populations
        return Standing(
            fits=(float(one.fits.max()), float(other.fits.max())),
            coherences=(one.coherence, other.coherence),
            agreement=correlation(one.rotation, other.rotation),
        )


def beats_of(members: int, generations: int, selection: Selection = QUICK) -> int:
    """Pulses of a search on a processor, at most."""
    members, steps = selection.members * members, selection.steps * CHILD_STEPS
    each = members * (1 + FIRST_STEPS + steps * generations)
    return 2 * each + members * steps * (1 + _JOINED) + 4 * CHILD_STEPS
