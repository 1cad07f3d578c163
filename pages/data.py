"""Data: choose a demo pair or bring two files, and see how their rows were matched."""

import streamlit as st

from relviz.ui import state
from relviz.ui.open_recipe import recipe_uploader
from relviz.ui.pair_view import audit_view, demo_select, pair_of, show_assumed_pairing, show_items
from relviz.ui.upload import upload_pair
from relviz.ui.verbatim import verbatim

view = state.open_page("data")
st.title("Data")
st.markdown("Choose two embeddings of the same items: a demo, or your own files.")

demos, files = st.columns(2, gap="large")
with demos:
    st.subheader("Demos")
    demo_select(view.a, view.b)
with files:
    st.subheader("Your files")
    upload_pair()
    st.page_link("pages/encode.py", label="Encode your own texts or images", icon=":material/input:")

with st.expander("Open a recipe", icon=":material/receipt_long:"):
    st.caption("A figure is saved with its recipe. Open the recipe to restore its view.")
    recipe_uploader()

pair = pair_of(view.a, view.b)
st.subheader(verbatim(f"{pair.a.name} / {pair.b.name}"))
audit_view(pair.audit, (pair.a.name, pair.b.name))
show_assumed_pairing(pair, "data")
show_items(pair)
st.page_link("pages/compare.py", label="Compare A and B", icon=":material/compare:")
