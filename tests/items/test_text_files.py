"""Texts out of tables: what is written is read, and the columns are found."""

import io
import os
import time
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import relviz
from relviz.compute.key import text_digest
from relviz.demos import load_demo
from relviz.items import TEXT_LIMITS, look_texts, read_texts
from relviz.readers import Limits
from relviz.readers.formulas import marked
from tests.items import made
from tests.readers.made import here

ROWS = [
    ["ant", "animal", 'a "small" insect,\nsix legs'],
    ["oak", "plant", "дуб; 樫, بلوط"],
    ["ox", "animal", "🐂"],
]
WORDS, CLASSES, GLOSSES = map(tuple, zip(*ROWS, strict=True))
HEADER = ["word", "class", "gloss"]
CSV = made.table([HEADER, *ROWS])
FILES = {
    "x.csv": CSV,
    "marked.csv": b"\xef\xbb\xbf" + CSV,
    "semicolon.csv": made.table([HEADER, *ROWS], delimiter=";"),
    "x.tsv": made.table([HEADER, *ROWS], delimiter="\t"),
    "unix.csv": made.table([HEADER, *ROWS], lineterminator="\n"),
    "x.parquet": made.parquet(dict(zip(HEADER, (WORDS, CLASSES, GLOSSES), strict=True))),
}
EVERY_SCRIPT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


@pytest.mark.parametrize("filename", FILES)
def test_a_table_is_read_as_it_was_written(filename: str) -> None:
    found = made.texts(FILES[filename], filename)
    assert (found.texts, found.ids, found.labels) == (GLOSSES, WORDS, CLASSES)
    assert (found.notes, found.modality, len(found)) == ((), "text", 3)
    assert found.name == filename.partition(".")[0]
    assert found.digest == text_digest(GLOSSES)


@pytest.mark.parametrize("filename", FILES)
def test_what_would_be_taken_is_said_before(filename: str) -> None:
    contents = made.looked(FILES[filename], filename)
    assert contents.rows == 3
    assert [(column.name, column.kind) for column in contents.columns] == [(name, "text") for name in HEADER]
    assert contents.columns[0].examples == WORDS
    assert contents.choice is not None
    assert (contents.choice.texts, contents.choice.ids, contents.choice.labels) == ("gloss", "word", "class")


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.tuples(EVERY_SCRIPT, EVERY_SCRIPT, EVERY_SCRIPT), min_size=1, max_size=8),
    separator=st.sampled_from(",;\t"),
)
@example(rows=[("a\r\nb", '"', "c\n\nd"), ("e\rf", ',""', "\u2028")], separator=",")
@example(rows=[("=0", "'=0", "'0")], separator=",")
@here()
def test_texts_of_any_script_survive_a_csv(rows: list[tuple[str, str, str]], separator: str) -> None:
    safe = [list(map(marked, row)) for row in rows]
    raw = made.table([["text", "id", "label"], *safe], delimiter=separator, quoting=1)
    found = made.texts(raw, ids="id")
    assert (found.texts, found.ids, found.labels) == tuple(zip(*rows, strict=True))
    bare = made.texts(raw, texts="id", ids="", labels="")
    assert (bare.texts, bare.ids, bare.labels) == (found.ids, None, None)


@settings(max_examples=10, deadline=None)
@given(texts=st.lists(EVERY_SCRIPT, min_size=1, max_size=8))
def test_texts_of_any_script_survive_a_parquet(texts: list[str]) -> None:
    assert made.texts(made.parquet({"text": texts}), "x.parquet").texts == tuple(texts)


@settings(max_examples=40, deadline=None)
@given(texts=st.lists(EVERY_SCRIPT, min_size=1, max_size=8))
@here()
def test_a_column_alone_is_read_with_and_without_a_header(texts: list[str]) -> None:
    safe = [[marked(text)] for text in texts]
    quoted = made.table([["text"], *safe], quoting=1)
    assert made.texts(quoted).texts == tuple(texts)
    first = made.table([["the first, or so"], *safe], quoting=1)
    found = made.texts(first)
    assert found.texts == ("the first, or so", *texts)
    assert found.notes == ("no header row: columns are numbered",)


def test_a_column_alone_may_hold_other_separators() -> None:
    assert made.texts(b"one; two\nthree\nfour\n").texts == ("one; two", "three", "four")
    assert made.texts(b"text\none; two\n").texts == ("one; two",)
    assert made.texts(b"one, two\nthree\nfour\n").texts == ("one, two", "three", "four")
    with pytest.raises(
        relviz.ReadError, match=r"row 2 has 3 cells where the first line has 2.*quotation marks"
    ):
        made.texts(b"id,text\n1,two\n2,three, or four\n")


