"""Tables of text: separators, headers, cells that are not what the column is."""

import io
import re
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import relviz
from relviz.readers import Limits, load_space
from relviz.readers.csv import _batches
from tests.readers import made

ROWS = [["ant", "0.5", "1e3"], ["bee", "-2", ".25"], ["cow", "+3", "4."]]
NUMBERS = [[0.5, 1e3], [-2, 0.25], [3, 4]]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_separators_marks_and_line_ends(separator: str, mark: bytes, end: str) -> None:
    raw = mark + made.csv(["word", "x", "y"], ROWS, separator).replace(b"\n", end.encode())
    space = made.load(raw, "x.csv")
    np.testing.assert_array_equal(space.vectors, np.float32(NUMBERS))
    assert space.ids == ("ant", "bee", "cow")
    assert space.found.ids == "word"


def test_quoted_cells_may_hold_separators_and_lines() -> None:
    raw = b'word,text,x,y\n"a,b","two\nlines, ""so""",1,2\n\nc,d,3,4\n'
    space = made.load(raw, "x.csv")
    assert space.ids == ("a,b", "c")
    assert space.items == ('two\nlines, "so"', "d")


def test_words_that_look_missing_stay_words() -> None:
    rows = [[word, row, row] for row, word in enumerate(["null", "NA", "nan", "None", "true"])]
    assert made.load(made.csv(["word", "x", "y"], rows), "x.csv").ids == ("null", "NA", "nan", "None", "true")


def test_missing_numbers_become_nan_and_are_counted() -> None:
    rows = [[1, 2], ["", 3], ["NA", 4], [" ", 5], [6, 7]]
    space = made.load(made.csv(["x", "y"], rows), "x.csv")
    assert space.vectors.isnan().tolist() == [[row in (1, 2, 3), False] for row in range(5)]
    assert space.found.notes == ("3 cells without a number, read as NaN",)


def test_a_cell_that_is_no_number_is_named() -> None:
    rows: list[list[object]] = [[f"w{row}", row / 7, row] for row in range(1500)]
    rows[16][1], rows[20][1] = "abc", "1_0"
    with pytest.raises(
        relviz.ReadError,
        match=r"x\.csv, column 'd3': 2 of 1,500 values are not numbers, first in row 17: 'abc'\. Fix it",
    ):
        made.load(made.csv(["word", "d3", "d4"], rows), "x.csv")
    rows[20][1] = rows[16][2] = "?"
    with pytest.raises(relviz.ReadError, match=r"is not a number, first in row 17.*|and 1 more such columns"):
        made.load(made.csv(["word", "d3", "d4"], rows), "x.csv")
    rows[16][2] = 0
    space = made.load(
        made.csv(["word", "d3", "d4", "d5"], [[*row, 1] for row in rows]), "x.csv", vectors=["d5", "d4"]
    )
    assert space.vectors[3].tolist() == [1, 3]


def test_blocks_join_to_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.fork")
    monkeypatch.setattr("relviz.readers.csv._BLOCK_BYTES", 200)
    space = made.load(made.FILES["table.csv"], "x.csv")
    np.testing.assert_allclose(space.vectors, made.VECTORS, rtol=1e-6)
    assert space.ids == tuple(made.WORDS)
    lines = re.sub(rb"class (\d)", rb'"cl\nass \1"', made.FILES["table.csv"])
    assert (made.load(lines, "x.csv").labels or ())[:2] == ("cl\nass 0", "cl\nass 1")
    late = made.FILES["table.csv"].replace(made.CLASSES[2].encode(), b"x" * 300)
    with pytest.raises(relviz.ReadError, match="a row longer than 200 bytes"):
        made.load(late, "x.csv")


def test_a_reader_that_reads_ahead_does_not_move_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(io.BytesIO):
        def read(self, length: int | None = -1) -> bytes:
            time.sleep(0.001)
            return super().read(length)

    monkeypatch.delattr("os.fork")
    monkeypatch.setattr("relviz.readers.csv._BLOCK_BYTES", 200)
    rows = "".join(f"a word {row},{row},{-row}\n" for row in range(200))
    file = Slow(f"word,x,y\n{rows}".encode())
    for _ in range(5):
        space = load_space(file, filename="x.csv")
        assert space.vectors[:, 0].tolist() == list(range(200))
        assert file.tell() == 0
        with pytest.raises(relviz.ReadError, match=r"column 'word' takes .* and the limit is 1\.6 KiB"):
            load_space(file, filename="x.csv", limits=Limits(memory=1600))
        time.sleep(0.01)
        assert file.tell() == 0


