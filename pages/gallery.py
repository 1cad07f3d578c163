"""Gallery: the papers' own figures and tables, on our data, with the paper's figures beside ours."""

import streamlit as st

from relviz.ui import state
from relviz.ui.gallery.cards import show_gallery

state.open_page("gallery")
st.title("Gallery")
st.markdown(
    "The papers' figures and tables, made anew on the data that comes with relviz. Each is a recipe: the "
    "same figure comes out of it here, on the command line, and for anyone you give it to. Nothing is "
    "computed before you ask for it; what was made once is there at once."
)
show_gallery()
