"""Decode: an image through one autoencoder's encoder and another's decoder, absolute and relative."""

import streamlit as st

from relviz.ui import controls, state
from relviz.ui.decode.slide import show_between, show_slide
from relviz.ui.decode.spaces import show_spaces
from relviz.ui.decode.swap import choose_models, show_draw, show_swap
from relviz.ui.decode.trained import models_or_training
from relviz.ui.wording import DECODE_PARTS

SHOW = {"swap": show_swap, "draw": show_draw, "slide": show_slide, "between": show_between}

view = state.open_page("decode")

with st.sidebar:
    choose_models(view)

st.title("Decode")
st.markdown(
    "An image through one encoder and the other's decoder: two trainings that differ in nothing but their "
    "seed. Absolute codes: garbage. Relative codes: itself."
)
controls.segments(view.de, "part", "Part of the page", DECODE_PARTS)
if view.de.part == "spaces":
    show_spaces(view)
else:
    two = models_or_training(view)
    if two is not None:
        SHOW[view.de.part](view, two)
