"""Whether a run found the true correspondence, told without knowing it."""

from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.bootstrap.alignment import align
from relviz.bootstrap.null import Null, kappa
from relviz.compute.blocks import top_k
from relviz.relative import unit_rows

HALVES, MARGIN = 0.32, 0.11
"""Agreement of the halves, and margin over a null, from which a run is believed."""
FEW_DIMENSIONS, MARGIN_IN_FEW = 8, 0.3
"""In spaces of so few dimensions this margin: wrong matches of unrelated clusters came to 0.19 in three, but
right ones were at 0.65 and above wherever most of them could be right."""
_CLEARLY = 1.1
"""How far above both a run has to be not to be tried again."""
_MOST_ROWS = 4000


@dataclass(frozen=True)
class Evidence:
    """What a verdict rests on.

    Attributes
    ----------
    agreement
        Share of the rows of x that the row they are matched with chooses back. High for failed runs
        too, since a wrong correspondence can be consistent with itself: it decides nothing.
    halves
        How far two halves of the matches tell the same story, 0 (chance) to 1 (in every row); see
        ``halves_agreement``.
    margin
        How much of what starts from random rotations leave unexplained the run explains, 0 or less
        if it fits no better; see ``relviz.bootstrap.null``. Not measured, and None, where the halves
        disagree.
    reason
        The verdict in words.
    """

    agreement: float
    halves: float
    margin: float | None
    reason: str


def judge(null: Null, matches: Tensor, agreement: float) -> tuple[bool, Evidence]:
    """``converged`` and its evidence for the matches ``(n,)`` of a finished run between the null's spaces."""
    halves = halves_agreement(null.x, null.y, matches)
    said = (
        f"Rotations fitted to either half of the matches send {max(0.0, halves):.0%} of the rows to the same "
        f"row, chance taken off; {HALVES:.0%} is asked for."
    )
    if halves < HALVES:
        moral = " Each half tells another story, so the matches are not to be trusted."
        return False, Evidence(agreement, halves, None, said + moral)
    asked = margin_for(null)
    margin = null.margin(matches, asked)
    converged = margin >= asked
    said += (
        f" The matches close {max(0.0, margin):.0%} of the gap that starts from random rotations leave; "
        f"{asked:.0%} is asked for."
    )
    moral = (
        " A wrong correspondence does neither."
        if converged
        else " A random start fits about as well, so the matches are not to be trusted."
    )
    return converged, Evidence(agreement, halves, margin, said + moral)


def margin_for(null: Null) -> float:
    """The margin from which a run between the null's spaces is believed."""
    return MARGIN_IN_FEW if min(null.x.shape[1], null.y.shape[1]) <= FEW_DIMENSIONS else MARGIN


def is_clear(evidence: Evidence) -> bool:
    """Whether evidence stands well above what is asked for: on the edge, another try may find more."""
    margin = evidence.margin or 0.0
    return evidence.halves >= _CLEARLY * HALVES and margin >= _CLEARLY * MARGIN


def halves_agreement(x: Tensor, y: Tensor, matches: Tensor) -> float:
    """Cohen's kappa of the nearest rows found through two rotations, each from half of the matches.

    A true correspondence is one rotation, and any half of it tells which. A wrong one that is consistent
    with itself fits its rows one by one, and the two halves disagree.

    Parameters
    ----------
    x, y
        ``(n, rx)`` and ``(m, ry)``, as ``relviz.bootstrap.frame.principal`` gives them.
    matches
        ``(n,)``, a row of y for every row of x.
    """
    generator = torch.Generator().manual_seed(0)
    order = torch.randperm(len(x), generator=generator).to(x.device)
    asked = x[order[:_MOST_ROWS]]
    found = []
    for half in order.chunk(2):
        rotation = align(x[half].T @ y[matches[half]], min(x.shape[1], y.shape[1]))
        found.append(top_k(unit_rows(rotation.carry(asked)), unit_rows(y), 1)[1][:, 0])
    return kappa(found[0], found[1], len(y))
