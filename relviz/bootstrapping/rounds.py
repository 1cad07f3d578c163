"""The rounds of an annealed run: what each starts from, and what it comes to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

import torch
from torch import Tensor

from relviz.bootstrapping.correspondence import counted
from relviz.bootstrapping.null import Null
from relviz.bootstrapping.run import Run
from relviz.bootstrapping.verdict import (
    TWICE,
    Evidence,
    Thresholds,
    is_clear,
    judge,
    unless_mostly_wrong,
    with_shared,
)

FEWEST_TO_START = 3
"""Seeds from which they alone are a start, since two directions do not tell rows apart."""
ALL_MATCHED = 0.6
"""Agreement of the halves of the matches from which hardly a match is wrong, or a row alone."""
_SEARCHES = 3
"""Searches at most: what a second one finds, too, is believed."""


class Source(Enum):
    """What a round starts from."""

    SEEDS = auto()
    POPULATIONS = auto()
    PATIENT_POPULATIONS = auto()


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


def judged(run: Run, found: Found) -> Round:
    """The verdict on what a round came to."""
    record = run.record
    verdict = record.restored("verdict", Judged)
    if verdict is None:
        args = run.null, found.matches, found.agreement, record.stopped
        verdict = Judged(*judge(*args, halves=found.halves))
        record.keep("verdict", verdict)
    evidence = verdict.evidence
    if run.standing is not None:
        agreement = f"{run.standing.agreement:.2f} (1: the same rotation)"
        reason = f"{evidence.reason} Two independent searches agree by {agreement}."
        evidence = replace(evidence, reason=reason)
    return Round(found.matches, found.trusted, verdict.converged, evidence)


def compared(null: Null, before: list[Round], last: Round) -> list[Round]:
    """Rounds, each judged also by how far its matches are those of another that began otherwise."""
    if not before:
        return [last]
    shares = [null.shared(one.matches, last.matches) for one in before]
    rounds = zip([*before, last], [*shares, max(shares)], strict=True)
    return [as_shared(null, one, max(share, one.evidence.confirmed)) for one, share in rounds]


def found_as_often(null: Null, one: Round, shared: float, least: Thresholds = TWICE) -> Round:
    """A round whose matches agree so far with those of a fit that began otherwise, judged by that too."""
    converged, evidence = with_shared(null, (one.converged, one.evidence), shared, least)
    return replace(one, converged=converged, evidence=evidence)


def as_shared(null: Null, one: Round, shared: float, least: Thresholds = TWICE) -> Round:
    """The same, but not believed for that alone where too few matches are estimated to be right."""
    found = found_as_often(null, one, shared, least)
    if one.converged:
        return found
    verdict = found.converged, found.evidence
    converged, evidence = unless_mostly_wrong(null, one.matches, verdict, least.right)
    return replace(found, converged=converged, evidence=evidence)


def in_common(matches: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """Rows of x that two of these matches ``(n,)``, or more of them, match alike, and their rows of y."""
    (x, y), times = counted(ballots(matches))
    return x[times > 1], y[times > 1]


def ballots(matches: Sequence[Tensor]) -> list[tuple[Tensor, Tensor]]:
    """The pairs of rows that each of these matches ``(n,)`` names."""
    rows = torch.arange(len(matches[0]), device=matches[0].device)
    return [(rows, one) for one in matches]