def test_a_separator_is_found_by_whole_rows() -> None:
    # The second row is cut off where the head of the file ends.
    rows = [["x" * 100_000] * 6] * 2
    contents = made.looked(made.table([[f"k{at}" for at in range(6)], *rows]), limits=Limits(cell=200_000))
    assert [column.name for column in contents.columns] == [f"k{at}" for at in range(6)]
    assert made.texts(b"a, b\tc\nd, e\tf\n", "x.tsv", texts="a, b").texts == ("d, e",)


def test_a_header_is_told_from_a_row() -> None:
    assert made.texts(b"7,a cat\n8,a dog\n").notes == ("no header row: columns are numbered",)
    assert made.texts(b"key,plot\n8,a dog\n").ids == ("8",)
    long = "x" * 81
    assert made.texts(f"a,{long}\nb,c\n".encode()).texts == (long, "c")


@pytest.mark.parametrize(
    ("header", "row", "texts", "ids", "labels"),
    [
        ("title,plot", "a,a long one", "plot", None, None),
        ("Text,other", "a,a long one", "Text", None, None),
        ("doc_id,text_en,topic class", "1,a,b", "text_en", "doc_id", "topic class"),
        ("sentence1,group", "a,b", "sentence1", None, "group"),
        ("word,label", "ant,a long class", "word", "word", "label"),
        ("id,score,remark", "1,2,a", "remark", "id", None),
        ("text,gloss,item", "a,b,c", "text", None, None),
        ("id,content", "1,2", "content", "id", None),
    ],
)
def test_columns_are_found_by_what_they_are_called(
    header: str, row: str, texts: str, ids: str | None, labels: str | None
) -> None:
    choice = made.looked(f"{header}\n{row}\n".encode()).choice
    assert choice is not None
    assert (choice.texts, choice.ids, choice.labels) == (texts, ids, labels)


def test_ids_that_repeat_are_not_taken_unless_they_are_asked_for() -> None:
    raw = b"id,word,text\n1,a,x\n1,b,y\n"
    found = made.texts(raw)
    assert found.ids == ("a", "b")
    assert found.notes == ("column 'id' repeats 1 value: not taken as ids",)
    asked = made.texts(raw, ids="id")
    assert asked.ids == ("1", "1")
    assert asked.notes == ("1 id repeated: pairs are made of the first row of each",)


def test_what_only_the_caller_can_choose() -> None:
    raw = b"text_en,text_es\na,b\n"
    contents = made.looked(raw)
    assert contents.choice is None
    assert contents.reason == (
        "x.csv has 2 columns that may be the texts: 'text_en', 'text_es'. "
        "Choose one with texts='text_en' or another."
    )
    with pytest.raises(relviz.ReadError, match="2 columns that may be the texts"):
        made.texts(raw)
    assert made.texts(raw, texts="text_es").texts == ("b",)
    with pytest.raises(relviz.ReadError, match=r"holds no column of texts, only 'x' \(1, int64\), 'y'"):
        made.texts(made.parquet({"x": [1], "y": [2]}), "x.parquet")
    with pytest.raises(relviz.ReadError, match=r"x\.csv has no column 'gloss'; it has 'text_en' \(1, text\)"):
        made.texts(raw, texts="gloss")
    with pytest.raises(relviz.ReadError, match="cannot be texts"):
        made.texts(made.parquet({"v": [[1.0, 2.0]], "text": ["a"]}), "x.parquet", texts="v")
    with pytest.raises(relviz.ParameterError, match="texts must name a column"):
        made.texts(raw, texts="")
    with pytest.raises(relviz.ParameterError, match="ids is the name of a column; it is 3"):
        made.texts(raw, texts="text_en", ids=3)


def test_numbers_may_be_texts_ids_and_labels() -> None:
    raw = made.parquet({"id": [7, 8], "n": [1, 2], "class": [0, 1]})
    assert made.looked(raw, "x.parquet").columns[0].examples == ("7", "8")
    found = made.texts(raw, "x.parquet", texts="n")
    assert (found.texts, found.ids, found.labels) == (("1", "2"), ("7", "8"), ("0", "1"))


def test_words_that_many_rows_share_are_looked_at() -> None:
    words = pa.array(["b", None, "a", "b"]).dictionary_encode()
    contents = made.looked(made.parquet({"text": words}), "x.parquet")
    assert contents.columns[0].examples == ("b", "", "a")
    assert made.texts(made.parquet({"text": words}), "x.parquet").texts == ("b", "a", "b")


def test_empty_texts_are_left_out_with_their_rows() -> None:
    found = made.texts(b"id,text,label\n1,a,x\n2,,y\n3,  ,y\n4,b,z\n")
    assert (found.texts, found.ids, found.labels) == (("a", "b"), ("1", "4"), ("x", "z"))
    assert found.notes == ("2 empty texts left out",)
    with pytest.raises(relviz.ReadError, match=r"x\.parquet holds no texts: all 2 cells of them are empty"):
        made.texts(made.parquet({"text": ["", " "]}), "x.parquet")


