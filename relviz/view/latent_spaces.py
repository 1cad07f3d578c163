"""The latent spaces of several trainings as maps: absolute, they differ; relative, they hardly do."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch

from relviz.errors import ParameterError
from relviz.project import pca
from relviz.relative import relative
from relviz.stitch.decode import Autoencoder
from relviz.view.autoencoders import autoencoder, options_of
from relviz.view.decoding_choices import Decoding
from relviz.view.image_sets import image_set

REMEDY = "Train them in another part of the Decode page."
MANY = 4
"""Trainings side by side, of which two serve where no more are carried."""


@dataclass(frozen=True, eq=False)
class LatentMap:
    """Where the training of a seed puts the test images: ``(n, 2)`` points, and how they were made."""

    seed: int
    title: str
    points: np.ndarray
    said: str


def trained_seeds(chosen: Decoding) -> tuple[int, ...]:
    """Seeds of the trainings that are there, the first ``MANY``."""
    return tuple(seed for seed in range(MANY) if _model(chosen, seed) is not None)


def latent_maps(chosen: Decoding, once: bool, seeds: tuple[int, ...]) -> tuple[LatentMap, ...]:
    """Maps of the trainings of some seeds, on the images of a choice.

    Absolute: the latents themselves where they have two dimensions, else their first two principal
    components. Relative: cosines to the latents of the anchors, on principal components. With ``once`` these
    are fitted on the first training and serve for all, else for each alone.

    Raises
    ------
    ParameterError
        If one of them is not there, or none is asked for.
    """
    told = Decoding(
        data=chosen.data,
        kind=chosen.kind,
        latent=chosen.latent,
        anchors=chosen.anchors,
        codes=chosen.codes,
    )
    if not seeds:
        raise ParameterError(f"None of these trainings is there yet. {REMEDY}")
    return _maps(told, once, seeds)


def share_axes(chosen: Decoding, once: bool) -> bool:
    """Whether the maps have axes in common, and so limits: not latents of two dimensions as they are."""
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
            raise ParameterError(f"The training of seed {seed} is not there. {REMEDY}")
        latents = model.encode(images.test)
        if chosen.codes == "absolute" and chosen.latent == 2:
            points, said = latents.numpy(), "the two latent dimensions as they are"
        else:
            rows = latents if chosen.codes == "absolute" else relative(latents, model.anchors)
            if axes is None or not once:
                axes = pca.fit(rows, 2)
            mean, components = (torch.from_numpy(part).float() for part in (axes.mean, axes.components))
            points = ((rows - mean) @ components).numpy()
            said = "PCA axes of the first training" if once else "PCA axes of its own"
        title = f"Training {len(found) + 1} · seed {seed}"
        found.append(LatentMap(seed, title, points, f"{len(points)} {noun} · {said}"))
    return tuple(found)


def _model(chosen: Decoding, seed: int) -> Autoencoder | None:
    images = image_set(chosen.data)
    return autoencoder(options_of(chosen, "absolute", seed, images), images)
