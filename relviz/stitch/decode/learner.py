"""An encoder, its anchor images and what follows it, while they are trained."""

import torch
from torch import Tensor, nn

from relviz.compute.device import device
from relviz.compute.digest import array_digest
from relviz.stitch.decode.images import anchor_rows, background
from relviz.stitch.decode.networks import draw_weights, relative_codes
from relviz.stitch.decode.options import Options


class Learner:
    """Encoder and ``tail`` with weights drawn anew, on the device, and the images ``(n, c, side, side)``.

    What the encoder sees is the difference to the background: on white ground the cosines of all images
    would be nearly 1, and relative codes would say little.
    """

    def __init__(self, told: Options, images: Tensor, encoder: nn.Sequential, tail: nn.Sequential) -> None:
        self.told, self.encoder, self.tail = told, encoder, tail
        self.images = images.to(device())
        self.background = background(images).to(device())
        self.anchors = self.images[anchor_rows(len(images), told.anchors, told.anchor_seed).to(device())]
        self.random = torch.Generator().manual_seed(told.seed)
        self.networks = nn.ModuleList((encoder, tail)).to(device())
        draw_weights(self.networks, self.random)

    def codes(self, latents: Tensor) -> Tensor:
        """What the tail is given of latents; the anchors are encoded anew, without a gradient."""
        if self.told.codes == "absolute":
            return latents
        return relative_codes(latents, self.anchor_latents())

    def latents(self, images: Tensor) -> Tensor:
        """``(n, latent)``; of a vae, the means."""
        return self.encoder(images - self.background)[:, : self.told.latent]

    def anchor_latents(self) -> Tensor:
        """``(k, latent)``, without a gradient."""
        with torch.no_grad():
            return self.latents(self.anchors)

    def anchor_digest(self) -> str:
        """Content digest of the anchor images."""
        return array_digest(self.anchors)
