"""Chosen images, or one that is drawn, through both encoders and both decoders in every way."""

from typing import Literal

import numpy as np
import streamlit as st
from torch import Tensor

from relviz.results.autoencoders import WAYS, WAYS_IN_WORDS, Passed, Two, passed
from relviz.results.drawing import going_in, written
from relviz.state.image_sets import MOST_IMAGES, ImageSet
from relviz.state.view import Decoding
from relviz.ui import controls, state
from relviz.ui.cells import show_picture
from relviz.ui.figure_button import figure_button
from relviz.ui.pad import pad

GAP = 2
"""Pixels between two images, before they are enlarged."""
TIMES = 2
FEW, SIDE = 8, 96
"""Fewer images than these do not fill the row: they are so many pixels wide."""


def show_strip(images: Tensor, caption: str, seen: int | None = None) -> None:
    """Show ``(n, channels, side, side)`` images between 0 and 1, with a caption that says what they are.

    They are as wide as there is room, or each ``seen`` pixels.
    """
    if seen is None and len(images) < FEW:
        seen = SIDE
    pixels = strip(images, TIMES if seen is None else max(1, round(seen / images.shape[-1])))
    width: int | Literal["stretch"] = "stretch" if seen is None else pixels.shape[1]
    show_picture(pixels, width, caption, caption)


def strip(images: Tensor, times: int) -> np.ndarray:
    """``(height, width, 3)`` bytes: the images, each ``times`` as large, a gray line between two."""
    n, channels, side, _ = images.shape
    pixels = (images.clamp(0, 1) * 255).round().to(dtype=images.dtype).numpy().astype(np.uint8)
    pixels = np.repeat(pixels, 3 // channels, axis=1).transpose(0, 2, 3, 1)
    sheet = np.full((side, n * (side + GAP) - GAP, 3), 128, np.uint8)
    for at, image in enumerate(pixels):
        left = at * (side + GAP)
        sheet[:, left : left + side] = image
    return sheet.repeat(times, 0).repeat(times, 1)


_GIVEN = "decode_drawing"


def show_swap(chosen: Decoding, images: ImageSet, two: Two) -> None:
    """A strip for each way and each pair of encoder and decoder."""
    rows = images.chosen(chosen.images)
    left, right, _ = st.columns([1, 1, 2 * SLIM], vertical_alignment="center", gap="small")
    with left:
        show_strip(images.test[rows], "Input")
    with right, st.container(horizontal=True):
        show_choice(images, rows)
        figure_button({"swap": {}}, "swap")
    _show_ways(passed(two, images.test[rows]))


@st.fragment
def show_draw(_: Decoding, images: ImageSet, two: Two) -> None:
    """A drawing through all of them: the one on the pad, or the one of a recipe until there is another."""
    given = _own_image(images)
    left, right = st.columns([1, 3], gap="large")
    with left:
        st.markdown("**Draw a digit**" if images.is_digits else "**Draw something**")
        drawing = pad("decode_pad", _gray(given), _forget)
    image = given if drawing is None else going_in(drawing, images)
    if image is None:
        with right:
            st.info(
                "Draw on the black square. Both models encode it at once.",
                icon=":material/draw:",
            )
        return
    caption = (
        "Input, scaled like the digits of MNIST and centered by center of mass"
        if images.is_digits
        else "Input: the drawing, resized like the training images"
    )
    with right:
        show_strip(image, caption, seen=84)
        figure_button({"drawn": written(image)}, "draw")
        _show_ways(passed(two, image), seen=84, across=4)


def put_drawing(source: str, image: Tensor) -> None:
    """Have a drawing ``(1, channels, side, side)`` for a set of images be shown until something is drawn."""
    st.session_state[_GIVEN] = source, image


def _own_image(images: ImageSet) -> Tensor | None:
    source, image = st.session_state.get(_GIVEN, ("", None))
    return image if source == images.source else None


def _forget() -> None:
    st.session_state.pop(_GIVEN, None)


def _gray(image: Tensor | None) -> np.ndarray | None:
    return None if image is None else (image[0].mean(0) * 255).round().byte().numpy()


def show_choice(images: ImageSet, rows: list[int]) -> None:
    """Other images at random, or those that are ticked."""
    st.button(
        "Resample",
        icon=":material/shuffle:",
        on_click=lambda: state.change_decoding(images=images.after(tuple(rows))),
    )
    st.session_state["choice_de_images"] = rows
    choice = Decoding.choice("images")
    with st.popover("Choose images", icon=":material/checklist:"):
        st.multiselect(
            choice.label,
            range(len(images.names)),
            format_func=lambda row: f"{images.names[row]} (number {row})",
            help=choice.help,
            key="choice_de_images",
            max_selections=MOST_IMAGES,
            on_change=lambda: state.change_decoding(images=tuple(st.session_state["choice_de_images"])),
        )


SLIM = 0.12
"""Share of the width that is left free, so that all ways fit on the first screen."""


def _show_ways(found: list[Passed], seen: int | None = None, across: int = 2) -> None:
    for way, words in WAYS.items():
        some = [one for one in found if one.way == way]
        same = np.mean([one.mse.mean() for one in some if one.path[0] == one.path[1]])
        other = np.mean([one.mse.mean() for one in some if one.path[0] != one.path[1]])
        with st.container(gap="xsmall"):
            st.markdown(
                f"**{words}.** Reconstruction error (MSE): **{same:.3f}** with own decoder, **{other:.3f}** "
                f"with the other's (**{other / max(same, 1e-9):.1f}×**).",
                help=WAYS_IN_WORDS[way],
            )
            for start in range(0, len(some), across):
                columns = st.columns([*[1.0] * across, SLIM * across], gap="small")
                for column, one in zip(columns, some[start : start + across], strict=False):
                    i, j = one.path
                    with column:
                        label = f"Encoder {i + 1} → decoder {j + 1} · MSE {one.mse.mean():.3f}"
                        show_strip(one.images, label, seen)


def choose_models(chosen: Decoding) -> None:
    """Which autoencoders: their kind, latent size and seeds."""
    for name in ("kind", "latent", "anchors", "one", "other"):
        controls.choose(chosen, name)
