"""What comes along with relviz is served while the code that made it does the same, and not a day longer."""

import sys
from dataclasses import dataclass

import pytest

from relviz.compute import packed as module
from relviz.compute.entry import result
from relviz.compute.job import here_and_now
from relviz.compute.jobs import Job
from relviz.compute.packed import PackedError, code_of, forget, packed, stale, write_packed
from relviz.compute.task import task

pytestmark = pytest.mark.usefixtures("fresh_store")


@dataclass(frozen=True)
class Sum:
    total: float


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A library of four files: one of them nothing imports, and one only says what the results are."""
    root = tmp_path / "relviz"
    root.mkdir()
    (root / "sums.py").write_text('"""Sums."""\nfrom relviz import parts, wording\nTOTAL = parts.ONE\n')
    (root / "wording.py").write_text('SAID = "one"\n')
    (root / "parts.py").write_text('"""Parts."""\nONE = 1  # one\ndef two(x: int) -> int:\n    return 2\n')
    (root / "others.py").write_text("THREE = 3\n")
    monkeypatch.setattr(module, "PACKAGE", root)
    monkeypatch.setattr(module, "FOLDER", root / "packed")
    forget()
    yield root
    monkeypatch.undo()
    forget()


def summed(count: int = 3):
    @task("sum", "Adding")
    def add(ticket, *, count: int) -> Sum:
        ticket.check()
        return Sum(float(count))

    return add(count=count)


def pack(one) -> None:
    write_packed({one.recipe: result(*one.compute(here_and_now()))}, {"sum": "relviz.sums"})


@pytest.mark.usefixtures("library")
def test_files_are_those_that_a_module_reaches():
    assert code_of("relviz.sums").files == ("parts.py", "sums.py")


@pytest.mark.usefixtures("library")
def test_a_packed_result_is_there_at_once_and_the_store_stays_empty():
    pack(summed())
    assert summed().stored() == summed().result_or_job() == summed().run() == Sum(3.0)
    assert summed(4).stored() is None
    assert not isinstance(summed().result_or_job(), Job)


@pytest.mark.parametrize(
    ("file", "text", "kept"),
    [
        ("parts.py", "ONE = 2\ndef two(x: int) -> int:\n    return 2\n", False),
        ("parts.py", '"""Other words."""\nONE = 1\ndef two(x: float) -> float:\n    return 2\n', True),
        ("parts.py", 'ONE = 1\n"""What it is."""\ndef two(x: int) -> int:\n    return 2\n', True),
        ("others.py", "THREE = 4\n", True),
        ("wording.py", 'SAID = "two"\n', True),
    ],
    ids=[
        "another formula",
        "other words",
        "words under a name",
        "a file that is not reached",
        "a file that makes no results",
    ],
)
def test_it_is_served_while_the_code_does_the_same(library, file, text, kept):
    pack(summed())
    (library / file).write_text(text)
    forget()
    assert (packed(summed().recipe) is not None) is kept
    assert stale() == (() if kept else ("sum",))


def test_another_release_of_a_numerical_package_is_other_code(library, monkeypatch):
    (library / "sums.py").write_text("import numpy\n")
    forget()
    pack(summed())
    monkeypatch.setattr(module, "installed", lambda _: "0.1.2")
    forget()
    assert packed(summed().recipe) is None


def test_what_is_not_packed_anew_is_thrown_out_and_all_may_read_it(library):
    pack(summed(1))
    pack(summed(2))
    assert packed(summed(1).recipe) is None
    files = list((library / "packed").glob("*.safetensors"))
    assert len(files) == 1
    assert sys.platform == "win32" or files[0].stat().st_mode & 0o044 == 0o044


def test_what_says_the_same_is_not_written_anew_and_what_is_damaged_is(library):
    pack(summed())
    (file,) = (library / "packed").glob("*.safetensors")
    before, raw = file.stat().st_ino, file.read_bytes()
    pack(summed())
    assert file.stat().st_ino == before
    file.write_bytes(raw[:-1])
    pack(summed())
    assert packed(summed().recipe) is not None


def test_a_damaged_file_is_said_to_be_one(library):
    pack(summed())
    for file in (library / "packed").glob("*.safetensors"):
        file.write_bytes(b"nothing")
    with pytest.raises(PackedError, match="Install relviz again"):
        packed(summed().recipe)
