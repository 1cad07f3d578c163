"""An autoencoder: images to latents, latents to codes, codes to images."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from relviz.compute.arrays import as_matrix
from relviz.compute.device import device
from relviz.errors import ParameterError, ReadError, ShapeError
from relviz.stitch.decode.images import COLOUR, GREY, MOST_SIDE, as_images
from relviz.stitch.decode.networks import decoder, encoder, relative_codes, size
from relviz.stitch.decode.options import Options

BLOCK = 1024


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
        The colour, of each channel, to which encoder and decoder see images as differences.
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

    def encode(self, images: Any) -> Tensor:
        """Latents ``(n, latent)`` of images ``(n, channels, side, side)``; of a vae, the means."""
        given = as_images(images)
        if given.shape[1:] != (self.channels, self.side, self.side):
            raise ShapeError(
                f"The images are {tuple(given.shape[1:])}; this encoder was trained on "
                f"{(self.channels, self.side, self.side)}. relviz.stitch.decode.small_images resizes them."
            )
        return _blockwise(self.encoder, given - self._ground)[:, : self.options.latent]

    def codes(self, images: Any) -> Tensor:
        """What the decoder is given of images: latents, or their cosines to the anchors ``(n, k)``."""
        return self.codes_of(self.encode(images))

    def codes_of(self, latents: Any) -> Tensor:
        """Codes of latents ``(n, latent)``."""
        given = as_matrix(latents, "latents").cpu()
        if given.shape[1] != self.options.latent:
            raise ShapeError(f"Latents have {self.options.latent} columns here; got {given.shape[1]}.")
        return given if self.options.codes == "absolute" else relative_codes(given, self.anchors)

    def decode(self, codes: Any) -> Tensor:
        """Images ``(n, channels, side, side)`` of codes ``(n, latent)`` or ``(n, k)``, between 0 and 1."""
        given = as_matrix(codes, "codes").cpu()
        if given.shape[1] != self.options.inputs:
            raise ShapeError(
                f"This decoder takes {self.options.codes} codes of {self.options.inputs} coordinates; "
                f"got {given.shape[1]}."
            )
        return _blockwise(self.decoder, given).add_(self._ground).clamp_(0, 1)

    def reconstruct(self, images: Any) -> Tensor:
        """Images encoded and decoded."""
        return self.decode(self.codes(images))

    def mse(self, images: Any) -> float:
        """Mean squared error of the reconstructions, a mean over all pixels."""
        given = as_images(images)
        return mean_squared_error(self.reconstruct(given), given)

    @property
    def _ground(self) -> Tensor:
        return torch.tensor(self.background)[:, None, None]

    def arrays(self) -> dict[str, np.ndarray]:
        """All numbers it consists of, by name; ``Autoencoder.of`` takes them back."""
        parts = {"anchors": self.anchors, "history": torch.tensor(self.history)}
        for name, half in (("encoder", self.encoder), ("decoder", self.decoder)):
            parts |= {f"{name}.{key}": part for key, part in half.state_dict().items()}
        return {name: part.detach().cpu().numpy() for name, part in parts.items()}

    @property
    def meta(self) -> dict[str, Any]:
        """The rest of what it consists of, as JSON would hold it."""
        return {
            "options": asdict(self.options),
            "channels": self.channels,
            "side": self.side,
            "background": list(self.background),
            "anchor_digest": self.anchor_digest,
        }

    @staticmethod
    def of(arrays: Mapping[str, np.ndarray], meta: Mapping[str, Any]) -> "Autoencoder":
        """The autoencoder that ``arrays`` and ``meta`` came from.

        Raises
        ------
        ReadError
            If they are not what ``meta`` says: a part is missing, of another shape, or holds NaN.
        """
        try:
            options, channels, side = Options(**meta["options"]), meta["channels"], meta["side"]
            digest = str(meta["anchor_digest"])
            ground = tuple(map(float, meta.get("background", channels * (0.0,))))
            if len(ground) != channels or not all(0 <= value <= 1 for value in ground):
                raise ParameterError(f"a background of {ground} for {channels} channels")
            if channels not in (GREY, COLOUR) or side not in range(4, MOST_SIDE + 1, 4):
                raise ParameterError(f"images of {channels} channels and {side} pixels")
        except (KeyError, TypeError, ValueError, ParameterError) as reason:
            raise ReadError(f"This does not describe an autoencoder: {reason}.") from None
        halves = build(options, channels, side)
        wanted = {"anchors": (options.anchors, options.latent), "history": None}
        for name, half in zip(("encoder", "decoder"), halves, strict=True):
            wanted |= {f"{name}.{key}": tuple(part.shape) for key, part in half.state_dict().items()}
        parts = {name: _part(name, arrays, shape) for name, shape in wanted.items()}
        for name, half in zip(("encoder", "decoder"), halves, strict=True):
            half.load_state_dict({key: parts[f"{name}.{key}"] for key in half.state_dict()})
            half.requires_grad_(False).to(device())
        history = tuple(map(float, parts["history"].tolist()))
        return Autoencoder(options, channels, side, ground, *halves, parts["anchors"], digest, history)


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


def _part(name: str, arrays: Mapping[str, np.ndarray], shape: tuple[int, ...] | None) -> Tensor:
    if name not in arrays:
        raise ReadError(f"The autoencoder has no {name}. Train it anew.")
    part = torch.from_numpy(np.array(arrays[name], dtype=np.float32))
    if (part.ndim != 1) if shape is None else (tuple(part.shape) != shape):
        raise ReadError(f"{name} has the shape {tuple(part.shape)}; {shape} is expected. Train it anew.")
    if not part.isfinite().all():
        raise ReadError(f"{name} holds NaN or infinite values. Train it anew.")
    return part


def _blockwise(half: Callable[[Tensor], Tensor], rows: Tensor) -> Tensor:
    with torch.no_grad():
        return torch.cat([half(block.to(device())).cpu() for block in rows.split(BLOCK)])
