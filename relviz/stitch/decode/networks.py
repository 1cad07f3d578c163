"""The two halves of an autoencoder, small enough to be trained on one core in half a minute."""

import torch
from torch import Tensor, nn

from relviz.relative import unit_rows


def encoder(channels: int, side: int, outputs: int, width: int) -> nn.Sequential:
    """Images ``(n, channels, side, side)`` to ``(n, outputs)``: two convolutions, one linear layer."""
    return nn.Sequential(
        nn.Conv2d(channels, width, 4, 2, 1),
        nn.SiLU(),
        nn.Conv2d(width, 2 * width, 4, 2, 1),
        nn.SiLU(),
        nn.Flatten(),
        nn.Linear(2 * width * (side // 4) ** 2, outputs),
    )


def decoder(inputs: int, channels: int, side: int, width: int) -> nn.Sequential:
    """Codes ``(n, inputs)`` to images ``(n, channels, side, side)``: the encoder mirrored."""
    return nn.Sequential(
        nn.Linear(inputs, 2 * width * (side // 4) ** 2),
        nn.SiLU(),
        nn.Unflatten(1, (2 * width, side // 4, side // 4)),
        nn.ConvTranspose2d(2 * width, width, 4, 2, 1),
        nn.SiLU(),
        nn.ConvTranspose2d(width, channels, 4, 2, 1),
    )


def draw_weights(network: nn.Module, random: torch.Generator) -> None:
    """He's normal weights (arXiv 1502.01852) drawn with ``random``; biases of zero."""
    for layer in network.modules():
        if isinstance(layer, nn.Linear | nn.Conv2d | nn.ConvTranspose2d):
            sources = layer.weight[0].numel()
            if isinstance(layer, nn.ConvTranspose2d):  # each pixel gets one in four of the kernel's weights
                sources = layer.in_channels * layer.kernel_size[0] * layer.kernel_size[1] // 4
            nn.init.normal_(layer.weight, 0, (2 / sources) ** 0.5, generator=random)
            assert layer.bias is not None
            nn.init.zeros_(layer.bias)


def size(network: nn.Module) -> int:
    """How many parameters it has."""
    return sum(parameter.numel() for parameter in network.parameters())


def relative_codes(latents: Tensor, anchors: Tensor) -> Tensor:
    """Cosines ``(n, k)`` of latents ``(n, d)`` to anchors ``(k, d)``; gradient flows to the latents alone."""
    return nn.functional.normalize(latents, dim=1) @ unit_rows(anchors.detach()).T
