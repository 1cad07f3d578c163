"""Room for what visitors bring: their own oldest goes first, never what another uses."""

import os
import time
from collections.abc import Iterator

import pytest
import torch

import relviz
from relviz.compute import store as module
from relviz.compute.owner import acting_for
from relviz.compute.store import Store, default_store
from relviz.state.opened import Opened, space_bytes
from relviz.state.owners import PROTECTED_SECONDS
from relviz.state.sources import forget_opened, keep_space, open_space

ROWS = 200


@pytest.fixture(autouse=True)
def _small_store(tmp_path, monkeypatch) -> Iterator[None]:
    """Room for three spaces and some claims."""
    monkeypatch.setattr(module, "_CHOSEN", [Store(tmp_path, cap_bytes=3 * 200 * 50 * 4 + 20_000)])
    forget_opened()
    yield
    forget_opened()


def brought(who: str, seed: int) -> str:
    rows = torch.randn(ROWS, 50, generator=torch.Generator().manual_seed(seed))
    with acting_for(who):
        return keep_space(relviz.Space(rows, name=f"{who} {seed}"))


def there(source: str) -> bool:
    return default_store()._path(source).is_file()


def test_many_uploads_of_one_push_out_none_of_another() -> None:
    mine = brought("anna", 0)
    theirs = [brought("ben", seed) for seed in range(1, 6)]
    assert [there(source) for source in theirs] == [False, False, False, True, True]
    forget_opened()
    with acting_for("anna"):
        assert open_space(mine).name == "anna 0"


def test_where_others_fill_the_store_an_upload_is_held_in_memory_and_said() -> None:
    others = [brought(who, seed) for seed, who in enumerate(("anna", "cleo", "dora"))]
    source = brought("ben", 9)
    assert all(map(there, others))
    assert not there(source)
    assert "full of what other visitors have brought" in default_store().trouble
    with acting_for("ben"):
        assert len(open_space(source)) == ROWS


def test_what_was_not_used_for_a_day_makes_room() -> None:
    old = brought("anna", 0)
    brought("cleo", 1)
    brought("dora", 2)
    long_ago = time.time() - PROTECTED_SECONDS - 60
    os.utime(default_store()._path(old), (long_ago, long_ago))
    source = brought("ben", 9)
    assert there(source)
    assert not there(old)


def test_a_script_throws_out_the_oldest_as_ever() -> None:
    sources = []
    for seed in range(5):
        rows = torch.randn(ROWS, 50, generator=torch.Generator().manual_seed(seed))
        sources.append(keep_space(relviz.Space(rows)))
    assert [there(source) for source in sources] == [False, False, True, True, True]


def test_what_is_open_is_counted_in_bytes() -> None:
    made = []

    def making(name: str) -> relviz.Space:
        made.append(name)
        return relviz.Space(torch.ones(100, 10), ids=range(100), name=name)

    size = space_bytes(making("first"))
    assert size == 100 * 10 * 4 + 100 * 80
    opened = Opened(space_bytes, cap_bytes=2 * size)
    made.clear()
    for name in "abacab":
        assert opened.get(name, lambda name=name: making(name)).name == name
    assert made == ["a", "b", "c", "b"]
    tight = Opened(space_bytes, cap_bytes=1)
    assert tight.get("a", lambda: making("a")) is tight.get("a", lambda: making("a"))
