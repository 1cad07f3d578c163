"""What a run keeps of its stages is, read back, what it was: values, layout in memory, and random numbers."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from relviz.bootstrapping import Checkpoint
from relviz.bootstrapping.record import Entry, History
from relviz.bootstrapping.search import Standing
from relviz.compute.store import Store

KEY = f"checkpoint-{0:032x}"


@dataclass(frozen=True, eq=False)
class Stood:
    """Where some stage stood."""

    step: int
    at: Tensor
    rows: tuple[Tensor, Tensor]


def test_tensors_come_back_as_they_lay_in_memory(tmp_path: Path) -> None:
    """A product of the same numbers in another order of memory is rounded otherwise."""
    store, generator = Store(tmp_path), torch.Generator().manual_seed(3)
    made = Checkpoint(lambda arrays, meta: store.put(KEY, arrays, meta))
    at, rows = torch.randn(7, 5, generator=generator).T, torch.arange(4)
    made.keep("0 annealing", Stood(2, at, (rows, rows > 1)), (8, 1), generator)
    after = torch.rand(3, generator=generator)
    made.save()
    again = torch.Generator()
    found = Checkpoint(lambda _, __: None, store.get(KEY)).restored("0 annealing", Stood, again)
    assert found is not None
    stood, numbers = found
    assert (stood.step, numbers) == (2, [8, 1])
    assert torch.equal(stood.at, at)
    assert stood.at.stride() == at.stride() == (1, 5)
    assert stood.at.data_ptr() % 64 == 0
    assert [one.tolist() for one in stood.rows] == [[0, 1, 2, 3], [False, False, True, True]]
    assert torch.equal(torch.rand(3, generator=again), after)


def test_what_is_kept_belongs_to_the_checkpoint() -> None:
    made = Checkpoint(lambda _, __: None)
    made.keep("0 found", Stood(1, torch.zeros(2), (torch.zeros(1), torch.zeros(1))))
    for _ in range(2):
        found = made.restored("0 found", Stood)
        assert found is not None
        assert found[0].at.tolist() == [0, 0]
        found[0].at[:] = 9
    assert made.restored("1 found", Stood) is None


def test_parts_are_apart_and_saved_as_one() -> None:
    saved: list[dict[str, Any]] = []
    made = Checkpoint(lambda _, meta: saved.append(meta), seconds=0.0)
    one, other = made.part("0-1"), made.part("0-2")
    one.keep("found", Stood(1, torch.ones(2), (torch.ones(1), torch.ones(1))), (4,))
    assert one.due
    assert other.restored("found", Stood) is None
    found = one.restored("found", Stood)
    assert found is not None
    assert (found[0].step, found[1]) == (1, [4])
    other.save()
    assert [list(meta["stages"]) for meta in saved] == [["0-1 found"]]


def test_steps_come_back_as_they_were() -> None:
    standing = Standing((0.25, 1 / 3), (0.5, 0.75), 0.125)
    entries = [Entry(0, 8, 1 / 3, 0.1, 0.7, None), Entry(1, 8, torch.nan, 0.05, 1.0, standing)]
    first, second = History.of(entries).taken()
    assert repr((first, second)) == repr(tuple(entries))
    assert second.standing == standing
    assert History.of([]).taken() == []
