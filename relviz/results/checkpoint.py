"""The checkpoint of a run in the store: what its solver and its recorder had come to."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from relviz.bootstrapping import Checkpoint
from relviz.bootstrapping.record import taken_steps
from relviz.compute.entry import Array, Result
from relviz.compute.key import checkpoint_key
from relviz.compute.store import StoreError, default_store
from relviz.compute.typed import Made, pack, unpack
from relviz.results.replay import Replay

SECONDS = 10.0
"""Of work between two checkpoints, at least."""
RESUMED = "resumed from a checkpoint"
"""Of a run that goes on from what is saved of it."""
_REPLAY = "replay/"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Resumed:
    """A run that goes on, or begins.

    Attributes
    ----------
    checkpoint
        For the solver.
    replay
        The steps taken before; None if the run begins.
    planned
        How many steps were planned, of each round that had begun.
    """

    checkpoint: Checkpoint
    replay: Replay | None
    planned: list[int]


def resumed(key: str, replay: Callable[[], Replay]) -> Resumed:
    """The run that makes the result of that key, as its checkpoint in the store has it.

    ``replay`` gives the steps taken so far when they are saved.
    """

    def with_steps() -> Made:
        steps, about = pack(replay())
        return {f"{_REPLAY}{name}": x for name, x in steps.items()}, {_REPLAY: about}

    checkpoint, saved = checkpoint_of(key, with_steps)
    if saved is None:
        return Resumed(checkpoint, None, [])
    steps = {name.removeprefix(_REPLAY): x for name, x in saved.arrays.items() if name.startswith(_REPLAY)}
    planned: list[int] = []
    for one in taken_steps(checkpoint):
        if not planned or one.of > planned[-1]:
            planned.append(one.of)
    return Resumed(checkpoint, unpack(Replay, Result(steps, saved.meta[_REPLAY])), planned)


def checkpoint_of(key: str, extra: Callable[[], Made] = lambda: ({}, {})) -> tuple[Checkpoint, Result | None]:
    """The checkpoint of the run that makes the result of that key, and what was saved of it before.

    What ``extra`` gives is saved with it. A checkpoint that cannot be saved is tried again later; the run
    goes on without.
    """
    store, place, logged = default_store(), checkpoint_key(key), False
    saved = store.get(place)

    def save(arrays: dict[str, Array], meta: dict[str, object]) -> None:
        nonlocal logged
        more, about = extra()
        try:
            store.put(place, {**arrays, **more}, {**meta, **about})
        except StoreError as reason:
            if not logged:
                logger.warning("No checkpoint is kept: %s", reason)
            logged = True

    return Checkpoint(save, saved, SECONDS), saved
