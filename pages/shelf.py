"""Shelf: every space that is loaded, which two are compared, and how all of them relate."""

import streamlit as st

from relviz.ui import state
from relviz.ui.head import show_head
from relviz.ui.sharing import show_links
from relviz.ui.shelf.every_pair import show_every_pair
from relviz.ui.shelf.spaces import add_demo_spaces, show_spaces
from relviz.ui.shelf.storage import show_storage
from relviz.ui.shelf.workspace import save_or_open

view = state.open_page("shelf")
show_head(
    "Shelf", ("Loaded embeddings, each on its first two principal components. Choose A and B for every page.")
)
show_spaces(view.sources, (view.a, view.b))
add_demo_spaces()

st.subheader("All pairs")
show_every_pair(view.sources, view.count, view.seed)

with st.expander("Shared links", icon=":material/share:"):
    show_links()
with st.expander("Storage", icon=":material/hard_drive:"):
    show_storage()
with st.expander("Workspace", icon=":material/save:"):
    save_or_open()
