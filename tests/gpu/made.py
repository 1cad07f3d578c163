"""The spaces that are compared: the same on every device, or with their last digit moved."""

import os

import torch
from torch import Tensor

import relviz

ROUNDING = "RELVIZ_GPU_ROUNDING"
"""If this is in the environment, every space differs in its last digit: a trial of the tolerances."""


def gaussian(n: int, d: int, seed: int = 0) -> Tensor:
    """``(n, d)`` rows of falling variance, off the origin, on the CPU."""
    random = torch.Generator().manual_seed(seed)
    rows = torch.randn(n, d, generator=random)
    return _rounded(rows * torch.linspace(2.0, 0.5, d) + 0.3)


def seen_again(x: Tensor, d: int, noise: float = 0.3, seed: int = 1) -> Tensor:
    """The rows of ``x`` as another encoder of ``d`` dimensions sees them: mapped linearly, with noise."""
    random = torch.Generator().manual_seed(seed)
    mapping = torch.randn(x.shape[1], d, generator=random) / x.shape[1] ** 0.5
    return x @ mapping + noise * torch.randn(len(x), d, generator=random)


def demo_pair(demo: str, spaces: tuple[str, str], n: int) -> tuple[Tensor, Tensor]:
    """The first ``n`` rows of two spaces of a demo, parallel."""
    pair = relviz.load_demo(demo).pair(*spaces)
    return _rounded(pair.a.vectors[:n]), _rounded(pair.b.vectors[:n])


def _rounded(x: Tensor) -> Tensor:
    if ROUNDING not in os.environ:
        return x
    random = torch.Generator().manual_seed(7)
    signs = torch.randint(-1, 2, x.shape, generator=random)
    return x * (1 + signs * torch.finfo(torch.float32).eps)
