"""An annealing as a stage of a recorded run, which goes on from where it stood."""

from collections.abc import Callable

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Begun, Schedule, Stage, anneal
from relviz.bootstrapping.hints import Columns
from relviz.bootstrapping.procrustes import Alignment
from relviz.bootstrapping.record import Record

Rows = tuple[Tensor, Tensor]


def anneal_recorded(
    name: str,
    record: Record,
    x: Tensor,
    y: Tensor,
    sides: Callable[[], Rows],
    schedule: Schedule,
    seeds: Rows,
    generator: torch.Generator,
    hints: Columns,
    note: Callable[[Stage], bool],
) -> Alignment:
    """The alignment that an annealing comes to; parameters as those of ``anneal``.

    ``sides`` gives them where the annealing has not begun. ``note`` is called after each new step, and says
    whether it is the last.
    """
    begun = record.restored(name, Begun, generator)
    if begun is not None:
        begun = begun.to(x.device)
        if begun.steps == schedule.steps:
            return begun.alignment
    first = sides() if begun is None else begun.alignment.sides(x, y)
    args = x, y, first, schedule, seeds, generator, record.beat, hints, begun
    for steps, stage in enumerate(anneal(*args), 1 if begun is None else begun.steps + 1):
        stopped = note(stage)
        if stopped or steps == schedule.steps or record.due:
            record.keep(name, Begun(steps, stage.alignment, stage.g), generator)
        if stopped:
            break
    return stage.alignment
