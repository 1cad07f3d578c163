"""Images through one autoencoder's encoder and another's decoder, and what is told of them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from relviz.stitch.decode import swap
from relviz.view.autoencoders import Two

WAYS = {"absolute": "Absolute", "relative": "Relative", "irp": "Absolute, translated by IRP"}
"""How an image gets from an encoder to a decoder."""
WAYS_SAID = {
    "absolute": "The decoder is fed the latent itself. Two trainings put the same image at different places: "
    "the other's decoder makes something else of it.",
    "relative": "The decoder is fed the latent's cosines to the latents of the same anchor images. These "
    "hardly differ between trainings: any decoder fits any encoder.",
    "irp": "The absolute latent is carried into the other's space through the anchors, and fed to its "
    "decoder.",
}
PATHS = ((0, 0), (0, 1), (1, 0), (1, 1))
"""Encoder and decoder, each the first or the second."""
TRANSLATION = "irp"
MOST_MOVED = 8
"""Relative codes of an image that are moved by hand."""
_MOVED = 1e-6
"""What a slider that was moved there and back may be off."""


@dataclass(frozen=True, eq=False)
class Passed:
    """Images that went through encoder ``path[0]`` and decoder ``path[1]`` in one way.

    ``images`` ``(n, channels, side, side)``, and ``mse`` ``(n,)`` of each to what went in.
    """

    way: str
    path: tuple[int, int]
    images: Tensor
    mse: np.ndarray


def passed(two: Two, images: Tensor) -> list[Passed]:
    """Images through both encoders and both decoders, in every way."""
    found = []
    for way in WAYS:
        halves = two.relative if way == "relative" else two.absolute
        for i, j in PATHS:
            method = TRANSLATION if way == "irp" and i != j else None
            made = swap(halves[i], halves[j], images, method)
            mse = (made - images).square().mean((1, 2, 3)).numpy()
            found.append(Passed(way, (i, j), made, mse))
    return found


def between(two: Two, start: Tensor, end: Tensor, steps: int) -> list[tuple[str, Tensor]]:
    """From one image to another in ``steps``: within one model and across models, absolute and relative.

    Codes on a straight line, decoded; relative codes on the line of the latents they are of.
    """
    both = torch.stack([start, end])
    shares = torch.linspace(0, 1, steps)[:, None]
    found = []
    for codes, words in (("absolute", "Absolute"), ("relative", "Relative")):
        first, second = getattr(two, codes)
        ends = first.encode(both)
        line = first.codes_of(ends[:1] + shares * (ends[1:] - ends[:1]))
        found.append((f"{words}, encoder and decoder of one model", first.decode(line)))
        found.append((f"{words}, the decoder of the other model", second.decode(line)))
    return found


def relative_codes(two: Two, image: Tensor) -> Tensor:
    """The relative codes ``(k,)`` of an image ``(channels, side, side)`` in the first model."""
    return two.relative[0].codes(image[None])[0]


def telling_anchors(codes: Tensor, kept: Collection[int] = ()) -> list[int]:
    """The ``MOST_MOVED`` anchors that an image of these codes is most like or unlike, the most so first.

    Those in ``kept`` are among them.
    """
    order: list[int] = codes.abs().sort(descending=True, stable=True).indices.tolist()
    first = sorted(order, key=lambda anchor: anchor not in kept)[:MOST_MOVED]
    return [anchor for anchor in order if anchor in first]


def at_rest(codes: Tensor, anchor: int) -> float:
    """Where the slider of an anchor stands before it is moved: its code, to two digits."""
    return round(float(codes[anchor]), 2)


def moved(codes: Tensor, values: Mapping[int, float]) -> dict[int, float]:
    """The values of sliders that do not stand where they stood, the most telling anchor first."""
    found = [at for at, value in values.items() if abs(value - at_rest(codes, at)) > _MOVED]
    return {at: values[at] for at in sorted(found, key=lambda at: -abs(float(codes[at])))}


def changed(codes: Tensor, changes: Mapping[int, float]) -> Tensor:
    """Relative codes ``(k,)`` with some of them changed."""
    after = codes.clone()
    for anchor, value in changes.items():
        after[anchor] = value
    return after


def slid(two: Two, codes: Tensor, changes: Mapping[int, float]) -> tuple[Tensor, Tensor]:
    """The image of relative codes, some of them changed, by the decoder of its own and of the other model."""
    after = changed(codes, changes)
    return two.relative[0].decode(after[None])[0], two.relative[1].decode(after[None])[0]
