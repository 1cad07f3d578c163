"""What an autoencoder is, and how it is trained."""

from dataclasses import dataclass

from relviz.bootstrap.options import check_whole
from relviz.errors import ParameterError

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
    def inputs(self) -> int:
        """How many coordinates the decoder is given."""
        return self.anchors if self.codes == "relative" else self.latent
