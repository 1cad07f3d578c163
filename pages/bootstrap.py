"""Bootstrap: find the anchors of one space in another from a few known pairs or none, and watch it."""

import streamlit as st

from relviz.ui import state
from relviz.ui.bootstrap.choices import choose_run, pick_seeds, show_options
from relviz.ui.bootstrap.runs import show_others, show_runs
from relviz.ui.bootstrap.table import show_retrieval_table
from relviz.ui.bootstrap.unpaired import show_unpaired
from relviz.ui.head import show_head
from relviz.ui.pair_view import is_unpaired, open_comparison, pair_select, show_assumed_pairing
from relviz.ui.sharing import offer_to_share

view = state.open_page("bootstrap")
if is_unpaired(view.a, view.b, view.unpaired):
    show_head("Bootstrap", "Find which row of B belongs to which row of A, from a few known pairs or none.")
    if view.unpaired:
        st.button(
            "Pair rows by position again",
            icon=":material/undo:",
            on_click=lambda: state.change(unpaired=False),
        )
    show_unpaired(view.a, view.b, view.ao)
    offer_to_share()
    st.stop()
comparison = open_comparison(view)
pair = comparison.pair

with st.sidebar:
    pair_select(view.a, view.b, view.sources)
    choose_run(view.ao, len(pair))
    show_options(view.ao)

show_head(
    "Bootstrap",
    "Discover anchors in B from a few known pairs, or none, and watch the two relative spaces align.",
)
show_assumed_pairing(pair, "bootstrap")
if view.ao.seeding == "hand":
    pick_seeds(view.ao, comparison, view.map_choices)
show_runs(view.ao, comparison, view.map_choices)
show_others(view.ao, pair)
if view.ao.known:
    with st.expander("The papers' table for this pair", icon=":material/table:"):
        show_retrieval_table(pair)
