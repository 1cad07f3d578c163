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

MANY = 4
"""Trainings side by side, of which two serve where no more are carried."""


@dataclass(frozen=True, eq=False)
class LatentMap:
    """Where one training puts the digits: ``(n, 2)`` points, and how they were made."""

    title: str
    points: np.ndarray
    said: str


@lru_cache(maxsize=8)
def latent_maps(kind: str, latent: int, codes: str, once: bool) -> tuple[LatentMap, ...]:
    """Maps of the trainings that are there, of seeds 0 to 3.

    Absolute: the latents themselves where they have two dimensions, else their first two principal
    components. Relative: cosines to the latents of the anchors, on principal components. With ``once`` these
    are fitted on the first training and serve for all, else for each alone.

    Raises
    ------
    ParameterError
        If none of them is there.
    """
    found: list[LatentMap] = []
    axes = None
    for seed in range(MANY):
        model = autoencoder(options_of(Decoding(kind=kind, latent=latent), "absolute", seed))
        if model is None:
            continue
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
        found.append(
            LatentMap(f"Training {len(found) + 1} · seed {seed}", points, f"{len(points)} digits · {said}")
        )
    if not found:
        raise ParameterError("None of these trainings is there yet. Train them in another part of this page.")
    return tuple(found)
