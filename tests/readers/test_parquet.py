"""Columnar tables: one column a dimension, or one of lists."""

import decimal

import numpy as np
import pyarrow as pa
import pytest

import relviz
from relviz.readers import Limits
from tests.readers import made


@pytest.mark.parametrize(
    "kind",
    [pa.list_(pa.float32()), pa.large_list(pa.float64()), pa.list_(pa.int16(), 4), pa.list_(pa.float16())],
)
def test_a_column_of_lists_is_the_vectors(kind: pa.DataType) -> None:
    values = np.arange(12).reshape(3, 4)
    lists = pa.array(values.tolist()).cast(kind)
    space = made.load(made.parquet({"word": ["a", "b", "c"], "e": lists, "year": [1, 2, 3]}), "x.parquet")
    np.testing.assert_array_equal(space.vectors, values)
    assert space.found.vectors == ("e",)


def test_numbers_of_every_type_are_dimensions() -> None:
    columns = {
        "i": pa.array([1, 2, None]),
        "h": pa.array([1, 2, 3], pa.float16()),
        "d": pa.array([decimal.Decimal("0.5")] * 3),
        "flag": [True, False, True],
        "emb.0": [1e300, 0.0, 0.0],
    }
    space = made.load(made.parquet(columns), "x.parquet")
    assert space.found.vectors == ("i", "h", "d", "emb.0")
    assert space.vectors[1].tolist() == [2, 2, 0.5, 0]
    assert space.vectors[2, 0].isnan()
    assert space.vectors[0, 3] == np.inf
    assert space.found.notes == ("1 cell without a number, read as NaN",)


def test_missing_lists_and_texts() -> None:
    lists = pa.array([[1.0, 2.0], None, [3.0, None]])
    texts = pa.array(["a", None, "c"]).dictionary_encode()
    space = made.load(made.parquet({"word": texts, "e": lists}), "x.parquet")
    assert space.vectors.isnan().tolist() == [[False, False], [True, True], [False, True]]
    assert space.ids == ("a", "", "c")


def test_lists_of_different_lengths_are_refused_by_row() -> None:
    lists = pa.array([[1.0, 2.0], None, [3.0, 4.0], [5.0]])
    with pytest.raises(
        relviz.ReadError, match="'e': the list in row 4 holds 1 numbers where the first holds 2"
    ):
        made.load(made.parquet({"e": lists}), "x.parquet")
    with pytest.raises(relviz.ReadError, match="no vectors"):
        made.load(made.parquet({"e": pa.array([[], []], pa.list_(pa.float32()))}), "x.parquet")


def test_of_several_list_columns_one_must_be_chosen() -> None:
    raw = made.parquet({"a": list(made.VECTORS), "b": list(made.VECTORS[:, :2]), "n": np.arange(12)})
    with pytest.raises(relviz.ReadError, match=r"2 columns .*'a' \(12 × 4, .*choose one|Choose one"):
        made.load(raw, "x.parquet")
    assert made.load(raw, "x.parquet", vectors="b").dimension == 2
    with pytest.raises(relviz.ReadError, match="already a matrix"):
        made.load(raw, "x.parquet", vectors=["a", "n"])


def test_batches_join_to_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.fork")
    monkeypatch.setattr("relviz.readers.parquet._BATCH_ROWS", 5)
    for filename in ("columns.parquet", "lists.parquet"):
        space = made.load(made.FILES[filename], filename)
        np.testing.assert_array_equal(space.vectors, made.VECTORS)
        assert space.ids == tuple(made.WORDS)


def test_a_long_text_shared_by_many_rows_is_held_once() -> None:
    columns = {"text": ["x" * 5000] * 2000, "a": np.arange(2000.0), "b": np.arange(2000.0)}
    space = made.load(made.parquet(columns), "x.parquet", limits=Limits(memory=2**20), items="text")
    assert space.items is not None
    assert len({id(item) for item in space.items}) == 1


def test_a_word_is_counted_once_whatever_the_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.fork")
    monkeypatch.setattr("relviz.readers.parquet._BATCH_ROWS", 100)
    words = [f"word {row}" for row in range(2000)]
    raw = made.parquet({"word": words, "a": np.arange(2000.0), "b": np.arange(2000.0)})
    assert made.load(raw, "x.parquet", limits=Limits(memory=50_000)).ids == tuple(words)
    with pytest.raises(relviz.ReadError, match=r"column 'word' takes 1\d\.\d KiB and the limit is 15\.6 KiB"):
        made.load(raw, "x.parquet", limits=Limits(memory=16_000))


def test_a_cut_file_says_that_it_is_cut() -> None:
    with pytest.raises(relviz.ReadError, match="truncated: the end marker"):
        made.load(made.FILES["columns.parquet"][:-5], "x.parquet")
    with pytest.raises(relviz.ReadError, match="cannot be read"):
        made.load(b"PAR1", "x.parquet")


def test_the_unpacked_size_is_held_to_the_limit() -> None:
    raw = made.parquet({"a": np.zeros(100_000), "b": np.arange(100_000.0)}, use_dictionary=False)
    packed = made.parquet(
        {"a": np.zeros(100_000), "b": np.zeros(100_000)}, use_dictionary=False, compression="zstd"
    )
    assert len(packed) < 20_000 < len(raw)
    with pytest.raises(relviz.ReadError, match=r"unpacked, takes 1\.5 MiB"):
        made.load(packed, "x.parquet", limits=Limits(file=20_000))
