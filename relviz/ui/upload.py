"""Two files of the user's own: what they hold, how their rows match, and the button that compares them."""

from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

import relviz
from relviz.errors import UnpairedError
from relviz.readers import SUFFIXES, Contents, load_space, look
from relviz.readers.limits import DEFAULT_LIMITS
from relviz.state.owners import Origin
from relviz.state.shelf import shelf_with
from relviz.state.sources import keep_space
from relviz.ui import state
from relviz.ui.operations.settings import settings
from relviz.ui.pair_view import audit_view, choose_pair
from relviz.ui.reading import reading_bar
from relviz.ui.verbatim import verbatim
from relviz.wording import count, plural

_LOOKED, _READ, _WANTED = "relviz_looked", "relviz_read", "relviz_upload_wanted"
FOUND = "(detected)"


def upload_pair() -> None:
    """Take one file or two; the pair on screen stays until the new one is asked for, and opens on Compare."""
    if st.session_state.pop(_WANTED, False):
        st.switch_page("pages/compare.py")
    st.caption(
        "One file per encoder, one row per item. Rows are matched by ids if both files have them, "
        f"otherwise by position. Formats: {', '.join(SUFFIXES)}."
    )
    a, b = _upload("A"), _upload("B")
    if a is None or b is None:
        _offer_shelf(a or b)
        return
    try:
        pair = relviz.Pair(a, b)
    except UnpairedError as reason:
        _offer_search(a, b, reason)
        return
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return
    lost = pair.audit.left_out_for_values
    if lost:
        st.warning(
            f"{plural(lost, 'row')} with NaN or infinite values. Leave them out, or fix the files.",
            icon=":material/warning:",
        )
    audit_view(pair.audit, (a.name, b.name))
    words = (
        f"Leave them out and compare {count(len(pair))} rows"
        if lost
        else f"Compare these {count(len(pair))} rows"
    )
    icon = ":material/compare:"
    st.button(words, type="primary", icon=icon, on_click=_compare, args=(a, b), width="stretch")


def _compare(a: relviz.Space, b: relviz.Space) -> None:
    try:
        _use(a, b)
    except relviz.Error as reason:
        state.toast(verbatim(reason), icon=":material/error:")
    else:
        st.session_state[_WANTED] = True


def _use(a: relviz.Space, b: relviz.Space) -> None:
    choose_pair(_store(a), _store(b))


def _store(space: relviz.Space) -> str:
    return keep_space(space, Origin(f"{space.found.format} file"))


def _offer_shelf(space: relviz.Space | None) -> None:
    """With one file alone: it can be compared with what is on the shelf."""
    if space is not None:
        st.button("Add to shelf", on_click=_put, args=(space,), icon=":material/shelves:")


def _put(space: relviz.Space) -> None:
    try:
        state.change(shelf=shelf_with(state.current().shelf, _store(space)))
        state.toast(f"{verbatim(space.name)} is on the shelf.", icon=":material/shelves:")
    except relviz.Error as reason:
        state.toast(verbatim(reason), icon=":material/error:")


def _offer_search(a: relviz.Space, b: relviz.Space, reason: UnpairedError) -> None:
    """Nothing matches the rows: the way to anchor optimization."""
    st.warning(verbatim(reason), icon=":material/link_off:")
    st.caption("Without ids, anchor optimization can find correspondences, from a few known pairs or none.")
    if st.button("Find correspondences", type="primary", icon=":material/join_inner:", width="stretch"):
        try:
            _use(a, b)
        except relviz.Error as full:
            st.error(verbatim(full), icon=":material/error:")
        else:
            st.switch_page("pages/bootstrap.py")


def _upload(side: str) -> relviz.Space | None:
    file = st.file_uploader(
        f"File of encoder {side}", type=[suffix.lstrip(".") for suffix in SUFFIXES], key=f"upload_{side}"
    )
    if file is None:
        return None
    try:
        contents = _looked(side, file)
        options = _options(side, file.file_id, contents)
        if contents.choice is None and not options.get("vectors"):
            st.error(verbatim(contents.reason), icon=":material/error:")
            return None
        space = _read(side, file, options)
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return None
    st.caption(verbatim(space.found.sentence()))
    for note in space.found.notes:
        st.caption(verbatim(note))
    return space


def _options(side: str, file_id: str, contents: Contents) -> dict[str, Any]:
    """What the user says of the file's parts, where there is something to say."""
    options: dict[str, Any] = {}
    key = f"{side}_{file_id}"
    matrices = [part.name for part in contents.parts if part.kind == "matrix" and part.name]
    if len(matrices) > 1:
        chosen = contents.choice.vectors[0] if contents.choice else None
        options["vectors"] = st.selectbox(
            f"Vectors of {side}",
            matrices,
            index=matrices.index(chosen) if chosen in matrices else None,
            placeholder="Choose an array of the file",
            key=f"vectors_{key}",
        )
    columns = [] if matrices else [part.name for part in contents.parts if part.kind == "number"]
    texts = list(contents.can_be_text)
    if not columns and not texts:
        return options
    with st.expander(f"Columns of {side}: vectors, ids, classes, texts" if columns else f"Texts of {side}"):
        if columns:
            chosen_columns = st.multiselect(
                "Columns of the vectors", columns, placeholder=FOUND, key=f"columns_{key}"
            )
            if chosen_columns:
                options["vectors"] = chosen_columns
        for role, words in (("ids", "Ids"), ("labels", "Classes"), ("items", "Texts")) if texts else ():
            chosen = st.selectbox(words, [FOUND, *texts], key=f"{role}_{key}")
            if chosen != FOUND:
                options[role] = chosen
    return options


def _looked(side: str, file: UploadedFile) -> Contents:
    """What a file holds, looked at once."""
    kept: dict[str, tuple[str, Contents]] = st.session_state.setdefault(_LOOKED, {})
    if side not in kept or kept[side][0] != file.file_id:
        with reading_bar(file.name) as show:
            kept[side] = (file.file_id, look(file, filename=file.name, on_progress=show))
    return kept[side][1]


def _read(side: str, file: UploadedFile, options: dict[str, Any]) -> relviz.Space:
    """The space in a file, read once for each choice of its parts."""
    wanted = (file.file_id, sorted(options.items()))
    kept: dict[str, tuple[object, relviz.Space]] = st.session_state.setdefault(_READ, {})
    if side not in kept or kept[side][0] != wanted:
        with reading_bar(file.name) as show:
            limits = replace(DEFAULT_LIMITS, memory=settings().quotas.embedding_bytes())
            space = load_space(file, filename=file.name, limits=limits, on_progress=show, **options)
        kept[side] = (wanted, space)
    return kept[side][1]
