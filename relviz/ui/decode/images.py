"""Which images: the digits that come with the project, or pictures of one's own made small."""

import streamlit as st

import relviz
from relviz.items import Pictures
from relviz.stitch.decode import SIDES, check_enough
from relviz.ui import state
from relviz.ui.encode.items import choose_items
from relviz.ui.job_view import result_or_progress, start
from relviz.ui.verbatim import verbatim
from relviz.view import View
from relviz.view.claims import claim
from relviz.view.image_sets import DIGITS, ImageSet, image_set, images_task
from relviz.wording import count

OWN = "own"
_SEEN, _MAKING, _SLOT = "relviz_image_sets", "relviz_images_making", "decode_images"
COLOURS = {None: "If there are any", False: "Grey"}


def choose_images(view: View) -> None:
    """The sets of images that this session has seen, and the way to others; a list for the sidebar."""
    seen: dict[str, str] = st.session_state.setdefault(_SEEN, {})
    sources = list(dict.fromkeys([DIGITS, *seen, view.de.data, OWN]))
    names = {DIGITS: "Handwritten digits", OWN: "Pictures of your own…"} | seen
    st.session_state["choice_de_data"] = view.de.data
    st.selectbox(
        "Images",
        sources,
        format_func=lambda source: names.get(source, "Pictures of a link"),
        key="choice_de_data",
        on_change=lambda: _use(st.session_state["choice_de_data"]),
    )


def images_or_form(view: View) -> ImageSet | None:
    """The images of the view; where it names none, what it takes to have them, and None."""
    if view.de.data == OWN:
        _ask()
        return None
    try:
        found = image_set(view.de.data)
    except relviz.Error as reason:
        st.info(verbatim(reason), icon=":material/image_search:")
        st.button("Take the handwritten digits", on_click=_use, args=(DIGITS,))
        return None
    if not found.is_digits:
        st.session_state[_SEEN][found.source] = found.title
        channels = "in colour" if found.train.shape[1] > 1 else "in grey"
        side = found.train.shape[-1]
        st.caption(
            f"{verbatim(found.title)}: {count(len(found.train))} train, {count(len(found.test))} do not; "
            f"{side} × {side} pixels {channels}."
        )
        for note in found.notes:
            st.caption(verbatim(note))
    return found


def _use(source: str) -> None:
    st.session_state.pop(_MAKING, None)
    state.change_decoding(data=source, images=(), image=0, end=1)


def _ask() -> None:
    st.markdown("#### Pictures of your own")
    st.caption(
        "Of any sizes, at least 200, the more alike the better: faces, letters, icons. They are made small "
        "and square, four fifths of them train. Folders in a zip become classes."
    )
    items = choose_items("Where they are", ("pictures", "folder", "demo"), "image")
    if not isinstance(items, Pictures):
        return
    left, right, _ = st.columns([1, 1, 3])
    side = left.selectbox("Pixels a side", SIDES, key="decode_side")
    colour = right.selectbox("Colours", list(COLOURS), format_func=COLOURS.__getitem__, key="decode_colour")
    try:
        check_enough(len(items))
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return
    task = images_task(items, side, colour)
    if st.session_state.get(_MAKING) == task.key:
        if result_or_progress(_SLOT, task) is not None:
            _use(task.key)
            st.rerun()
        return

    def begin() -> None:
        st.session_state[_SEEN][task.key] = items.name or "Pictures"
        st.session_state[_MAKING] = task.key
        claim(task.key)
        start(task)

    st.button("Use these pictures", type="primary", icon=":material/check:", on_click=begin)
