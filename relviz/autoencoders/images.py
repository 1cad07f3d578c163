"""Small images for autoencoders: the digits that come with relviz, or pictures of one's own made small."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from relviz.compute.arrays import ArrayLike
from relviz.errors import ParameterError, ShapeError
from relviz.items import Pictures
from relviz.wording import count, plural

MOST_SIDE = 64
GRAY, COLOR = 1, 3
MOST_SEEN = 1000


def as_images(images: ArrayLike, name: str = "images") -> Tensor:
    """Any array of images as float32 ``(n, channels, side, side)`` on the CPU; the input is never modified.

    Whole numbers are taken as 0 to 255; ``(n, side, side)`` and ``(n, side²)`` are gray.

    Raises
    ------
    ShapeError
        If it is no such array, a side is no multiple of 4 or above ``MOST_SIDE``, or it is empty.
    ParameterError
        If a number is NaN or outside 0 to 1.
    """
    tensor = images.detach().cpu() if isinstance(images, Tensor) else _from_numpy(images, name)
    if tensor.ndim == 2 and round(tensor.shape[1] ** 0.5) ** 2 == tensor.shape[1]:
        tensor = tensor.reshape(len(tensor), *(2 * [round(tensor.shape[1] ** 0.5)]))
    if tensor.ndim == 3:
        tensor = tensor[:, None]
    shape = tuple(tensor.shape)
    if len(shape) != 4 or 0 in shape or shape[1] not in (GRAY, COLOR) or shape[2] != shape[3]:
        raise ShapeError(
            f"{name} must be (n, channels, side, side) with 1 or 3 channels; the shape is {shape}. "
            "relviz.autoencoders.images makes them of any images."
        )
    if shape[2] % 4 or shape[2] > MOST_SIDE:
        raise ShapeError(
            f"The side of {name} must be a multiple of 4 and at most {MOST_SIDE} pixels; it is {shape[2]}."
        )
    whole = not tensor.is_floating_point() and tensor.dtype != torch.bool
    tensor = tensor.to(torch.float32) / 255 if whole else tensor.to(torch.float32)
    low, high = float(tensor.min()), float(tensor.max())
    if not (low >= 0 and high <= 1):
        raise ParameterError(f"{name} must lie between 0 and 1; they run from {low:g} to {high:g}.")
    return tensor


def _from_numpy(images: ArrayLike, name: str) -> Tensor:
    array = np.asarray(images)
    if array.dtype.kind not in "fiub":
        raise ShapeError(f"{name} must be numbers; they are {array.dtype}.")
    return torch.from_numpy(np.array(array, order="C"))


def anchor_rows(n: int, anchors: int, seed: int = 0) -> Tensor:
    """``(anchors,)`` row numbers among ``n``: the same whoever asks.

    ParameterError if there are not so many rows.
    """
    if anchors > n:
        raise ParameterError(f"There are {n} images, so not {anchors} anchors among them; give fewer.")
    return torch.from_numpy(np.random.default_rng([20220930, seed]).permutation(n)[:anchors])


def background(images: Tensor) -> Tensor:
    """``(channels, 1, 1)``: the color that most pixels of images ``(n, channels, side, side)`` are near.

    The median of each channel, over at most ``MOST_SEEN`` images.

    >>> background(torch.tensor([[[[0.0, 1.0], [1.0, 1.0]]]])).item()
    1.0
    """
    some = images[:: max(1, len(images) // MOST_SEEN)]
    return some.transpose(0, 1).flatten(1).median(1).values[:, None, None]


def split_images(n: int, test: float = 0.2, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Row numbers that train and that test, in order. ParameterError unless both have one.

    >>> train, test = split_images(10)
    >>> len(train), len(test)
    (8, 2)
    """
    count = round(test * n)
    if not 1 <= count < n:
        raise ParameterError(
            f"A test share of {test!r} is not possible for {n} images: one side would be empty."
        )
    order = torch.from_numpy(np.random.default_rng([20220929, seed]).permutation(n))
    return order[count:].sort().values, order[:count].sort().values


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
    color: bool | None = None,
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
    color
        Whether to keep colors; without it, where there are any.
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
    pixels = np.empty((len(rows), side, side, COLOR), np.uint8)
    for start in range(0, len(rows), _BLOCK):
        part = rows[start : start + _BLOCK]
        pixels[start : start + len(part)] = _pixels(pictures, part, side)
        if on_progress is not None:
            on_progress(min(1.0, (start + len(part)) / len(rows)))
    tinted = _tinted(pixels)
    notes = [f"{count(len(rows))} of {count(n)} images are used, evenly spread."] if n > MOST else []
    if color is False and tinted:
        notes.append("Colors are left out.")
    images = _as_unit(pixels, tinted if color is None else color)
    if float(images.std(0).mean()) < LEAST_SPREAD:
        raise ParameterError(f"All {count(len(rows))} images look the same, so there is nothing to learn.")
    return SmallImages(images, torch.from_numpy(rows), tuple(notes))


def check_enough(n: int) -> None:
    """Raise ShapeError if ``n`` pictures are fewer than ``FEWEST``."""
    if n < FEWEST:
        raise ShapeError(
            f"{plural(n, 'image')} {'is' if n == 1 else 'are'} too few to train an autoencoder. Give at "
            f"least {FEWEST}."
        )


def drawn(picture: Any, side: int = 28, color: bool = False) -> Tensor:
    """One picture, drawn by hand perhaps, as ``small_images`` makes them, ``(1, channels, side, side)``."""
    return _as_unit(_square_pixels(picture, 0, side)[None].copy(), color)


def _pixels(pictures: Any, rows: np.ndarray, side: int) -> np.ndarray:
    if isinstance(pictures, Pictures):
        return pictures.pixels(rows, side)
    return np.stack([_square_pixels(pictures[row], int(row), side) for row in rows])


def _square_pixels(picture: Any, row: int, side: int) -> np.ndarray:
    from PIL import Image

    from relviz.readers.pixels import as_pixels

    array = np.asarray(picture.detach().cpu() if isinstance(picture, Tensor) else picture)
    square = array.ndim in (2, 3) and 0 not in array.shape and array.shape[2:] in ((), (1,), (3,))
    if not square or array.dtype.kind not in "fiub":
        raise ShapeError(
            f"Image {row} must be (height, width) or (height, width, 3) numbers; it is {array.dtype} "
            f"{array.shape}."
        )
    most = 255 if array.dtype.kind in "iu" else 1
    low, high = array.min(), array.max()
    if not (low >= 0 and high <= most):
        raise ParameterError(
            f"Image {row} must lie between 0 and {most}; its numbers run from {low:g} to {high:g}."
        )
    if most == 1:
        array = np.rint(255 * array.astype(np.float64))
    whole = array.astype(np.uint8)
    return as_pixels(Image.fromarray(whole[..., 0] if whole.shape[2:] == (1,) else whole), side)


def _tinted(pixels: np.ndarray) -> bool:
    """Whether there is any color to speak of."""
    return any(
        float(np.ptp(pixels[start : start + _BLOCK], axis=3).mean()) > 255 * _TINT / 4
        for start in range(0, len(pixels), _BLOCK)
    )


def _as_unit(pixels: np.ndarray, color: bool) -> Tensor:
    channels = COLOR if color else GRAY
    unit = torch.empty(len(pixels), channels, *pixels.shape[1:3])
    for at, image in enumerate(torch.from_numpy(pixels).permute(0, 3, 1, 2).split(_BLOCK)):
        part = image.float() / 255
        unit[at * _BLOCK : at * _BLOCK + len(part)] = part if color else part.mean(1, keepdim=True)
    return unit
