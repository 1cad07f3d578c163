"""Data: choose a demo pair or bring two files, and see how their rows were matched."""

import streamlit as st

from relviz.ui import state
from relviz.ui.labels import verbatim
from relviz.ui.open_recipe import recipe_uploader
from relviz.ui.pair_view import audit_view, demo_select, pair_of, show_assumed_pairing, show_items
from relviz.ui.upload import upload_pair

view = state.open_page("data")
st.title("Data")
st.markdown(
    "Two spaces of the same items: two encoders, row against row. "
    "Choose two that come with relviz, or bring your own."
)

demos, files = st.columns(2, gap="large")
with demos:
    st.subheader("Demos")
    demo_select(view.a, view.b)
with files:
    st.subheader("Your files")
    upload_pair()
    st.page_link("pages/encode.py", label="Encode texts or pictures of your own", icon=":material/input:")

with st.expander("Open a recipe", icon=":material/receipt_long:"):
    st.caption("What is on screen can be saved as a figure with its recipe. Opened here, it is seen again.")
    recipe_uploader()

pair = pair_of(view.a, view.b)
st.subheader(verbatim(f"{pair.a.name} / {pair.b.name}"))
audit_view(pair.audit, (pair.a.name, pair.b.name))
show_assumed_pairing(pair, "data")
show_items(pair)
st.page_link("pages/compare.py", label="Compare the two spaces", icon=":material/compare:")
