"""Images side by side on one strip, large enough to be looked at."""

import numpy as np
import streamlit as st
from torch import Tensor

GAP = 2
"""Pixels between two images, before they are enlarged."""
SEEN = 56
"""Width of an image on the screen, in pixels, at least."""


def show_strip(images: Tensor, caption: str, seen: int = SEEN) -> None:
    """Show ``(n, channels, side, side)`` images between 0 and 1, with a caption that says what they are."""
    pixels = strip(images, max(1, round(seen / images.shape[-1])))
    st.image(pixels, caption=caption, width=pixels.shape[1], output_format="PNG")


def strip(images: Tensor, times: int) -> np.ndarray:
    """``(height, width, 3)`` bytes: the images, each ``times`` as large, a grey line between two."""
    n, channels, side, _ = images.shape
    pixels = (images.clamp(0, 1) * 255).round().to(dtype=images.dtype).numpy().astype(np.uint8)
    pixels = np.repeat(pixels, 3 // channels, axis=1).transpose(0, 2, 3, 1)
    sheet = np.full((side, n * (side + GAP) - GAP, 3), 128, np.uint8)
    for at, image in enumerate(pixels):
        left = at * (side + GAP)
        sheet[:, left : left + side] = image
    return sheet.repeat(times, 0).repeat(times, 1)
