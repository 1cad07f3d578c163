"""Compare: two encoders' absolute and relative spaces of the same items, and how alike they are."""

import streamlit as st

from relviz.ui import controls, state
from relviz.ui.anchors import anchor_controls, anchor_slider
from relviz.ui.disagreements import show_disagreements
from relviz.ui.examples import show_examples
from relviz.ui.linked_map import marks_are_shown
from relviz.ui.maps import choose_map, offer_figures, show_maps
from relviz.ui.metrics import metrics_or_progress, show_curve, show_metrics, show_strip
from relviz.ui.pair_view import open_comparison, pair_select, show_assumed_pairing
from relviz.ui.selection import show_selection

TAB, LAST_TAB = "compare_tab", "relviz_compare_tab"
SELECTION = "Selection"
TABS = ("Examples", "Where they disagree", "Metrics", "Number of anchors", SELECTION)


def open_selection() -> None:
    """What is selected on the map is shown under it, unless it was marked from a list under the map."""
    if not marks_are_shown("maps", pair.ids):
        st.session_state[TAB] = SELECTION


view = state.open_page("compare")
comparison = open_comparison(view)
pair = comparison.pair

with st.sidebar:
    pair_select(view.a, view.b, view.sources)
    controls.segments(view, "dimensions")
    if view.projection == "tsne":
        controls.choose(view, "perplexity")
    if view.projection == "umap":
        controls.choose(view, "neighbors")
    if view.projection in ("tsne", "umap"):
        controls.choose(view, "map_seed")
    controls.choose(view, "method")
    anchor_controls(view.anchor_choices, len(pair))
    controls.choose(view, "similarity")
    controls.choose(view, "center")
    with st.expander("Projection and metric settings"):
        controls.choose(view, "fit_absolute")
        controls.choose(view, "fit_relative")
        controls.choose(view, "quantum")
        controls.choose(view, "k", len(pair) - 1)
        controls.choose(view, "runs")
        controls.choose(view, "queries")

verdict = st.container()
show_assumed_pairing(pair, "compare")
with st.container(horizontal=True, vertical_alignment="center"):
    choose_map(view.color, len(pair))
    offer_figures(comparison, view.spaces)
dimension = int(view.dimensions)
event = show_maps(comparison, view.spaces, view.map_choices, view.color_choices, open_selection, dimension)
anchor_slider(view.anchor_choices, pair)
with verdict:
    measured = metrics_or_progress(comparison, view.metric_choices)
st.session_state.setdefault(TAB, st.session_state.get(LAST_TAB, TABS[0]))  # forgotten when the page is left
for name, tab in zip(TABS, st.tabs(TABS, key=TAB, on_change="rerun"), strict=True):
    if not tab.open:
        continue
    with tab:
        match name:
            case "Examples":
                show_examples(comparison)
            case "Where they disagree":
                show_disagreements(comparison, view.k, view.clusters)
            case "Metrics":
                show_strip(measured)
                show_metrics(comparison, view.runs, measured)
            case "Number of anchors":
                show_curve(comparison, view.metric_choices)
            case "Selection":
                show_selection(comparison, view.k, event)
st.session_state[LAST_TAB] = st.session_state[TAB]