def test_long_texts_are_cut_and_long_ids_refused() -> None:
    found = made.texts(made.table([["text"], ["x" * 10_001], ["y" * 10_000]]))
    assert [len(text) for text in found.texts] == [10_000, 10_000]
    assert found.texts[0].endswith("x…")
    assert found.notes == ("1 text cut to 10,000 characters",)
    with pytest.raises(relviz.ReadError, match="too long for ids"):
        made.texts(made.table([["id", "text"], ["x" * 10_001, "a"]]))


def test_limits_are_kept_with_numbers_and_a_remedy() -> None:
    few = Limits(rows=2)
    with pytest.raises(
        relviz.ReadError,
        match=r"x\.csv has 3 rows and the limit is 2\. Keep fewer, or give limits=Limits\(rows=3\)",
    ):
        made.texts(CSV, limits=few)
    for filename in ("x.csv", "x.parquet"):
        with pytest.raises(relviz.ReadError, match="has 3 rows and the limit is 2"):
            made.looked(FILES[filename], filename, limits=few)
    with pytest.raises(relviz.ReadError, match=r"column 'gloss'.* and the limit is 30 bytes"):
        made.texts(CSV, limits=Limits(memory=30))
    assert TEXT_LIMITS.rows == 1_000_000


@pytest.mark.parametrize("head", [b"", b"text\n", b"id,text\n1,a\n", b"a line\n"])
@pytest.mark.parametrize("filename", ["x.csv", "x.tsv", "x.txt"])
@pytest.mark.parametrize(
    ("size", "message"),
    [(2 * 10**9, r"takes 1\.9 GiB and the limit is 1\.0 GiB"), (10**9, "longer than|zero bytes")],
)
def test_a_file_of_two_gigabytes_is_refused_at_once(
    tmp_path: Path, head: bytes, filename: str, size: int, message: str
) -> None:
    path = tmp_path / filename
    path.write_bytes(head)
    os.truncate(path, size)
    for read in (read_texts, look_texts):
        begin = time.perf_counter()
        with pytest.raises(relviz.ReadError, match=message):
            read(path)
        assert time.perf_counter() - begin < 2


def test_other_files_are_refused_and_left_where_they_stood() -> None:
    with pytest.raises(
        relviz.ReadError,
        match=r"Texts are not read from \.docx \(x\.docx\), but from \.csv, \.tsv, \.parquet, \.txt",
    ):
        made.texts(b"PK", "x.docx")
    with pytest.raises(relviz.ReadError, match=r"looks like a \.parquet file"):
        made.texts(b"PAR1xxxx", "x.csv")
    file = io.BytesIO(CSV)
    file.seek(5)
    read_texts(file, filename="x.csv")
    assert file.tell() == 5


@settings(max_examples=60, deadline=None)
@given(raw=st.binary(max_size=300), filename=st.sampled_from(["x.csv", "x.tsv", "x.txt"]))
def test_any_bytes_are_texts_or_an_error_of_ours(raw: bytes, filename: str) -> None:
    for read in (made.texts, made.looked):
        with suppress(relviz.Error):
            assert read(raw, filename)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
@here()
def test_damaged_tables_are_texts_or_an_error_of_ours(data: st.DataObject) -> None:
    raw = bytearray(CSV)
    for place in data.draw(st.lists(st.integers(0, len(raw) - 1), min_size=1, max_size=6)):
        raw[place] = data.draw(st.integers(0, 255))
    with suppress(relviz.Error):
        assert made.texts(bytes(raw))


def test_the_glosses_come_back_from_a_csv(tmp_path: Path) -> None:
    space = load_demo("glosses").spaces["minilm"]
    glosses = [item.partition(": ")[2] for item in space.items or ()]
    path = tmp_path / "glosses.csv"
    path.write_bytes(
        made.table(
            [["id", "label", "gloss"], *zip(space.ids or (), space.labels or (), glosses, strict=True)]
        )
    )
    found = read_texts(path)
    assert (found.texts, found.ids, found.labels) == (tuple(glosses), space.ids, space.labels)
    assert found.name == "glosses"


def test_a_column_of_which_few_cells_are_different_holds_the_classes() -> None:
    lines = ["word,gloss,sort", *(f"w{row},a thing of number {row},{'ab'[row % 2]}" for row in range(8))]
    raw = io.BytesIO("\n".join(lines).encode())
    assert read_texts(raw, filename="x.csv").labels == tuple("abababab")
    assert read_texts(raw, filename="x.csv", labels="").labels is None
