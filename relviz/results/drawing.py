"""A drawing as networks take it, where they know digits as those of MNIST are, and as a recipe holds it."""

import base64
import binascii
from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from relviz.autoencoders import SIDES, drawn
from relviz.errors import ParameterError
from relviz.state.image_sets import ImageSet

SIDE, BOX = 28, 20
"""Pixels of a digit's picture, and of the box that the digit itself fills."""
MOST_LETTERS = 4 * max(SIDES) ** 2
"""Of a text that holds a picture of the largest size, in color."""


def as_digit(drawing: NDArray[np.uint8]) -> NDArray[np.float32]:
    """``(28, 28)`` between 0 and 1 of a gray drawing ``(h, w)``, white on black; zeros of a black one.

    As the digits of MNIST were made: the drawing is scaled to fit a box of 20 pixels, its aspect kept, and
    put so that its center of mass is the center of the picture (LeCun et al. 1998, section III.A).
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


def going_in(drawing: NDArray[np.uint8], images: ImageSet) -> Tensor:
    """What goes into networks that were trained on a set of images, ``(1, channels, side, side)``.

    Its numbers are whole 255ths, so that a recipe can hold them as bytes.
    """
    if images.is_digits:
        return _of_bytes(_bytes_of(torch.from_numpy(as_digit(drawing))[None, None]))
    _, channels, side, _ = images.train.shape
    return _of_bytes(_bytes_of(drawn(drawing, side, channels > 1)))


def written(image: Tensor) -> dict[str, Any]:
    """What ``going_in`` gave as options of a recipe: base64 of its bytes, and its shape."""
    text = base64.b64encode(_bytes_of(image[0]).tobytes()).decode("ascii")
    return {"image": text, "shape": list(image.shape[1:])}


def check_text(value: object) -> None:
    """ParameterError if this is no text, or longer than any that ``written`` gives."""
    if not isinstance(value, str):
        raise ParameterError(
            f"The option image is {str(value)[:60]!r}; it should be a text, base64 of bytes."
        )
    if len(value) > MOST_LETTERS:
        raise ParameterError(f"The option image has {len(value)} characters; the limit is {MOST_LETTERS}.")


def read(options: Mapping[str, Any], images: ImageSet) -> Tensor:
    """The image ``(1, channels, side, side)`` that ``written`` wrote, for networks trained on ``images``.

    Raises
    ------
    ParameterError
        If there is none, it is damaged, or it does not have the shape of those images.
    """
    text, shape = options["image"], list(options["shape"])
    if not text:
        raise ParameterError(
            "The recipe has no drawing. Use one saved in the Draw section of the Decode page."
        )
    wanted = list(images.train.shape[1:])
    if shape != wanted:
        raise ParameterError(
            f"The drawing of the recipe is {_sides(shape)}, and {images.title[:60]} are {_sides(wanted)} "
            "(channels, pixels): it was drawn for other images. Choose those images, or draw again."
        )
    check_text(text)
    letters = 4 * -(-prod(shape) // 3)
    try:
        raw = base64.b64decode(text, validate=True) if len(text) == letters else b""
    except (binascii.Error, ValueError):
        raw = b""
    if len(raw) != prod(shape):
        raise ParameterError(
            f"The drawing of the recipe is damaged: it should be {letters} characters, base64 of "
            f"{prod(shape)} bytes. Use the recipe as relviz wrote it, or draw again."
        )
    return _of_bytes(np.frombuffer(raw, np.uint8).reshape(1, *shape))


def _bytes_of(image: Tensor) -> NDArray[np.uint8]:
    return (image.clamp(0, 1) * 255).round().to(torch.uint8).numpy()


def _of_bytes(pixels: NDArray[np.uint8]) -> Tensor:
    return torch.from_numpy(pixels.copy()).float() / 255


def _sides(shape: list[int]) -> str:
    return " × ".join(map(str, shape))[:40]


def _start(center: float, length: int) -> int:
    """Where a side begins for its center of mass to lie in the middle, all of it inside."""
    return int(np.clip(round((SIDE - 1) / 2 - center), 0, SIDE - length))
