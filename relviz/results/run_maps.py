"""Maps of both spaces relative to true anchors, to the known pairs alone, and to what a run found."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from relviz.compute.job import Ticket
from relviz.compute.task import Task, task
from relviz.pair import Pair
from relviz.projection import project
from relviz.relative_projection import prepare, relative
from relviz.results.bootstrap import bootstrap_task
from relviz.results.run import RunRecord
from relviz.results.run_examples import FEWEST_SEEDS
from relviz.results.run_summary import THROUGH
from relviz.state.view import Run

KINDS = {"true": THROUGH["truth"], "seeds": THROUGH["seeds"], "found": "found"}
"""Kinds of anchors, as a person reads them."""
_RUN = 0.9
"""Share of the work that is the run."""


@dataclass(frozen=True, eq=False)
class AnchorMap:
    """Both spaces relative to anchors of one of ``KINDS``, on the principal components of A.

    Attributes
    ----------
    kind, count
        Which anchors, and how many.
    a, b
        ``(n, 2)`` float32 each.
    explained
        Share of the variance of either that these components explain.
    """

    kind: str
    count: int
    a: np.ndarray
    b: np.ndarray
    explained: tuple[float, float]


@dataclass(frozen=True, eq=False)
class RunMaps:
    """The maps of a run; without known pairs, or with one, none of these alone."""

    maps: tuple[AnchorMap, ...]


@task("run-maps", "Maps through the anchors of a run", heavy=True)
def _run_maps(
    ticket: Ticket,
    pair: Pair,
    run: Run,
    labels: tuple[str, ...] | None,  # noqa: ARG001  # of which the run draws, so they are in the key
) -> RunMaps:
    record = bootstrap_task(run, pair).run(ticket.part(0.0, _RUN, "run"))
    made = []
    for kind, count, sides in _sides(pair, record):
        ticket.report(_RUN, KINDS[kind])
        found = project(sides, "pca", "first")
        assert found.explained is not None
        shares = [float(sum(one)) for one in found.explained]
        made.append(AnchorMap(kind, count, found[0], found[1], (shares[0], shares[1])))
    return RunMaps(tuple(made))


def _sides(pair: Pair, record: RunRecord) -> Iterator[tuple[str, int, tuple[Tensor, Tensor]]]:
    x, y = prepare(pair.a.vectors), prepare(pair.b.vectors)
    by_anchors = relative(x, x[record.anchors])
    yield "true", len(record.anchors), (by_anchors, relative(y, y[record.anchors]))
    if len(record.seeds) >= FEWEST_SEEDS:
        by_seeds = relative(x, x[record.seeds]), relative(y, y[record.seeds])
        yield "seeds", len(record.seeds), by_seeds
    yield "found", len(record.anchors), (by_anchors, relative(y, record.outcome.points))


def run_maps(run: Run, pair: Pair) -> Task[RunMaps]:
    """The task that draws both spaces through the anchors of a run, which is made where it is not kept.

    Source: Cannistraci et al. 2023 (AO), the maps of tables 1, 4 and 5.
    """
    return _run_maps(pair, run.essential(), pair.labels if run.seeding == "per_class" else None)
