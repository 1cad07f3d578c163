"""The latent spaces of several trainings as maps: absolute, they differ; relative, they hardly do."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch

from relviz.errors import ParameterError
from relviz.project import pca
from relviz.relative import relative
from relviz.view.decoding import autoencoder, digits, options_of
from relviz.view.decoding_choices import Decoding

REMEDY = "Train them in another part of the Decode page."
MANY = 4
"""Trainings side by side, of which two serve where no more are carried."""


@dataclass(frozen=True, eq=False)
class LatentMap:
    """Where the training of a seed puts the digits: ``(n, 2)`` points, and how they were made."""

    seed: int
    title: str
    points: np.ndarray
    said: str


def trained_seeds(kind: str, latent: int) -> tuple[int, ...]:
    """Seeds of the trainings that are there, the first ``MANY``."""
    chosen = Decoding(kind=kind, latent=latent)
    seeds = range(MANY)
    return tuple(one for one in seeds if autoencoder(options_of(chosen, "absolute", one)) is not None)


@lru_cache(maxsize=8)
def latent_maps(
    kind: str, latent: int, codes: str, once: bool, seeds: tuple[int, ...]
) -> tuple[LatentMap, ...]:
    """Maps of the trainings of some seeds.

    Absolute: the latents themselves where they have two dimensions, else their first two principal
    components. Relative: cosines to the latents of the anchors, on principal components. With ``once`` these
    are fitted on the first training and serve for all, else for each alone.

    Raises
    ------
    ParameterError
        If one of them is not there, or none is asked for.
    """
    found: list[LatentMap] = []
    axes = None
    for seed in seeds:
        model = autoencoder(options_of(Decoding(kind=kind, latent=latent), "absolute", seed))
        if model is None:
            raise ParameterError(f"The training of seed {seed} is not there. {REMEDY}")
        latents = model.encode(digits())
        if codes == "absolute" and latent == 2:
            points, said = latents.numpy(), "the two latent dimensions as they are"
        else:
            rows = latents if codes == "absolute" else relative(latents, model.anchors)
            if axes is None or not once:
                axes = pca.fit(rows, 2)
            mean, components = (torch.from_numpy(part).float() for part in (axes.mean, axes.components))
            points = ((rows - mean) @ components).numpy()
            said = "PCA axes of the first training" if once else "PCA axes of its own"
        title = f"Training {len(found) + 1} · seed {seed}"
        found.append(LatentMap(seed, title, points, f"{len(points)} digits · {said}"))
    if not found:
        raise ParameterError(f"None of these trainings is there yet. {REMEDY}")
    return tuple(found)


def share_axes(latent: int, codes: str, once: bool) -> bool:
    """Whether the maps have axes in common, and so limits: not latents of two dimensions as they are."""
    return once and (codes == "relative" or latent > 2)
