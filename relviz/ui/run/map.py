"""The map of a run: A's relative rows stay where they are, B's move into them."""

import numpy as np
import streamlit as st

import relviz
from relviz.ui.linked_map import MapEvent, Pane
from relviz.ui.maps import show_map
from relviz.view import View
from relviz.view.coloured import match_colours
from relviz.view.reel import Frame, Reel
from relviz.view.run import Run
from relviz.wording import count

MOVE_MS = 350
"""Shorter than the time between two looks at a run, so that points arrive before they move on."""
MOST_STARS = 60
"""Of more anchors, some are drawn: stars must not cover the map."""


def show_run_map(
    view: View, run: Run, pair: relviz.Pair, reel: Reel, frame: Frame, place: int, wide: bool
) -> MapEvent:
    """Two panes in the same axes: A, and B as of a frame. Seeds are stars, discovered anchors hollow ones."""
    n = len(pair)
    said = f"{count(n)} rows · cosines to {count(len(reel.opening.anchors))} anchors · PCA axes of A"
    panes = [
        Pane(
            f"A · {pair.a.name}",
            reel.opening.places,
            f"{said} · {reel.opening.explained:.0%} of variance",
            group=0,
        ),
        Pane(f"B · {pair.b.name}", frame.places, f"{said} · step {frame.step + 1} of {reel.of}", group=0),
    ]
    colours = None
    if run.known:
        coloured = st.segmented_control(
            "Colour",
            ["Class", "Right or wrong"],
            default="Class",
            key=f"ao_colour_{place}",
            label_visibility="collapsed",
        )
        colours = match_colours(frame.matches) if coloured == "Right or wrong" else None
    seeds = reel.opening.seeds
    others = np.setdiff1d(reel.opening.anchors, seeds)
    most = MOST_STARS if wide else MOST_STARS // 3
    found = reel.found_at(frame, most)
    event = show_map(
        view,
        pair,
        panes,
        seeds,
        f"ao_map_{place}",
        colours,
        anchors_shown=True,
        height=560 if wide else 520,
        discovered=found,
        move_ms=MOVE_MS,
    )
    some = f"{count(min(most, len(others)))} of the {count(len(others))} other anchors"
    st.caption(
        f"★ seeds, ☆ the rows of B matched with {some} now. A stays, B moves: where the maps agree, "
        "so do the spaces."
    )
    return event
