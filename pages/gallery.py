"""Gallery: the papers' own figures and tables, on our data, with the paper's figures beside ours."""

import streamlit as st

from relviz.ui import state
from relviz.ui.gallery import show_gallery

state.open_page("gallery")
st.title("Gallery")
st.markdown(
    "The papers' figures and tables, made anew on the data that comes with relviz; the pictures are what "
    "came out of it when this version was packed. Each is a recipe: made here, on the command line or by "
    "anyone you give it to, it comes out the same, and gives the files that go into a paper."
)
show_gallery()
