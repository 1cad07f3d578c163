"""A drawing as a digit of MNIST: as large, and in the middle by its mass."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

SIDE, BOX = 28, 20
"""Pixels of a digit's picture, and of the box that the digit itself fills."""


def as_digit(drawing: NDArray[np.uint8]) -> NDArray[np.float32]:
    """``(28, 28)`` between 0 and 1 of a grey drawing ``(h, w)``, white on black; zeros of a black one.

    As the digits of MNIST were made: the drawing is scaled to fit a box of 20 pixels, its aspect kept, and
    put so that its centre of mass is the centre of the picture (LeCun et al. 1998, section III.A).
    """
    rows, columns = np.flatnonzero(drawing.any(1)), np.flatnonzero(drawing.any(0))
    if not len(rows):
        return np.zeros((SIDE, SIDE), np.float32)
    tight = Image.fromarray(drawing[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])
    scale = BOX / max(tight.size)
    size = [max(1, round(length * scale)) for length in tight.size]
    small = np.asarray(tight.resize((size[0], size[1]), Image.Resampling.BOX), np.float32) / 255
    mass = small.sum() or 1.0
    down = float((small.sum(1) * np.arange(size[1])).sum() / mass)
    across = float((small.sum(0) * np.arange(size[0])).sum() / mass)
    top = _start(down, size[1])
    left = _start(across, size[0])
    digit = np.zeros((SIDE, SIDE), np.float32)
    digit[top : top + size[1], left : left + size[0]] = small
    return digit


def _start(centre: float, length: int) -> int:
    """Where a side begins for its centre of mass to lie in the middle, all of it inside."""
    return int(np.clip(round((SIDE - 1) / 2 - centre), 0, SIDE - length))
