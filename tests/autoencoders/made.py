"""Small images of bright spots, tiny autoencoders of them, and copies whose latent space is turned."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from relviz.autoencoders import Autoencoder, Options, train

SMALL: dict[str, Any] = {"latent": 6, "anchors": 16, "epochs": 4, "batch": 32, "width": 6, "beta": 0.01}


def spots(n: int = 320, side: int = 12, channels: int = 1, seed: int = 0) -> Tensor:
    """``(n, channels, side, side)``: one round spot each, wherever and of any brightness."""
    rng = np.random.default_rng(seed)
    at = np.arange(side)
    x, y = rng.uniform(2, side - 3, size=(2, n, 1, 1, 1))
    bright = rng.uniform(0.5, 1, size=(n, channels, 1, 1))
    images = bright * np.exp(-((at[:, None] - y) ** 2 + (at - x) ** 2) / 10)
    return torch.from_numpy(images.astype(np.float32))


@cache
def small(codes: str = "relative", kind: str = "ae", seed: int = 0, **how) -> Autoencoder:
    """A tiny autoencoder of ``spots()``, trained for a moment, once."""
    return train(spots(), Options(kind=kind, codes=codes, seed=seed, **(SMALL | how)))


def turned(model: Autoencoder, scale: float = 3.0, seed: int = 0) -> Autoencoder:
    """The same autoencoder, its latent space turned and rescaled by hand; the decoder as it was."""
    d = model.options.latent
    rng = np.random.default_rng(seed)
    turn = scale * np.linalg.qr(rng.normal(size=(d, d)))[0].astype(np.float32)
    weights = model.weights()
    encoder = dict(weights.encoder)
    for part in ("5.weight", "5.bias"):  # of a vae, the means alone
        encoder[part] = np.concatenate([turn @ encoder[part][:d], encoder[part][d:]])
    return Autoencoder.of(replace(weights, encoder=encoder, anchors=weights.anchors @ turn.T))
