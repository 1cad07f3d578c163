"""Images side by side on one strip, large enough to be looked at."""

from typing import Literal

import numpy as np
from torch import Tensor

from relviz.ui.picture import show_picture

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
    show_picture(pixels, width, caption)


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
