"""Texts go into arrays and come back."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relviz.compute.texts import packed, unpacked
from relviz.errors import ReadError


@given(st.lists(st.text(st.characters(codec=None), max_size=20), max_size=20))
def test_texts_come_back(texts: list[str]) -> None:
    arrays = packed("items", texts)
    assert all(isinstance(array, np.ndarray) and array.ndim == 1 for array in arrays.values())
    assert unpacked("items", arrays) == tuple(texts)


def test_what_was_not_packed_is_not_there() -> None:
    assert unpacked("ids", packed("items", ["a"])) is None


ENDS = {
    "not rising": [300, *[0] * 999],
    "one too far": [*range(299), 301],
    "short of the bytes": [1, 2, 3],
    "negative": [-5, 300],
    "far outside": [2**62],
    "none": [],
}


@pytest.mark.parametrize("ends", ENDS.values(), ids=ENDS)
def test_ends_that_lie_are_refused_before_any_text_is_made(ends: list[int]) -> None:
    arrays = {"ids.bytes": np.zeros(300, np.uint8), "ids.ends": np.array(ends, np.int64)}
    with pytest.raises(ReadError, match="do not lie one after the other within their 300 bytes"):
        unpacked("ids", arrays)


def test_ends_that_ask_for_gigabytes_take_no_memory() -> None:
    # Each text would be all of the 300,000 bytes, or none: 45 GB from a file of 2.7 MB.
    arrays = {
        "ids.bytes": np.zeros(300_000, np.uint8),
        "ids.ends": np.array([300_000, 0] * 150_000, np.int64),
    }
    tracemalloc.start()
    with pytest.raises(ReadError):
        unpacked("ids", arrays)
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


@pytest.mark.parametrize(
    "wrong",
    [
        {"ids.bytes": np.zeros(3, np.float32)},
        {"ids.bytes": np.zeros((3, 1), np.uint8)},
        {"ids.ends": np.array([3.0])},
        {"ids.ends": np.array([[3]])},
    ],
)
def test_arrays_of_another_kind_are_refused(wrong: dict[str, np.ndarray]) -> None:
    with pytest.raises(ReadError, match="where each of them ends"):
        unpacked("ids", packed("ids", ["abc"]) | wrong)
