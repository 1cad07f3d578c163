"""Word vectors: four layouts, and files that promise more than they hold."""

import numpy as np
import pytest

import relviz
from relviz.readers import Limits
from tests.readers import made

TEXT, BINARY = made.FILES["text.vec"], made.FILES["binary.bin"]


@pytest.mark.parametrize(
    ("filename", "format"),
    [
        ("headless.txt", "GloVe text"),
        ("text.vec", "word2vec text"),
        ("text.w2v", "word2vec text"),
        ("binary.bin", "word2vec binary"),
        ("binary.w2v", "word2vec binary"),
    ],
)
def test_the_layout_is_recognized_and_words_are_ids_and_items(filename: str, format: str) -> None:
    space = made.load(made.FILES[filename], filename)
    assert space.found.sentence() == f"{format}: 12 rows, dimension 4; ids from 'words', texts from 'words'"
    assert space.ids == space.items == tuple(made.WORDS)


def test_the_layout_is_recognized_under_another_ending() -> None:
    assert made.load(TEXT, "x.bin").found.format == "word2vec text"
    assert made.load(made.FILES["headless.txt"], "x.w2v").found.format == "GloVe text"


def test_fasttext_lines_end_in_a_space() -> None:
    np.testing.assert_array_equal(made.load(TEXT.replace(b"\n", b" \n"), "x.vec").vectors[3], made.VECTORS[3])


@pytest.mark.parametrize("filename", ["x.txt", "x.bin"])
def test_of_a_repeated_word_the_first_is_kept(filename: str) -> None:
    words = ["a", "b", "a", "c"]
    raw = (made.word_binary if filename == "x.bin" else made.word_lines)(words, made.VECTORS[:4])
    space = made.load(raw, filename)
    assert (space.ids, len(space)) == (("a", "b", "c"), 3)
    np.testing.assert_array_equal(space.vectors, made.VECTORS[[0, 1, 3]])
    assert space.found.notes == ("1 repeated word left out",)
    assert space.found.rows == 3


@pytest.mark.parametrize("filename", ["text.vec", "headless.txt", "binary.bin"])
def test_unreadable_bytes_in_words_are_replaced(filename: str) -> None:
    raw = made.FILES[filename].replace("ö".encode(), b"\xff", 1)
    assert (made.load(raw, filename).ids or ())[0] == "w\ufffdrd0"


def test_lines_past_the_declared_number_are_said() -> None:
    space = made.load(TEXT + b"more 1 2 3 4\n\n", "x.vec")
    assert (len(space), space.found.notes) == (12, ("1 line past the declared number left out",))


def test_blank_lines_at_the_end_are_no_rows() -> None:
    assert len(made.load(made.FILES["headless.txt"] + b"\n\n", "x.txt")) == 12


@pytest.mark.parametrize("end", [b"\n", b""])
def test_rows_across_blocks(end: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.fork")
    monkeypatch.setattr("relviz.readers.words.BLOCK_BYTES", 16)
    raw = made.word_binary(end=end)
    np.testing.assert_array_equal(made.load(raw, "x.bin", limits=Limits(cell=10)).vectors, made.VECTORS)


@pytest.mark.parametrize(
    ("raw", "filename", "message"),
    [
        (TEXT[:-30], "x.vec", r"line 13 holds \d values? .* 4 numbers"),
        (TEXT.replace(b"12 4", b"13 4", 1), "x.vec", "declares 13 words and 12 follow"),
        (TEXT.replace(b"12 4", b"12 5", 1), "x.vec", "line 2 holds 4 values after its word where 5"),
        (made.word_lines() + b"last 1 2 x 4\n", "x.txt", "line 13 .*; 'x' is not a number"),
        (made.word_lines() + b"New York 1 2 3 4\n", "x.txt", "line 13 holds 5 values .*'York' is not"),
        (b"just a sentence\n", "x.txt", "line 1 is not a word and its numbers .*: 'just a sentence"),
        (BINARY[:-2], "x.bin", "12 words of dimension 4, and row 12 is not whole"),
        (b"99999999 300\n" + b"x" * 999, "x.bin", "takes|take .* of memory|rows and the limit"),
        (b"4000000 100\n" + b"x" * 999, "x.bin", "row 1 is not whole in its"),
        (b"hello\n", "x.bin", "does not begin as word2vec binary files do"),
        (b"\xba\x16\x4f\x2f" + bytes(50), "x.bin", r"complete fastText model.*\.vec file"),
        (b"0 4\n", "x.bin", "0 rows"),
        (b"w " + b"1" * 600_000, "x.txt", "line 1 is not|longer"),
    ],
)
def test_a_promise_is_held_against_the_file(raw: bytes, filename: str, message: str) -> None:
    with pytest.raises(relviz.ReadError, match=message):
        made.load(raw, filename)


def test_a_line_without_end_is_not_held() -> None:
    raw = made.word_lines() + b"x" * 5000
    with pytest.raises(relviz.ReadError, match=r"a line longer than 4\.\d KiB"):
        made.load(raw, "x.txt", limits=Limits(cell=1000, columns=10))
