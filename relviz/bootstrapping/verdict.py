"""The self-check of a run: is it believed?"""

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from relviz.bootstrapping.correspondence import kappa
from relviz.bootstrapping.null import Null
from relviz.bootstrapping.procrustes import align
from relviz.bootstrapping.right_share import Interval, right_share
from relviz.bootstrapping.stable_matches import found_again
from relviz.compute.blocks import top_k
from relviz.relative_projection import unit_rows

HALVES, MARGIN, BOTH = 0.2, 0.07, 0.05
"""Agreement of the halves, margin over a null, and product of the two, from which a run is believed.

Halves of wrong matches agree by 0.3 where there are many rows, and their margin reaches 0.16 where there are
few, but never both: their product stayed below 0.039, and below 0.049 where up to a fifth were right
(``python -m tests.benchmarks.calibration``)."""
FEW_DIMENSIONS, HALVES_IN_FEW, MARGIN_IN_FEW = 8, 0.32, 0.3
"""In spaces of so few dimensions: wrong matches of unrelated clusters came to a margin of 0.19 in three, but
right ones were at 0.65 and above wherever most of them could be right."""
BY_CHANCE = 0.2
"""Agreement up to which wrong matches from different starts come, but for a few in a hundred."""


LEAST_RIGHT = 0.15
"""Estimated share of right matches below which matches are not believed for being found twice.

Between latents of unlike digits, which spread over 32 dimensions or a few more, two searches came to the same
wrong matches, with a margin of up to 0.065."""


@dataclass(frozen=True)
class Thresholds:
    """From which matches are believed that were found twice: how far both agree, margin, share right."""

    shared: float
    margin: float
    right: float = LEAST_RIGHT


