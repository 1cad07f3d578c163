"""Parquet files that lie, unpack to a million times their size, or make Arrow abort."""

import contextlib
import io
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import relviz
from relviz.readers import Limits
from tests.readers import made


def _number(value: int, length: int = 0) -> bytes:
    """A number as headers, footers and the lengths of runs have it, in at least so many bytes."""
    bits = max((2 * value).bit_length(), 7 * length)
    groups = [2 * value >> shift & 127 for shift in range(0, bits, 7)]
    return bytes([*(group | 128 for group in groups[:-1]), groups[-1]])


def _one_long_list(length: int) -> bytes:
    """One row with a list of zeros, which are two runs, made longer than they were written."""
    short = 2**20 + 100
    zeros = pa.ListArray.from_arrays(pa.array([0, short], pa.int32()), np.zeros(short, np.int8))
    raw = made.parquet({"e": zeros}, compression="none", write_statistics=False, data_page_size=2**30)
    # The run of repetitions begins one behind, or, where a group of eight is written first, eight.
    for less in (0, 1, 8):
        raw = raw.replace(_number(short - less), _number(length - less))
    return raw


BOMB = _one_long_list(10**8)
_FOOTER = len(BOMB) - 8 - int.from_bytes(BOMB[-8:-4], "little")
LYING_BOMB = BOMB[:_FOOTER] + BOMB[_FOOTER:].replace(_number(10**8), _number(2, 4))
"""Its footer declares two numbers."""


def test_a_footer_that_declares_other_rows_is_refused() -> None:
    raw = made.FILES["columns.parquet"]
    declared = b"\x16" + _number(made.ROWS) + b"\x19"
    assert raw.count(declared) == 1
    for lying, held in ((13, "12"), (11, "more")):
        message = f"declares {lying} rows and holds {held}"
        false = raw.replace(declared, b"\x16" + _number(lying) + b"\x19")
        assert message in made.peek(false, "x.parquet").reason
        with pytest.raises(relviz.ReadError, match=message):
            made.load(false, "x.parquet", ids="", labels="", items="")


def test_a_bomb_is_made_of_a_sound_file() -> None:
    assert len(BOMB) == len(LYING_BOMB) < 1000
    assert pq.read_metadata(io.BytesIO(BOMB)).row_group(0).column(0).num_values == 10**8
    assert pq.read_metadata(io.BytesIO(LYING_BOMB)).row_group(0).column(0).num_values == 2
    shorter = made.peek(_one_long_list(2**21), "x.parquet", limits=Limits(columns=2**21))
    assert shorter.parts[0].shape == (1, 2**21)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (Limits(memory=4 * 10**8), "has 100,000,000 columns and the limit is 65,536"),
        (Limits(memory=2**20, columns=10**8), "dimension 100,000,000, which take 381 MiB of memory"),
    ],
)
def test_a_bomb_is_refused_by_its_footer(limits: Limits, message: str) -> None:
    """Unpacked, it would take more than the cap, which another message tells."""
    with pytest.raises(relviz.ReadError, match=message):
        made.load(BOMB, "x.parquet", limits=limits)


_READ_ALONE = """
import json, resource, sys
import relviz
from relviz.readers import Limits, confined, load_space, look

def peak(who):
    return resource.getrusage(who).ru_maxrss // 1024

said = []
before = peak(resource.RUSAGE_SELF)
for read in (load_space, look):
    try:
        read(sys.argv[1], limits=Limits(memory=2**20))
    except relviz.ReadError as error:
        said.append(str(error))
confined.stop()
print(json.dumps([before, peak(resource.RUSAGE_SELF), peak(resource.RUSAGE_CHILDREN), *said]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is capped on Linux alone")
def test_a_bomb_with_a_lying_footer_is_stopped_by_the_cap(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    path.write_bytes(LYING_BOMB)
    run = [sys.executable, "-c", _READ_ALONE, str(path)]
    ended = subprocess.run(run, cwd=Path(__file__).parents[2], capture_output=True, check=True)
    before, after, child, *said = json.loads(ended.stdout)
    assert after < before + 20
    assert child < max(before, 100 + 320) + 20
    assert len(said) == 2
    assert all("x.parquet could not be read within 320 MiB of memory" in message for message in said)


def test_a_footer_that_makes_arrow_abort_is_refused() -> None:
    """A column that says it is never missing, and how often it is."""
    raw = made.FILES["columns.parquet"]
    optional, required = b"\x25\x02\x18\x04word", b"\x25\x00\x18\x04word"
    assert raw.count(optional) == 1
    for read in (made.load, made.peek):
        with pytest.raises(relviz.ReadError, match=r"x\.parquet could not be read within 352 MiB"):
            read(raw.replace(optional, required), "x.parquet")


@pytest.mark.parametrize(
    "raw", [made.FILES["lists.parquet"], BOMB, made.FILES["lists.parquet"][:-9] + b"PAR1"]
)
def test_no_copy_is_left(raw: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for read in (made.load, made.peek):
        with contextlib.suppress(relviz.Error):
            read(raw, "x.parquet")
    assert not list(tmp_path.iterdir())
