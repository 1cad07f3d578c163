"""Autoencoders: their options, their networks, and a trained one that encodes and decodes."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor, nn

from relviz.autoencoders.images import COLOR, GRAY, MOST_SIDE, as_images
from relviz.bootstrapping.options import check_whole
from relviz.compute.arrays import ArrayLike, as_matrix
from relviz.compute.device import device
from relviz.errors import ParameterError, ReadError, ShapeError
from relviz.relative_projection import unit_rows


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


KINDS: dict[str, str] = {
    "ae": "an autoencoder: an image becomes one point",
    "vae": "a variational autoencoder: an image becomes a normal distribution, whose mean stands for it",
}
"""Names that ``Options`` accepts for ``kind``."""

CODES: dict[str, str] = {
    "absolute": "the decoder is given the latent itself",
    "relative": "the decoder is given the cosines of the latent to the latents of the anchor images",
}
"""Names that ``Options`` accepts for ``codes``: what the decoder is given."""

RATES: dict[str, float] = {"ae": 1e-2, "vae": 2e-2}
"""Learning rates, at their highest, by which each kind gets furthest in the steps that ``Options`` has."""

MOST_LATENT, MOST_ANCHORS, MOST_WIDTH, MOST_EPOCHS = 512, 1000, 64, 200


@dataclass(frozen=True)
class Options:
    """Options of ``train``.

    Attributes
    ----------
    kind, codes
        Of ``KINDS`` and ``CODES``.
    latent
        Dimensions of the latent space: 2 can be drawn, more show more of the image.
    anchors
        How many of the images are anchors. Relative codes have as many coordinates: with as many as latents,
        absolute and relative cost the same parameters.
    epochs, batch, rate
        Times that every image is seen, images in one step, learning rate at its highest.
    width
        Channels after the first convolution; twice as many after the second.
    beta
        Weight of the divergence from the standard normal distribution, in a vae.
    seed
        Of weights, order of the images, and noise.
    anchor_seed
        Of the anchors: the same for all that are to be stitched.
    """

    kind: str = "ae"
    codes: str = "relative"
    latent: int = 64
    anchors: int = 64
    epochs: int = 12
    batch: int = 64
    rate: float = 1e-2
    width: int = 12
    beta: float = 0.03
    seed: int = 0
    anchor_seed: int = 0

    def __post_init__(self) -> None:
        for what, value, known in (("kind", self.kind, KINDS), ("codes", self.codes, CODES)):
            if value not in known:
                raise ParameterError(f"There is no {what} {value!r}; use one of {', '.join(known)}.")
        most = {"latent": MOST_LATENT, "anchors": MOST_ANCHORS, "width": MOST_WIDTH, "epochs": MOST_EPOCHS}
        for name, least in (
            *(("latent", 2), ("anchors", 2), ("width", 1), ("epochs", 1)),
            *(("batch", 1), ("seed", 0), ("anchor_seed", 0)),
        ):
            check_whole(name, getattr(self, name), least)
            limit = most.get(name, 2**31)
            if getattr(self, name) > limit:
                raise ParameterError(f"{name} is at most {limit}; it is {getattr(self, name)}.")
        if not 1e-6 <= self.rate <= 1:
            raise ParameterError(f"rate must lie between 0.000001 and 1; it is {self.rate!r}.")
        if not 0 <= self.beta <= 1000:
            raise ParameterError(f"beta must lie between 0 and 1000; it is {self.beta!r}.")

    @property
    def acronym(self) -> str:
        """AE or VAE."""
        return self.kind.upper()

    @property
    def inputs(self) -> int:
        """How many coordinates the decoder is given."""
        return self.anchors if self.codes == "relative" else self.latent


BLOCK = 1024


@dataclass(frozen=True, eq=False)
class Weights:
    """All that a trained autoencoder consists of, as numbers: what is kept of it.

    ``encoder`` and ``decoder`` hold the parameters of either network by their names in it; the rest is as
    ``Autoencoder`` has it.
    """

    options: Options
    channels: int
    side: int
    background: tuple[float, ...]
    anchor_digest: str
    encoder: dict[str, np.ndarray]
    decoder: dict[str, np.ndarray]
    anchors: np.ndarray
    history: np.ndarray


@dataclass(frozen=True, eq=False)
class Autoencoder:
    """A trained autoencoder. All it gives is float32, on the CPU.

    Attributes
    ----------
    options
        With which it was trained.
    channels, side
        Of its images.
    background
        The color, of each channel, to which encoder and decoder see images as differences.
    anchors
        ``(k, latent)``: the latents of the anchor images.
    anchor_digest
        Content digest of the anchor images: two that share it were trained with the same anchors.
    history
        ``(m,)`` mean squared error during training, one figure for ``EVERY`` steps.
    """

    options: Options
    channels: int
    side: int
    background: tuple[float, ...]
    encoder: nn.Sequential = field(repr=False)
    decoder: nn.Sequential = field(repr=False)
    anchors: Tensor = field(repr=False)
    anchor_digest: str = field(repr=False)
    history: tuple[float, ...] = field(default=(), repr=False)

    @property
    def parameters(self) -> tuple[int, int]:
        """How many parameters encoder and decoder have."""
        return size(self.encoder), size(self.decoder)

    def encode(self, images: ArrayLike) -> Tensor:
        """Latents ``(n, latent)`` of images ``(n, channels, side, side)``; of a vae, the means."""
        given = as_images(images)
        if given.shape[1:] != (self.channels, self.side, self.side):
            raise ShapeError(
                f"The images are {tuple(given.shape[1:])}; this encoder was trained on "
                f"{(self.channels, self.side, self.side)}. relviz.autoencoders.images resizes them."
            )
        return _blockwise(self.encoder, given - self._ground)[:, : self.options.latent]

    def codes(self, images: ArrayLike) -> Tensor:
        """What the decoder is given of images: latents, or their cosines to the anchors ``(n, k)``."""
        return self.codes_of(self.encode(images))

    def codes_of(self, latents: ArrayLike) -> Tensor:
        """Codes of latents ``(n, latent)``."""
        given = as_matrix(latents, "latents").cpu()
        if given.shape[1] != self.options.latent:
            raise ShapeError(f"Latents have {self.options.latent} columns here; got {given.shape[1]}.")
        return given if self.options.codes == "absolute" else relative_codes(given, self.anchors)

    def decode(self, codes: ArrayLike) -> Tensor:
        """Images ``(n, channels, side, side)`` of codes ``(n, latent)`` or ``(n, k)``, between 0 and 1."""
        given = as_matrix(codes, "codes").cpu()
        if given.shape[1] != self.options.inputs:
            raise ShapeError(
                f"This decoder takes {self.options.codes} codes of {self.options.inputs} coordinates; "
                f"got {given.shape[1]}."
            )
        return _blockwise(self.decoder, given).add_(self._ground).clamp_(0, 1)

    def reconstruct(self, images: ArrayLike) -> Tensor:
        """Images encoded and decoded."""
        return self.decode(self.codes(images))

    def mse(self, images: ArrayLike) -> float:
        """Mean squared error of the reconstructions, a mean over all pixels."""
        given = as_images(images)
        return mean_squared_error(self.reconstruct(given), given)

    @property
    def _ground(self) -> Tensor:
        return torch.tensor(self.background)[:, None, None]

    def weights(self) -> Weights:
        """All numbers it consists of; ``Autoencoder.of`` takes them back."""
        return Weights(
            options=self.options,
            channels=self.channels,
            side=self.side,
            background=self.background,
            anchor_digest=self.anchor_digest,
            encoder=_parameters(self.encoder),
            decoder=_parameters(self.decoder),
            anchors=self.anchors.numpy(),
            history=np.array(self.history, np.float32),
        )

    @staticmethod
    def of(weights: Weights) -> "Autoencoder":
        """The autoencoder that the weights came from.

        Raises
        ------
        ReadError
            If they are not what they say: a part is missing, of another shape, or holds NaN.
        """
        options, channels, side = weights.options, weights.channels, weights.side
        if channels not in (GRAY, COLOR) or side not in range(4, MOST_SIDE + 1, 4):
            raise ReadError(
                f"This does not describe an autoencoder: images of {channels} channels and {side} pixels."
            )
        ground = weights.background
        if len(ground) != channels or not all(0 <= value <= 1 for value in ground):
            raise ReadError(
                f"This does not describe an autoencoder: a background of {ground} for {channels} channels."
            )
        halves = build(options, channels, side)
        for name, half, parts in zip(
            ("encoder", "decoder"), halves, (weights.encoder, weights.decoder), strict=True
        ):
            shapes = {key: tuple(part.shape) for key, part in half.state_dict().items()}
            half.load_state_dict(
                {key: _part(f"{name}.{key}", parts.get(key), shape) for key, shape in shapes.items()}
            )
            half.requires_grad_(False).to(device())
        anchors = _part("anchors", weights.anchors, (options.anchors, options.latent))
        history = tuple(map(float, _part("history", weights.history).tolist()))
        return Autoencoder(options, channels, side, ground, *halves, anchors, weights.anchor_digest, history)


def build(options: Options, channels: int, side: int) -> tuple[nn.Sequential, nn.Sequential]:
    """Encoder and decoder as the options have them; a vae's encoder gives means and log variances."""
    outputs = options.latent * (2 if options.kind == "vae" else 1)
    with torch.random.fork_rng(devices=[]):
        return (
            encoder(channels, side, outputs, options.width),
            decoder(options.inputs, channels, side, options.width),
        )


def mean_squared_error(made: Tensor, true: Tensor) -> float:
    """Mean over all pixels of all images."""
    return float((made.double() - true.double()).square().mean())


def _parameters(half: nn.Sequential) -> dict[str, np.ndarray]:
    return {name: part.detach().cpu().numpy() for name, part in half.state_dict().items()}


def _part(name: str, array: np.ndarray | None, shape: tuple[int, ...] | None = None) -> Tensor:
    if array is None:
        raise ReadError(f"The autoencoder has no {name}. Train it anew.")
    part = torch.from_numpy(np.array(array, dtype=np.float32))
    if (part.ndim != 1) if shape is None else (tuple(part.shape) != shape):
        raise ReadError(f"{name} has the shape {tuple(part.shape)}; {shape} is expected. Train it anew.")
    if not part.isfinite().all():
        raise ReadError(f"{name} holds NaN or infinite values. Train it anew.")
    return part


def _blockwise(half: Callable[[Tensor], Tensor], rows: Tensor) -> Tensor:
    with torch.no_grad():
        return torch.cat([half(block.to(device())).cpu() for block in rows.split(BLOCK)])
