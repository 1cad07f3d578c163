"""The store: what is in it is right or is not in it, whoever dies, damages, or writes at the same time."""

import errno
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from relviz.compute import entry, installation, store
from relviz.compute.store import Held, Store, StoreError, default_store, result_key
from relviz.errors import Error, ParameterError

PROJECT = Path(__file__).resolve().parents[2]
ENTRY_BYTES = len(entry.pack("toy-" + "0" * 32, entry.result({"x": np.zeros(1000)}, {})))


def key(number, kind="toy"):
    return f"{kind}-{number:032x}"


def filled(folder, *keys, room=3):
    """A store with room for so many entries, holding the given ones, the first used longest ago."""
    made = Store(folder, cap_bytes=room * ENTRY_BYTES + ENTRY_BYTES // 2)
    for age, name in enumerate(reversed(keys), start=1):
        made.put(name, {"x": np.zeros(1000)})
        os.utime(made._path(name), (time.time() - 100 * age,) * 2)
    return made


def held(made):
    return [one.key for one in made.entries()]


def test_what_was_put_is_got(tmp_path):
    made = Store(tmp_path)
    assert made.get(key(1)) is None
    assert not made.has(key(1))
    put = made.put(key(1), {"x": np.arange(3)}, {"loss": 0.5})
    got = made.get(key(1))
    assert made.has(key(1))
    assert got.meta == put.meta == {"loss": 0.5}
    assert got.arrays["x"].tolist() == put.arrays["x"].tolist() == [0, 1, 2]
    made.remove(key(1))
    made.remove(key(1))
    assert made.get(key(1)) is None


def test_it_knows_what_it_holds_and_one_file_is_one_entry(tmp_path):
    made = filled(tmp_path, key(1), key(2, "space"))
    (tmp_path / "README.md").write_text("not a result")
    (tmp_path / "foreign.safetensors").write_text("not a result")
    assert [(one.key, one.kind) for one in made.entries()] == [(key(1), "toy"), (key(2, "space"), "space")]
    assert len(list(tmp_path.glob("*-*"))) == 2
    assert made.size() == sum(path.stat().st_size for path in tmp_path.glob("*-*"))


def test_a_result_is_computed_once(tmp_path):
    made, calls = Store(tmp_path), []

    def compute():
        calls.append(1)
        return {"x": np.arange(3)}, {"n": 3}

    first, second = made.cached(key(1), compute), made.cached(key(1), compute)
    assert len(calls) == 1
    assert first.meta == second.meta == {"n": 3}


@pytest.mark.parametrize(
    "damage", [lambda raw: raw[:-8] + b"\1" + raw[-7:], lambda raw: raw[:100], lambda _: b""]
)
def test_a_damaged_entry_is_removed_and_computed_again(tmp_path, damage):
    made = filled(tmp_path, key(1))
    path = made._path(key(1))
    path.write_bytes(damage(path.read_bytes()))
    assert made.get(key(1)) is None
    assert not path.exists()
    assert made.cached(key(1), lambda: ({"x": np.ones(2)}, {})).arrays["x"].tolist() == [1, 1]
    assert made.get(key(1)).arrays["x"].tolist() == [1, 1]


@pytest.mark.parametrize("name", ["../toy-" + "0" * 32, "toy", "", "toy-" + "0" * 32 + ".safetensors"])
@pytest.mark.parametrize(
    "do", [Store.get, Store.has, Store.remove, lambda s, k: s.put(k, {}), lambda s, k: s.cached(k, dict)]
)
def test_a_name_that_is_no_key_reaches_no_file(tmp_path, do, name):
    with pytest.raises(ParameterError, match="A key is"):
        do(Store(tmp_path), name)


def test_over_the_cap_the_one_not_used_for_longest_goes(tmp_path):
    made = filled(tmp_path, key(1), key(2), key(3))
    made.put(key(4), {"x": np.zeros(1000)})
    assert held(made) == [key(2), key(3), key(4)]
    assert made.size() <= made.cap_bytes


def test_reading_counts_as_use(tmp_path):
    made = filled(tmp_path, key(1), key(2), key(3))
    made.get(key(1))
    made.put(key(4), {"x": np.zeros(1000)})
    assert held(made) == [key(3), key(1), key(4)]


def test_what_cannot_be_computed_again_goes_last(tmp_path):
    made = filled(tmp_path, key(1, "space"), key(2), key(3))
    made.put(key(4), {"x": np.zeros(1000)})
    assert held(made) == [key(1, "space"), key(3), key(4)]


def test_when_nothing_else_is_left_the_oldest_of_those_goes_not_the_newcomer(tmp_path):
    made = filled(tmp_path, key(1, "space"), key(2, "space"), key(3, "space"))
    made.put(key(4), {"x": np.zeros(1000)})
    assert held(made) == [key(2, "space"), key(3, "space"), key(4)]


def test_a_result_larger_than_the_store_throws_nothing_out(tmp_path):
    made = filled(tmp_path, key(1), key(2))
    with pytest.raises(StoreError, match=r"takes .* KiB and the store keeps at most .* KiB"):
        made.put(key(3), {"x": np.zeros(100_000)})
    assert held(made) == [key(1), key(2)]
    assert len(made.cached(key(3), lambda: ({"x": np.zeros(100_000)}, {})).arrays["x"]) == 100_000


def test_a_full_disk_is_an_error_in_words_and_leaves_nothing(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(StoreError, match="No space left on device") as caught:
        Store(tmp_path).put(key(1), {"x": np.zeros(3)})
    assert isinstance(caught.value, Error)
    assert list(tmp_path.iterdir()) == []


def test_a_slow_disk_delays_its_own_entry_and_none_is_seen_half(tmp_path, monkeypatch):
    made, other, begun, go_on = Store(tmp_path), Store(tmp_path), threading.Event(), threading.Event()
    made.put(key(1), {"x": np.zeros(3)})
    replace = os.replace

    def slow(source, target):
        if Path(target).stem == key(1):
            begun.set()
            assert go_on.wait(60)
        replace(source, target)

    monkeypatch.setattr(os, "replace", slow)
    writer = threading.Thread(target=made.keep, args=(key(1), {"x": np.ones(3)}))
    writer.start()
    assert begun.wait(60)
    for one in (made, other):
        assert one.get(key(1)).arrays["x"].tolist() == [0, 0, 0]
    other.put(key(2), {"x": np.zeros(1)})
    assert made.has(key(2))
    go_on.set()
    writer.join()
    assert other.get(key(1)).arrays["x"].tolist() == [1, 1, 1]
    assert made.trouble == ""


def no_room(monkeypatch, errno_=errno.ENOSPC):
    def full(*_):
        raise OSError(errno_, os.strerror(errno_))

    monkeypatch.setattr(os, "replace", full)


@pytest.mark.parametrize("why", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_what_cannot_be_written_is_held_and_said_until_it_can(tmp_path, monkeypatch, why):
    made, other = Store(tmp_path), Store(tmp_path)
    assert made.trouble == ""
    with monkeypatch.context() as patch:
        no_room(patch, why)
        made.keep(key(1), {"x": np.arange(3)}, {"loss": 0.5})
        made.cached(key(2), lambda: ({"x": np.zeros(2)}, {}))
        found = made.get(key(1))
        assert (found.arrays["x"].tolist(), found.meta) == ([0, 1, 2], {"loss": 0.5})
        found.arrays["x"][:] = 9
        assert made.get(key(1)).arrays["x"].tolist() == [0, 1, 2]
        assert made.has(key(2))
        assert os.strerror(why) in made.trouble
        assert held(other) == []
    made.keep(key(3), {"x": np.zeros(1)})  # there is room again: what was held is written
    assert made.trouble == ""
    assert sorted(held(other)) == [key(1), key(2), key(3)]


def test_a_result_larger_than_the_store_is_held_too(tmp_path):
    made = filled(tmp_path, key(1))
    made.keep(key(3), {"x": np.zeros(100_000)})
    made.keep(key(2), {"x": np.zeros(3)})
    assert len(made.get(key(3)).arrays["x"]) == 100_000
    assert "keeps at most" in made.trouble
    made.remove(key(3))
    assert made.get(key(3)) is None
    assert made.trouble == ""


def test_what_is_held_is_bounded_and_the_newest_stays():
    some = Held(cap_bytes=100)
    for number in range(4):
        some.add(key(number), entry.result({"x": np.zeros(5)}, {}))
    assert [name for name, _ in some.items()] == [key(2), key(3)]
    assert some.get(key(2)) is not None  # asked for, it is no longer the first to go
    some.add(key(4), entry.result({"x": np.zeros(5)}, {}))
    assert [name for name, _ in some.items()] == [key(2), key(4)]
    some.add(key(5), entry.result({"x": np.zeros(500)}, {}))
    assert [name for name, _ in some.items()] == [key(5)]


def test_a_folder_deleted_meanwhile_is_made_again(tmp_path):
    made = Store(tmp_path / "cache")
    assert made.get(key(1)) is None
    assert made.entries() == []
    made.put(key(1), {})
    assert made.get(key(1)).arrays == {}


def test_leftovers_of_the_dead_are_swept_after_an_hour(tmp_path):
    old, young = tmp_path / ".toy-old.tmp", tmp_path / ".toy-young.tmp"
    for path, age in ((old, 3700), (young, 3500)):
        path.write_bytes(b"half")
        os.utime(path, (time.time() - age,) * 2)
    Store(tmp_path).put(key(1), {})
    assert not old.exists()
    assert young.exists()


def child(code, *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], cwd=PROJECT, stderr=subprocess.PIPE
    )


DIES_HALFWAY = """
import os, signal, sys
import numpy as np
from relviz.compute.store import Store

class Dying:
    def __init__(self, handle): self.handle = handle
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def write(self, raw):
        os.write(self.handle, raw[: len(raw) // 2])
        os.kill(os.getpid(), signal.SIGKILL)

os.fdopen = lambda handle, mode: Dying(handle)
Store(sys.argv[1]).put(sys.argv[2], {"x": np.zeros(1000)})
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system has no SIGKILL")
def test_a_writer_killed_halfway_leaves_no_entry(tmp_path):
    process = child(DIES_HALFWAY, tmp_path, key(1))
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert [path.suffix for path in tmp_path.iterdir()] == [".tmp"]
    made = Store(tmp_path)
    assert not made.has(key(1))
    assert made.entries() == []
    made.put(key(1), {"x": np.ones(3)})
    assert made.get(key(1)).arrays["x"].tolist() == [1, 1, 1]


READS_AND_WRITES = """
import sys, time
from contextlib import suppress
import numpy as np
from relviz.compute import entry
from relviz.compute.store import Store

store = Store(sys.argv[1], cap_bytes=int(sys.argv[2]))
keys = [f"toy-{i:032x}" for i in range(5)]
hits, end = 0, time.monotonic() + 0.6
while time.monotonic() < end:
    for number, key in enumerate(keys):
        store.put(key, {"x": np.full(20_000, number)})
        for other, key in enumerate(keys):
            with suppress(FileNotFoundError):  # thrown out by either process; damage would raise
                assert (entry.read(store._path(key), key).arrays["x"] == other).all()
                hits += 1
        store.get(keys[number - 2])
assert hits > 20, hits
"""


def test_two_processes_at_once_do_each_other_no_harm(tmp_path):
    cap = 3 * 161_000
    both = [child(READS_AND_WRITES, tmp_path, cap) for _ in range(2)]
    said = [process.communicate(timeout=60)[1].decode() for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert all(path.suffix == ".safetensors" for path in tmp_path.iterdir())
    assert Store(tmp_path, cap).size() <= cap


@pytest.fixture
def _chosen_anew():
    store._store_at.cache_clear()
    yield
    store._store_at.cache_clear()


@pytest.mark.usefixtures("_chosen_anew")
class TestDefaultStore:
    def test_it_is_the_cache_folder_of_the_project(self, monkeypatch):
        monkeypatch.delenv("RELVIZ_CACHE", raising=False)
        assert default_store().root == PROJECT / "cache"
        assert default_store() is default_store()

    def test_the_environment_overrules(self, monkeypatch, tmp_path):
        monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path / "here"))
        assert default_store().root == tmp_path / "here"

    def test_where_nothing_can_be_written_it_is_temporary_and_the_log_says_so(
        self, monkeypatch, tmp_path, caplog
    ):
        (tmp_path / "file").write_text("")
        monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path / "file" / "cache"))
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        made = default_store()
        made.put(result_key("toy", [], {}), {"x": np.zeros(1)})
        assert made.root.parent == tmp_path
        assert "until the program ends" in caplog.text

    @pytest.mark.skipif(sys.platform != "linux", reason="other systems name the user's folder in other ways")
    def test_an_installed_copy_keeps_them_in_the_user_s_cache_folder(self, monkeypatch, tmp_path):
        monkeypatch.delenv("RELVIZ_CACHE", raising=False)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
        monkeypatch.setattr(installation, "PACKAGE", tmp_path / "site-packages" / "relviz")
        assert default_store().root == tmp_path / "user" / "relviz"
        assert not (tmp_path / "site-packages").exists()


def test_what_a_killed_writer_left_goes_at_once_and_what_is_being_written_counts(tmp_path):
    made = filled(tmp_path, key(1), key(2), key(3))
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left, other = (
        tmp_path / f".{key(4)}-{entry._MACHINE}-{process}-abc.tmp" for process in (dead.pid, os.getpid())
    )
    for path in (left, other):
        path.write_bytes(bytes(ENTRY_BYTES))
    made.put(key(5), {"x": np.zeros(1000)})
    assert not left.exists()
    assert other.exists()
    assert held(made) == [key(3), key(5)]  # room for three, and one is being written
