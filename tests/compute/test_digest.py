"""Digests: every bit of the content counts, and nothing else does."""

import hashlib

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from relviz.compute.key import array_digest, files_digest, text_digest, value_digest


@settings(max_examples=20)
@given(st.integers(0, 599_999))
def test_one_changed_element_of_many_is_seen(place):
    array = np.zeros((600_000,), np.float32)
    before = array_digest(array)
    array[place] = np.nextafter(np.float32(0), np.float32(1))
    assert array_digest(array) != before


def test_shape_and_dtype_count():
    zeros = np.zeros((2, 3), np.float32)
    others = [zeros.reshape(3, 2), zeros.reshape(6), zeros.view(np.int32), zeros.astype(np.float64)]
    assert len({array_digest(x) for x in [zeros, *others]}) == 5


def test_layout_and_library_do_not_count():
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    same = [np.asfortranarray(array), torch.from_numpy(array), torch.from_numpy(array.T.copy()).T]
    assert {array_digest(x) for x in same} == {array_digest(array)}


@given(st.lists(st.text()), st.lists(st.text()))
def test_texts_are_told_apart_by_content_and_borders(a, b):
    assert (text_digest(a) == text_digest(b)) == (a == b)


@given(st.lists(st.binary()), st.lists(st.binary()))
def test_files_are_told_apart_by_content_and_borders(a, b):
    assert (files_digest(a) == files_digest(b)) == (a == b)


@pytest.mark.parametrize(
    ("a", "b"), [(["ab", "c"], ["a", "bc"]), (["", "a"], ["a", ""]), (["\ud800"], ["?"])]
)
def test_texts_whose_joined_letters_agree_differ(a, b):
    assert text_digest(a) != text_digest(b)


def test_a_dictionary_counts_by_content_not_by_order():
    assert value_digest({"a": 1, "b": [2]}) == value_digest({"b": [2], "a": 1})
    assert value_digest({"a": 1}) != value_digest({"a": 2})
    assert value_digest([1, 2]) != value_digest([2, 1])


def test_a_digest_is_blake2b_of_the_bytes_behind_their_dtype_and_shape():
    raw = b"<f4(3,)" + np.arange(3, dtype="<f4").tobytes()
    assert array_digest(np.arange(3, dtype=np.float32)) == hashlib.blake2b(raw, digest_size=16).hexdigest()
