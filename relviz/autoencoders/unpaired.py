"""Decoder swap without a known pair: two latent spaces of different images, matched by their shapes alone."""

from dataclasses import dataclass

from relviz.anchors import select_anchors
from relviz.autoencoders.model import Autoencoder
from relviz.bootstrapping import Bootstrap, OnStep, Pulse, bootstrap
from relviz.compute.arrays import ArrayLike
from relviz.errors import ParameterError
from relviz.translation import Translator, anchor_pairs, fit_translator
from relviz.translation.methods import TranslationMethod

ANCHORS = 300
METHOD: TranslationMethod = "procrustes"
"""A rotation bends least toward single matches, all of which are wrong if the images have none in common."""


@dataclass(frozen=True, eq=False)
class LatentMatch:
    """Latents of one autoencoder matched with those of another.

    Attributes
    ----------
    found
        What anchor optimization came to; ``found.converged`` is its self-check.
    there, back
        Rotations fitted to the matches, which carry latents into the other model's space, and from there.
    """

    found: Bootstrap
    there: Translator
    back: Translator


def match_latents(
    one: Autoencoder,
    other: Autoencoder,
    images: ArrayLike,
    others: ArrayLike,
    seed: int = 0,
    on_step: OnStep | None = None,
    on_pulse: Pulse | None = None,
) -> LatentMatch:
    """Match the latents of images in one autoencoder with those of other images in another; none is known.

    Not in the papers: they translate by images that both models have encoded.

    Parameters
    ----------
    one, other
        Trained on absolute codes.
    images, others
        ``(n, channels, side, side)`` and ``(m, channels, side, side)``: what either encodes. They may have no
        image in common, but should show the same kinds of things, about as often.
    seed, on_step, on_pulse
        As ``relviz.bootstrap`` has them.

    Raises
    ------
    ParameterError
        If a model was trained on relative codes, which need no match.
    """
    if "relative" in (one.options.codes, other.options.codes):
        raise ParameterError("A model was trained with relative codes. Use two trained with absolute codes.")
    latents, beside = one.encode(images), other.encode(others)
    anchors = select_anchors(latents, min(ANCHORS, len(latents), len(beside)), "uniform", seed)
    found = bootstrap(latents, beside, anchors, seed=seed, on_step=on_step, on_pulse=on_pulse)
    matched = beside[found.matches]
    pairs = anchor_pairs(latents, matched), anchor_pairs(matched, latents)
    return LatentMatch(found, *(fit_translator(one_way, METHOD) for one_way in pairs))
