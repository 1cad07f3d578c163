"""The maps of a comparison on screen: panes, colors, classes, texts and pictures in one linked map."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

import relviz
from relviz.compute.task import Task
from relviz.figures.panes import (
    CLUSTERS,
    agreement_colors,
    cluster_colors,
    panes_of,
    plain_colors,
    similarity_colors,
    title_of,
)
from relviz.figures.pictures import pictures_of
from relviz.plotting.linked_map.scene import PictureSheet
from relviz.results.comparison import Comparison
from relviz.results.maps import QUICK, Maps, maps
from relviz.results.neighborhoods import clusters_of, neighborhood_agreement
from relviz.state.option_labels import PROJECTIONS
from relviz.state.view import ColorChoices, MapChoices
from relviz.ui import controls, state
from relviz.ui.figure_button import Asked, figure_button
from relviz.ui.job_view import leave, result_or_progress
from relviz.ui.linked_map import Colors, MapEvent, Pane, last_event, linked_map


def show_map(
    pair: relviz.Pair,
    panes: Sequence[Pane],
    anchors: np.ndarray,
    key: str,
    pictures: PictureSheet | None = None,
    colors: Colors | None = None,
    anchors_shown: bool = False,
    height: int = 860,
    discovered: np.ndarray | Sequence[int] = (),
    move_ms: int = 700,
    star_name: str = "anchors",
    below: int = 0,
    discovered_in_all: int = 0,
    on_select: Callable[[], None] = lambda: None,
) -> MapEvent:
    """Draw panes of a pair; without ``colors``, by class. Gives what is selected in them.

    ``below`` are pixels of the screen that are left to what stands under the map. Of ``discovered_in_all``
    anchors only those ``discovered`` are drawn.
    """
    first = next((pane.points for pane in panes if pane.points is not None), None)
    return linked_map(
        panes,
        pair.ids,
        colors or plain_colors(pair, first),
        key,
        items=pair.items,
        labels=pair.labels,
        anchors=anchors,
        discovered=discovered,
        move_ms=move_ms,
        anchors_shown=anchors_shown,
        sprite=pictures,
        height=height,
        star_name=star_name,
        below=below,
        discovered_in_all=discovered_in_all,
        on_select=on_select,
    )


def row_panes(
    comparison: Comparison, choices: MapChoices, row: str, at_once: bool = True, dimension: int = 2
) -> tuple[list[Pane], Task[Maps] | None]:
    """Both panes of a row, and the task still to be run for them if their projection is a slow one.

    Until a slow projection is there, PCA stands in for it, and its caption says so. Unless maps that are
    quick to make are made ``at_once``, a message stands in for them too.
    """
    waiting, shown = "", choices
    try:
        task = maps(comparison, choices, row, dimension)
        made = task.run() if at_once and choices.projection in QUICK else task.stored()
        if made is None:
            waiting, shown = choices.projection, replace(choices, projection="pca")
            stand_in = maps(comparison, shown, row, dimension)
            made = stand_in.run() if at_once else stand_in.stored()
            if made is None:
                return _missing(comparison, row, "Computing this map."), stand_in
    except relviz.Error as reason:
        return _missing(comparison, row, str(reason)), None
    return panes_of(comparison, shown, row, made, waiting), task if waiting else None


def _missing(comparison: Comparison, row: str, message: str) -> list[Pane]:
    names = [space.name for space in (comparison.pair.a, comparison.pair.b)]
    return [Pane(title_of(comparison.similarity, row, name), None, message=message) for name in names]


BELOW = 56
"""Pixels of the first screen under the maps of Compare: the slider."""
AT_ONCE = 50_000
"""Rows up to which PCA takes about a second; maps of more are waited for with progress and a cancel."""


def choose_map(color: str, rows: int) -> None:
    """A row of controls: which spaces, by which projection, in which colors."""
    view = state.current()
    controls.segments(view, "spaces")
    controls.segments(view, "projection")
    controls.inline_select(view, "color")
    if color in CLUSTERS:
        controls.choose(view, "clusters", rows)


def show_maps(
    comparison: Comparison,
    spaces: str,
    choices: MapChoices,
    asked: ColorChoices,
    on_select: Callable[[], None],
    dimension: int = 2,
) -> MapEvent:
    """A beside B, in the spaces that are asked for or in both; PCA until slow projections are there."""
    pair = comparison.pair
    shown = ("absolute", "relative") if spaces == "both" else (spaces,)
    rows = {row: row_panes(comparison, choices, row, len(pair) <= AT_ONCE, dimension) for row in shown}
    for row, (_, task) in rows.items():
        _await(row, task)
    try:
        anchors = comparison.anchors.numpy()
    except relviz.Error:
        anchors = np.empty(0, dtype=np.int64)
    panes = [pane for panes, _ in rows.values() for pane in panes]
    known, found = comparison.stars(anchors)
    event = show_map(
        pair,
        panes,
        known,
        "maps",
        pictures_of(*comparison.sources),
        _colors(comparison, asked),
        discovered=found,
        below=BELOW,
        on_select=on_select,
    )
    if choices.projection in ("tsne", "umap"):
        st.caption(
            f"{PROJECTIONS[choices.projection]} preserves neighborhoods. Distances between clusters, and "
            "their sizes, mean little."
        )
    return event


def offer_figures(comparison: Comparison, spaces: str) -> None:
    """What is on screen, as a figure."""
    clicked = last_event("maps", comparison.pair.ids).clicked
    at = -1 if clicked is None else clicked
    asked: Asked = {
        "maps": {"clicked": at, "rows": spaces},
        "measures": {},
        "disagreement": {},
        "self_similarity": {},
    }
    if not comparison.choices.is_given:
        asked = {**asked, "anchor_curve": {}}
    figure_button(asked, "compare", "maps")


def _colors(comparison: Comparison, asked: ColorChoices) -> Colors | None:
    """What is asked for; None for the classes, and until the rest can be had."""
    if asked.color == "agreement":
        return _agreement_colors(comparison.pair, asked.k)
    if asked.color in CLUSTERS:
        return _cluster_colors(comparison.pair, asked.color[-1], asked.clusters)
    return None if asked.color == "class" else _similarity_colors(comparison, asked.color[-1])


def _agreement_colors(pair: relviz.Pair, k: int) -> Colors | None:
    found = result_or_progress("agreement", neighborhood_agreement(pair, k))
    return None if found is None else agreement_colors(found)


def _cluster_colors(pair: relviz.Pair, side: str, k: int) -> Colors | None:
    space = pair.a if side == "a" else pair.b
    found = result_or_progress("clusters", clusters_of(space, k))
    return None if found is None else cluster_colors(pair, side, found)


def _similarity_colors(comparison: Comparison, side: str) -> Colors | None:
    """Cosine to the item clicked last; None, with a word on what to do, until one is."""
    clicked = last_event("maps", comparison.pair.ids).clicked
    if clicked is None:
        st.info(
            "Click an item on a map to color all others by their similarity to it.",
            icon=":material/touch_app:",
        )
        return None
    return similarity_colors(comparison, side, clicked)


def _await(row: str, task: Task[Maps] | None) -> None:
    """Progress of the slow projection that a row is to show; nothing if it shows what it should."""
    slot = f"{row} map"
    if task is None:
        leave(slot)
    elif result_or_progress(slot, task) is not None:
        st.rerun()  # it ended after the maps were looked for
