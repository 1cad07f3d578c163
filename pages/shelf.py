"""Shelf: every space that is loaded, which two are compared, and how all of them relate."""

import streamlit as st

from relviz.ui import state
from relviz.ui.shelf.every_pair import show_every_pair
from relviz.ui.shelf.spaces import add_demo_spaces, show_spaces
from relviz.ui.shelf.workspace import save_or_open

view = state.open_page("shelf")
st.title("Shelf")
st.markdown("The spaces at hand. Any two of them can be A and B, which all other pages show.")
show_spaces(view.sources, (view.a, view.b))
add_demo_spaces()
st.page_link("pages/compare.py", label="Compare A and B", icon=":material/compare:")

st.subheader("Every pair")
show_every_pair(view.sources, view.count, view.seed)

st.subheader("Workspace")
save_or_open()
