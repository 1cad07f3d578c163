"""Relative codes by hand: how like an image is to each anchor, and what is decoded then."""

from collections.abc import Mapping

import streamlit as st

from relviz.results.autoencoders import (
    Two,
    anchor_images,
    at_rest,
    between,
    decode_changed,
    extreme_anchors,
    moved,
    relative_codes,
)
from relviz.state.image_sets import ImageSet, image_set
from relviz.state.view import Decoding
from relviz.ui import state
from relviz.ui.cells import show_picture
from relviz.ui.decode.swap import show_strip, strip
from relviz.ui.figure_button import figure_button

STEPS = 11


def show_slide(chosen: Decoding, images: ImageSet, two: Two) -> None:
    """Sliders of the anchors that an image is most like or unlike, each beside its anchor's image."""
    row = choose_image(chosen.image, images, "image")
    _show_sliders(chosen, images, two, row)


@st.fragment
def _show_sliders(chosen: Decoding, images: ImageSet, two: Two, row: int) -> None:
    image = images.test[row]
    codes, name = relative_codes(two, image), _name(chosen, row)
    put = [int(key.removeprefix(name)) for key in map(str, st.session_state) if key.startswith(name)]
    pictures = anchor_images(two.relative[0].options, images)
    left, right = st.columns([3, 2], gap="large")
    values = {}
    with left:
        st.caption("Cosine similarity of the image to each anchor. Each slider shows its anchor.")
        for anchor in extreme_anchors(codes, put):
            picture, slider = st.columns([1, 7], vertical_alignment="center")
            with picture:
                show_picture(strip(pictures[anchor][None], 2), 56, f"Anchor {anchor}")
            key = f"{name}{anchor}"
            st.session_state.setdefault(key, at_rest(codes, anchor))
            values[anchor] = slider.slider(f"Similarity to anchor {anchor}", -1.0, 1.0, step=0.01, key=key)
    changes = moved(codes, values)
    made, other = decode_changed(two, codes, changes)
    with right:
        show_strip(image[None], "The image", seen=112)
        show_strip(made[None], "Decoded by its own model", seen=112)
        show_strip(other[None], "Decoded by the other model", seen=112)
        st.button("Reset", on_click=_back, icon=":material/undo:")
        asked = {"sliders": {"changes": [[at, value] for at, value in changes.items()]}}
        figure_button(asked, "slide")


def show_between(chosen: Decoding, images: ImageSet, two: Two) -> None:
    """Interpolation within a model and across models."""
    left, right = st.columns(2)
    with left:
        start = choose_image(chosen.image, images, "image")
    with right:
        end = choose_image(chosen.end, images, "end")
    figure_button({"between": {}}, "between")
    for words, walk in between(two, images.test[start], images.test[end], STEPS):
        with st.columns([3, 1])[0]:
            show_strip(walk, words)
    st.caption(
        "Decoded latents on the straight line between the two images. Only relative codes give the same "
        "images across models."
    )


def choose_image(row: int, images: ImageSet, field: str) -> int:
    """One of the test images, at first that of a row; ``field`` is the choice that it is."""
    key = f"choice_de_{field}"
    st.session_state[key] = min(row, len(images.names) - 1)
    choice = Decoding.choice(field)
    picked: int = st.selectbox(
        choice.label,
        range(len(images.names)),
        format_func=lambda one: f"{images.names[one]} (number {one})",
        help=choice.help,
        key=key,
        on_change=lambda: state.change_decoding(**{field: st.session_state[key]}),
    )
    return picked


def put_sliders(chosen: Decoding, changes: Mapping[int, float]) -> None:
    """Have the sliders of the image that is chosen stand where they were moved, all others at rest."""
    _back()
    row = min(chosen.image, len(image_set(chosen.data).names) - 1)
    st.session_state.update({f"{_name(chosen, row)}{anchor}": value for anchor, value in changes.items()})


def _name(chosen: Decoding, row: int) -> str:
    """What the names of an image's sliders begin with."""
    return f"slide {chosen.data} {chosen.kind} {chosen.latent} {chosen.anchors} {chosen.one} {row} "


def _back() -> None:
    for key in [key for key in st.session_state if str(key).startswith("slide ")]:
        del st.session_state[key]
