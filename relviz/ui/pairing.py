"""An assumed pairing on screen: what a test on held-out rows says of it, and the way to find another."""

import streamlit as st

import relviz
from relviz.measure.pairing import PairingTest
from relviz.ui import state
from relviz.ui.job_view import result_or_progress
from relviz.ui.verbatim import verbatim
from relviz.view.pairing import answer, is_assumed, pairing_task

SHOWN = {
    "plausible": (st.info, ":material/check_circle:"),
    "doubtful": (st.warning, ":material/help:"),
    "random": (st.error, ":material/shuffle:"),
}


def show_assumed_pairing(pair: relviz.Pair, place: str) -> None:
    """Of a pairing by position: that it is assumed, and whether it holds up. Nothing where ids match."""
    if not is_assumed(pair):
        return
    try:
        result = result_or_progress(f"pairing {place}", pairing_task(pair))
    except relviz.Error as reason:
        st.warning(f"Rows are assumed to be paired by position. {verbatim(reason)}", icon=":material/help:")
        return
    if result is None:
        return
    test = PairingTest(**result.meta)
    box, icon = SHOWN[test.verdict]
    with st.container(horizontal=True, vertical_alignment="center"):
        box(f"**Rows are assumed to be paired by position.** {verbatim(answer(test))}", icon=icon)
        if st.button("Find correspondences", icon=":material/join_inner:", key=f"find_{place}"):
            state.change(unpaired=True)
            st.switch_page("pages/bootstrap.py")
