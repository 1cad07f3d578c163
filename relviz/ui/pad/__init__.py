"""A pad to draw on, in the browser: what is drawn comes here as gray pixels."""

import base64
import binascii
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import streamlit as st
from numpy.typing import NDArray

SIDE = 56
_HERE = Path(__file__).parent

_component = st.components.v2.component(
    "relviz_pad",
    html=(_HERE / "pad.html").read_text("utf-8"),
    css=(_HERE / "pad.css").read_text("utf-8"),
    js=(_HERE / "pad.js").read_text("utf-8"),
)


def pad(
    key: str, begun: NDArray[np.uint8] | None = None, on_draw: Callable[[], None] = lambda: None
) -> NDArray[np.uint8] | None:
    """Show the pad; ``(56, 56)`` gray pixels of what is drawn, white on black, or None if nothing is.

    Parameters
    ----------
    begun
        Gray pixels ``(side, side)`` that an empty pad shows, to be drawn on.
    on_draw
        Called when something was drawn or the pad was cleared.
    """
    shown = "" if begun is None else base64.b64encode(begun.tobytes()).decode("ascii")
    value = _component(key=key, data={"begun": shown}, on_drawn_change=on_draw)
    return drawn(value)


def drawn(message: Mapping[str, object] | None) -> NDArray[np.uint8] | None:
    """What the browser told as pixels; anything else than it would tell counts as nothing drawn."""
    text = message.get("drawn") if message else None
    if not isinstance(text, str) or not text:
        return None
    try:
        raw = base64.b64decode(text, validate=True)
    except binascii.Error:
        return None
    pixels = np.frombuffer(raw, np.uint8)
    return pixels.reshape(SIDE, SIDE) if pixels.size == SIDE * SIDE and pixels.any() else None
