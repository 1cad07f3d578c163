"""Files of the user's own: one clear message for a bad one, the new pair everywhere for two good ones."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from relviz.state import View
from relviz.state.sources import forget_opened, open_pair, open_space
from tests.readers.made import npy, npz
from tests.ui.made import CLASSES, ODD_TEXTS, ROWS, TEXTS, csv, spaces
from tests.ui.screen import cells, finished, maps, opened, pressed, said, turned, went

File = tuple[str, bytes]

A, B = (space.vectors.numpy() for space in spaces(dimension_b=4))
IDS = [f"id{row}" for row in range(ROWS)]


def table(vectors: np.ndarray = A, ids: list[str] = IDS, **columns: list[str]) -> bytes:
    header = ["id", *columns, *(f"d{at}" for at in range(vectors.shape[1]))]
    rows = zip(ids, *columns.values(), vectors.tolist(), strict=True)
    return csv(header, [[*texts, *numbers] for *texts, numbers in rows])


def shown_pair(at: AppTest) -> list[str]:
    """Names of the two spaces in the audit at the foot of the page."""
    return [column.removeprefix("A: ").removeprefix("B: ") for column in list(at.table[-1].value)[1:]]


def gave(at: AppTest, a: File | None = None, b: File | None = None) -> AppTest:
    """The session after files were put into the two fields."""
    for side, file in (("A", a), ("B", b)):
        if file is not None:
            at.file_uploader(key=f"upload_{side}").set_value((*file, "application/octet-stream"))
    return went(at)


def objects() -> bytes:
    return npy(np.array([[1, 2], "three"], dtype=object), allow_pickle=True)


def with_nan(rows: int) -> np.ndarray:
    vectors = A.copy()
    vectors[:rows, 1] = np.nan
    return vectors


GOOD = ("good.csv", table(B))
BAD = {
    "a truncated npz": (("cut.npz", npz(v=A)[:-40]), None, "cut.npz"),
    "an npz cut within": (("cut.npz", npz(np.savez_compressed, v=A)[:300]), None, "cut.npz"),
    "an npy of objects": (("objects.npy", objects()), None, "Python objects"),
    "text among numbers": (("t.csv", table().replace(b'"id7","', b'"id7","many')), None, "d0"),
    "no id in common": (
        ("a.csv", table()),
        ("b.csv", table(ids=[f"other{i}" for i in range(ROWS)])),
        "no id in common",
    ),
    "one row": (("one.npy", npy(A[:1])), None, "2 rows"),
    "one column": (("one.npy", npy(A[:, :1])), None, "2 columns"),
    "an empty file": (("empty.csv", b""), None, "empty"),
    "a header alone": (("head.csv", b"id,x,y\n"), None, "head.csv"),
    "other numbers of rows without ids": (("a.npy", npy(A)), ("b.npy", npy(B[:50])), "60 and 50"),
    "ids on one side only": (("a.csv", table()), ("b.npy", npy(B)), "ids"),
    "nothing finite": (("a.npy", npy(with_nan(ROWS))), ("b.npy", npy(B)), "finite"),
    "a name that says what it is not": (("image.npy", b"\x89PNG\r\n" + bytes(100)), None, "image.npy"),
}


@pytest.mark.parametrize("what", BAD)
@pytest.mark.parametrize("side", ["A", "B"])
def test_a_bad_file_is_one_clear_message_and_the_old_pair_stays(what: str, side: str) -> None:
    first, second, words = BAD[what]
    other = second or GOOD
    at = opened("data")
    before = shown_pair(at)
    gave(at, *((first, other) if side == "A" else (other, first)))
    messages = [message.value for message in (*at.error, *at.warning)]
    assert len(messages) == 1, messages
    told = words if side == "A" else words.replace("60 and 50", "50 and 60")
    assert told in messages[0]
    assert len(messages[0]) < 400
    assert shown_pair(at) == before
    assert View.from_params(at.query_params)[0] == View()
    assert not [button for button in at.button if "compare" in button.label.lower()]


def test_two_bad_files_have_a_message_each() -> None:
    at = gave(opened("data"), ("objects.npy", objects()), ("empty.csv", b""))
    assert len(at.error) == 2


def test_a_bad_file_can_be_mended() -> None:
    at = gave(opened("data"), ("a.csv", b"id,x\n"), GOOD)
    assert at.error
    gave(at, ("a.csv", table()))
    assert not at.error
    assert len(at.table) == 2


def test_rows_with_nan_are_left_out_on_request() -> None:
    at = gave(opened("data"), ("a.npy", npy(with_nan(7))), ("b.npy", npy(B)))
    assert len(at.warning) == 1
    assert "7 rows" in at.warning[0].value
    pressed(at, "leave", "53")
    assert shown_pair(turned(at, "data")) == ["a", "b"]
    assert len(at.dataframe[0].value) == ROWS - 7
    assert [len(points) for points in maps(turned(at, "compare"))] == [ROWS - 7] * 2


def test_two_tables_in_different_order_become_the_pair_everywhere() -> None:
    order = np.random.default_rng(1).permutation(ROWS)
    shuffled = table(B[order], [IDS[row] for row in order], text=[TEXTS[row] for row in order])
    at = opened("data", {"count": "20", "seed": "3"})
    gave(at, ("left.csv", table(A, label=CLASSES, text=TEXTS)), ("right.csv", shuffled))
    assert not at.error
    assert len(at.table) == 2  # the audit of the new pair, and the old pair below
    assert shown_pair(at)[0] != "left"
    pressed(at, "compare", "60")
    assert [len(points) for points in maps(at)] == [ROWS] * 2  # Compare is open
    assert shown_pair(turned(at, "data")) == ["left", "right"]
    assert list(at.dataframe[0].value["item"]) == TEXTS
    assert at.query_params["seed"] == "3"
    finished(turned(at, "compare"))
    assert [len(points) for points in maps(at)] == [ROWS] * 2
    assert float(cells(at, "relative A → B")[0].split()[0]) > 0.3
    pair = open_pair(at.query_params["a"], at.query_params["b"])
    np.testing.assert_allclose(pair.b.vectors, B, rtol=1e-6)

    forget_opened()  # another process has the store alone
    again = opened("data", at.query_params)
    assert shown_pair(again) == ["left", "right"]
    assert list(again.dataframe[0].value["class"]) == CLASSES


def test_one_of_several_arrays_is_chosen() -> None:
    several = npz(small=A[:, :2], large=A, word=np.array(IDS))
    at = gave(opened("data"), ("several.npz", several), GOOD)
    assert len(at.error) == 1
    next(box for box in at.selectbox if box.key.startswith("vectors_A")).set_value("large")
    went(at)
    assert not at.error
    pressed(at, "compare", "60")
    assert open_space(at.query_params["a"]).dimension == A.shape[1]


def test_ids_can_be_chosen_among_the_columns() -> None:
    at = gave(opened("data"), ("a.csv", table(A, code=IDS[::-1])), GOOD)
    box = next(box for box in at.selectbox if box.key.startswith("ids_A"))
    box.set_value("code")
    went(at)
    pressed(at, "compare", "60")
    assert open_pair(at.query_params["a"], at.query_params["b"]).a.ids == tuple(IDS[::-1])


def test_odd_texts_are_read_as_they_are() -> None:
    at = gave(opened("data"), ("a.csv", table(A, text=TEXTS)), GOOD)
    turned(pressed(at, "compare", "60"), "data")
    assert list(at.dataframe[0].value["item"])[: len(ODD_TEXTS)] == list(ODD_TEXTS)


def test_the_same_file_twice_is_a_pair() -> None:
    file = ("same.csv", table())
    at = pressed(gave(opened("data"), file, file), "compare")
    assert at.query_params["a"] == at.query_params["b"]
    assert shown_pair(turned(at, "data")) == ["same", "same"]


def test_an_upload_that_left_the_store_is_said() -> None:
    at = pressed(gave(opened("data"), ("a.csv", table()), GOOD), "compare")
    gone = dict(at.query_params) | {"a": "space-" + "1" * 32}
    at = opened("compare", gone)
    assert len(at.error) == 1
    assert "again" in at.error[0].value


def test_a_bad_column_can_be_left_out_by_naming_the_others() -> None:
    bad = csv(["id", "d0", "d1", "d2"], [[name, 1.0 + row, 2.0 - row, "?"] for row, name in enumerate(IDS)])
    good = csv(["id", "d0", "d1", "d2"], [[name, row, row**2, 1] for row, name in enumerate(IDS)])
    mixed = bad.replace(b"?", b"3", ROWS - 1)
    at = gave(opened("data"), ("bad.csv", mixed), ("good.csv", good))
    assert "is not a number" in at.error[0].value
    at.multiselect[0].set_value(["d0", "d1"])
    went(at)
    assert not at.error
    assert "dimension 2" in said(at)
