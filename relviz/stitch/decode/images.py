"""The public door for images: ``(n, channels, side, side)`` float32 between 0 and 1, and their anchors."""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from relviz.errors import ParameterError, ShapeError

MOST_SIDE = 64
GREY, COLOUR = 1, 3
MOST_SEEN = 1000


def as_images(images: Any, name: str = "images") -> Tensor:
    """Any array of images as float32 ``(n, channels, side, side)`` on the CPU; the input is never modified.

    Whole numbers are taken as 0 to 255; ``(n, side, side)`` and ``(n, side²)`` are grey.

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
    if len(shape) != 4 or 0 in shape or shape[1] not in (GREY, COLOUR) or shape[2] != shape[3]:
        raise ShapeError(
            f"{name} must be (n, channels, side, side) with 1 or 3 channels; the shape is {shape}. "
            "relviz.stitch.decode.small_images makes them of any pictures."
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


def _from_numpy(images: Any, name: str) -> Tensor:
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
    """``(channels, 1, 1)``: the colour that most pixels of images ``(n, channels, side, side)`` are near.

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
        raise ParameterError(f"Of {n} images a share of {test!r} cannot test: none are left on one side.")
    order = torch.from_numpy(np.random.default_rng([20220929, seed]).permutation(n))
    return order[count:].sort().values, order[:count].sort().values
