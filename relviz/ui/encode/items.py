"""What is encoded: texts, pictures or a demo's items, chosen and looked at before any encoder sees them."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import streamlit as st

import relviz
from relviz.items import (
    TEXT_SUFFIXES,
    Items,
    Pictures,
    TextContents,
    Texts,
    items_of_demo,
    look_texts,
    pasted,
    read_pictures,
    read_texts,
)
from relviz.state.sources import allowed_path
from relviz.ui.cells import show_picture
from relviz.ui.reading import reading_bar
from relviz.ui.verbatim import verbatim
from relviz.wording import count, plural

NONE = "(none)"
_COLUMNS_READ, _LOOKED = "relviz_texts", "relviz_texts_looked"
T = TypeVar("T")


def texts_from_file() -> Texts | None:
    """A file and its columns; None as long as there is no file, or no column to read."""
    file = st.file_uploader(
        "A table with a column of texts, or one text per line",
        [suffix.lstrip(".") for suffix in TEXT_SUFFIXES],
        key="encode_texts",
    )
    if file is None:
        return None

    def look() -> TextContents:
        with reading_bar(file.name) as show:
            return look_texts(file, filename=file.name, on_progress=show)

    contents = _once(_LOOKED, file.file_id, look)
    roles = _columns(file.file_id, contents)
    if not roles:
        st.error(verbatim(contents.reason), icon=":material/error:")
        return None
    texts, ids, labels = roles

    def read() -> Texts:
        with reading_bar(file.name) as show:
            return read_texts(file, filename=file.name, texts=texts, ids=ids, labels=labels, on_progress=show)

    return _once(_COLUMNS_READ, (file.file_id, roles), read)


def _once(place: str, wanted: object, make: Callable[[], T]) -> T:
    """What was made last in a place of the session, if it was made of the same; else it is made."""
    kept: tuple[object, T] = st.session_state.get(place, (None, None))
    if kept[0] != wanted:
        kept = wanted, make()
        st.session_state[place] = kept
    return kept[1]


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
    roles: dict[str, str] = {}
    for column, role, words in ((middle, "ids", "Ids"), (right, "labels", "Classes")):
        found = getattr(choice, role) if choice else None
        options = [NONE, *names]
        picked = column.selectbox(
            words, options, index=options.index(found or NONE), key=f"{role} {file_id}", help=HELP[role]
        )
        roles[role] = "" if picked == NONE else picked
    if texts is None:
        return ()
    if texts in roles.values():
        raise relviz.Error(f"The column {texts!r} holds the texts. Choose other columns for ids and classes.")
    return texts, roles["ids"], roles["labels"]


HELP = {
    "ids": "Rows of two spaces are matched by ids, otherwise by position.",
    "labels": "Used to color maps and to train heads.",
}


WAYS = {
    "texts": "Texts from a file",
    "paste": "Pasted texts",
    "pictures": "Images",
    "folder": "A folder of images",
    "demo": "Items of a demo",
}
PICTURES = ["zip", "png", "jpg", "jpeg", "webp", "gif", "bmp"]
SHOWN_ROWS, SHOWN_PICTURES, SIDE = 200, 20, 80
_READ, _BEFORE = "relviz_items", "relviz_items_before"
"""What was read of which files, and what was shown last: a file field forgets when its page is left."""


def choose_items(
    label: str = "Input", ways: Sequence[str] = tuple(WAYS), modality: str | None = None
) -> Items | None:
    """Items given in one of some ways, with what was found in them; None as long as nothing is given.

    Of a demo, only those of a modality, if one is given.
    """
    before: tuple[str, Items | None] = st.session_state.get(_BEFORE, (ways[0], None))
    st.session_state.setdefault("encode_way", before[0])
    if st.session_state["encode_way"] not in ways:
        st.session_state["encode_way"] = ways[0]
    way = st.segmented_control(label, ways, format_func=WAYS.__getitem__, key="encode_way") or ways[0]
    try:
        items = _ask_demo(modality) if way == "demo" else ASK[way]()
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return None
    if items is None and before[0] == way and before[1] is not None:
        items = before[1]
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"Loaded earlier: {verbatim(items.name)}. Add something else to replace it.")
            st.button("Clear input", on_click=_forget, type="tertiary")
    if items is not None:
        st.session_state[_BEFORE] = way, items
        _show(items)
    return items


def _forget() -> None:
    st.session_state.pop(_BEFORE, None)


def _ask_paste() -> Items | None:
    text = st.text_area(
        "One text per line, or id⇥text",
        key="encode_paste",
        height=160,
        placeholder="a tame animal that barks\na large tree with acorns",
    )
    return pasted(text) if text.strip() else None


def _ask_pictures() -> Items | None:
    files = st.file_uploader(
        "A zip file, or several images. Folders in a zip become classes.",
        PICTURES,
        accept_multiple_files=True,
        key="encode_pictures",
    )
    if not files:
        return None
    zips = [file for file in files if file.name.lower().endswith(".zip")]
    if zips and len(files) > 1:
        raise relviz.Error(
            f"There are {len(files)} files, {len(zips)} of them zips. Choose one zip, or images only."
        )
    wanted = tuple(file.file_id for file in files)
    if zips:
        return _read(wanted, lambda report: read_pictures(zips[0], filename=zips[0].name, on_progress=report))
    return _read(
        wanted,
        lambda report: read_pictures([(file.name, file.getvalue()) for file in files], on_progress=report),
    )


def _ask_folder() -> Items | None:
    text = st.text_input(
        "A folder on the machine that runs relviz",
        key="encode_folder",
        placeholder="~/pictures",
        help="Images in it and in its subfolders, which become classes.",
    ).strip()
    if not text:
        return None
    path = allowed_path(text)
    return _read((str(path),), lambda report: read_pictures(path, on_progress=report))


def _ask_demo(modality: str | None) -> Items | None:
    offered = {
        name: {key: items for key, items in items_of_demo(name).items() if modality in (None, items.modality)}
        for name in relviz.demo_names()
    }
    titles = {name: relviz.load_demo(name).title for name, found in offered.items() if found}
    left, right = st.columns(2)
    name = left.selectbox("Demo", list(titles), format_func=titles.__getitem__, key="encode_demo")
    found = offered[name]
    what = right.selectbox(
        "Items", list(found), format_func=lambda key: found[key].name, key=f"encode_demo_{name}"
    )
    return found[what]


ASK: dict[str, Callable[[], Items | None]] = {
    "texts": texts_from_file,
    "paste": _ask_paste,
    "pictures": _ask_pictures,
    "folder": _ask_folder,
}


def _read(wanted: tuple[str, ...], read: Callable[[Callable[[float], object]], Pictures]) -> Pictures:
    """Pictures, read once as long as the same are asked for."""
    kept: tuple[object, Pictures] = st.session_state.get(_READ, (None, None))
    if kept[0] != wanted:
        with reading_bar("the images", "change the input to stop") as show:
            kept = wanted, read(show)
        st.session_state[_READ] = kept
    return kept[1]


def _show(items: Items) -> None:
    noun = "text" if items.modality == "text" else "image"
    facts = [f"**{plural(len(items), noun)}**"]
    facts.append("matched by their ids" if items.ids else "without ids, matched by position")
    if items.labels:
        many = len(set(items.labels))
        facts.append("1 class" if many == 1 else f"{count(many)} classes")
    st.markdown(", ".join(facts) + ".")
    for note in items.notes:
        st.caption(verbatim(note))
    with st.expander("Preview", expanded=True):
        if isinstance(items, Pictures):
            few = min(SHOWN_PICTURES, len(items))
            with st.container(horizontal=True):
                for row, picture in enumerate(items.pixels(range(few), SIDE)):
                    alt = items.ids[row] if items.ids else f"Image {row + 1}"
                    show_picture(picture, SIDE, alt, verbatim(alt[-12:]) if items.ids else None)
        else:
            few = min(SHOWN_ROWS, len(items))
            table = {"id": items.ids, "text": items.texts, "class": items.labels}
            st.dataframe(
                {name: list(cells[:few]) for name, cells in table.items() if cells is not None},
                hide_index=True,
                height=220,
                alt="The first of the texts with their ids and classes",
            )
        if few < len(items):
            st.caption(f"The first {few} of {count(len(items))}.")
