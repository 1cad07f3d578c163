"""Training an autoencoder end to end, on absolute or on relative codes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from relviz.autoencoders.images import anchor_rows, as_images, background
from relviz.autoencoders.model import Autoencoder, Options, build, draw_weights, relative_codes
from relviz.bootstrapping import Pulse
from relviz.compute.arrays import ArrayLike
from relviz.compute.device import device
from relviz.compute.key import array_digest


class Learner:
    """Encoder and ``tail`` with weights drawn anew, on the device, and the images ``(n, c, side, side)``.

    What the encoder sees is the difference to the background: on white ground the cosines of all images
    would be nearly 1, and relative codes would say little.
    """

    def __init__(self, chosen: Options, images: Tensor, encoder: nn.Sequential, tail: nn.Sequential) -> None:
        self.chosen, self.encoder, self.tail = chosen, encoder, tail
        self.images = images.to(device())
        self.background = background(images).to(device())
        self.anchors = self.images[anchor_rows(len(images), chosen.anchors, chosen.anchor_seed).to(device())]
        self.random = torch.Generator().manual_seed(chosen.seed)
        self.networks = nn.ModuleList((encoder, tail))
        draw_weights(self.networks, self.random)
        self.networks.to(device())

    def codes(self, latents: Tensor) -> Tensor:
        """What the tail is given of latents; the anchors are encoded anew, without a gradient."""
        if self.chosen.codes == "absolute":
            return latents
        return relative_codes(latents, self.anchor_latents())

    def latents(self, images: Tensor) -> Tensor:
        """``(n, latent)``; of a vae, the means."""
        codes: Tensor = self.encoder(images - self.background)
        return codes[:, : self.chosen.latent]

    def anchor_latents(self) -> Tensor:
        """``(k, latent)``, without a gradient."""
        with torch.no_grad():
            return self.latents(self.anchors)

    def anchor_digest(self) -> str:
        """Content digest of the anchor images."""
        return array_digest(self.anchors)


EVERY = 10
"""Steps between two reports."""
WARM = 0.1
"""Share of the steps in which the learning rate rises."""


@dataclass(frozen=True)
class Descended:
    """``index`` of ``of`` steps are done; ``figure`` is the mean of the last ``EVERY``, at their end."""

    index: int
    of: int
    epoch: int
    figure: float | None


def descend(
    networks: nn.Module,
    losses: Callable[[Tensor], tuple[Tensor, Tensor]],
    n: int,
    chosen: Options,
    random: torch.Generator,
) -> Iterator[Descended]:
    """Adam over shuffled batches of ``n`` rows, the rate rising and falling (one cycle; arXiv 1708.07120).

    ``losses`` gives the loss of a batch of row numbers, and the figure to report of it.
    """
    batch = min(chosen.batch, n)
    per_epoch = n // batch
    of = chosen.epochs * per_epoch
    descent = torch.optim.Adam(networks.parameters(), lr=chosen.rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(descent, lambda step: _rate(step / of))
    index, figures = 0, torch.zeros((), device=device())
    for epoch in range(chosen.epochs):
        # What is left of the rows after the last whole batch is left for another epoch.
        for rows in torch.randperm(n, generator=random)[: per_epoch * batch].split(batch):
            descent.zero_grad()
            loss, figure = losses(rows)
            loss.backward()
            descent.step()
            schedule.step()
            index, figures = index + 1, figures + figure.detach()
            reports = index % EVERY == 0 or index == of
            steps = EVERY if index % EVERY == 0 else of % EVERY
            yield Descended(index, of, epoch, float(figures) / steps if reports else None)
            if reports:
                figures = torch.zeros((), device=device())


def _rate(done: float) -> float:
    """Share of the highest rate when so much is done: a line up, then half a cosine down."""
    if done < WARM:
        return max(done, 0.01 * WARM) / WARM
    rest = torch.tensor((done - WARM) / (1 - WARM))
    return float(0.5 * (1 + torch.cos(torch.pi * rest)))


SHOWN_EVERY = 50
"""Steps between two reports that have pictures."""


@dataclass(frozen=True, eq=False)
class TrainStep:
    """``index`` of ``of`` steps are done; ``mse`` is the mean of the last ``EVERY``.

    ``pictures`` ``(m, channels, side, side)``, now and then, are the watched images as reconstructed by now.
    """

    index: int
    of: int
    epoch: int
    mse: float
    pictures: Tensor | None


OnTrainStep = Callable[[TrainStep], object]
"""Called every ``EVERY`` steps; truthy stops, and what stands then is the result; it may raise to stop."""


def train(
    images: ArrayLike,
    options: Options | None = None,
    *,
    watched: ArrayLike | None = None,
    on_step: OnTrainStep | None = None,
    pulse: Pulse | None = None,
) -> Autoencoder:
    """Train an autoencoder on images ``(n, channels, side, side)``.

    Source: Moschella et al. 2023 (arXiv 2209.15430), section 5.1 and appendix A.5.4. Relative
    codes are the cosines of latents to those of the anchor images, which are encoded anew at every step,
    without a gradient through them.
    The loss is the squared error of the pixels, summed over an image. A vae decodes a point drawn
    round the mean while it is trained, and the mean ever after. The same images and options give the same
    autoencoder on one device.

    Parameters
    ----------
    images
        Between 0 and 1; the sides a multiple of 4.
    options
        All have defaults.
    watched
        Images that ``on_step`` is shown the reconstructions of now and then; the first 8 without it.
    on_step
        See ``OnTrainStep``.
    pulse
        Called at every step; what it raises ends the work.

    Raises
    ------
    ShapeError, ParameterError
        If the images are not such, or fewer than the anchors.
    """
    chosen = options or Options()
    given = as_images(images)
    shown = (given[:8] if watched is None else as_images(watched, "watched")).to(device())
    learner = Reconstruction(chosen, given)
    history = []
    for step in descend(learner.networks, learner.losses, len(given), chosen, learner.random):
        if pulse is not None:
            pulse()
        if step.figure is None:
            continue
        history.append(step.figure)
        if on_step is None:
            continue
        pictures = learner.pictures(shown) if step.index % SHOWN_EVERY == 0 or step.index == step.of else None
        if on_step(TrainStep(step.index, step.of, step.epoch, step.figure, pictures)):
            break
    return learner.autoencoder(tuple(history))


class Reconstruction(Learner):
    """An autoencoder while it is trained."""

    def __init__(self, chosen: Options, images: Tensor) -> None:
        super().__init__(chosen, images, *build(chosen, images.shape[1], images.shape[2]))

    def losses(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Of a batch: what is minimized, and the mean squared error."""
        true = self.images[rows.to(device())]
        latents, divergence = self._drawn(true)
        mse = nn.functional.mse_loss(self.tail(self.codes(latents)), true - self.background)
        return mse * true[0].numel() + self.chosen.beta * divergence, mse

    def pictures(self, images: Tensor) -> Tensor:
        """Images reconstructed by now."""
        with torch.no_grad():
            made: Tensor = self.tail(self.codes(self.latents(images))) + self.background
            return made.clamp_(0, 1).cpu()

    def autoencoder(self, history: tuple[float, ...]) -> Autoencoder:
        """What stands now, for use."""
        self.networks.requires_grad_(False)
        _, channels, side, _ = self.images.shape
        anchors, digest = self.anchor_latents().cpu(), self.anchor_digest()
        ground = tuple(self.background.flatten().tolist())
        return Autoencoder(
            self.chosen, channels, side, ground, self.encoder, self.tail, anchors, digest, history
        )

    def _drawn(self, images: Tensor) -> tuple[Tensor, Tensor]:
        """Latents to decode, and their divergence from the standard normal distribution."""
        coded = self.encoder(images - self.background)
        if self.chosen.kind == "ae":
            return coded, coded.new_zeros(())
        mean, log_variance = coded.chunk(2, 1)
        noise = torch.randn(mean.shape, generator=self.random).to(mean.device)
        divergence = 0.5 * (mean.square() + log_variance.exp() - 1 - log_variance).sum(1).mean()
        return mean + noise * (0.5 * log_variance).exp(), divergence
