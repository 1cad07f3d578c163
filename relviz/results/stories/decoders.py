"""Digits through the decoder of another training: maps of several trainings, images, and their errors."""

from functools import lru_cache

import numpy as np
from torch import Tensor

from relviz.compute.job import Ticket
from relviz.compute.task import task
from relviz.errors import ParameterError
from relviz.results.autoencoders import WAYS, Passed, Two, latent_maps, passed, two_of
from relviz.results.drawing import going_in
from relviz.results.stories.maps import apart
from relviz.results.stories.story_picture import StoryPicture
from relviz.results.unpaired_decoders import SWAPPED, LatentsMatched, latents_matched, passed_unpaired
from relviz.state.image_sets import DIGITS, image_set
from relviz.state.view import Decoding

LATENT = 2
SEEDS = (0, 1, 2, 3)
SHOWN = 800
CODES = ("absolute", "relative")
OTHER = (0, 1)
DECODERS = {(0, 0): "own", OTHER: "other"}
"""Encoder and decoder: the first model's own, and the other model's."""
MATCHED = "matched"
"""Translated by a rotation that was fitted without a known pair."""


@task("story-latents", "Latent spaces of four trainings")
def latents_picture(ticket: Ticket) -> StoryPicture:
    """The same digits in the latent spaces of four trainings, absolute and relative."""
    images = image_set(DIGITS)
    facts, arrays = {"trainings": float(len(SEEDS)), "images": float(len(images.test))}, {}
    for at, codes in enumerate(CODES):
        ticket.report(at / len(CODES), codes)
        made = latent_maps(Decoding(latent=LATENT, codes=codes), True, SEEDS)
        places = np.stack([one.points for one in made])
        middle, reach = places.mean((0, 1)), np.abs(places - places.mean((0, 1))).max()
        arrays[codes] = ((places[:, :SHOWN] - middle) / reach).astype(np.float32)
        for seed in SEEDS[1:]:
            facts[f"apart_{codes}_{seed + 1}"] = apart(places[[0, seed]])
    _, labels = images.labels or ((), ())
    arrays["classes"] = np.array([int(label) for label in labels[:SHOWN]], np.int32)
    for codes in CODES:
        facts[f"apart_{codes}"] = float(np.mean([facts[f"apart_{codes}_{seed + 1}"] for seed in SEEDS[1:]]))
    return StoryPicture(facts, {"classes": [str(digit) for digit in range(10)]}, arrays)


@task("story-decoder", "Digits through another model's decoder")
def decoder_picture(ticket: Ticket) -> StoryPicture:
    """A digit of each class through both decoders, in every way; the facts are over all test images."""
    images = image_set(DIGITS)
    ticket.report(0.0, "matching the latents")
    match = latents_matched(Decoding(), images).run(ticket)
    few = images.test[list(images.first())]
    made = _through(few)
    arrays = {"input": _bytes(few)}
    arrays |= {name: _bytes(one.images) for name, one in made.items()}
    arrays |= {f"mse_{name}": one.mse.astype(np.float32) for name, one in made.items()}
    ticket.report(0.3, "errors of all test images")
    facts = {name: float(one.mse.mean()) for name, one in _through(images.test).items()}
    ways = (*WAYS, MATCHED)
    facts |= {f"times_{way}": facts[f"{way}_other"] / facts["absolute_own"] for way in ways}
    facts |= {"images": float(len(images.test)), "anchors": float(_two().relative[0].options.anchors)}
    facts |= {"encoded": float(match.images[0]), "accepted": float(match.verdict.converged)}
    bars = [("Absolute, own decoder", "absolute_own", "own")]
    bars += [(f"{words}, other decoder", f"{way}_other", way) for way, words in WAYS.items()]
    arrays["bars"] = np.array([facts[name] for _, name, _ in bars], np.float32)
    texts = {"names": [words for words, _, _ in bars], "keys": [key for *_, key in bars], "unit": ["error"]}
    return StoryPicture(facts, texts, arrays)


def drawn(drawing: np.ndarray) -> dict[str, object]:
    """Images of a drawing ``(h, w)`` by ``WAY_DECODER``, their errors, and what went in; bytes of each.

    Raises
    ------
    ParameterError
        If nothing is drawn.
    """
    if not drawing.any():
        raise ParameterError("Draw a digit first.")
    image = going_in(drawing, image_set(DIGITS))
    made = _through(image)
    return {
        "input": _bytes(image).ravel().tolist(),
        "images": {name: _bytes(one.images).ravel().tolist() for name, one in made.items()},
        "mse": {name: float(one.mse[0]) for name, one in made.items()},
    }


def _through(images: Tensor) -> dict[str, Passed]:
    """What both decoders make of the first model's codes, by way and decoder."""
    ways = {f"{one.way}_{DECODERS[one.path]}": one for one in passed(_two(), images) if one.path in DECODERS}
    without = passed_unpaired(_two(), _match(), images, OTHER)
    ways |= {f"{MATCHED}_{DECODERS[one.path]}": one for one in without if one.way != SWAPPED}
    return ways


@lru_cache(maxsize=1)
def _match() -> LatentsMatched:
    return latents_matched(Decoding(), image_set(DIGITS)).run()


@lru_cache(maxsize=1)
def _two() -> Two:
    two = two_of(Decoding(), image_set(DIGITS))
    assert two is not None  # they are bundled
    return two


def _bytes(images: Tensor) -> np.ndarray:
    """Gray images ``(n, 1, s, s)`` as ``(n, s, s)`` bytes."""
    return (images[:, 0].clamp(0, 1) * 255).round().numpy().astype(np.uint8)