TWICE = Thresholds(shared=0.4, margin=0.05)
"""Of matches from different starts. With the same 15 wrong known pairs in both they agreed by less than 0.25
between spaces that spread over more than 32 dimensions, and by up to 0.98 where these spread over three."""
GROWN = Thresholds(shared=0.5, margin=0.08)
"""Of matches that were grown. Wrong ones can be grown, too, and then agree with themselves: between unrelated
clusters they came to a margin of 0.034, right ones between the spaces that are hardest to match to 0.09 to
0.16. From starts with hardly a right pair both halves grew towards the same optimum, of which a fifth is
right, and agreed by up to 0.46; right ones agreed by as little as 0.42 at first, and by 0.52 or more after
they had grown on from their stable matches."""
TRAINED = Thresholds(shared=0.5, margin=0.07)
"""Of what a round that was not believed is trained to."""
TRAINED_IN_PART = Thresholds(shared=0.4, margin=0.07, right=0.3)
"""Of the same where the halves agree less, as they do where few rows have a counterpart: with a quarter in
common they agreed by as little as 0.42, with an estimated 34% right. On the way to a truth, with 17% right,
they agreed by 0.43, with an estimated 27%."""
_WORTH_MARGIN, _WORTH_UNRELATED = 0.032, 0.04
"""Margins from which another start may find more, and between spaces whose populations begin unrelated.

Between names of emoji and handwritten digits it was 0.024 at most; between glosses and digits, whose
populations begin unrelated, 0.039. WordLlama and Spanish names were matched after searches with 0.030 and
0.035."""
_WORTH_HALVES = HALVES / 2
"""Agreement of the halves from which the margin tells whether another start may find more. Between English
names by WordLlama and French ones it was 0.18 at first, with 4% right and a margin of 0.12."""
_AS_WELL = " A random start fits about as well, so the matches cannot be trusted."
_WRONG_DO_NOT = "; wrong correspondences do not."
_CLEARLY = 1.1
"""How far above the margin that is asked for a run has to be not to be tried again."""
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
        if it fits no better; see ``relviz.bootstrapping.null``. Not measured, and None, where the halves
        clearly disagree or the run was stopped.
    reason
        The verdict in words.
    right
        The share of right matches, estimated; see ``relviz.bootstrapping.right_share``. None where it was
        not estimated: of runs that are rejected, only those that would be believed but for it.
    shared
        How far the matches agree with those of a round that began otherwise, 0 (chance) to 1 (in every row);
        see ``with_shared``. Of a round from stable pairs, how far fits to two halves of these agree.
        None where there was no other round.
    """

    agreement: float
    halves: float
    margin: float | None
    reason: str
    right: Interval | None = None
    shared: float | None = None

    @property
    def confirmed(self) -> float:
        """How far another round came to the same matches, 0 where there was none."""
        return self.shared or 0.0


Verdict = tuple[bool, Evidence]
"""``converged``, and what that rests on."""


def judge(
    null: Null,
    matches: Tensor,
    agreement: float,
    stopped: bool = False,
    least_found_again: float = 0.0,
    halves: float | None = None,
) -> Verdict:
    """``converged`` and its evidence for the matches ``(n,)`` of a run between the null's spaces.

    ``halves`` is ``halves_agreement`` of these matches, where it is known. The share of right matches is
    estimated by ``with_right_share``.

    A run that was stopped is not held against random starts, which would take longer than many a run: it is
    not believed. Nor is one of whose matches a smaller share than ``least_found_again`` is found again; see
    ``relviz.bootstrapping.stable_matches.found_again``.
    """
    if halves is None:
        halves = halves_agreement(null.x, null.y, matches)
    least = HALVES_IN_FEW if _few_dimensions(null) else HALVES
    text = (
        f"Rotations fitted to either half of the matches map {max(0.0, halves):.0%} of the rows to the same "
        f"row (chance-corrected; threshold {least:.0%})."
    )
    if halves < least:
        moral = " The halves disagree, so the matches cannot be trusted."
        promising = halves >= _WORTH_HALVES and not (stopped or null.low)
        margin = null.margin(matches, _WORTH_MARGIN) if promising else None
        return False, Evidence(agreement, halves, margin, text + moral)
    if stopped:
        moral = " The run was stopped before it could be held against random starts."
        return False, Evidence(agreement, halves, None, text + moral)
    asked = margin_for(null, halves)
    margin = null.margin(matches, asked)
    converged = margin >= asked
    text += (
        f" The matches close {max(0.0, margin):.0%} of the gap left by random starts (threshold {asked:.0%})."
    )
    moral = " Wrong correspondences do neither." if converged else _AS_WELL
    if (
        converged
        and least_found_again
        and (again := found_again(null.x, null.y, matches)) < least_found_again
    ):
        moral = (
            f" But a rotation fitted to other rows finds only {again:.0%} of them again (threshold "
            f"{least_found_again:.0%})."
        )
        return False, Evidence(agreement, halves, margin, text + moral)
    return converged, Evidence(agreement, halves, margin, text + moral)


def with_right_share(null: Null, matches: Tensor, verdict: Verdict) -> Verdict:
    """The verdict on these matches ``(n,)``, with their share of right ones if they are believed."""
    converged, evidence = verdict
    if not converged or evidence.right is not None:
        return verdict
    return converged, replace(evidence, right=right_share(null.x, null.y, matches, null.pulse))


def unless_mostly_wrong(null: Null, matches: Tensor, verdict: Verdict, least: float = LEAST_RIGHT) -> Verdict:
    """The verdict on these matches ``(n,)``, not believed where a smaller share is estimated to be right.

    Where there are few optima, two searches may come to the same wrong matches.
    """
    converged, evidence = with_right_share(null, matches, verdict)
    if evidence.right is None or evidence.right.estimate >= least:
        return converged, evidence
    moral = (
        f"; yet only an estimated {evidence.right.estimate:.0%} of the matches are right (threshold "
        f"{least:.0%}), so they cannot be trusted."
    )
    return False, replace(evidence, reason=evidence.reason.replace(_WRONG_DO_NOT, moral))


def mostly_wrong(evidence: Evidence) -> bool:
    """Whether hardly any match is estimated to be right."""
    return evidence.right is not None and evidence.right.estimate < LEAST_RIGHT


def with_shared(null: Null, verdict: Verdict, shared: float, least: Thresholds = TWICE) -> Verdict:
    """The verdict on a round whose matches agree so far with those of a fit that began otherwise.

    Towards a truth starts of different kinds come to the same matches, and elsewhere each comes to others,
    even if both began with the same known pairs. So matches are believed that are found twice, if they fit
    somewhat better than random starts; in up to 32 dimensions there are too few optima for that.
    """
    converged, evidence = verdict
    evidence = replace(evidence, shared=shared)
    enough = shared >= least.shared and evidence.halves >= HALVES
    if converged or not enough or not may_be_shared(null, evidence, least.margin):
        return converged, evidence
    moral = (
        f" But two fits that began otherwise match {shared:.0%} of the rows to the same row "
        f"(chance-corrected; threshold {least.shared:.0%}){_WRONG_DO_NOT}"
    )
    return True, replace(evidence, reason=evidence.reason.replace(_AS_WELL, moral))


def may_be_shared(null: Null, evidence: Evidence, margin: float = TWICE.margin) -> bool:
    """Whether matches with this evidence are believed if another start comes to them."""
    return (evidence.margin or 0) >= margin and not null.low


def may_find_more(null: Null, evidence: Evidence, unrelated: bool = False) -> bool:
    """Whether another start may find more than matches with this evidence.

    ``unrelated`` says that populations began as those of unrelated spaces do.
    """
    return may_be_shared(null, evidence, _WORTH_UNRELATED if unrelated else _WORTH_MARGIN)


def above_chance(null: Null, evidence: Evidence) -> bool:
    """Whether matches with this evidence are found again too often to be all wrong, believed or not."""
    often = may_be_shared(null, evidence) and evidence.confirmed >= BY_CHANCE
    return often and not mostly_wrong(evidence)


def margin_for(null: Null, halves: float) -> float:
    """The margin required between the null's spaces: the less the halves agree, the more."""
    return MARGIN_IN_FEW if _few_dimensions(null) else margin_required(halves)


