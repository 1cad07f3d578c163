"""Texts from a file: which of its columns are the texts, their ids and their classes."""

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

import relviz
from relviz.items import TEXT_SUFFIXES, TextContents, Texts, look_texts, read_texts
from relviz.ui.verbatim import verbatim

NONE = "(none)"
_READ, _LOOKED = "relviz_texts", "relviz_texts_looked"
T = TypeVar("T")


def texts_from_file() -> Texts | None:
    """A file and its columns; None as long as there is no file, or no column to read."""
    file = st.file_uploader(
        "A table with a column of texts, or a text a line",
        [suffix.lstrip(".") for suffix in TEXT_SUFFIXES],
        key="encode_texts",
    )
    if file is None:
        return None
    contents = _once(_LOOKED, file.file_id, lambda: look_texts(file, filename=file.name))
    told = _columns(file.file_id, contents)
    if not told:
        st.error(verbatim(contents.reason), icon=":material/error:")
        return None
    texts, ids, labels = told

    def read() -> Texts:
        return read_texts(file, filename=file.name, texts=texts, ids=ids, labels=labels)

    return _once(_READ, (file.file_id, told), read)


def _once(place: str, wanted: object, make: Callable[[], T]) -> T:
    """What was made last in a place of the session, if it was made of the same; else it is made."""
    kept: tuple[Any, Any] = st.session_state.get(place, (None, None))
    if kept[0] != wanted:
        kept = wanted, make()
        st.session_state[place] = kept
    found: T = kept[1]
    return found


def _columns(file_id: str, contents: TextContents) -> tuple[str | None, ...]:
    """Columns of texts, ids and classes, chosen by hand where there is a choice; none where texts are not."""
    names = [column.name for column in contents.columns]
    choice = contents.choice
    if len(names) < 2:
        return (None, None, None) if choice else ()
    left, middle, right = st.columns(3)
    texts = left.selectbox(
        "Texts",
        names,
        index=names.index(choice.texts) if choice else None,
        placeholder="Choose a column",
        key=f"texts {file_id}",
    )
    told: dict[str, str] = {}
    for column, role, words in ((middle, "ids", "Ids"), (right, "labels", "Classes")):
        found = getattr(choice, role) if choice else None
        options = [NONE, *names]
        picked = column.selectbox(
            words, options, index=options.index(found or NONE), key=f"{role} {file_id}", help=HELP[role]
        )
        told[role] = "" if picked == NONE else picked
    if texts is None:
        return ()
    if texts in told.values():
        raise relviz.Error(f"The column {texts!r} holds the texts; choose other ones for ids and classes.")
    return texts, told["ids"], told["labels"]


HELP = {
    "ids": "By which the rows of two spaces are matched; without them, by position.",
    "labels": "What the maps are coloured by and heads are trained on.",
}
