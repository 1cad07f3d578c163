"""Image encoders that pip carries, each set as it was for the demos."""

from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from relviz.compute.device import device
from relviz.encoders.encoder import Card, Encoder
from relviz.encoders.files import needed

DIMENSION = 1280


def efficientnet_lite(size: int, card: Card, package: Path) -> Encoder:
    """EfficientNet-Lite ``size`` (0 or 1): features averaged over space (Apache-2.0).

    Pixels go in as (x − 127) / 128.
    """
    (weights,) = needed(package / "models", f"efficientnet-lite{size}-*.pth")
    from efficientnet_lite_pytorch import EfficientNet

    model = EfficientNet.from_name(f"efficientnet-lite{size}").eval()
    model.load_state_dict(torch.load(weights, weights_only=True, map_location="cpu"))
    model.to(device())

    def embed(pictures: np.ndarray) -> Tensor:
        pixels = torch.from_numpy(pictures).to(device()).permute(0, 3, 1, 2)
        # Ten bits of TensorFloat-32 would move results by more than 1e-3.
        with torch.backends.cudnn.flags(enabled=True, allow_tf32=False):
            return model.extract_features((pixels.to(torch.float32) - 127) / 128).mean((2, 3))

    return Encoder(**vars(card), files=(weights,), embed=embed, network=model)
