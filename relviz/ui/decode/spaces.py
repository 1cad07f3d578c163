"""Latent spaces of several models as linked maps: the same digit lights up in all of them."""

from functools import lru_cache

import numpy as np
import streamlit as st

import relviz
from relviz.figures.pictures import sheet_of
from relviz.plotting.linked_map.scene import PictureSheet
from relviz.results.autoencoders import latent_maps, share_axes, trained_seeds
from relviz.state.image_sets import ImageSet
from relviz.state.view import Decoding
from relviz.ui import controls, state
from relviz.ui.figure_button import figure_button
from relviz.ui.linked_map import Pane, by_class, by_place, linked_map
from relviz.ui.verbatim import verbatim


def show_spaces(chosen: Decoding, images: ImageSet) -> None:
    """Small multiples of the trainings, absolute or relative."""
    left, right, more, figure = st.columns([3, 3, 4, 2], vertical_alignment="bottom")
    more.button(
        "Four trainings in two dimensions",
        disabled=(chosen.kind, chosen.latent) == ("ae", 2),
        on_click=state.change_decoding,
        kwargs={"kind": "ae", "latent": 2},
        help="As in figure 1 of Moschella et al. 2023: the latent space can be plotted directly.",
    )
    with left:
        controls.choose(chosen, "codes")
    st.session_state.setdefault("decode_once", True)
    once = right.toggle(
        "PCA fitted on the first model",
        key="decode_once",
        help="Off: PCA is fitted separately for each space. Two-dimensional absolute latents need none.",
    )
    try:
        seeds = trained_seeds(chosen)
        maps = latent_maps(chosen, once, seeds)
    except relviz.Error as reason:
        st.info(verbatim(reason), icon=":material/model_training:")
        return
    with figure:
        figure_button({"latents": {"once": once, "seeds": list(seeds)}}, "latents")
    group = 0 if share_axes(chosen, once) else None
    panes = [Pane(one.title, one.points, [one.facts], group=group) for one in maps]
    labels = images.labels[1] if images.labels else None
    linked_map(
        panes,
        [f"{images.source} {row}" for row in range(len(images.names))],
        by_class(labels) if labels else by_place(maps[0].points),
        "decode_spaces",
        items=images.names,
        labels=labels,
        sprite=_pictures(images),
        height=900 if len(panes) > 2 else 620,
        below=70,
    )
    st.caption(
        "The same images in models that differ only in their seed. Absolute spaces are rotated, stretched "
        "or reflected. Relative spaces nearly coincide. Hover over an image to see it in the others."
    )


@lru_cache(maxsize=2)
def _pictures(images: ImageSet) -> PictureSheet | None:
    cells = (images.test.permute(0, 2, 3, 1).numpy() * 255).round().astype(np.uint8)
    return sheet_of(np.repeat(cells, 3 // cells.shape[3], axis=3))
