"""Encode: texts or pictures of one's own through two encoders or more, and the spaces they make."""

import streamlit as st

from relviz.ui import state
from relviz.ui.encode.encoders import choose_encoders
from relviz.ui.encode.items import choose_items
from relviz.ui.encode.jobs import encode, show_others

view = state.open_page("encode")
st.title("Encode")
st.markdown("Embed your own texts or images with two encoders, then compare the results.")

st.subheader("What")
items = choose_items()

st.subheader("Encoders")
if items is None:
    st.caption("Add texts or images first. The encoders that accept them are then listed here.")
    shown = []
else:
    shown = encode(items, choose_encoders(items.modality), (view.a, view.b))
show_others(view.sources, shown)
