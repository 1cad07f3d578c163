"""The rounds of an annealed run: what each starts from, and what it comes to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

import torch
from torch import Tensor

from relviz.bootstrapping.verdict import Evidence, is_clear

FEWEST_TO_START = 3
"""Seeds from which they alone are a start, since two directions do not tell rows apart."""
_SEARCHES = 3
"""Searches at most: what a second one finds, too, is believed."""


class Source(Enum):
    """What a round starts from."""

    SEEDS = auto()
    POPULATIONS = auto()


def sources(seeds: int, rounds: int) -> list[Source]:
    """What so many rounds with so many seeds start from, in order.

    Populations need no seeds. With at least three, these come first, which is quicker.
    """
    first = [Source.SEEDS] if seeds >= FEWEST_TO_START else []
    return [*first, *[Source.POPULATIONS] * _SEARCHES][:rounds]


@dataclass(frozen=True, eq=False)
class Found:
    """Matches of all rows ``(n,)``, known pairs among them.

    ``trusted`` (n,) are the rows to fit to, ``agreement`` is the share of mutual matches, and ``halves`` how
    far two halves of the matches agree.
    """

    matches: Tensor
    trusted: Tensor
    agreement: float
    halves: float

    def to(self, device: torch.device) -> "Found":
        """The same on a device."""
        return replace(self, matches=self.matches.to(device), trusted=self.trusted.to(device))


@dataclass(frozen=True)
class Judged:
    """The verdict on the matches of a round, and what it rests on."""

    converged: bool
    evidence: Evidence


@dataclass(frozen=True, eq=False)
class Round:
    """What a round came to, judged: matches ``(n,)``, the rows to fit to ``(n,)``, and the verdict."""

    matches: Tensor
    trusted: Tensor
    converged: bool
    evidence: Evidence

    @property
    def clear(self) -> bool:
        """Whether it is believed, and not on the edge."""
        return self.converged and is_clear(self.evidence)


def in_common(matches: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """Rows of x that two of these matches ``(n,)`` match alike, or more of them, and their rows of y."""
    rows = torch.arange(len(matches[0]), device=matches[0].device)
    every = torch.cat([torch.stack([rows, one], 1) for one in matches])
    pairs, votes = every.unique(dim=0, return_counts=True)
    x, y = pairs[votes > 1].T
    return x, y
