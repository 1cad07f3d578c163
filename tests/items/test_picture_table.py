"""labels.csv and metadata.csv among pictures."""

import pytest

from tests.items import made

FILES = {"cat/1.png": made.picture(1), "cat/2.png": made.picture(2), "dog/1.png": made.picture(3)}


def with_table(raw: bytes, name: str = "labels.csv", below: str = "") -> bytes:
    return made.zipped({f"{below}{path}": content for path, content in {**FILES, name: raw}.items()})


@pytest.mark.parametrize("below", ["", "packed/"])
@pytest.mark.parametrize("name", ["labels.csv", "metadata.csv", "Labels.csv"])
def test_labels_and_ids_come_from_the_table(below: str, name: str) -> None:
    raw = b"file_name,id,label\ndog/1.png,c,wolf\ncat/1,a,lion\n./cat\\2.png,b,lynx\n"
    found = made.pictures(with_table(raw, name, below))
    assert (found.ids, found.labels) == (("a", "b", "c"), ("lion", "lynx", "wolf"))
    assert found.notes == (
        f"ids from column 'id' of '{below}{name}'",
        f"labels from column 'label' of '{below}{name}'",
    )


def test_a_name_alone_is_enough_where_it_is_the_only_one() -> None:
    found = made.pictures(with_table(b"image,class\n2.png,lynx\n1.png,lion\n"))
    assert (found.ids, found.labels) == (("cat/1", "cat/2", "dog/1"), ("(no label)", "lynx", "(no label)"))
    assert found.notes[-1] == "2 images not named in 'labels.csv'"


def test_ids_of_some_pictures_are_not_taken() -> None:
    found = made.pictures(with_table(b"file,id\ncat/1.png,a\ncat/2.png,b\n"))
    assert found.ids == ("cat/1", "cat/2", "dog/1")
    found = made.pictures(with_table(b"file,id\ncat/1.png,a\n"))
    assert found.ids == ("cat/1", "cat/2", "dog/1")


def test_ids_that_are_none_are_not_taken() -> None:
    raw = b"file,id\ncat/1.png,a\ncat/2.png,a\ndog/1.png,b\n"
    found = made.pictures(with_table(raw))
    assert (found.ids, found.labels) == (("cat/1", "cat/2", "dog/1"), ("cat", "cat", "dog"))
    assert found.notes == ("column 'id' of 'labels.csv' is not an id for every image",)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"label\na\n", "it has no column of file names, such as file_name"),
        (b"file,label\nelse.png,a\n", "no file name in its column 'file' is that of an image"),
        (b"file,label\n\xff,a\n", "labels.csv is not UTF-8"),
        (b"", "labels.csv is empty"),
    ],
)
def test_a_table_that_cannot_be_used_is_named(raw: bytes, message: str) -> None:
    found = made.pictures(with_table(raw))
    assert found.labels == ("cat", "cat", "dog")
    assert len(found.notes) == 1
    assert found.notes[0].startswith(f"'labels.csv' was not used: {message}")


def test_the_table_nearest_to_the_top_is_taken() -> None:
    files = {**FILES, "dog/labels.csv": b"file,label\n1.png,x\n", "labels.csv": b"file,label\ncat/1.png,y\n"}
    found = made.pictures(made.zipped(files))
    assert (found.labels or ())[0] == "y"
    assert found.notes[0] == "1 of 4 files is not an image and was left out: 'dog/labels.csv'"
