"""Where a run stands, kept now and then, so that one that is broken off ends as if it had not been.

A run goes through stages, each of which depends on those before and on the state of its generator of random
numbers. What a stage came to is kept with that state. A run that is begun again takes the same way, and takes
from the checkpoint what is there instead of computing it.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
from torch import Tensor

from relviz.compute.entry import Array, Result
from relviz.compute.typed import Made, pack, unpack

_SHARE = 0.02
"""Of the time of a run, what saving it may take."""

T = TypeVar("T")
Save = Callable[[dict[str, Array], dict[str, object]], object]
"""Given arrays and JSON-safe values, which ``Checkpoint`` takes back as a ``Result``."""


@dataclass(frozen=True, eq=False)
class _Stage:
    """What a stage came to, ``numbers`` that go with it, and the state of the generator after it."""

    made: Made
    numbers: list[int]
    generator: Tensor | None


@dataclass(eq=False)
class _All:
    """The stages of all parts of a run, where they are saved, and from when on they are saved again."""

    save: Save
    seconds: float
    stages: dict[str, _Stage]
    after: float


class Checkpoint:
    """The stages of one run that are done, and where the one at work stands.

    Parameters
    ----------
    save
        Called now and then in the thread of the run; what it raises ends the run.
    saved
        What was saved by a run with the same inputs, options and seed, and the same code.
    seconds
        Between two saves at least; more where one takes long.
    """

    def __init__(self, save: Save, saved: Result | None = None, seconds: float = 10.0) -> None:
        self._all = _All(save, seconds, {} if saved is None else _read(saved), time.monotonic() + seconds)
        self._prefix = ""

    @property
    def due(self) -> bool:
        """Whether what is kept next is saved."""
        return time.monotonic() >= self._all.after

    def keep(
        self,
        name: str,
        value: object,
        numbers: Sequence[int] = (),
        generator: torch.Generator | None = None,
    ) -> None:
        """Keep where a stage stands, a dataclass, instead of where it stood before."""
        state = None if generator is None else generator.get_state()
        self._all.stages[self._prefix + name] = _Stage(pack(value), list(numbers), state)

    def restored(
        self, name: str, kind: type[T], generator: torch.Generator | None = None
    ) -> tuple[T, list[int]] | None:
        """Where a stage stood, its tensors on the CPU, and its numbers; the generator goes on from there."""
        stage = self._all.stages.get(self._prefix + name)
        if stage is None:
            return None
        arrays, meta = stage.made
        own = {name: _own(x).numpy() for name, x in arrays.items()}
        if generator is not None and stage.generator is not None:
            generator.set_state(stage.generator)
        return unpack(kind, Result(own, dict(meta))), stage.numbers

    def part(self, name: str) -> "Checkpoint":
        """The stages of one of the runs that a run is made of; they are saved with all others."""
        part = copy(self)
        part._prefix = f"{self._prefix}{name} "
        return part

    def drop(self, part: str) -> None:
        """Keep the stages of a part no longer."""
        stages = self._all.stages
        for name in [name for name in stages if name.startswith(f"{self._prefix}{part} ")]:
            del stages[name]

    def save(self) -> None:
        """Save all that is kept."""
        began = time.monotonic()
        arrays: dict[str, Array] = {}
        entries: dict[str, object] = {}
        for name, stage in self._all.stages.items():
            orders = {}
            for path, x in stage.made[0].items():
                orders[path] = order = _order(x)
                arrays[f"{name}/{path}"] = torch.as_tensor(x).permute(order)
            if stage.generator is not None:
                arrays[f"{name} generator"] = stage.generator
            entries[name] = {"meta": stage.made[1], "numbers": stage.numbers, "orders": orders}
        self._all.save(arrays, {"stages": entries})
        ended = time.monotonic()
        self._all.after = ended + max(self._all.seconds, (ended - began) / _SHARE)


def _order(x: Array) -> list[int]:
    """The dimensions of a tensor as its memory has them: products round by that."""
    strides = torch.as_tensor(x).stride()
    return sorted(range(len(strides)), key=lambda at: (-strides[at], at))


def _own(x: Array) -> Tensor:
    """A copy that lies in memory as a result of torch does."""
    return torch.as_tensor(x).clone()


def _read(saved: Result) -> dict[str, _Stage]:
    entries: Mapping[str, Any] = saved.meta["stages"]
    stages = {}
    for name, one in entries.items():
        arrays: dict[str, Array] = {}
        for path, order in one["orders"].items():
            back = [order.index(at) for at in range(len(order))]
            arrays[path] = _own(saved.arrays[f"{name}/{path}"]).permute(back)
        state = saved.arrays.get(f"{name} generator")
        generator = None if state is None else torch.from_numpy(state)
        stages[name] = _Stage((arrays, one["meta"]), one["numbers"], generator)
    return stages
