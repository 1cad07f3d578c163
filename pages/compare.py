"""Compare: two encoders' absolute and relative spaces of the same items, and how alike they are."""

import streamlit as st

from relviz.ui import controls, state
from relviz.ui.anchors import anchor_controls
from relviz.ui.labels import (
    FITS,
    FITS_HELP,
    METHODS,
    METHODS_HELP,
    PROJECTIONS,
    PROJECTIONS_HELP,
    SIMILARITIES,
    SIMILARITIES_HELP,
)
from relviz.ui.maps import show_maps
from relviz.ui.metrics import metrics_or_progress, show_curve, show_metrics, show_verdict
from relviz.ui.pair_view import open_comparison, pair_select, show_assumed_pairing

view = state.open_page("compare")
comparison = open_comparison(view)
pair = comparison.pair

with st.sidebar:
    pair_select(view.a, view.b, view.sources)
    controls.choice(view, "projection", "Map", PROJECTIONS, PROJECTIONS_HELP)
    if view.projection == "tsne":
        controls.number(view, "perplexity", "Perplexity", "Effective number of neighbors.")
    if view.projection == "umap":
        controls.number(view, "neighbors", "Neighbors", "More shows global shape, fewer local detail.")
    if view.projection in ("tsne", "umap"):
        controls.number(view, "map_seed", "Projection seed")
    controls.choice(view, "method", "Anchors", METHODS, METHODS_HELP)
    anchor_controls(view.anchor_choices, len(pair))
    controls.choice(view, "similarity", "Similarity", SIMILARITIES, SIMILARITIES_HELP)
    controls.toggle(
        view, "center", "Center the spaces", "Subtract each space's mean, then scale rows to unit length."
    )
    with st.expander("Projection and metric settings"):
        controls.choice(view, "fit_absolute", "Absolute maps", FITS, FITS_HELP)
        controls.choice(view, "fit_relative", "Relative maps", FITS, FITS_HELP)
        controls.slider(
            view,
            "quantum",
            "Quantization threshold",
            0.05,
            "Merge rows that are closer than this share of the space's scale. 0 = off.",
        )
        controls.number(view, "k", "Neighbors (k)", most=len(pair) - 1)
        controls.number(
            view, "runs", "Number of anchor samples", "Mean and standard deviation are taken over these."
        )
        controls.number(
            view, "queries", "Queries", "Maximum number of non-anchor items used as queries. 0 = all."
        )

measured = metrics_or_progress(comparison, view.metric_choices)
show_assumed_pairing(pair, "compare")
show_verdict(pair, measured)
show_maps(comparison, view.map_choices, view.color_choices)
table, curve = st.columns([3, 2], gap="large")
with table:
    show_metrics(comparison, view.runs, measured)
with curve:
    show_curve(comparison, view.metric_choices)
