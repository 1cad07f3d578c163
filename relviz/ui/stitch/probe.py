"""What is probed: an item, a sentence that is typed, or a picture."""

import streamlit as st

import relviz
from relviz.ui import state
from relviz.ui.figure_button import figure_button
from relviz.ui.job_view import result_or_progress
from relviz.ui.picture import show_picture
from relviz.ui.stitch.probed import show_found
from relviz.ui.verbatim import verbatim
from relviz.ui.warming import warm_encoders
from relviz.view import View
from relviz.view.asked import LONGEST, SIDE, as_typed, live_encoders, pixels, probe_new, small_picture
from relviz.view.figure.probe import options_of
from relviz.view.heads import heads_task
from relviz.view.probe import probe_item, probed_item, untold_items
from relviz.view.translation import sides_of

WAYS = {"item": "An item", "text": "A sentence", "image": "A picture"}
PICTURES = ["png", "jpg", "jpeg", "webp", "gif", "bmp"]
GIVEN = "relviz_probe_picture"
"""Where the session keeps the picture of a recipe that was opened."""


def show_probe(view: View, pair: relviz.Pair) -> None:
    """Choose an item, type a sentence or give a picture, and see where it lands."""
    way = _choose_way(view, pair)
    try:
        what = _choose_item(view, pair) if way == "item" else _ask(view, way)
        if what is None:
            return
        _wait_for_heads(view, pair)
        if isinstance(what, int):
            probe = probe_item(view, pair, what)
        else:
            with st.spinner("Asking the encoders; the first time they are loaded, which takes seconds."):
                probe = probe_new(view, what)
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return
    show_found(view, pair, probe)
    try:
        figure_button(view, {"probe": options_of(what)}, "probe")
    except relviz.Error as reason:
        st.caption(verbatim(reason))


def _choose_way(view: View, pair: relviz.Pair) -> str:
    source, target = live_encoders(view)
    warm_encoders([one.name for one in (source, target) if one is not None])
    ways = ["item"] if source is None else ["item", source.card().modality]
    if len(ways) == 1:
        name = verbatim(sides_of(view, pair)[0].name)
        st.caption(
            f"Items only: the encoder of {name} is not here to be asked about anything new. The demos "
            "with live encoders are emoji (pictures, English names) and glosses (MiniLM, WordLlama)."
        )
        return "item"
    if st.session_state.get("probe_way") not in ways:
        st.session_state["probe_way"] = "item"
    chosen = st.segmented_control(
        "What to probe with",
        ways,
        format_func=WAYS.__getitem__,
        key="probe_way",
        label_visibility="collapsed",
    )
    return chosen or "item"


def _ask(view: View, way: str) -> str | bytes | None:
    source, _ = live_encoders(view)
    assert source is not None
    about = source.card()
    if way == "text":
        text = st.text_input(
            f"A sentence for {about.title}",
            key="probe_text",
            max_chars=LONGEST,
            placeholder="Type something and press Enter: a small dog that is happy to see you",
        )
        return as_typed(text) or None
    given = st.file_uploader(
        f"A picture for {about.title}",
        PICTURES,
        key="probe_picture",
        help="It is laid on white, made square and 128 pixels wide, as the emoji were.",
    )
    if given is not None:
        st.session_state.pop(GIVEN, None)
    content: bytes | None = st.session_state.get(GIVEN) if given is None else given.getvalue()
    if content is None:
        return None
    seen = small_picture(view, content)
    show_picture(pixels(seen, SIDE), SIDE)
    if given is None:
        st.caption("The picture of the recipe that was opened. Another can be given in its place.")
    return seen


def _choose_item(view: View, pair: relviz.Pair) -> int:
    untold = untold_items(view, pair)
    st.session_state["choice_item"] = probed_item(view, pair)
    left, right = st.columns([5, 1], vertical_alignment="bottom")
    row: int = left.selectbox(
        "Item",
        range(len(pair)),
        format_func=lambda one: pair.items[one][:80],
        key="choice_item",
        on_change=lambda: state.change(item=st.session_state["choice_item"]),
        help="Type to find one, or select it on the maps of Translate.",
    )
    place = untold.index(row) + 1 if row in untold else 0
    right.button(
        "Another",
        icon=":material/shuffle:",
        on_click=state.change,
        kwargs={"item": untold[place % len(untold)]},
        help="An item that is no anchor and trained no head: a fair test.",
    )
    return row


def _wait_for_heads(view: View, pair: relviz.Pair) -> None:
    try:
        result_or_progress("heads", heads_task(view, pair))
    except relviz.Error as reason:
        st.caption(verbatim(reason))
