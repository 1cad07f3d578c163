"""Texts go into arrays and come back."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from relviz.compute.texts import packed, unpacked


@given(st.lists(st.text(st.characters(codec=None), max_size=20), max_size=20))
def test_texts_come_back(texts: list[str]) -> None:
    arrays = packed("items", texts)
    assert all(isinstance(array, np.ndarray) and array.ndim == 1 for array in arrays.values())
    assert unpacked("items", arrays) == tuple(texts)


def test_what_was_not_packed_is_not_there() -> None:
    assert unpacked("ids", packed("items", ["a"])) is None
