"""Batches: order, progress, limits, refusals; on stand-ins whose vectors are known."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from relviz.encoders import Card, Encoder
from relviz.encoders.batches import BATCH_CHARACTERS, text_batches
from relviz.errors import ParameterError, ShapeError


def reader(seen=None, files=()):
    """Its vectors are the length of a text and its first character."""

    def embed(texts):
        if seen is not None:
            seen.append(list(texts))
        return torch.tensor([[len(text), ord((text or "\0")[0])] for text in texts], dtype=torch.float64)

    return Encoder(**vars(Card("reader", "Reader", "text", 2)), files=files, embed=embed)


def viewer():
    """Its vectors are the mean of each colour."""
    return Encoder(
        **vars(Card("viewer", "Viewer", "image", 3, 4)),
        embed=lambda some: torch.from_numpy(some).to(torch.float32).mean((1, 2)),
    )


@given(st.lists(st.text(max_size=30), max_size=40), st.integers(1, 9))
def test_rows_come_back_in_their_order(texts, batch):
    found = reader().encode(texts, batch=batch)
    assert (found.shape, found.dtype) == ((len(texts), 2), torch.float32)
    for row, text in enumerate(texts):
        assert found[row].tolist() == [len(text), ord((text or "\0")[0])]


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=60), st.integers(1, 64))
def test_batches_hold_every_row_once_and_no_more_than_memory_allows(lengths, batch):
    texts = ["x" * length for length in lengths]
    parts = list(text_batches(texts, batch))
    assert sorted(row for part in parts for row in part) == list(range(len(texts)))
    for part in parts:
        assert len(part) <= batch
        assert len(part) == 1 or len(part) * max(len(texts[row]) for row in part) <= BATCH_CHARACTERS


def test_progress_is_told_after_every_batch_and_may_stop():
    told, seen = [], []
    encoder = reader(seen)
    encoder.encode(["ab"] * 5, told.append, batch=2)
    assert told == [0.4, 0.8, 1.0]
    assert [len(some) for some in seen] == [2, 2, 1]

    def stop(fraction):
        raise InterruptedError(fraction)

    with pytest.raises(InterruptedError, match=r"0\.4"):
        encoder.encode(["ab"] * 5, stop, batch=2)
    assert len(seen) == 4
    assert encoder.encode(["c"]).tolist() == [[1, 99]]


def test_two_threads_never_embed_at_once():
    inside = []

    def embed(texts):
        inside.append(1)
        time.sleep(0.01)
        assert len(inside) == 1
        inside.pop()
        return torch.zeros(len(texts), 2)

    encoder = Encoder(**vars(Card("slow", "Slow", "text", 2)), embed=embed)
    with ThreadPoolExecutor(4) as threads:
        done = list(threads.map(encoder.encode, [["a"]] * 8))
    assert [len(found) for found in done] == [1] * 8


def test_nothing_has_no_rows():
    told = []
    assert reader().encode([], told.append).shape == (0, 2)
    assert viewer().encode([], told.append).shape == (0, 3)
    assert viewer().encode(np.empty((0, 4, 4, 3), np.uint8)).shape == (0, 3)
    assert told == []


def test_long_texts_are_cut():
    assert reader().encode(["a" * 100_001, "b" * 9_999])[:, 0].tolist() == [100_000, 9_999]


def test_what_is_no_list_of_texts_is_refused():
    with pytest.raises(ParameterError, match=r"single text goes in as \[text\]"):
        reader().encode("text")
    with pytest.raises(ParameterError, match="Item 1 is no text but NoneType"):
        reader().encode(["a", None])
    with pytest.raises(ParameterError, match="batch must be at least 1; it is 0"):
        reader().encode(["a"], batch=0)


def test_pictures_are_encoded_in_batches():
    pictures = np.random.default_rng(0).integers(0, 256, (7, 4, 4, 3), dtype=np.uint8)
    told = []
    found = viewer().encode(pictures, told.append, batch=3)
    np.testing.assert_allclose(found.numpy(), pictures.mean((1, 2)), rtol=1e-5)
    assert told == [3 / 7, 6 / 7, 1.0]


@pytest.mark.parametrize(
    "pictures",
    [
        np.zeros((2, 5, 5, 3), np.uint8),
        np.zeros((2, 4, 4, 4), np.uint8),
        np.zeros((4, 4, 3), np.uint8),
        np.zeros((2, 4, 4, 3), np.float32),
    ],
)
def test_pictures_of_another_shape_are_refused(pictures):
    with pytest.raises(ShapeError, match=r"must be \(n, 4, 4, 3\) of uint8.*as_pixels\(picture, 4\)"):
        viewer().encode(pictures)


def test_the_digest_is_that_of_the_content_alone(tmp_path):
    for folder, weights in (("a", "one"), ("b", "one"), ("c", "two")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "weights").write_text(weights)
    a, b, c = (reader(files=(tmp_path / folder / "weights",)).digest for folder in "abc")
    assert a == b != c
    assert len(a) == 32
