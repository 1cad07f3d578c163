"""Encode: texts or pictures of one's own through two encoders or more, and the spaces they make."""

import streamlit as st

from relviz.ui import state
from relviz.ui.encode.encoders import choose_encoders, show_installed
from relviz.ui.encode.items import choose_items
from relviz.ui.encode.jobs import encode, show_others
from relviz.ui.head import show_head

view = state.open_page("encode")
show_head("Encode", "Embed your own texts or images with two encoders, then compare the results.")
items = choose_items()
if items is None:
    show_installed()
    shown = []
else:
    st.subheader("Encoders")
    shown = encode(items, choose_encoders(items.modality), (view.a, view.b))
show_others(view.sources, shown)
