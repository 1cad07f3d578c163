"""Whatever the bytes: a space, or an error of relviz; never another one, never much memory."""

import tracemalloc
from contextlib import nullcontext

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relviz
from relviz.readers import SUFFIXES, Limits
from tests.readers import made

LIMITS = Limits(memory=2**20, file=2**20, rows=10_000, columns=1000)
CONFINED = [filename for filename in made.FILES if filename.endswith(".parquet")]
"""Arrow may abort at these: they are read in a process of their own."""
_SEPARATORS = st.sampled_from(b"\0 \n,\"'{9\xff")


def _read(raw: bytes, filename: str) -> None:
    """Read and look; any exception that is not relviz's own gets out and fails the test."""
    with nullcontext() if filename.endswith(".parquet") else made.here():
        for read in (made.load, made.peek):
            message = ""
            try:
                read(raw, filename, limits=LIMITS)
            except relviz.Error as error:
                message = str(error)
            assert len(message) < 2000


@settings(max_examples=25, deadline=None)
@given(raw=st.binary(max_size=300))
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_random_bytes(suffix: str, raw: bytes) -> None:
    _read(raw, f"x{suffix}")


@settings(max_examples=15, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize("filename", [filename for filename in made.FILES if filename not in CONFINED])
def test_cut_files(filename: str, data: st.DataObject) -> None:
    _read(_cut(filename, data), filename)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize("filename", [filename for filename in made.FILES if filename not in CONFINED])
def test_flipped_bytes(filename: str, data: st.DataObject) -> None:
    _read(_flipped(filename, data), filename)


@settings(max_examples=12, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize("filename", CONFINED)
def test_cut_files_and_flipped_bytes_in_a_process_of_its_own(filename: str, data: st.DataObject) -> None:
    _read(data.draw(st.sampled_from([_cut, _flipped]))(filename, data), filename)


def _cut(filename: str, data: st.DataObject) -> bytes:
    raw = made.FILES[filename]
    begin, end = (data.draw(st.integers(0, len(raw))) for _ in range(2))
    return raw[: max(begin, end)] if begin < end else raw[:end] + raw[begin:]


def _flipped(filename: str, data: st.DataObject) -> bytes:
    raw = bytearray(made.FILES[filename])
    places = st.integers(0, len(raw) - 1)
    for place in data.draw(st.lists(places, min_size=1, max_size=8)):
        raw[place] = data.draw(st.integers(0, 255) | _SEPARATORS)
    return bytes(raw)


@pytest.mark.parametrize("filename", made.FILES)
def test_memory_stays_near_the_size_of_the_file(filename: str) -> None:
    _read(made.FILES[filename], filename)
    tracemalloc.start()
    try:
        _read(made.FILES[filename][:-3] + b"\xff\xff\xff", filename)
        assert tracemalloc.get_traced_memory()[1] < 2**24
    finally:
        tracemalloc.stop()
