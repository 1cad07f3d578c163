"""Relative codes by hand: how like an image is to each anchor, and what is decoded then."""

import streamlit as st

from relviz.ui import state
from relviz.ui.decode.strip import show_strip, strip
from relviz.ui.figure_button import figure_button
from relviz.ui.picture import show_picture
from relviz.view import View
from relviz.view.autoencoders import Two, anchor_images
from relviz.view.image_sets import ImageSet
from relviz.view.swapped import between, slid, telling_anchors

SLIDERS, STEPS = 8, 11


def show_slide(view: View, images: ImageSet, two: Two) -> None:
    """Sliders of the anchors that an image is most like or unlike, each beside its anchor's image."""
    row = choose_image(view, images, "image", "Image")
    _show_sliders(view, images, two, row)


@st.fragment
def _show_sliders(view: View, images: ImageSet, two: Two, row: int) -> None:
    image = images.test[row]
    anchors, codes = telling_anchors(two, image, SLIDERS)
    pictures = anchor_images(two.relative[0].options, images)
    left, right = st.columns([3, 2], gap="large")
    changes = {}
    with left:
        st.caption("How like the image is to an anchor, as a cosine; each slider shows its anchor.")
        for anchor in anchors.tolist():
            picture, slider = st.columns([1, 7], vertical_alignment="center")
            with picture:
                show_picture(strip(pictures[anchor][None], 2), 56)
            value = float(codes[anchor])
            key = f"slide {view.de.data} {view.de.kind} {view.de.latent} {view.de.one} {row} {anchor}"
            changes[anchor] = slider.slider(
                f"Likeness to anchor {anchor}",
                -1.0,
                1.0,
                round(value, 2),
                0.01,
                key=key,
            )
    made, other = slid(
        two, codes, {at: value for at, value in changes.items() if abs(value - float(codes[at])) > 0.005}
    )
    with right:
        show_strip(image[None], "The image", seen=112)
        show_strip(made[None], "Decoded by its own model", seen=112)
        show_strip(other[None], "Decoded by the other model", seen=112)
        st.button("Put the sliders back", on_click=_back, icon=":material/undo:")


def show_between(view: View, images: ImageSet, two: Two) -> None:
    """From one image to another, within a model and across models."""
    left, right = st.columns(2)
    with left:
        start = choose_image(view, images, "image", "From")
    with right:
        end = choose_image(view, images, "end", "To")
    figure_button(view, {"between": {}}, "between")
    for words, walk in between(two, images.test[start], images.test[end], STEPS):
        with st.columns([3, 1])[0]:
            show_strip(walk, words)
    st.caption(
        "Latents on the straight line between the two, decoded. Across models only relative codes stay the "
        "same."
    )


def choose_image(view: View, images: ImageSet, field: str, label: str) -> int:
    """One of the test images."""
    key = f"choice_de_{field}"
    st.session_state[key] = min(getattr(view.de, field), len(images.names) - 1)
    row: int = st.selectbox(
        label,
        range(len(images.names)),
        format_func=lambda one: f"{images.names[one]} (number {one})",
        key=key,
        on_change=lambda: state.change_decoding(**{field: st.session_state[key]}),
    )
    return row


def _back() -> None:
    for key in [key for key in st.session_state if str(key).startswith("slide ")]:
        del st.session_state[key]
