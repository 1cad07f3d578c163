"""Trained autoencoders of a view: the latent spaces of several trainings, and the decoder swap."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from relviz.autoencoders import (
    BUNDLED,
    RATES,
    Autoencoder,
    Options,
    TrainStep,
    Weights,
    anchor_rows,
    bundled_autoencoder,
    swap,
    train,
)
from relviz.compute.jobs import Ticket
from relviz.compute.task import Task, task
from relviz.errors import ParameterError
from relviz.projection import pca
from relviz.relative_projection import relative
from relviz.state.image_sets import ImageSet, image_set
from relviz.state.view import Decoding

STEPS = 1500
"""About how many steps a training takes, however many images there are."""
FEWEST_EPOCHS, MOST_EPOCHS = 2, 200


def options_of(chosen: Decoding, codes: str, seed: int, images: ImageSet) -> Options:
    """The options of one of the autoencoders that are shown: equal for all seeds, as bundled where one is."""
    known = BUNDLED.get(f"{chosen.kind}-{codes}-{chosen.latent}-0")
    settings = known or Options(chosen.kind, codes, chosen.latent, rate=RATES[chosen.kind])
    options = replace(settings, seed=seed)
    if chosen.anchors:
        options = replace(options, anchors=max(2, chosen.anchors))
    if images.is_digits:
        return options
    epochs = round(STEPS * options.batch / len(images.train))
    return replace(options, epochs=min(MOST_EPOCHS, max(FEWEST_EPOCHS, epochs)))


@task("autoencoder", "Training the {options.codes} {options.acronym} of seed {options.seed}", heavy=True)
def autoencoder_task(ticket: Ticket, options: Options, images: ImageSet) -> Weights:
    """The task that trains an autoencoder."""

    def on_step(step: TrainStep) -> None:
        shown = {} if step.pictures is None else {"pictures": step.pictures.numpy()}
        progress = f"epoch {step.epoch + 1}, error {step.mse:.4f}"
        ticket.report(step.index / step.of, progress, mse=step.mse, **shown)
        ticket.rest()

    ticket.report(0.0, "preparing the images")
    watched = images.test[list(images.first())]
    return train(images.train, options, watched=watched, on_step=on_step, pulse=ticket.check).weights()


def autoencoder(options: Options, images: ImageSet) -> Autoencoder | None:
    """The autoencoder of some options: one that is bundled, or was trained; None if it is not there."""
    if images.is_digits and options in BUNDLED.values():
        return _bundled_autoencoder(options.kind, options.codes, options.latent, options.seed)
    kept = autoencoder_task(options, images).stored()
    return None if kept is None else Autoencoder.of(kept)


@dataclass(frozen=True, eq=False)
class Two:
    """Two autoencoders of either code."""

    absolute: tuple[Autoencoder, Autoencoder]
    relative: tuple[Autoencoder, Autoencoder]


def two_of(chosen: Decoding, images: ImageSet) -> Two | None:
    """The autoencoders of a choice; None as long as one of them has to be trained."""
    absolute, relative = (
        [
            found
            for seed in seeds_of(chosen)
            if (found := autoencoder(options_of(chosen, codes, seed, images), images))
        ]
        for codes in ("absolute", "relative")
    )
    if len(absolute) < 2 or len(relative) < 2:
        return None
    return Two((absolute[0], absolute[1]), (relative[0], relative[1]))


def seeds_of(chosen: Decoding) -> tuple[int, int]:
    """The two seeds, which differ."""
    return chosen.one, chosen.other if chosen.other != chosen.one else chosen.one + 1


def missing_tasks(chosen: Decoding, images: ImageSet) -> list[Task[Weights]]:
    """What has to be trained before the autoencoders of a choice are there."""
    wanted = [
        options_of(chosen, codes, seed, images)
        for seed in seeds_of(chosen)
        for codes in ("relative", "absolute")
    ]
    return [autoencoder_task(options, images) for options in wanted if autoencoder(options, images) is None]


def anchor_images(options: Options, images: ImageSet) -> Tensor:
    """The images ``(k, channels, side, side)`` that are anchors of an autoencoder."""
    return images.train[anchor_rows(len(images.train), options.anchors, options.anchor_seed)]


@lru_cache(maxsize=16)
def _bundled_autoencoder(kind: str, codes: str, latent: int, seed: int) -> Autoencoder:
    return bundled_autoencoder(kind, codes, latent, seed)


REMEDY = "Train them in another section of the Decode page."
MANY = 4
"""Trainings side by side, of which two serve where no more are bundled."""


@dataclass(frozen=True, eq=False)
class LatentMap:
    """Where the training of a seed puts the test images: ``(n, 2)`` points, of what, and how made."""

    seed: int
    title: str
    points: np.ndarray
    of: str
    how: str

    @property
    def facts(self) -> tuple[str, str]:
        """What the caption of the map says."""
        return f"{len(self.points)} {self.of}", self.how


def trained_seeds(chosen: Decoding) -> tuple[int, ...]:
    """Seeds of the trainings that are there, the first ``MANY``."""
    return tuple(seed for seed in range(MANY) if _model(chosen, seed) is not None)


def latent_maps(chosen: Decoding, once: bool, seeds: tuple[int, ...]) -> tuple[LatentMap, ...]:
    """Maps of the trainings of some seeds, on the images of a choice.

    Absolute: latents themselves where they have two dimensions, else their first two principal
    components. Relative: cosine similarities to the latents
    of the anchors, on principal components. With ``once`` these are fitted on the first model and applied to
    all, otherwise fitted separately.

    Raises
    ------
    ParameterError
        If one of them is not there, or none is asked for.
    """
    settings = Decoding(
        data=chosen.data,
        kind=chosen.kind,
        latent=chosen.latent,
        anchors=chosen.anchors,
        codes=chosen.codes,
    )
    if not seeds:
        raise ParameterError(f"None of these models is trained yet. {REMEDY}")
    return _maps(settings, once, seeds)


def share_axes(chosen: Decoding, once: bool) -> bool:
    """Whether the maps have axes in common, and so limits; latents of two dimensions are not projected."""
    return once and (chosen.codes == "relative" or chosen.latent > 2)


@lru_cache(maxsize=8)
def _maps(chosen: Decoding, once: bool, seeds: tuple[int, ...]) -> tuple[LatentMap, ...]:
    images = image_set(chosen.data)
    noun = "digits" if images.is_digits else "images"
    found: list[LatentMap] = []
    axes = None
    for seed in seeds:
        model = _model(chosen, seed)
        if model is None:
            raise ParameterError(f"The model of seed {seed} is not trained yet. {REMEDY}")
        latents = model.encode(images.test)
        if chosen.codes == "absolute" and chosen.latent == 2:
            points, how = latents.numpy(), "the two latent dimensions"
        else:
            rows = latents if chosen.codes == "absolute" else relative(latents, model.anchors)
            if axes is None or not once:
                axes = pca.fit(rows, 2)
            mean, components = (torch.from_numpy(part).float() for part in (axes.mean, axes.components))
            points = ((rows - mean) @ components).numpy()
            how = "PCA fitted on the first model" if once else "PCA fitted separately"
        title = f"Model {len(found) + 1} · seed {seed}"
        found.append(LatentMap(seed, title, points, noun, how))
    return tuple(found)


def _model(chosen: Decoding, seed: int) -> Autoencoder | None:
    images = image_set(chosen.data)
    return autoencoder(options_of(chosen, "absolute", seed, images), images)


WAYS = {"absolute": "Absolute", "relative": "Relative", "irp": "Absolute, translated by IRP"}
"""How an image gets from an encoder to a decoder."""
WAYS_IN_WORDS = {
    "absolute": "The decoder receives the latent itself. Two models place the same image differently, so "
    "the other's decoder fails.",
    "relative": "The decoder receives the latent's cosine similarities to the latents of the same anchor "
    "images. These hardly differ between models, so any decoder fits any encoder.",
    "irp": "The absolute latent is translated into the other model's space by the anchors, then decoded "
    "there.",
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

    @classmethod
    def of(cls, way: str, path: tuple[int, int], made: Tensor, images: Tensor) -> "Passed":
        """What came out for these images, all ``(n, channels, side, side)``."""
        return cls(way, path, made, (made - images).square().mean((1, 2, 3)).numpy())


def passed(two: Two, images: Tensor) -> list[Passed]:
    """Images through both encoders and both decoders, in every way."""
    found = []
    for way in WAYS:
        halves = two.relative if way == "relative" else two.absolute
        for i, j in PATHS:
            method = TRANSLATION if way == "irp" and i != j else None
            made = swap(halves[i], halves[j], images, method)
            found.append(Passed.of(way, (i, j), made, images))
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
        found.append((f"{words}, own decoder", first.decode(line)))
        found.append((f"{words}, other model's decoder", second.decode(line)))
    return found


def relative_codes(two: Two, image: Tensor) -> Tensor:
    """The relative codes ``(k,)`` of an image ``(channels, side, side)`` in the first model."""
    return two.relative[0].codes(image[None])[0]


def extreme_anchors(codes: Tensor, kept: Collection[int] = ()) -> list[int]:
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


def decode_changed(two: Two, codes: Tensor, changes: Mapping[int, float]) -> tuple[Tensor, Tensor]:
    """The image of relative codes, some of them changed, by the decoder of its own and of the other model."""
    after = changed(codes, changes)
    return two.relative[0].decode(after[None])[0], two.relative[1].decode(after[None])[0]
