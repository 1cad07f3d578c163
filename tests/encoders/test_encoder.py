"""Batches: order, progress, limits, refusals; on stand-ins whose vectors are known."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from relviz.encoders import Card, Encoder
from relviz.encoders.batches import BATCH_CHARACTERS, text_batches
from relviz.errors import ParameterError, ReadError, ShapeError


def reader(seen=None, files=()):
    """Its vectors are the length of a text and its first character."""

    def embed(texts):
        if seen is not None:
            seen.append(list(texts))
        return torch.tensor([[len(text), ord((text or "\0")[0])] for text in texts], dtype=torch.float64)

    return Encoder(**vars(Card("reader", "Reader", "text", 2)), files=files, embed=embed)


def viewer():
    """Its vectors are the mean of each color."""
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


@pytest.mark.parametrize("form", [iter, tuple, np.array, lambda some: map(str.strip, some), dict.fromkeys])
def test_texts_may_come_in_any_form_and_a_generator_is_read_once(form):
    texts = ["ab", "c", "d e f"]
    assert torch.equal(reader().encode(form(texts)), reader().encode(texts))
    read = []
    found = reader().encode((read.append(text) or text for text in texts), batch=2)
    assert read == texts
    assert torch.equal(found, reader().encode(texts))


def test_pictures_may_come_from_a_generator_too():
    pictures = np.random.default_rng(0).integers(0, 255, (5, 4, 4, 3), dtype=np.uint8)
    assert torch.equal(viewer().encode(one for one in pictures), viewer().encode(pictures))
    assert torch.equal(viewer().encode(map(np.flipud, pictures)), viewer().encode(pictures[:, ::-1]))
    assert viewer().encode(iter([])).shape == (0, 3)


@pytest.mark.parametrize("wrong", [5, None, reader])
def test_what_holds_no_items_is_refused(wrong):
    with pytest.raises(ParameterError, match=f"list of texts; this is {type(wrong).__name__}"):
        reader().encode(wrong)


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
    with pytest.raises(ParameterError, match=r"pass a single text as \[text\]"):
        reader().encode("text")
    with pytest.raises(ParameterError, match="Item 1 is not a text but a NoneType"):
        reader().encode(["a", None])
    with pytest.raises(ParameterError, match="batch must be a whole number, at least 1; it is 0"):
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


class Decoded:
    """Pictures that are made when they are asked for; picture k is all k."""

    def __init__(self, n, wrong=None):
        self.n, self.wrong, self.asked = n, wrong, []

    def __len__(self):
        return self.n

    def pixels(self, rows, side):
        self.asked.append(list(rows))
        if self.wrong:
            return self.wrong(rows, side)
        return np.stack([np.full((side, side, 3), row, np.uint8) for row in rows])


def test_pictures_are_decoded_a_batch_at_a_time():
    pictures = Decoded(10)
    found = viewer().encode(pictures, batch=4)
    assert pictures.asked == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    np.testing.assert_allclose(found, np.repeat(np.arange(10)[:, None], 3, 1))
    assert viewer().encode(Decoded(0)).shape == (0, 3)


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        (lambda rows, side: np.zeros((len(rows), side, side, 3)), "of float64"),
        (lambda rows, side: np.zeros((len(rows), side, side + 1, 3), np.uint8), r"they are \(5, 4, 5, 3\)"),
        (lambda rows, side: np.zeros((len(rows) - 1, side, side, 3), np.uint8), "gave 4 images for 5 rows"),
    ],
)
def test_pictures_that_are_decoded_wrongly_are_refused(wrong, match):
    with pytest.raises(ShapeError, match=match):
        viewer().encode(Decoded(5, wrong))


def limited(most, reason, sizes):
    """Its memory suffices for texts that, padded, have so many characters."""

    def embed(texts):
        sizes.append(len(texts))
        if len(texts) * max(map(len, texts)) > most:
            raise reason
        return torch.tensor([[len(text), 1.0] for text in texts])

    return Encoder(**vars(Card("limited", "Limited", "text", 2)), embed=embed)


OUT = [
    torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB"),
    RuntimeError("MPS backend out of memory"),
    RuntimeError("[enforce fail at alloc_cpu.cpp:114] DefaultCPUAllocator: can't allocate memory: you tried"),
    MemoryError(),
]


@pytest.mark.parametrize("reason", OUT)
def test_where_memory_does_not_suffice_batches_are_halved_and_stay_so(reason):
    sizes, told = [], []
    texts = ["x" * length for length in [10] * 20 + [1] * 20]
    found = limited(50, reason, sizes).encode(texts, told.append)
    assert found[:, 0].tolist() == [10] * 20 + [1] * 20
    assert sizes == [40, 20, 10, 5, 5, 5, 5, 20]
    assert told == sorted(told)
    assert told[-1] == 1


@given(st.lists(st.integers(1, 50), min_size=1, max_size=40), st.integers(50, 400), st.integers(1, 20))
def test_every_row_is_encoded_once_whatever_the_memory(lengths, most, batch):
    sizes = []
    found = limited(most, MemoryError(), sizes).encode(["x" * length for length in lengths], batch=batch)
    assert found[:, 0].tolist() == lengths


def test_a_single_item_for_which_memory_does_not_suffice_is_one_error():
    with pytest.raises(ParameterError, match=r"not enough memory for Limited and a single item of 90 char"):
        limited(50, OUT[0], []).encode(["x", "x" * 90])


def test_other_errors_are_not_taken_for_a_lack_of_memory():
    sizes = []
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
        limited(5, RuntimeError("shapes cannot be multiplied"), sizes).encode(["x" * 9] * 4)
    assert sizes == [4]


def test_decoding_that_runs_out_of_memory_is_halved_too():
    def most(rows, side):
        if len(rows) > 2:
            raise MemoryError
        return np.zeros((len(rows), side, side, 3), np.uint8)

    pictures = Decoded(6, most)
    viewer().encode(pictures)
    assert [len(rows) for rows in pictures.asked] == [6, 3, 1, 1, 1, 1, 1, 1]


def test_large_pictures_come_in_small_batches():
    pictures = Decoded(40)
    seen = []

    def embed(some):
        seen.append(len(some))
        return torch.zeros(len(some), 3)

    Encoder(**vars(Card("viewer", "Viewer", "image", 3, 256)), embed=embed).encode(pictures)
    assert seen == [16, 16, 8]


def test_products_are_whole_float32_while_anybody_embeds():
    """As they were before only when the last of two that overlap is done."""
    seen, first_is_in, second_is_done = [], Event(), Event()

    def note():
        seen.append((torch.get_float32_matmul_precision(), torch.backends.cudnn.allow_tf32))

    def first(texts):
        first_is_in.set()
        second_is_done.wait(5)
        note()
        return torch.zeros(len(texts), 2)

    def second(texts):
        note()
        return torch.zeros(len(texts), 2)

    torch.set_float32_matmul_precision("medium")
    try:
        with ThreadPoolExecutor(1) as threads:
            slow = threads.submit(Encoder(**vars(Card("a", "A", "text", 2)), embed=first).encode, ["a"])
            first_is_in.wait(5)
            Encoder(**vars(Card("b", "B", "text", 2)), embed=second).encode(["b"])
            note()
            second_is_done.set()
            slow.result()
        note()
    finally:
        torch.set_float32_matmul_precision("highest")
    assert seen == [("highest", False)] * 3 + [("medium", True)]


def test_a_digest_is_not_made_of_files_that_changed(tmp_path):
    (tmp_path / "weights").write_text("one")
    encoder = reader(files=(tmp_path / "weights",))
    (tmp_path / "weights").write_text("another")
    with pytest.raises(ReadError, match="files of Reader changed since it was loaded"):
        _ = encoder.digest
