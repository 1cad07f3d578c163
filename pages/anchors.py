"""Anchors: which items the relative spaces are measured against, where they lie, and whether they serve."""

import streamlit as st

from relviz.ui import controls, state
from relviz.ui.anchors import (
    anchor_controls,
    anchor_slider,
    anchors_or_reason,
    pick_anchors,
    show_anchor_items,
    show_anchor_map,
    show_classes,
    show_quality,
)
from relviz.ui.head import show_head
from relviz.ui.pair_view import open_comparison, pair_select

view = state.open_page("anchors")
comparison = open_comparison(view)
pair = comparison.pair

with st.sidebar:
    pair_select(view.a, view.b, view.sources)
    controls.choose(view, "method")
    anchor_controls(view.anchor_choices, len(pair))

show_head(
    "Anchors", "Anchors are the items that all others are compared with. Both encoders use the same ones."
)
if view.method == "hand":
    pick_anchors(view.picks, pair)
anchors = anchors_or_reason(comparison)
show_anchor_map(comparison, view.map_choices, anchors)
anchor_slider(view.anchor_choices, pair)
show_quality(comparison, anchors)
show_anchor_items(comparison, anchors)
show_classes(pair, anchors)