def _few_dimensions(null: Null) -> bool:
    return null.dimensions <= FEW_DIMENSIONS


def margin_required(halves: float) -> float:
    """The margin required where the halves agree this well, in more than a few dimensions."""
    return max(MARGIN, BOTH / max(halves, HALVES))


def is_clear(evidence: Evidence) -> bool:
    """Whether evidence stands well above what is asked for: on the edge, another try may find more."""
    if evidence.confirmed >= TWICE.shared:
        return True
    return (evidence.margin or 0.0) >= _CLEARLY * margin_required(evidence.halves)


def halves_agreement(x: Tensor, y: Tensor, matches: Tensor) -> float:
    """Cohen's kappa of the nearest rows found through two rotations, each from half of the matches.

    A true correspondence is one rotation, and any half of it tells which. A wrong one that is consistent
    with itself fits its rows one by one, and the two halves disagree.

    Parameters
    ----------
    x, y
        ``(n, rx)`` and ``(m, ry)``, as ``relviz.bootstrapping.principal_axes.principal`` gives them.
    matches
        ``(n,)``, a row of y for every row of x.
    """
    generator = torch.Generator().manual_seed(0)
    order = torch.randperm(len(x), generator=generator).to(x.device)
    asked = x[order[:_MOST_ROWS]]
    found = []
    for half in order.chunk(2):
        rotation = align(x[half].T @ y[matches[half]], min(x.shape[1], y.shape[1]))
        found.append(top_k(unit_rows(rotation.apply(asked)), unit_rows(y), 1)[1][:, 0])
    return kappa(found[0], found[1], len(y))
