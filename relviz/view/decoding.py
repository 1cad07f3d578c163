"""Images through one autoencoder's encoder and another's decoder, and what is told of them."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from relviz.compute.jobs import Ticket
from relviz.compute.key import result_key
from relviz.compute.task import Made, Task
from relviz.demos import load_demo
from relviz.stitch.decode import (
    CARRIED,
    Autoencoder,
    Options,
    TrainStep,
    anchor_rows,
    carried,
    demo_digits,
    swap,
    train,
)
from relviz.view.decoding_choices import Decoding

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
MOST_IMAGES = 12
"""Images that are swapped at once."""


@dataclass(frozen=True, eq=False)
class Passed:
    """Images that went through encoder ``path[0]`` and decoder ``path[1]`` in one way.

    ``images`` ``(n, channels, side, side)``, and ``mse`` ``(n,)`` of each to what went in.
    """

    way: str
    path: tuple[int, int]
    images: Tensor
    mse: np.ndarray


def digits() -> Tensor:
    """The digits that train nothing, ``(n, 1, 28, 28)`` between 0 and 1."""
    return demo_digits().test


def digit_labels() -> tuple[str, ...]:
    """The class of each of them."""
    return demo_digits().test_labels


def first_digits() -> tuple[int, ...]:
    """One of each class, in the order of the classes."""
    labels = digit_labels()
    rows = {labels[row]: row for row in reversed(range(len(labels)))}
    return tuple(rows[label] for label in sorted(rows))


def chosen_digits(chosen: Decoding) -> list[int]:
    """The digits that are swapped: those that are chosen, at most ``MOST_IMAGES``, or one of each class."""
    return [row for row in chosen.images if row < len(digits())][:MOST_IMAGES] or list(first_digits())


def options_of(chosen: Decoding, codes: str, seed: int) -> Options:
    """The options of one of the autoencoders that are shown: as it is carried, if it is."""
    known = CARRIED.get(f"{chosen.kind}-{codes}-{chosen.latent}-{seed}")
    return known or Options(kind=chosen.kind, codes=codes, latent=chosen.latent, seed=seed)


def autoencoder_task(options: Options) -> Task:
    """The task that trains an autoencoder on the digits; its result is all it consists of."""

    def compute(ticket: Ticket) -> Made:
        def on_step(step: TrainStep) -> None:
            shown = {} if step.pictures is None else {"pictures": step.pictures.numpy()}
            said = f"epoch {step.epoch + 1}, error {step.mse:.4f}"
            ticket.report((step.index + 1) / step.of, said, mse=step.mse, **shown)
            ticket.rest()

        ticket.report(0.0, "preparing the digits")
        watched = digits()[list(first_digits())]
        found = train(demo_digits().train, options, watched=watched, on_step=on_step, pulse=ticket.check)
        return found.arrays(), found.meta

    space = load_demo("digits").spaces["pixels"]
    told = vars(options)
    key = result_key("autoencoder", [space.digest], told, options.seed)
    title = f"Training the {options.codes} {options.kind.upper()} of seed {options.seed}"
    return Task(key, title, compute)


@lru_cache(maxsize=16)
def _carried(kind: str, codes: str, latent: int, seed: int) -> Autoencoder:
    return carried(kind, codes, latent, seed)


def autoencoder(options: Options) -> Autoencoder | None:
    """The autoencoder of some options: one that is carried, or that was trained; None if it is not there."""
    if options in CARRIED.values():
        return _carried(options.kind, options.codes, options.latent, options.seed)
    kept = autoencoder_task(options).kept()
    return None if kept is None else Autoencoder.of(kept.arrays, kept.meta)


@dataclass(frozen=True, eq=False)
class Two:
    """Two autoencoders of either code."""

    absolute: tuple[Autoencoder, Autoencoder]
    relative: tuple[Autoencoder, Autoencoder]


def two_of(chosen: Decoding) -> Two | None:
    """The autoencoders of a choice; None as long as one of them has to be trained."""
    absolute, relative = (
        tuple(found for seed in seeds_of(chosen) if (found := autoencoder(options_of(chosen, codes, seed))))
        for codes in ("absolute", "relative")
    )
    if len(absolute) < 2 or len(relative) < 2:
        return None
    return Two((absolute[0], absolute[1]), (relative[0], relative[1]))


def seeds_of(chosen: Decoding) -> tuple[int, int]:
    """The two seeds, which differ."""
    return chosen.one, chosen.other if chosen.other != chosen.one else chosen.one + 1


def missing_tasks(chosen: Decoding) -> list[Task]:
    """What has to be trained before the autoencoders of a choice are there."""
    wanted = [
        options_of(chosen, codes, seed) for seed in seeds_of(chosen) for codes in ("relative", "absolute")
    ]
    return [autoencoder_task(options) for options in wanted if autoencoder(options) is None]


def anchor_images(options: Options) -> Tensor:
    """The images ``(k, 1, 28, 28)`` that are anchors of an autoencoder."""
    train = demo_digits().train
    return train[anchor_rows(len(train), options.anchors, options.anchor_seed)]


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


def telling_anchors(two: Two, image: Tensor, many: int) -> tuple[Tensor, Tensor]:
    """Anchors that an image is most like or unlike, ``(many,)``, and all its relative codes ``(k,)``."""
    codes = two.relative[0].codes(image[None])[0]
    return codes.abs().topk(min(many, len(codes))).indices, codes


def slid(two: Two, codes: Tensor, changes: dict[int, float]) -> tuple[Tensor, Tensor]:
    """The image of relative codes, some of them changed, by the decoder of its own and of the other model."""
    moved = codes.clone()
    for anchor, value in changes.items():
        moved[anchor] = value
    return two.relative[0].decode(moved[None])[0], two.relative[1].decode(moved[None])[0]