def test_columns_that_are_no_dimensions_are_not_taken_for_ones() -> None:
    rows = [[row, 7 - row, 0.5, row % 2, "", row / 3] for row in range(6)]
    space = made.load(made.csv(["", "id", "x", "label", "empty", "y"], rows), "x.csv")
    assert space.found.vectors == ("x", "y")
    assert (space.ids, space.labels) == (tuple("765432"), tuple("010101"))
    assert space.found.notes == (
        "column 'empty' is empty: left out",
        "column 'unnamed 1' counts the rows: left out",
    )


def test_a_table_without_a_header_keeps_its_first_row() -> None:
    space = made.load(b"cat,0.1,0.2\ndog,0.3,0.1\n", "x.csv")
    assert space.ids == ("cat", "dog")
    assert space.found.vectors == ("column 2", "column 3")
    assert "no header row" in space.found.notes[0]
    named = made.load(b"word,0,1,2\ncat,1,2,3\ndog,4,5,6\n", "x.csv")
    assert named.found.vectors == ("0", "1", "2")


def test_a_header_longer_than_a_cell_may_be_is_read() -> None:
    names = [f"a long name for a dimension {at}" for at in range(5000)]
    raw = made.csv(names, [range(5000), range(5000)], ";")
    assert raw.index(b"\n") > 131_072
    patient = Limits(seconds=600)  # of which so small a file may take nine
    assert made.load(raw, "x.csv", limits=patient).dimension == 5000


def test_a_table_that_shrinks_while_it_is_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    passes = []

    def shrinking(*arguments: Any, **options: Any) -> Iterator[Any]:
        passes.append(arguments)
        return iter(()) if len(passes) == 2 else _batches(*arguments, **options)

    monkeypatch.delattr("os.fork")
    monkeypatch.setattr("relviz.readers.csv._batches", shrinking)
    with pytest.raises(relviz.ReadError, match="changed while it was read"):
        made.load(b"x,y\n1,2\n3,4\n", "x.csv")


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"a,b,c\n", "a header of 3 columns and no rows"),
        (b"a,b,a\n1,2,3\n", r"2 columns called 'a' \(columns 1, 3\)"),
        (b"a,b,c\n1,2,3\n4,5\n", r"row 2 has 2 cells where the first line has 3: '4,5'"),
        (b"a,b\n1,\xff\n\xfe,2\n", r"not UTF-8 .*; save it as UTF-8"),
        (b"a,b\n1,2\n\xff\n", "row 2 has 1 cell where"),
        ("a,b\n1,2\n".encode("utf-16"), "UTF-16; save it as UTF-8"),
        (b"a\n1\n2\n", "has one column; its first line is 'a'"),
        (b"\n\n", "has one column"),
        (b"a,b\nx,y\nz,w\n", r"holds no vectors, only 'a' \(2, text\), 'b' \(2, text\)"),
        (b"a" * 2**21, r"first line of x\.csv is longer than 1\.0 MiB"),
    ],
)
def test_what_is_no_table_is_refused_in_words(raw: bytes, message: str) -> None:
    with pytest.raises(relviz.ReadError, match=message):
        made.load(raw, "x.csv")


def test_texts_are_held_to_the_memory_limit() -> None:
    rows = [["x" * 500, 1, row] for row in range(10)]
    with pytest.raises(relviz.ReadError, match=r"column 'text' takes 4\.9 KiB"):
        made.load(made.csv(["text", "a", "b"], rows), "x.csv", limits=Limits(memory=1000))


def test_what_arrow_and_python_read_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """One column has a number that Arrow refuses; with more of them than it is asked about, none is its."""
    rows = [
        [f"w{row}", row / 7, f"+{row}", "" if row == 3 else "-1e-3", "NA" if row == 4 else row]
        for row in range(9)
    ]
    raw = made.csv(["word", "a", "b", "c", "d"], rows)
    mixed = made.load(raw, "x.csv")
    monkeypatch.delattr("os.fork")
    monkeypatch.setattr("relviz.readers.csv._MOST_LOOKED_UP", 0)
    careful = made.load(raw, "x.csv")
    np.testing.assert_array_equal(mixed.vectors, careful.vectors)
    assert mixed.found.notes == careful.found.notes == ("2 cells without a number, read as NaN",)


def test_a_first_row_that_python_does_not_cut_is_read() -> None:
    raw = b"text,x,y\n" + b"a" * 140_000 + b",1,2\nshort,3,4\n"
    contents = made.peek(raw, "x.csv")
    assert [(part.name, part.kind) for part in contents.parts] == [
        ("text", "text"),
        ("x", "number"),
        ("y", "number"),
    ]
