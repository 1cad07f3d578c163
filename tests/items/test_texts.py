"""What holds for texts however they were made."""

import pytest

import relviz
from relviz.items import Texts


def test_texts_are_kept_as_they_are() -> None:
    found = Texts(["a", "b"], ids=["x", "y"], name="mine")
    assert (found.texts, found.ids, found.labels, len(found)) == (("a", "b"), ("x", "y"), None, 2)
    assert repr(found) == "Texts('mine', 2 texts)"


def test_the_digest_is_that_of_the_texts_alone() -> None:
    assert Texts(["a", "b"]).digest == Texts(["a", "b"], ids=["x", "y"], labels=["l", "m"], name="n").digest
    assert len({Texts(texts).digest for texts in (["ab"], ["a", "b"], ["b", "a"])}) == 3


def test_lists_must_be_as_long_as_the_texts() -> None:
    with pytest.raises(relviz.ShapeError, match="There are 2 texts but 1 labels; give one for each"):
        Texts(["a", "b"], labels=["x"])
    with pytest.raises(relviz.ShapeError, match="There are no texts; give at least one"):
        Texts([])
