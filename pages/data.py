"""Data: choose a demo pair or bring two files, and see how their rows were matched."""

import streamlit as st

from relviz.ui import state
from relviz.ui.head import show_head
from relviz.ui.names import choose_names
from relviz.ui.open_recipe import recipe_uploader
from relviz.ui.pair_view import audit_view, demo_select, pair_of, show_assumed_pairing, show_items
from relviz.ui.upload import upload_pair
from relviz.ui.verbatim import verbatim

view = state.open_page("data")
show_head("Data", "Choose two embeddings of the same items: a demo, or your own files.")

choose, look = st.columns([4, 5], gap="large")
with choose:
    demo, files, recipe = st.tabs(["A demo", "Your files", "Open a recipe"])
    with demo:
        demo_select(view.a, view.b)
    with files:
        upload_pair()
        st.page_link("pages/encode.py", label="Encode your own texts or images", icon=":material/input:")
    with recipe:
        st.caption("A figure is saved with its recipe. Open the recipe to restore its view.")
        recipe_uploader()

with look:
    pair = pair_of(view.a, view.b)
    st.subheader(verbatim(f"{pair.a.name} / {pair.b.name}"))
    choose_names(view.a, view.b)
    audit_view(pair.audit, (pair.a.name, pair.b.name))
    show_assumed_pairing(pair, "data")
    show_items(pair, (view.a, view.b), height=430)
    st.page_link("pages/compare.py", label="Compare A and B", icon=":material/compare:")
