"""Correlations of self-similarities of a comparison."""

from dataclasses import dataclass

import numpy as np

from relviz.compute.job import Ticket
from relviz.compute.task import Task, task
from relviz.measure import self_similarity_correlation
from relviz.results.comparison import Comparison, Sides


@dataclass(frozen=True, eq=False)
class SelfSimilarity:
    """Pearson correlations ``(4, 4)`` of the self-similarities of A, B, A relative and B relative."""

    correlations: np.ndarray


@task("self-similarity", "Correlating self-similarities")
def _self_similarity(ticket: Ticket, absolute: Sides, relative: Sides) -> SelfSimilarity:
    spaces = *absolute.make(), *relative.make()
    return SelfSimilarity(self_similarity_correlation(*spaces, on_progress=ticket.report))


def self_similarity(comparison: Comparison) -> Task[SelfSimilarity]:
    """The task that correlates the self-similarities of both spaces, absolute and relative (RR A.5.2)."""
    return _self_similarity(comparison.row("absolute"), comparison.row("relative"))
