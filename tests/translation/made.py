"""Spaces whose translation is known in closed form."""

import numpy as np
import torch
from torch import Tensor


def gaussian(n: int, d: int, seed: int = 0) -> Tensor:
    return torch.from_numpy(np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32))


def rotation(d: int, seed: int = 0) -> Tensor:
    return torch.linalg.qr(gaussian(d, d, seed + 100).double())[0].float()


def isometry(x: Tensor, scale: float = 3.0, shift: float = 1.5, seed: int = 0) -> Tensor:
    """Rotated or reflected, rescaled, moved."""
    return scale * x @ rotation(x.shape[1], seed) + shift


def cosines(a: Tensor, b: Tensor) -> Tensor:
    """Of parallel rows."""
    return torch.nn.functional.cosine_similarity(a, b)
