"""Any pictures as small square images, all of one size, to train on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from relviz.errors import ParameterError, ShapeError
from relviz.items import Pictures
from relviz.stitch.decode.images import COLOUR, GREY
from relviz.wording import count, plural

SIDES = (28, 32)
FEWEST, MOST = 200, 20_000
LEAST_SPREAD = 1e-3
"""Mean standard deviation of a pixel over the images, below which all are the same picture."""
_TINT = 4 / 255
_BLOCK = 256


@dataclass(frozen=True, eq=False)
class SmallImages:
    """``images`` ``(n, channels, side, side)`` float32 between 0 and 1; ``rows`` ``(n,)`` of what was given.

    ``notes`` say what was done to them.
    """

    images: Tensor
    rows: Tensor
    notes: tuple[str, ...] = ()


def small_images(
    pictures: Any,
    side: int = 28,
    colour: bool | None = None,
    on_progress: Callable[[float], object] | None = None,
) -> SmallImages:
    """Pictures of any sizes as small square images.

    A picture that is no square stands in the middle of a white one. Of more than ``MOST``
    pictures as many are taken, evenly spread.

    Parameters
    ----------
    pictures
        ``relviz.items.Pictures``; or an array or a list of ``(height, width)`` or
        ``(height, width, 3)``: whole numbers up to 255, or others between 0 and 1.
    side
        28 or 32.
    colour
        Whether to keep colours; without it, where there are any.
    on_progress
        Called with the fraction done; it may raise to stop.

    Raises
    ------
    ShapeError
        If there are fewer than ``FEWEST``, or one is no picture.
    ParameterError
        If ``side`` is neither, a number is out of range, or all are the same picture.
    """
    if side not in SIDES:
        raise ParameterError(f"side must be {' or '.join(map(str, SIDES))}; it is {side!r}.")
    n = len(pictures)
    check_enough(n)
    rows = np.linspace(0, n - 1, min(n, MOST)).round().astype(np.int64)
    pixels = np.empty((len(rows), side, side, COLOUR), np.uint8)
    for start in range(0, len(rows), _BLOCK):
        part = rows[start : start + _BLOCK]
        pixels[start : start + len(part)] = _pixels(pictures, part, side)
        if on_progress is not None:
            on_progress(min(1.0, (start + len(part)) / len(rows)))
    tinted = _tinted(pixels)
    notes = [f"{count(len(rows))} of {count(n)} pictures are used, evenly spread."] if n > MOST else []
    if colour is False and tinted:
        notes.append("Colours are left out.")
    images = _as_unit(pixels, tinted if colour is None else colour)
    if float(images.std(0).mean()) < LEAST_SPREAD:
        raise ParameterError(f"All {count(len(rows))} pictures look the same; there is nothing to learn.")
    return SmallImages(images, torch.from_numpy(rows), tuple(notes))


def check_enough(n: int) -> None:
    """Raise ShapeError if ``n`` pictures are fewer than ``FEWEST``."""
    if n < FEWEST:
        raise ShapeError(
            f"{plural(n, 'picture')} {'is' if n == 1 else 'are'} too few to train on: a decoder learns what "
            f"pictures of a kind have in common. Give at least {FEWEST}."
        )


def drawn(picture: Any, side: int = 28, colour: bool = False) -> Tensor:
    """One picture, drawn by hand perhaps, as ``small_images`` makes them, ``(1, channels, side, side)``."""
    return _as_unit(_one(picture, 0, side)[None].copy(), colour)


def _pixels(pictures: Any, rows: np.ndarray, side: int) -> np.ndarray:
    if isinstance(pictures, Pictures):
        return pictures.pixels(rows, side)
    return np.stack([_one(pictures[row], int(row), side) for row in rows])


def _one(picture: Any, row: int, side: int) -> np.ndarray:
    from PIL import Image

    from relviz.encoders.picture import as_pixels

    array = np.asarray(picture.detach().cpu() if isinstance(picture, Tensor) else picture)
    square = array.ndim in (2, 3) and 0 not in array.shape and array.shape[2:] in ((), (1,), (3,))
    if not square or array.dtype.kind not in "fiub":
        raise ShapeError(
            f"Picture {row} must be (height, width) or (height, width, 3) numbers; it is {array.dtype} "
            f"{array.shape}."
        )
    most = 255 if array.dtype.kind in "iu" else 1
    low, high = array.min(), array.max()
    if not (low >= 0 and high <= most):
        raise ParameterError(
            f"Picture {row} must lie between 0 and {most}; its numbers run from {low:g} to {high:g}."
        )
    if most == 1:
        array = np.rint(255 * array.astype(np.float64))
    whole = array.astype(np.uint8)
    return as_pixels(Image.fromarray(whole[..., 0] if whole.shape[2:] == (1,) else whole), side)


def _tinted(pixels: np.ndarray) -> bool:
    """Whether there is any colour to speak of."""
    return any(
        float(np.ptp(pixels[start : start + _BLOCK], axis=3).mean()) > 255 * _TINT / 4
        for start in range(0, len(pixels), _BLOCK)
    )


def _as_unit(pixels: np.ndarray, colour: bool) -> Tensor:
    channels = COLOUR if colour else GREY
    unit = torch.empty(len(pixels), channels, *pixels.shape[1:3])
    for at, image in enumerate(torch.from_numpy(pixels).permute(0, 3, 1, 2).split(_BLOCK)):
        part = image.float() / 255
        unit[at * _BLOCK : at * _BLOCK + len(part)] = part if colour else part.mean(1, keepdim=True)
    return unit
