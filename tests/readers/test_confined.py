"""Decoders that answer, refuse, hang, grow, and die: the reader lives on, and nothing is left behind."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import relviz
from relviz.readers import Limits, confined_program
from relviz.readers.confined import Ask, confined

DECODER = """
import os, sys, time
kept = []

class No(Exception):
    facts = {"holes": 3}

class Decoder:
    def __init__(self, path):
        if "locked" in path:
            raise OSError("no way")
        self.path = path

    def echo(self, **said):
        return {**said, "path": self.path, "folder": os.getcwd(), "pid": os.getpid()}

    def loaded(self):
        return {"modules": sorted(name.split(".")[0] for name in sys.modules)}

    def take(self, mebibytes):
        kept.append(bytearray(mebibytes * 2**20))
        return {}

    def refuse(self):
        raise No

    def stumble(self):
        raise KeyError("x" * 5000)

    def talk(self):
        print("warning: not JSON", end="")
        sys.stdout.flush()
        os._exit(0)

    def sleep(self):
        time.sleep(60)

    def abort(self):
        os.abort()
"""


@pytest.fixture
def decoder(tmp_path: Path) -> Path:
    path = tmp_path / "decoder.py"
    path.write_text(DECODER)
    return path


@contextmanager
def started(decoder: Path, name: str = "x.data", **limits: int) -> Iterator[Ask]:
    folder = decoder.with_name("private")
    folder.mkdir()
    file = decoder.with_name(name)
    with confined(decoder, file, str(folder), "x.data", Limits(**{"memory": 2**20, **limits})) as ask:
        yield ask


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_questions_are_answered_in_the_folder(decoder: Path) -> None:
    with started(decoder, "ö \udcff.data") as ask:
        answer = ask(ask="echo", said=["ö", "\udcff", None, 2**60])
        assert answer["said"] == ["ö", "\udcff", None, 2**60]
        assert answer["path"] == str(decoder.with_name("ö \udcff.data"))
        assert answer["folder"] == str(decoder.with_name("private"))
        assert len(ask(ask="echo", said="x" * 10**6)["said"]) == 10**6
        assert is_alive(answer["pid"])
    assert not is_alive(answer["pid"])


def test_the_process_holds_neither_torch_nor_relviz(decoder: Path) -> None:
    with started(decoder) as ask:
        assert {"torch", "relviz", "numpy"}.isdisjoint(ask(ask="loaded")["modules"])


def test_a_refusal_is_an_answer_and_a_failure_is_an_error(decoder: Path) -> None:
    with started(decoder) as ask:
        assert ask(ask="refuse") == {"refused": {"holes": 3}}
        with pytest.raises(relviz.ReadError, match=r"^x\.data cannot be read \(KeyError: .{200}\)\. It is"):
            ask(ask="stumble")
        assert ask(ask="echo", still="there")["still"] == "there"


def test_a_file_that_cannot_be_opened_is_an_error(decoder: Path) -> None:
    with pytest.raises(relviz.ReadError, match=r"OSError: no way"), started(decoder, "locked"):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="memory is capped on Linux alone")
def test_memory_is_capped(decoder: Path) -> None:
    with started(decoder, memory=50 * 2**20) as ask:
        ask(ask="take", mebibytes=340)
        with pytest.raises(relviz.ReadError, match=r"x\.data could not be unpacked within 356 MiB of memory"):
            ask(ask="take", mebibytes=20)


@pytest.mark.parametrize("death", ["abort", "talk"])
def test_a_decoder_that_dies_is_an_error(decoder: Path, death: str) -> None:
    with started(decoder) as ask:
        for question in (death, "echo"):
            with pytest.raises(relviz.ReadError, match="could not be unpacked within 258 MiB of memory"):
                ask(ask=question, said="x" * 10**6) if question == "echo" else ask(ask=question)


def test_a_decoder_that_does_not_answer_is_ended(decoder: Path) -> None:
    with started(decoder, seconds=2) as ask:
        pid = ask(ask="echo")["pid"]
        with pytest.raises(relviz.ReadError, match=r"x\.data could not be unpacked within 2 seconds\. Keep"):
            ask(ask="sleep")
    assert not is_alive(pid)


def test_no_error_leaves_the_process_behind(decoder: Path) -> None:
    pids = []

    def interrupted() -> None:
        with started(decoder) as ask:
            pids.append(ask(ask="echo")["pid"])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not is_alive(pids[0])


def test_a_decoder_whose_reader_is_gone_removes_the_folder(decoder: Path) -> None:
    folder = decoder.with_name("private")
    folder.mkdir()
    (folder / "copy").write_text("data")
    opening = {"path": "x", "memory": 2**28, "seconds": 9}
    ended = subprocess.run(
        [sys.executable, "-P", confined_program.__file__, str(decoder)],
        input=json.dumps(opening).encode() + b"\n",
        cwd=folder,
        capture_output=True,
        check=True,
    )
    assert ended.stdout == b"{}\n"
    assert not folder.exists()
