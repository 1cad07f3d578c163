"""The autoencoders that the Decode page shows: carried, kept from a training, or still to be trained."""

from dataclasses import dataclass, replace
from functools import lru_cache

from torch import Tensor

from relviz.compute.jobs import Ticket
from relviz.compute.key import result_key
from relviz.compute.task import Made, Task
from relviz.stitch.decode import (
    CARRIED,
    RATES,
    Autoencoder,
    Options,
    TrainStep,
    anchor_rows,
    carried,
    train,
)
from relviz.view.decoding_choices import Decoding
from relviz.view.image_sets import ImageSet

STEPS = 1500
"""About how many steps a training takes, however many images there are."""
FEWEST_EPOCHS, MOST_EPOCHS = 2, 200


def options_of(chosen: Decoding, codes: str, seed: int, images: ImageSet) -> Options:
    """The options of one of the autoencoders that are shown: alike for all seeds, as carried where one is."""
    known = CARRIED.get(f"{chosen.kind}-{codes}-{chosen.latent}-0")
    told = known or Options(chosen.kind, codes, chosen.latent, rate=RATES[chosen.kind])
    options = replace(told, seed=seed)
    if chosen.anchors:
        options = replace(options, anchors=max(2, chosen.anchors))
    if images.is_digits:
        return options
    epochs = round(STEPS * options.batch / len(images.train))
    return replace(options, epochs=min(MOST_EPOCHS, max(FEWEST_EPOCHS, epochs)))


def autoencoder_task(options: Options, images: ImageSet) -> Task:
    """The task that trains an autoencoder; its result is all it consists of."""

    def compute(ticket: Ticket) -> Made:
        def on_step(step: TrainStep) -> None:
            shown = {} if step.pictures is None else {"pictures": step.pictures.numpy()}
            said = f"epoch {step.epoch + 1}, error {step.mse:.4f}"
            ticket.report(step.index / step.of, said, mse=step.mse, **shown)
            ticket.rest()

        ticket.report(0.0, "preparing the images")
        watched = images.test[list(images.first())]
        found = train(images.train, options, watched=watched, on_step=on_step, pulse=ticket.check)
        return found.arrays(), found.meta

    key = result_key("autoencoder", [images.digest], vars(options), options.seed)
    title = f"Training the {options.codes} {options.kind.upper()} of seed {options.seed}"
    return Task(key, title, compute)


def autoencoder(options: Options, images: ImageSet) -> Autoencoder | None:
    """The autoencoder of some options: one that is carried, or that was trained; None if it is not there."""
    if images.is_digits and options in CARRIED.values():
        return _carried(options.kind, options.codes, options.latent, options.seed)
    kept = autoencoder_task(options, images).kept()
    return None if kept is None else Autoencoder.of(kept.arrays, kept.meta)


@dataclass(frozen=True, eq=False)
class Two:
    """Two autoencoders of either code."""

    absolute: tuple[Autoencoder, Autoencoder]
    relative: tuple[Autoencoder, Autoencoder]


def two_of(chosen: Decoding, images: ImageSet) -> Two | None:
    """The autoencoders of a choice; None as long as one of them has to be trained."""
    absolute, relative = (
        [
            found
            for seed in seeds_of(chosen)
            if (found := autoencoder(options_of(chosen, codes, seed, images), images))
        ]
        for codes in ("absolute", "relative")
    )
    if len(absolute) < 2 or len(relative) < 2:
        return None
    return Two((absolute[0], absolute[1]), (relative[0], relative[1]))


def seeds_of(chosen: Decoding) -> tuple[int, int]:
    """The two seeds, which differ."""
    return chosen.one, chosen.other if chosen.other != chosen.one else chosen.one + 1


def missing_tasks(chosen: Decoding, images: ImageSet) -> list[Task]:
    """What has to be trained before the autoencoders of a choice are there."""
    wanted = [
        options_of(chosen, codes, seed, images)
        for seed in seeds_of(chosen)
        for codes in ("relative", "absolute")
    ]
    return [autoencoder_task(options, images) for options in wanted if autoencoder(options, images) is None]


def anchor_images(options: Options, images: ImageSet) -> Tensor:
    """The images ``(k, channels, side, side)`` that are anchors of an autoencoder."""
    return images.train[anchor_rows(len(images.train), options.anchors, options.anchor_seed)]


@lru_cache(maxsize=16)
def _carried(kind: str, codes: str, latent: int, seed: int) -> Autoencoder:
    return carried(kind, codes, latent, seed)
