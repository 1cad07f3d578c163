"""Texts as lines: encodings, line ends, blank lines, ids before a tab."""

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relviz
from relviz.items import pasted
from relviz.readers import Limits
from tests.items import made
from tests.readers.made import here

TEXTS = ("a cat", "дуб; 樫", "🐂, \u2028 بلوط")
LINE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\t\0\ufeff"), min_size=1)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(encoding: str, end: str) -> None:
    found = made.texts(end.join(TEXTS).encode(encoding), "lines.txt")
    assert (found.texts, found.ids, found.labels, found.notes) == (TEXTS, None, None, ())
    assert found.digest == pasted(end.join(TEXTS)).digest


def test_both_orders_of_bytes_are_read() -> None:
    assert made.texts(b"\xfe\xff" + "дуб\nб".encode("utf-16-be"), "x.txt").texts == ("дуб", "б")


@settings(max_examples=200, deadline=None)
@given(
    texts=st.lists(LINE.filter(str.strip), min_size=1, max_size=8),
    encoding=st.sampled_from(["utf-8", "utf-16"]),
)
@here()
def test_texts_of_any_script_survive_as_lines(texts: list[str], encoding: str) -> None:
    raw = "\n".join(texts)
    assert made.texts(raw.encode(encoding), "x.txt").texts == pasted(raw).texts == tuple(texts)
    numbered = "\n".join(f"{row}\t{text}" for row, text in enumerate(texts))
    found = made.texts(numbered.encode(encoding), "x.txt")
    assert (found.texts, found.ids) == (tuple(texts), tuple(map(str, range(len(texts)))))
    assert (pasted(numbered).texts, pasted(numbered).ids) == (found.texts, found.ids)


def test_lines_do_not_depend_on_where_blocks_end(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = "".join(f"{row}-дуб\r\n" * 3 for row in range(50)).encode()
    whole = made.texts(raw, "x.txt").texts
    for size in (1, 2, 3, 7):
        monkeypatch.setattr("relviz.items.lines.BLOCK_BYTES", size)
        assert made.texts(raw, "x.txt").texts == whole


def test_blank_lines_are_left_out_and_counted() -> None:
    found = pasted("\n a\n\n\t\nb\n")
    assert found.texts == (" a", "b")
    assert found.notes == ("3 blank lines left out",)
    assert pasted("a\nb\n").notes == made.texts(b"a\nb\n", "x.txt").notes == ()
    for raw in (b"\n \n", b"\xef\xbb\xbf\n"):
        with pytest.raises(relviz.ReadError, match=r"x\.txt holds no texts: all its lines are blank"):
            made.texts(raw, "x.txt")
    with pytest.raises(relviz.ReadError, match=r"there is no text yet\. Give one text per line"):
        pasted(" \n")


def test_ids_stand_before_the_first_tab_of_every_line() -> None:
    found = pasted("1\ta\tb\n2\t\n1\tc\n", name="mine")
    assert (found.texts, found.ids, found.name) == (("a\tb", "c"), ("1", "1"), "mine")
    assert found.notes == (
        "ids from before the first tab of every line",
        "1 empty text left out",
        "1 id repeated: pairs are made of the first row of each",
    )
    assert pasted("1\ta\nb\n").texts == ("1\ta", "b")
    assert pasted("\ta\n\tb\n").ids is None
    assert pasted("a\t\nb\t\n").texts == ("a\t", "b\t")


def test_columns_of_lines_can_be_chosen() -> None:
    raw = b"1\ta\n2\tb\n"
    assert [column.name for column in made.looked(raw, "x.txt").columns] == ["id", "text", "line"]
    whole = made.texts(raw, "x.txt", texts="line", ids="")
    assert (whole.texts, whole.ids) == (("1\ta", "2\tb"), None)


def test_long_lines_are_cut_and_hold_little_memory() -> None:
    raw = b"x" * 40_000_000 + b"\nb\n"
    tracemalloc.start()
    try:
        found = made.texts(raw, "x.txt")
        assert tracemalloc.get_traced_memory()[1] < 2**25
    finally:
        tracemalloc.stop()
    assert [len(text) for text in found.texts] == [10_000, 1]
    assert found.notes == ("1 text cut to 10,000 characters",)
    found = pasted("1\t" + "x" * 10_000 + "\n2\t" + "y" * 10_001)
    assert [text[-1] for text in found.texts] == ["x", "…"]


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("дуб".encode("cp1251"), r"neither UTF-8 nor UTF-16 with a byte order mark \(.*\); save it as UTF-8"),
        ("дуб".encode()[:-1], "unexpected end of data"),
        (
            "ab".encode("utf-16-le"),
            r"holds zero bytes: .* UTF-16 without a byte order mark. Save it as UTF-8",
        ),
        (b"\xff\xfea", "truncated data"),
    ],
)
def test_what_is_no_text_is_refused(raw: bytes, message: str) -> None:
    with pytest.raises(relviz.ReadError, match=message):
        made.texts(raw, "x.txt")


def test_limits_of_lines() -> None:
    with pytest.raises(relviz.ReadError, match=r"x\.txt has more than 2 texts and the limit is 2"):
        made.texts(b"a\nb\n\nc\nd", "x.txt", limits=Limits(rows=2))
    with pytest.raises(relviz.ReadError, match=r"Pasted texts takes 4 bytes and the limit is 3 bytes"):
        pasted("ab\ncd", limits=Limits(memory=3))
