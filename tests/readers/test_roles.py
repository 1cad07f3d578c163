"""Which columns are ids, labels and items."""

import pytest

import relviz
from relviz.readers import Limits
from relviz.readers.found import Part
from relviz.readers.roles import checked_texts, detect, is_row_number_name
from tests.readers import made

ROLES = ("ids", "labels", "items")


def _detect(**columns: list[str]) -> tuple[str | None, ...]:
    parts = [Part(name, "text", (len(values),), "text") for name, values in columns.items()]
    return tuple(detect(parts, ROLES, columns.__getitem__)[role] for role in ROLES)


SHORT, FEW, LONG = list("abcdef"), list("xxyyzz"), [f"a sentence of {n * 'some '}words" for n in range(1, 7)]


def test_names_come_before_content() -> None:
    assert _detect(word=FEW, label=SHORT, text=FEW) == ("word", "label", "text")
    assert _detect(Word=SHORT, CLASS=FEW, Title=LONG) == ("Word", "CLASS", "Title")


def test_the_first_name_of_the_list_comes_first() -> None:
    assert _detect(char=SHORT, unified=SHORT, text_en=LONG, text_es=LONG) == ("unified", None, "text_en")


def test_content_tells_where_names_do_not() -> None:
    assert _detect(p=LONG, q=FEW, r=SHORT) == ("p", "q", "r")
    assert _detect(r=SHORT, q=FEW, p=LONG) == ("r", "q", "p")
    assert _detect(only=FEW) == (None, "only", None)
    assert _detect(same=["x"] * 6) == (None, None, None)
    assert _detect(gaps=["a", "b", "c", "d", "e", ""]) == (None, None, "gaps")
    assert _detect(long=[text * 20 for text in LONG]) == (None, None, "long")


def test_a_role_that_is_settled_is_not_looked_for() -> None:
    parts = [Part("word", "text", (6,), "text")]
    assert detect(parts, ["labels"], lambda _: SHORT) == {"labels": None}


@pytest.mark.parametrize("name", ["Unnamed: 0", "unnamed 1", "index", "__index_level_0__"])
def test_names_that_data_frames_give_row_numbers(name: str) -> None:
    assert is_row_number_name(name)
    assert not is_row_number_name(name + "x")


def test_long_items_are_cut_and_long_ids_refused() -> None:
    values = ["short", "x" * 30]
    assert checked_texts(values, "items", "t", Limits(cell=10)) == (
        ["short", "x" * 9 + "…"],
        ("1 text cut to 10 characters",),
    )
    with pytest.raises(relviz.ReadError, match="'t' has 1 value of more than 10 characters, first in row 2"):
        checked_texts(values, "ids", "t", Limits(cell=10))


def test_half_characters_are_replaced() -> None:
    raw = made.csv(["word", "x", "y"], [["ok", 1, 2], ["é", 3, 4]])
    assert made.load(raw, "x.csv").ids == ("ok", "é")
    assert checked_texts(["a\ud800b", "😀"], "ids", "t", Limits()) == (["a\ufffdb", "😀"], ())
