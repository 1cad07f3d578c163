"""Two autoencoders whose latents are matched without a known pair, each by images of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from relviz.autoencoders import Autoencoder, Options, match_latents
from relviz.bootstrapping import Step
from relviz.compute.jobs import Ticket
from relviz.compute.task import Task, task
from relviz.errors import ParameterError
from relviz.results.autoencoders import Passed, Two, autoencoder, options_of, seeds_of
from relviz.results.run import Verdict
from relviz.state.image_sets import ImageSet
from relviz.state.view import Decoding

MOST = 3000
"""Images that either model encodes."""
OWN, SWAPPED, TRANSLATED = "own", "swapped", "translated"
LINES = {
    OWN: "Own decoder",
    SWAPPED: "Other model's decoder",
    TRANSLATED: "Translated, other model's decoder",
}
"""How a latent gets to a decoder."""
BOTH_WAYS = ((0, 1), (1, 0))
"""The model that encodes, and the one that decodes."""


@dataclass(frozen=True, eq=False)
class LatentsMatched:
    """Latents of some training images in one model, matched with those of others in the other.

    Attributes
    ----------
    images
        How many images either model encoded.
    there, back
        ``(latent + 1, latent)`` float32: matrix and, in the last row, offset that carry latents of the first
        model into the other's space, and from there.
    verdict
        The solver's own.
    """

    images: tuple[int, int]
    there: np.ndarray
    back: np.ndarray
    verdict: Verdict

    def translated(self, latents: Tensor, path: tuple[int, int]) -> Tensor:
        """Latents ``(n, latent)`` of the first model or the second, in the space of the other."""
        affine = torch.from_numpy(self.there if path == (0, 1) else self.back)
        return latents @ affine[:-1] + affine[-1]


def latents_matched(chosen: Decoding, images: ImageSet) -> Task[LatentsMatched]:
    """The task that matches the latents of the two autoencoders of a choice."""
    one, other = (options_of(chosen, "absolute", seed, images) for seed in seeds_of(chosen))
    return _matched(one, other, images)


@task("latents", "Matching two latent spaces without a known pair", heavy=True)
def _matched(ticket: Ticket, one: Options, other: Options, images: ImageSet) -> LatentsMatched:
    rows, others = halves(len(images.train))

    def on_step(step: Step) -> None:
        ticket.report((step.index + 1) / step.of, f"step {step.index + 1} of {step.of}")
        ticket.rest()

    ticket.report(0.0, "encoding the images")
    args = _model(one, images), _model(other, images), images.train[rows], images.train[others]
    match = match_latents(*args, on_step=on_step, on_pulse=ticket.check)
    there, back = (torch.vstack(one_way.affine()).numpy() for one_way in (match.there, match.back))
    return LatentsMatched((len(rows), len(others)), there, back, Verdict.of(match.found))


def halves(many: int) -> tuple[Tensor, Tensor]:
    """Rows of so many training images that either model encodes: two halves, of each ``MOST`` at most."""
    order = torch.randperm(many, generator=torch.Generator().manual_seed(0))
    one, other = order.tensor_split(2)
    return one[:MOST].sort().values, other[:MOST].sort().values


def _model(options: Options, images: ImageSet) -> Autoencoder:
    found = autoencoder(options, images)
    if found is None:
        raise ParameterError(f"The autoencoder of seed {options.seed} is not trained yet. Train it first.")
    return found


def passed_unpaired(
    two: Two, matched: LatentsMatched | None, images: Tensor, path: tuple[int, int]
) -> Sequence[Passed]:
    """Test images ``(n, channels, side, side)`` from one of the two to the other, in every way of ``LINES``.

    Nothing is translated before the latents are matched, nor by a match that the self-check rejected.
    """
    encoder, decoder = (two.absolute[place] for place in path)
    latents = encoder.encode(images)
    found = [
        Passed.of(OWN, (path[0], path[0]), encoder.decode(latents), images),
        Passed.of(SWAPPED, path, decoder.decode(latents), images),
    ]
    if matched is not None and matched.verdict.converged:
        translated = decoder.decode(matched.translated(latents, path))
        found.append(Passed.of(TRANSLATED, path, translated, images))
    return found
