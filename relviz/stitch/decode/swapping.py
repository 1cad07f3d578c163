"""Decoders swapped: images through one autoencoder's encoder and another's decoder."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from relviz.errors import ParameterError
from relviz.stitch.decode.autoencoder import Autoencoder
from relviz.translate import Options as TranslatorOptions
from relviz.translate import anchor_pairs, fit_translator


def swap(
    encoder: Autoencoder,
    decoder: Autoencoder,
    images: Any,
    method: str | None = None,
    options: TranslatorOptions | None = None,
) -> Tensor:
    """Images ``(n, channels, side, side)`` encoded by one and decoded by the other, neither ever tuned to it.

    Source: Moschella et al. 2023 (arXiv 2209.15430), section 5.1.

    Parameters
    ----------
    encoder, decoder
        Trained on the same codes.
    images
        As the encoder takes them.
    method
        One of ``relviz.translate.METHODS``, fitted on the latents of the shared anchors: it carries
        latents into the decoder's space first. Without it codes go straight into the decoder.
    options
        Of the translator.

    Raises
    ------
    ParameterError
        If the two were trained on different codes or anchors, or the translator cannot be had.
    ShapeError
        If latents go straight into a decoder of another latent size.
    """
    return decoder.decode(swapped_codes(encoder, decoder, images, method, options))


def swapped_codes(
    encoder: Autoencoder,
    decoder: Autoencoder,
    images: Any,
    method: str | None = None,
    options: TranslatorOptions | None = None,
) -> Tensor:
    """What ``swap`` gives the decoder ``(n, latent)`` or ``(n, k)``."""
    one, other = encoder.options, decoder.options
    if one.codes != other.codes:
        raise ParameterError(
            f"The encoder was trained with {one.codes} codes, the decoder with {other.codes}; "
            "take two that were trained alike."
        )
    if encoder.anchor_digest != decoder.anchor_digest and (method or one.codes == "relative"):
        raise ParameterError(
            f"They do not share anchors ({one.anchors} of seed {one.anchor_seed}, {other.anchors} of seed "
            f"{other.anchor_seed}); train both on the same images, with the same anchors and anchor_seed."
        )
    if method is None:
        return encoder.codes(images)
    t = fit_translator(anchor_pairs(encoder.anchors, decoder.anchors), method, options)
    return decoder.codes_of(t(encoder.encode(images)))


def grid(models: Sequence[Autoencoder], images: Any, method: str | None = None) -> Tensor:
    """``(encoders, decoders, n, channels, side, side)``: images by every pair; on the diagonal, unswapped."""
    return torch.stack(
        [
            torch.stack([swap(one, other, images, None if one is other else method) for other in models])
            for one in models
        ]
    )
