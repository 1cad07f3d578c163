"""The maps of a comparison on screen: panes, colors, classes, texts and pictures in one linked map."""

from collections.abc import Sequence

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
from relviz.results.comparison import GIVEN, QUICK, agreement_task, anchors_of, cluster_task, map_task
from relviz.results.run import starred_rows
from relviz.state import View
from relviz.ui import controls
from relviz.ui.figure_button import Asked, figure_button
from relviz.ui.job_view import leave, result_or_progress
from relviz.ui.labels import COLORS, COLORS_HELP, PROJECTIONS
from relviz.ui.linked_map import Colors, MapEvent, Pane, last_event, linked_map
from relviz.ui.selection import show_selection


def show_map(
    view: View,
    pair: relviz.Pair,
    panes: Sequence[Pane],
    anchors: np.ndarray,
    key: str,
    colors: Colors | None = None,
    anchors_shown: bool = False,
    height: int = 860,
    discovered: np.ndarray | Sequence[int] = (),
    move_ms: int = 700,
) -> MapEvent:
    """Draw panes of a pair; without ``colors``, by class. Gives what is selected in them."""
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
        sprite=pictures_of(view.a, view.b),
        height=height,
    )


def row_panes(
    view: View, pair: relviz.Pair, row: str, at_once: bool = True
) -> tuple[list[Pane], Task | None]:
    """Both panes of a row, and the task still to be run for them if their projection is a slow one.

    Until a slow projection is there, PCA stands in for it, and its caption says so. Unless maps that are
    quick to make are made ``at_once``, a message stands in for them too.
    """
    waiting, shown = "", view
    try:
        task = map_task(view, pair, row)
        result = task.run() if at_once and view.projection in QUICK else task.kept()
        if result is None:
            waiting, shown = view.projection, view.with_changes(projection="pca")
            stand_in = map_task(shown, pair, row)
            result = stand_in.run() if at_once else stand_in.kept()
            if result is None:
                return _missing(view, pair, row, "This map is being computed."), stand_in
    except relviz.Error as reason:
        return _missing(view, pair, row, str(reason)), None
    return panes_of(shown, pair, row, result, waiting), task if waiting else None


def _missing(view: View, pair: relviz.Pair, row: str, message: str) -> list[Pane]:
    return [Pane(title_of(view, row, side.name), None, "", message=message) for side in (pair.a, pair.b)]


AT_ONCE = 50_000
"""Rows up to which PCA takes about a second; maps of more are waited for with progress and a cancel."""


def show_maps(view: View, pair: relviz.Pair) -> None:
    """Absolute spaces over relative ones, A beside B; PCA until slow projections are there."""
    rows = {row: row_panes(view, pair, row, len(pair) <= AT_ONCE) for row in ("absolute", "relative")}
    for row, (_, task) in rows.items():
        _await(row, task)
    try:
        anchors = anchors_of(view, pair).numpy()
    except relviz.Error:
        anchors = np.empty(0, dtype=np.int64)
    color, number, figure = st.columns([2, 1, 5], vertical_alignment="bottom")
    with color:
        controls.choice(view, "color", "Color by", COLORS, COLORS_HELP)
    if view.color in CLUSTERS:
        with number:
            controls.number(view, "clusters", "Clusters", most=len(pair))
    with figure:
        _offer_figures(view, pair)
    panes = [pane for panes, _ in rows.values() for pane in panes]
    known, found = starred_rows(view, pair, anchors)
    event = show_map(view, pair, panes, known, "maps", _colors(view, pair), discovered=found)
    if view.projection in ("tsne", "umap"):
        st.caption(
            f"{PROJECTIONS[view.projection]} keeps neighbors together; how far apart clusters lie, "
            "and how large they are, means little."
        )
    show_selection(view, pair, event)


def _offer_figures(view: View, pair: relviz.Pair) -> None:
    clicked = last_event("maps", pair.ids).clicked
    asked: Asked = {"maps": {"clicked": -1 if clicked is None else clicked}, "measures": {}}
    if view.method not in GIVEN:
        asked = {**asked, "anchor_curve": {}}
    figure_button(view, asked, "compare", "maps")


def _colors(view: View, pair: relviz.Pair) -> Colors | None:
    """What the view asks for; None for the classes, and until the rest can be had."""
    if view.color == "agreement":
        return _agreement_colors(view, pair)
    if view.color in CLUSTERS:
        return _cluster_colors(view, pair)
    return None if view.color == "class" else _similarity_colors(view, pair)


def _agreement_colors(view: View, pair: relviz.Pair) -> Colors | None:
    found = result_or_progress("agreement", agreement_task(view, pair))
    return None if found is None else agreement_colors(found)


def _cluster_colors(view: View, pair: relviz.Pair) -> Colors | None:
    side = view.color[-1]
    found = result_or_progress("clusters", cluster_task(view, pair, side))
    return None if found is None else cluster_colors(pair, side, found)


def _similarity_colors(view: View, pair: relviz.Pair) -> Colors | None:
    """Cosine to the item clicked last; None, with a word on what to do, until one is."""
    clicked = last_event("maps", pair.ids).clicked
    if clicked is None:
        st.info(
            "Click an item on a map to see how similar the others are to it.", icon=":material/touch_app:"
        )
        return None
    return similarity_colors(view, pair, view.color[-1], clicked)


def _await(row: str, task: Task | None) -> None:
    """Progress of the slow projection that a row is to show; nothing if it shows what it should."""
    slot = f"{row} map"
    if task is None:
        leave(slot)
    elif result_or_progress(slot, task) is not None:
        st.rerun()  # it ended after the maps were looked for
