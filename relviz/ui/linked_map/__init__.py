"""The linked map: panes of the same rows that move, light up and select together, in the browser.

One Streamlit component draws all panes in one WebGL context. Zoom, pan, selection and hidden classes
survive every change of colors, projection or anchors, as long as the rows are the same.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import numpy as np
import streamlit as st

from relviz.compute.key import text_digest
from relviz.plotting.colors import Colors, by_class, by_label, by_number, by_place, check_length
from relviz.plotting.linked_map.encoding import (
    BLOCK,
    MapEvent,
    MapSeen,
    click_message,
    decode,
    decode_seen,
    encode,
    text_file,
)
from relviz.plotting.linked_map.scene import MOVE_MS, PictureSheet, Rows, about_of, flags_of
from relviz.plotting.pane import Pane
from relviz.ui.linked_map.assets import assets_path, loader, served
from relviz.ui.names import colors_shown, labels_shown

__all__ = [
    "Colors",
    "MapEvent",
    "MapSeen",
    "Pane",
    "by_class",
    "by_label",
    "by_number",
    "by_place",
    "click_on",
    "last_event",
    "last_seen",
    "linked_map",
    "mark_on",
    "marks_are_shown",
]

_component = st.components.v2.component("relviz_linked_map", js=loader())


def linked_map(
    panes: Sequence[Pane],
    ids: Sequence[str],
    colors: Colors,
    key: str,
    items: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    anchors: Rows = (),
    discovered: Rows = (),
    labeled: Rows = (),
    anchors_shown: bool = False,
    sprite: PictureSheet | None = None,
    height: int = 840,
    on_select: Callable[[], None] = lambda: None,
    move_ms: int = MOVE_MS,
    star_name: str = "anchors",
    below: int = 0,
    discovered_in_all: int = 0,
) -> MapEvent:
    """Draw the panes, and give what is selected in them.

    Parameters
    ----------
    panes
        One to four, each with a point for every row.
    ids
        Names of the rows. As long as they stay the same, so do zoom, selection and hidden classes.
    key
        Name of the map on its page.
    items, labels
        What to show of the row pointed at, and its class; they stay at the server until it is. Classes are
        shown by the names that the session has for them.
    anchors, discovered, labeled
        Rows drawn as stars, as hollow stars, and with their text beside them.
    sprite
        Pictures of the rows, cell ``i`` for row ``i``.
    on_select
        Called before the page is drawn again after a selection.
    star_name
        What the stars are called in the legend.
    below
        Pixels of the screen to leave under the map, which is no higher than the screen.
    move_ms
        How long points take to new places; less than the time to the next, where there is one.
    discovered_in_all
        How many anchors are discovered, where only some of them are drawn.
    """
    total = len(ids)
    check_length(colors, total)
    identity = _identity(tuple(ids))
    flags = flags_of(total, anchors, discovered, labeled)
    about = about_of(
        key, identity, len(anchors), max(len(discovered), discovered_in_all), anchors_shown, star_name
    )
    about |= {"assets": assets_path(), "height": height, "below": below, "move_ms": move_ms}
    about["marked"] = _marked(key, identity, total)
    texts: Mapping[str, object] | None = None
    starts = None
    if items is not None:
        file, starts = _texts(tuple(items), None if labels is None else labels_shown(labels))
        url = served(file, "application/octet-stream", f"{key}.texts")
        texts = {"url": url, "block": BLOCK}
    if sprite is not None:
        url = served(sprite.png, "image/png", f"{key}.sprite")
        about["sprite"] = {"url": url, "cell": sprite.cell, "columns": sprite.columns}
    message = encode(panes, total, colors_shown(colors), flags, about, texts, starts)
    result = _component(key=key, data=message, on_chosen_change=on_select, on_seen_change=lambda: None)
    return decode(_chosen(key, result), total, identity)


def last_event(key: str, ids: Sequence[str]) -> MapEvent:
    """What is selected in the map of that key, before it is drawn again."""
    return decode(_chosen(key, st.session_state.get(key)), len(ids), _identity(tuple(ids)))


def last_seen(key: str, ids: Sequence[str]) -> MapSeen:
    """What the map of that key shows of its points: all, before it is drawn."""
    sent = st.session_state.get(key)
    kept = f"relviz_seen_{key}"
    if sent and sent.get("seen") is not None:
        st.session_state[kept] = sent["seen"]
    return decode_seen(st.session_state.get(kept), _identity(tuple(ids)))


def click_on(key: str, ids: Sequence[str], row: int) -> None:
    """Have a row be the one that was clicked last in the map of that key, as if a person had."""
    st.session_state[f"relviz_chosen_{key}"] = click_message(len(ids), _identity(tuple(ids)), row)


def mark_on(key: str, rows: Sequence[int]) -> None:
    """Have rows be selected in the map of that key when it is drawn next, as if a person had."""
    number, _ = st.session_state.get(f"relviz_marked_{key}", (0, ()))
    st.session_state[f"relviz_marked_{key}"] = (number + 1, tuple(sorted({*rows})))


def marks_are_shown(key: str, ids: Sequence[str]) -> bool:
    """Whether the selection of a map is what was marked on it last, and not what a person selected."""
    _, rows = st.session_state.get(f"relviz_marked_{key}", (0, ()))
    return bool(np.array_equal(last_event(key, ids).selected, rows))


def _marked(key: str, identity: str, total: int) -> dict[str, object] | None:
    """What the browser is to select: rows that there are, and a number that is another each time."""
    number, rows = st.session_state.get(f"relviz_marked_{key}", (0, ()))
    if not number:
        return None
    return {"number": number, "identity": identity, "rows": [row for row in rows if row < total]}


def _chosen(key: str, sent: Mapping[str, object] | None) -> object:
    """What the browser sent last. Streamlit forgets it when the page is left; the browser does not."""
    kept = f"relviz_chosen_{key}"
    chosen = sent.get("chosen") if sent else None
    if chosen is not None:
        st.session_state[kept] = chosen
    return st.session_state.get(kept)


@lru_cache(maxsize=4)
def _texts(items: tuple[str, ...], labels: tuple[str, ...] | None) -> tuple[bytes, np.ndarray]:
    return text_file(items, labels)


@lru_cache(maxsize=4)
def _identity(ids: tuple[str, ...]) -> str:
    return text_digest(ids)
