"""Latent spaces of several trainings as linked maps: the same digit lights up in all of them."""

import numpy as np
import streamlit as st

import relviz
from relviz.ui import controls, state
from relviz.ui.figure_button import figure_button
from relviz.ui.linked_map import Pane, by_class, linked_map
from relviz.ui.verbatim import verbatim
from relviz.view import View
from relviz.view.decoding import digit_labels, digits
from relviz.view.latent_spaces import latent_maps, share_axes, trained_seeds
from relviz.view.pictures import PictureSheet, sheet_of

CODES = {"absolute": "Absolute", "relative": "Relative"}


def show_spaces(view: View) -> None:
    """Small multiples of the trainings, absolute or relative."""
    left, right, more = st.columns(3, vertical_alignment="bottom")
    more.button(
        "Four trainings in two dimensions",
        disabled=(view.de.kind, view.de.latent) == ("ae", 2),
        on_click=state.change_decoding,
        kwargs={"kind": "ae", "latent": 2},
        help="As in figure 1 of Moschella et al. 2023: the latent space itself can be drawn.",
    )
    with left:
        controls.choice(
            view.de, "codes", "Codes", CODES, "Relative: cosines to the latents of the same anchors."
        )
    st.session_state.setdefault("decode_once", True)
    once = right.toggle(
        "PCA fitted once, on the first training",
        key="decode_once",
        help="Off: each space has PCA axes of its own. In two dimensions absolute latents need none.",
    )
    try:
        seeds = trained_seeds(view.de.kind, view.de.latent)
        maps = latent_maps(view.de.kind, view.de.latent, view.de.codes, once, seeds)
    except relviz.Error as reason:
        st.info(verbatim(reason), icon=":material/model_training:")
        return
    group = 0 if share_axes(view.de.latent, view.de.codes, once) else None
    panes = [Pane(one.title, one.points, one.said, group=group) for one in maps]
    labels = digit_labels()
    linked_map(
        panes,
        [str(row) for row in range(len(labels))],
        by_class(labels),
        "decode_spaces",
        items=[f"a {label}" for label in labels],
        labels=labels,
        sprite=_pictures(),
        height=760 if len(panes) > 2 else 520,
    )
    figure_button(view, {"latents": {"once": once, "seeds": list(seeds)}}, "latents")
    st.caption(
        "The same digits in trainings that differ in nothing but the seed. Absolute: turned, stretched, the "
        "other way round. Relative: hardly to be told apart. Point at a digit to see where the others put it."
    )


@st.cache_resource(show_spinner=False)
def _pictures() -> PictureSheet | None:
    cells = (digits()[:, 0].numpy() * 255).round().astype(np.uint8)
    return sheet_of(np.repeat(cells[..., None], 3, axis=3))
