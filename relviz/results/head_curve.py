"""Heads on relative vectors over the number of anchors."""

from dataclasses import asdict, dataclass

from relviz.compute.job import Ticket
from relviz.compute.task import Task, task
from relviz.pair import Pair
from relviz.results.heads import TEST, class_names
from relviz.results.stitching import (
    KNOWN,
    RUNS,
    Conditions,
    Encoder,
    MatrixCell,
    anchor_count,
    labels_and_encoders,
)
from relviz.state.view import StitchingChoices
from relviz.stitching import stitch
from relviz.stitching.labels import Labels

HEAD_COUNTS = (2, 5, 10, 20, 50, 100, 200, 300, 500, 1000)


@dataclass(frozen=True)
class HeadCurve:
    """Heads on relative vectors of growing numbers of anchors: ``cells[i]`` with ``counts[i]`` of them.

    ``native`` are the same heads on the vectors of their own encoder.
    """

    encoders: tuple[str, ...]
    counts: tuple[int, ...]
    cells: tuple[tuple[MatrixCell, ...], ...]
    native: tuple[MatrixCell, ...]
    how: Conditions


@task("head_curve", "Heads over the number of anchors", heavy=True)
def _head_curve(
    ticket: Ticket, encoders: tuple[Encoder, ...], labels: Labels, counts: tuple[int, ...], how: Conditions
) -> HeadCurve:
    spaces = {one.name: one.space.vectors for one in encoders}
    classes = {one.name: class_names(labels, one.side) for one in encoders}
    found: list[tuple[MatrixCell, ...]] = []
    for place, anchors in enumerate((*counts, counts[0])):
        ticket.report(place / (len(counts) + 1), f"{anchors} anchors")
        table = stitch(
            spaces,
            classes,
            **asdict(how) | {"anchors": anchors},
            methods=("relative",) if place < len(counts) else ("native",),
            on_pulse=ticket.check,
        )
        found.append(tuple(MatrixCell(**record) for record in table.records()))
    return HeadCurve(tuple(spaces), counts, tuple(found[:-1]), found[-1], how)


def head_curve_task(pair: Pair, choices: StitchingChoices) -> Task[HeadCurve]:
    """The task that trains heads on relative vectors of ever more anchors.

    Raises
    ------
    ParameterError
        If the items have no classes, or they do not suffice for heads.
    """
    labels, encoders = labels_and_encoders(pair, {})
    counts = tuple(sorted({anchor_count(count, len(pair)) for count in HEAD_COUNTS}))
    how = Conditions(counts[-1], choices.head, "true", min(KNOWN, counts[0]), RUNS, TEST, choices.seed)
    return _head_curve(encoders, labels, counts, how)
