"""Encode: texts or pictures of one's own through two encoders or more, and the spaces they make."""

import streamlit as st

from relviz.ui import state
from relviz.ui.encode.encoders import choose_encoders
from relviz.ui.encode.items import choose_items
from relviz.ui.encode.jobs import encode, show_others

view = state.open_page("encode")
st.title("Encode")
st.markdown(
    "Your own texts or pictures through two encoders. Each makes a space; any two spaces can be compared."
)

st.subheader("What")
items = choose_items()

st.subheader("By which encoders")
if items is None:
    st.caption("Give texts or pictures first: then the encoders that take them are listed here.")
    shown = []
else:
    shown = encode(items, choose_encoders(items.modality), (view.a, view.b))
show_others(view.sources, shown)
