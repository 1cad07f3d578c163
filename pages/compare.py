"""Compare: two encoders' absolute and relative spaces of the same items, and how alike they are."""

import streamlit as st

from relviz.ui import controls, state
from relviz.ui.anchors import anchor_controls
from relviz.ui.maps import show_maps
from relviz.ui.metrics import metrics_or_progress, show_curve, show_metrics, show_verdict
from relviz.ui.pair_view import open_comparison, pair_select, show_assumed_pairing

view = state.open_page("compare")
comparison = open_comparison(view)
pair = comparison.pair

with st.sidebar:
    pair_select(view.a, view.b, view.sources)
    controls.choose(view, "projection")
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

measured = metrics_or_progress(comparison, view.metric_choices)
show_assumed_pairing(pair, "compare")
show_verdict(pair, measured)
show_maps(comparison, view.map_choices, view.color_choices)
table, curve = st.columns([3, 2], gap="large")
with table:
    show_metrics(comparison, view.runs, measured)
with curve:
    show_curve(comparison, view.metric_choices)
