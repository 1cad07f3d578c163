"""Gallery: the papers' own figures and tables, on our data, with the paper's figures beside ours."""

import streamlit as st

from relviz.ui import state
from relviz.ui.gallery import show_gallery

state.open_page("gallery")
st.title("Gallery")
st.markdown(
    "The papers' figures and tables, reproduced on the demos of relviz. The previews were made when this "
    "version was built. Each figure has a recipe, which gives the same result here, on the command line or "
    "for anyone you send it to."
)
show_gallery()
