"""Names in a collection: what may be read, in which order, and what ids and labels they give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relviz.items.paths import ids_of, is_hidden, labels_of, natural_order, path_inside, without_common_folder

PATH = st.lists(
    st.sampled_from(["a", "b", "a.png", "A.PNG", "a.jpg", "a.png.gif", "c.d", ".", ""]), min_size=1
).map("/".join)


@pytest.mark.parametrize(
    "name",
    ["../a.png", "a/../../b", "/etc/a", "\\a", "C:\\a.png", "c:a", "a\\..\\b", "a\0.png", "", ".", ".."],
)
def test_names_that_lead_out_have_no_path(name: str) -> None:
    assert path_inside(name) is None


def test_one_name_has_one_path() -> None:
    assert path_inside("a\\b/./c//d.png") == "a/b/c/d.png"
    assert path_inside("cafe\u0301.png") == "caf\u00e9.png"
    assert path_inside("a\ud800.png") == "a?.png"


@given(st.text())
def test_a_path_stays_inside_and_is_its_own(name: str) -> None:
    path = path_inside(name)
    if path is not None:
        assert not path.startswith("/")
        assert {"", ".", ".."}.isdisjoint(path.split("/"))
        assert path_inside(path) == path


def test_what_systems_keep_for_themselves_is_hidden() -> None:
    hidden = [".DS_Store", "a/.git/b.png", "__MACOSX/a.png", "a/Thumbs.db", "desktop.ini", "._a.png"]
    assert all(map(is_hidden, hidden))
    assert not any(map(is_hidden, ["a.png", "a/thumbs.png", "macosx/a.png"]))


def test_numbers_are_ordered_as_numbers() -> None:
    ordered = ["a/img1", "a/img2", "a/Img10", "a/img010", "a/img11", "b/1", "c10", "img1"]
    assert sorted({*ordered}, key=natural_order) == ordered
    long = ["9" * 5000, "1" + "0" * 5000]
    assert sorted({*long}, key=natural_order) == long


@given(st.lists(st.text(), unique=True))
def test_any_names_have_one_order(names: list[str]) -> None:
    assert sorted(names, key=natural_order) == sorted({*names}, key=natural_order)


def test_a_packed_folder_is_what_the_folder_is() -> None:
    assert without_common_folder(["p/q/a/1.png", "p/q/b/1.png"]) == ["a/1.png", "b/1.png"]
    assert without_common_folder(["p/1.png", "pq/1.png", "2.png"]) == ["p/1.png", "pq/1.png", "2.png"]
    assert without_common_folder(["p/a.png"]) == ["a.png"]


@given(st.lists(PATH, unique=True))
def test_ids_are_unique(paths: list[str]) -> None:
    assert len(set(ids_of(paths))) == len(paths)


def test_ids_are_paths_without_the_ending() -> None:
    assert ids_of(["a/b.PNG", "c.jpeg", "d.e"]) == ["a/b", "c", "d.e"]
    assert ids_of(["a.png", "a.jpg", "b.png"]) == ["a.png", "a.jpg", "b"]
    assert ids_of(["a.png", "a.jpg", "a.png.gif"]) == ["a.png", "a.jpg", "a.png.gif"]


def test_labels_are_folders_if_there_are_two() -> None:
    assert labels_of(["cat/1.png", "dog/1.png"]) == ["cat", "dog"]
    assert labels_of(["train/cat/1.png", "test/cat/1.png", "test/dog/1.png"]) == ["cat", "cat", "dog"]
    assert labels_of(["cat/img/1.png", "dog/img/1.png"]) == ["cat/img", "dog/img"]
    assert labels_of(["cat/1.png", "dog/1.png", "2.png"]) == ["cat", "dog", "(no folder)"]
    assert labels_of(["cat/1.png", "2.png"]) is None
    assert labels_of(["1.png", "2.png"]) is None
