"""Chosen images, or one that is drawn, through both encoders and both decoders in every way."""

import numpy as np
import streamlit as st
import torch

from relviz.ui import controls, state
from relviz.ui.decode.strip import show_strip
from relviz.ui.figure_button import figure_button
from relviz.ui.pad import pad
from relviz.view import View
from relviz.view.decoding import (
    MOST_IMAGES,
    WAYS,
    WAYS_SAID,
    Passed,
    Two,
    chosen_digits,
    digit_labels,
    digits,
    first_digits,
    passed,
)
from relviz.view.drawn import as_digit


def show_swap(view: View, two: Two) -> None:
    """A strip for each way and each pair of encoder and decoder."""
    rows = chosen_digits(view.de)
    _choose(rows)
    images = digits()[rows]
    with st.columns(2)[0]:
        show_strip(images, "What goes in")
    figure_button(view, {"swap": {}}, "swap")
    _show_ways(passed(two, images))


def show_draw(_: View, two: Two) -> None:
    """A drawing through all of them."""
    left, right = st.columns([1, 3], gap="large")
    with left:
        st.markdown("**Draw a digit**")
        drawing = pad("decode_pad")
    if drawing is None:
        with right:
            st.info(
                "Draw a digit on the black square: it goes through both models at once.",
                icon=":material/draw:",
            )
        return
    image = torch.from_numpy(as_digit(drawing))[None, None]
    with right:
        show_strip(image, "What goes in: as large as the digits of MNIST, in the middle by its mass", seen=84)
        _show_ways(passed(two, image), seen=84, across=4)


def _choose(rows: list[int]) -> None:
    labels = digit_labels()
    untold = list(range(len(labels)))
    st.session_state["choice_de_images"] = rows
    st.multiselect(
        "Images, of those that trained nothing",
        untold,
        format_func=lambda row: f"{labels[row]} (number {row})",
        key="choice_de_images",
        max_selections=MOST_IMAGES,
        on_change=lambda: state.change_decoding(images=tuple(st.session_state["choice_de_images"])),
    )
    st.button("Others", icon=":material/shuffle:", on_click=_draw_others)


def _draw_others() -> None:
    """The next test image of each class after those that are shown."""
    labels, shown = digit_labels(), state.kept().de.images or first_digits()
    last = dict(zip([labels[row] for row in shown], shown, strict=True))
    found: dict[str, int] = {}
    for row in range(len(labels)):
        if row > last.get(labels[row], -1):
            found.setdefault(labels[row], row)
    state.change_decoding(images=tuple(found[label] for label in sorted(found)))


def _show_ways(found: list[Passed], seen: int | None = None, across: int = 2) -> None:
    for way, words in WAYS.items():
        some = [one for one in found if one.way == way]
        same = np.mean([one.mse.mean() for one in some if one.path[0] == one.path[1]])
        other = np.mean([one.mse.mean() for one in some if one.path[0] != one.path[1]])
        st.markdown(f"#### {words}")
        st.markdown(
            f"Mean squared error with its own decoder **{same:.3f}**, with the other's **{other:.3f}**: "
            f"**{other / max(same, 1e-9):.1f} ×** as much."
        )
        st.caption(WAYS_SAID[way])
        for start in range(0, len(some), across):
            for column, one in zip(st.columns(across), some[start : start + across], strict=True):
                i, j = one.path
                each = " · ".join(f"{value:.3f}" for value in one.mse)
                with column:
                    show_strip(one.images, f"Encoder {i + 1} → decoder {j + 1} · MSE {each}", seen)


def choose_models(view: View) -> None:
    """Which autoencoders: their kind, latent size and seeds."""
    controls.choice(view.de, "kind", "Kind", {"ae": "Autoencoder", "vae": "Variational autoencoder"})
    controls.number(view.de, "latent", "Latent dimensions", "2 can be drawn; more show more of the image.")
    controls.number(view.de, "one", "Seed of the first")
    controls.number(view.de, "other", "Seed of the second", "They differ in nothing but the seed.")
