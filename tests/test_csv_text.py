"""Every table in a file says what it was given, to any reader, and nothing of it is computed."""

import csv
import io
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import relviz
from relviz.figures.latex_table import latex
from relviz.figures.numbers import pair_csv
from relviz.readers.formulas import unmarked
from relviz.sheet import Sheet, columns_csv, csv_text, markdown, records_csv, sheet_csv, written

NAME = '=HYPERLINK("http://example.org")'
CELLS = st.text(max_size=10) | st.integers() | st.floats(allow_nan=False) | st.none()


@given(st.lists(st.tuples(CELLS, CELLS), max_size=5))
def test_a_reader_finds_the_same_cells(rows: list[tuple[Any, Any]]) -> None:
    raw = csv_text(("a", "b"), rows).encode("utf-8", "replace").decode()
    head, *lines = csv.reader(io.StringIO(raw, newline=""))
    assert head == ["a", "b"]
    assert len(lines) == len(rows)
    for line, row in zip(lines, rows, strict=True):
        for found, value in zip(line, row, strict=True):
            if isinstance(value, str):
                assert unmarked([found]) == [value.encode("utf-8", "replace").decode()]
            elif value is None:
                assert found == ""
            else:
                assert type(value)(found) == value


def test_a_carriage_return_in_a_name_begins_no_row() -> None:
    assert csv_text(("a", "b"), [("x\r=A1", 1)]) == 'a,b\n"x\r=A1",1\n'


def test_numbers_are_whole_and_what_is_none_is_empty() -> None:
    assert columns_csv({"a": [np.float32(0.1), -2], "b": [float("nan"), True]}) == (
        f"a,b\n{written(np.float32(0.1))},\n-2,True\n"
    )
    assert float(written(np.float64(0.1) + 0.2)) == 0.1 + 0.2


@pytest.mark.parametrize(
    "text",
    [
        columns_csv({"item": [NAME], "x": [-1.5]}),
        records_csv([{"item": NAME, "x": -1.5}]),
        sheet_csv(Sheet(("item", "x"), ((NAME, "-1.5"),))),
    ],
)
def test_every_writer_marks_names_and_no_number(text: str) -> None:
    assert text == 'item,x\n"\'=HYPERLINK(""http://example.org"")",-1.5\n'


def test_names_of_a_space_are_marked_where_rows_are_written() -> None:
    names = {"ids": ["=A1", "-"], "items": ["@x", "+1"], "labels": ["-b", "c"]}
    space = relviz.Space(np.eye(2, dtype=np.float32), **names)
    text = pair_csv(relviz.Pair(space, space))
    assert text == "row,id,class,item\n0,'=A1,'-b,'@x\n1,-,c,+1\n"


def test_names_in_a_markdown_table_are_letters() -> None:
    name = "![x](http://example.org)\n<b> | `y`"
    text = markdown(Sheet(("item", "x"), ((name, "-1.5"),), name))
    shown = r"!\[x\](http://example.org) \<b\> \| \`y\`"
    assert text == f"| item | x |\n|---|---:|\n| {shown} | -1.5 |\n\n{shown}\n"


def test_a_name_of_two_paragraphs_stays_in_its_cell_of_a_latex_table() -> None:
    assert "one two \\& 3 & -1.5 \\\\\n" in latex(Sheet(("item", "x"), (("one\n\ntwo & 3", "-1.5"),)))
