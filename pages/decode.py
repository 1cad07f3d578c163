"""Decode: an image through one autoencoder's encoder and another's decoder, absolute and relative."""

import streamlit as st

from relviz.ui import controls, state
from relviz.ui.decode.images import choose_images, images_or_form, models_or_training
from relviz.ui.decode.sliders import show_between, show_slide
from relviz.ui.decode.spaces import show_spaces
from relviz.ui.decode.swap import choose_models, show_draw, show_swap
from relviz.ui.decode.tables import show_tables
from relviz.ui.decode.unpaired import show_unpaired
from relviz.ui.head import show_head

OF_TWO = {
    "swap": show_swap,
    "draw": show_draw,
    "slide": show_slide,
    "between": show_between,
    "unpaired": show_unpaired,
}
OF_MANY = {"spaces": show_spaces, "tables": show_tables}

view = state.open_page("decode")

with st.sidebar:
    choose_images(view.de)
    choose_models(view.de)

show_head("Decode", "Encode an image with one autoencoder, decode it with another that differs in its seed.")
controls.segments(view.de, "part")
images = images_or_form(view.de)
if images is not None and view.de.part in OF_MANY:
    OF_MANY[view.de.part](view.de, images)
elif images is not None:
    two = models_or_training(view.de, images)
    if two is not None:
        OF_TWO[view.de.part](view.de, images, two)
