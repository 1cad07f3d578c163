"""Readers that answer, refuse, hang, grow and die in a process: who asks lives on, and nothing is left."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import relviz
from relviz.readers import Limits, confined, confined_program
from tests.readers import made

READER = """
import os, sys, time
from relviz.errors import ParameterError

def echo(folder, report, **said):
    return {**said, "folder": os.getcwd(), "pid": os.getpid(), "parent": os.getppid()}

def loaded(folder, report):
    return sorted(name for name in sys.modules if "relviz" not in name or "." not in name)

def take(folder, report, mebibytes):
    return len(bytearray(mebibytes * 2**20))

def spill(folder, report, mebibytes):
    with open("much", "wb") as file:
        for _ in range(mebibytes):
            file.write(bytes(2**20))

def refuse(folder, report):
    raise ParameterError("There are 3 holes.")

def stumble(folder, report):
    raise KeyError("x" * 5000)

def sleep(folder, report):
    report(0.25)
    open("pid", "w").write(str(os.getpid()))
    time.sleep(60)

def spin(folder, report):
    while True:
        pass

def leave(folder, report):
    os._exit(0)

def abort(folder, report):
    os.abort()
"""
Ask = Callable[..., Any]


@pytest.fixture(scope="module", autouse=True)
def _program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A process of this file's own, which finds the readers above."""
    folder = tmp_path_factory.mktemp("modules")
    (folder / "reader_of_tests.py").write_text(READER)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        patch.setattr(confined, "_program", own := confined._Program())
        yield
        own.stop()


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    def asked(task: str, size: int = 0, on_progress: Any = None, seconds: int = 120, **question: Any) -> Any:
        limits = Limits(memory=2**20, seconds=seconds)
        task = f"reader_of_tests:{task}"
        return confined.ask(task, question, tmp_path, "x.data", size, limits, on_progress)

    return asked


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def gone(pid: int) -> bool:
    for _ in range(1000):
        if not is_alive(pid):
            return True
        time.sleep(0.01)
    return False


def test_a_question_is_answered_in_the_folder_by_a_process_of_its_own(ask: Ask, tmp_path: Path) -> None:
    first, second = (ask("echo", said=["ö", "\udcff", None, 2**60, "x" * 10**6]) for _ in range(2))
    assert first["said"] == ["ö", "\udcff", None, 2**60, "x" * 10**6]
    assert first["folder"] == str(tmp_path)
    assert first["pid"] != second["pid"]
    assert first["parent"] == second["parent"] != os.getpid()
    assert gone(first["pid"])


def test_the_process_holds_neither_torch_nor_streamlit(ask: Ask) -> None:
    modules = [f"relviz.readers.{name}" for name in ("csv", "npz", "parquet", "safetensors", "words")]
    confined._program.begin({"folder": "/", "modules": modules, "caps": {}}).close()
    loaded = set(ask("loaded"))
    assert {"numpy", "pyarrow"} <= loaded
    assert {"torch", "streamlit", "scipy"}.isdisjoint(loaded)


def test_errors_of_relviz_come_as_they_are_and_others_in_words(ask: Ask) -> None:
    with pytest.raises(relviz.ParameterError, match=r"^There are 3 holes\.$"):
        ask("refuse")
    with pytest.raises(relviz.ReadError, match=r"^x\.data cannot be read \(KeyError: .{200}\)\. It is"):
        ask("stumble")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is capped on Linux alone")
def test_memory_is_capped_by_the_size_of_the_file(ask: Ask) -> None:
    assert ask("take", mebibytes=300) == 300 * 2**20
    with pytest.raises(relviz.ReadError, match=r"x\.data could not be read within 320 MiB of memory"):
        ask("take", mebibytes=324)
    assert ask("take", size=2**30, mebibytes=321) == 321 * 2**20


def test_what_is_written_is_capped(ask: Ask) -> None:
    with pytest.raises(relviz.ReadError, match=r"cannot be read \(OSError|within 320 MiB"):
        ask("spill", mebibytes=330)


@pytest.mark.parametrize("death", ["abort", "leave"])
def test_a_reader_that_dies_is_an_error(ask: Ask, death: str) -> None:
    with pytest.raises(
        relviz.ReadError, match=r"within 320 MiB of memory|the process that read it left none"
    ):
        ask(death)


def test_a_reader_that_is_late_is_ended(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confined, "_TIMES_AS_LONG", 1)
    with pytest.raises(relviz.ReadError, match=r"x\.data could not be read within 1 second\. Keep"):
        ask("sleep", seconds=1)
    assert gone(int((tmp_path / "pid").read_text()))
    with pytest.raises(relviz.ReadError, match=r"within 5 seconds\."):
        ask("spin", seconds=10)


def test_who_waits_hears_of_the_progress_and_may_stop(ask: Ask, tmp_path: Path) -> None:
    heard = []

    def listen(share: float) -> None:
        heard.append(share)
        if len(heard) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask("sleep", on_progress=listen)
    assert heard[-1] == 0.25
    assert gone(int((tmp_path / "pid").read_text()))


def test_a_process_that_was_killed_is_started_again(ask: Ask) -> None:
    waiting = ask("echo")["parent"]
    os.kill(waiting, signal.SIGKILL)
    again = ask("echo")["parent"]
    assert again != waiting


def test_a_full_disk_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no full device")
    monkeypatch.setattr("tempfile.tempdir", "/dev/full")
    with pytest.raises(relviz.ReadError, match="folder for temporary files takes no more"):
        made.load(made.FILES["half.npy"], "x.npy")


def test_nothing_is_left_of_a_program_that_ends() -> None:
    code = (
        "import relviz, io; from tests.readers import made; made.load(made.FILES['half.npy'], 'x.npy');"
        "print(relviz.readers.confined._program._process.pid)"
    )
    run = [sys.executable, "-W", "error", "-c", code]
    ended = subprocess.run(run, cwd=Path(__file__).parents[2], capture_output=True, check=True, text=True)
    assert ended.stderr == ""
    assert gone(int(ended.stdout))


def test_without_fork_files_are_read_all_the_same() -> None:
    with made.here():
        for filename, raw in made.FILES.items():
            assert len(made.load(raw, filename)) == made.ROWS


def test_the_program_names_the_packages_it_enters() -> None:
    """A package whose ``__init__`` ran would import torch."""
    assert all(
        hasattr(sys.modules[name], "__path__") for name in confined_program._PACKAGES if name in sys.modules
    )
