"""Stitch: carry items of one encoder into the space of another through anchors, and see what works there."""

import streamlit as st

from relviz.ui import controls, state
from relviz.ui.anchors import anchor_controls
from relviz.ui.labels import METHODS, METHODS_HELP, PARTS
from relviz.ui.pair_view import pair_of, pair_select
from relviz.ui.stitch.matrix import show_matrix
from relviz.ui.stitch.probe import show_probe
from relviz.ui.stitch.rescaling import show_scale
from relviz.ui.stitch.sweep import show_sweep
from relviz.ui.stitch.translate import choose_translation, show_translation

SHOW = {
    "translate": show_translation,
    "heads": show_matrix,
    "sweep": show_sweep,
    "probe": show_probe,
    "scale": show_scale,
}

view = state.open_page("stitch")
pair = pair_of(view.a, view.b)

with st.sidebar:
    pair_select(view.a, view.b, view.sources)
    controls.choice(view, "method", "Anchors", METHODS, METHODS_HELP)
    anchor_controls(view, pair)
    choose_translation(view, pair)

st.title("Stitch")
st.markdown("Translate vectors from one model's space to another's, using nothing but the anchors.")
controls.segments(view, "part", "Section", PARTS)
SHOW[view.part](view, pair)
