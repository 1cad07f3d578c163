"""Image bundled encoders, each set as it was for the demos."""

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relviz.compute.device import device
from relviz.encoders.encoder import Card
from relviz.encoders.files import needed
from relviz.encoders.model import Model

DIMENSION = 1280


BLOCKS = (16, 21)
"""How many there are in EfficientNet-Lite0 and 1."""


def efficientnet_lite(size: int, card: Card, package: Path) -> Model:
    """EfficientNet-Lite ``size`` (0 or 1): features averaged over space (Apache-2.0).

    Pixels go in as (x − 127) / 128. Layer 0 is the stem, layer k what block k gives.
    """
    (weights,) = lite_files(size, package)
    from efficientnet_lite_pytorch import EfficientNet

    model = EfficientNet.from_name(f"efficientnet-lite{size}").eval()
    model.load_state_dict(torch.load(weights, weights_only=True, map_location="cpu"))
    model.to(device())

    def embed(pictures: NDArray[np.uint8], layer: int | None, _: str | None) -> Tensor:
        pixels = torch.from_numpy(pictures).to(device()).permute(0, 3, 1, 2)
        given = (pixels.to(torch.float32) - 127) / 128
        if layer is None:
            features: Tensor = model.extract_features(given)
            return features.mean((2, 3))
        state: Tensor = model._swish(model._bn0(model._conv_stem(given)))
        for block in model._blocks[:layer]:
            state = block(state)
        return state.mean((2, 3))

    widths = [model._bn0.num_features, *(block._bn2.num_features for block in model._blocks)]
    return Model(card, (weights,), embed, model, widths)


def lite_files(size: int, package: Path) -> tuple[Path, ...]:
    """The weights of EfficientNet-Lite ``size``."""
    return needed(package / "models", f"efficientnet-lite{size}-*.pth")
