"""The anchors that a run of anchor optimization found, used elsewhere."""

from dataclasses import dataclass

import numpy as np
from torch import Tensor

from relviz.errors import ParameterError
from relviz.measure import held_out
from relviz.pair import Pair
from relviz.relative_projection import prepare
from relviz.results.run_record import RunRecord, kept_record
from relviz.state.view import Run, View


@dataclass(frozen=True, eq=False)
class Found:
    """Anchors of a run that ended: ``rows`` (k,) of A and ``indices`` (k,) of B, ``points`` (k, dy) in B.

    ``points`` are unit rows in the frame of ``relviz.prepare`` of all of B; ``seeds`` (s,) are those rows of
    A whose counterpart was given; ``matches`` (n,) is a row of B for every row of A; ``held`` (h,) are the
    rows that took no part in the run.
    """

    rows: Tensor
    indices: Tensor
    points: Tensor
    seeds: Tensor
    matches: Tensor
    held: Tensor
    title: str


def record_of_pair(key: str, pair: Pair) -> RunRecord:
    """The finished run of a pair that a view names by its key.

    Raises
    ------
    ParameterError
        If it names none, the run is no longer kept, or it was of another pair.
    """
    if not key:
        raise ParameterError(
            "No run of anchor optimization is chosen. Make one on the Bootstrap page, and press "
            "“Use these anchors” there."
        )
    record = kept_record(key)
    if record is None:
        raise ParameterError(
            "The run of anchor optimization that this view names is no longer kept. Run it again on the "
            "Bootstrap page."
        )
    if record.pair != pair.digest:
        raise ParameterError(
            "The anchors of the run that this view names belong to another pair. Run anchor optimization for "
            "this one on the Bootstrap page."
        )
    return record


def anchors_from_run(view: View, pair: Pair) -> Found:
    """The anchors of the run that a view names; ParameterError as ``record_of_pair``."""
    record = record_of_pair(view.run, pair)
    return Found(
        rows=record.anchors,
        indices=record.found.nearest,
        points=record.found.points,
        seeds=record.seeds,
        matches=record.found.matches,
        held=record.held_out,
        title=record.title,
    )


def run_of(view: View, pair: Pair) -> Run:
    """The choices of the run whose anchors a view uses; ParameterError as ``record_of_pair``."""
    return record_of_pair(view.run, pair).run


def starred_rows(view: View, pair: Pair, anchors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the anchors to be drawn as known, and as discovered: all but the seeds of a run."""
    if view.method != "run" or not len(anchors):
        return anchors, anchors[:0]
    seeds = anchors_from_run(view, pair).seeds.numpy()
    return seeds, np.setdiff1d(anchors, seeds)


def rows_in_b(view: View, pair: Pair, anchors: Tensor) -> Tensor:
    """The rows of B that are, or are nearest to, what stands for the anchors there."""
    return anchors_from_run(view, pair).indices if view.method == "run" else anchors


def partners_of(view: View, pair: Pair) -> Tensor | None:
    """What stands for the anchors in B, ``(k, dy)`` in its prepared frame; None if they are its own rows."""
    if view.method != "run":
        return None
    found = anchors_from_run(view, pair)
    return prepare(pair.b.vectors)[found.indices] if view.rows else found.points


def held_of(view: View, pair: Pair) -> Tensor | None:
    """Rows that took no part in the run whose anchors a view uses; None if there are none, or no run.

    What goes through these anchors is measured with them: the others are rows that they were fitted to. No
    more than the view's number of queries, drawn at random.
    """
    held = anchors_from_run(view, pair).held if view.method == "run" else None
    if held is None or not len(held):
        return None
    return held_out(len(pair), held_out(len(pair), held), view.queries or None, view.seed)
