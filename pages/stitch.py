"""Stitch: carry items of one encoder into the space of another through anchors, and see what works there."""

import streamlit as st

from relviz.ui import controls, state
from relviz.ui.anchors import anchor_controls
from relviz.ui.head import show_head
from relviz.ui.pair_view import open_comparison, pair_select
from relviz.ui.stitch.matrix import show_matrix
from relviz.ui.stitch.probe import show_probe
from relviz.ui.stitch.rescaling import show_scale
from relviz.ui.stitch.sweep import show_sweep
from relviz.ui.stitch.translate import choose_translation, open_translation, show_translation

view = state.open_page("stitch")
problem = open_translation(open_comparison(view), view.translation_choices)
pair = problem.pair

with st.sidebar:
    pair_select(view.a, view.b, view.sources)
    controls.choose(view, "method")
    anchor_controls(view.anchor_choices, len(pair))
    choose_translation(problem, view.part)

show_head("Stitch", "Translate vectors from one model's space to another's, using nothing but the anchors.")
tools = st.container(horizontal=True, vertical_alignment="center")
with tools:
    controls.segments(view, "part")
match view.part:
    case "translate":
        show_translation(problem, view.head, tools)
    case "heads":
        show_matrix(view.stitching_choices, view.wide, view.a, view.b, view.sources)
    case "sweep":
        show_sweep(problem, view.stitching_choices)
    case "probe":
        show_probe(problem, view.head, view.item)
    case "scale":
        show_scale(problem)
