"""Decoding in print: images through one encoder and another's decoder, and the latent spaces themselves."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from torch import Tensor

from relviz.compute.entry import Result
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.colouring import by_class
from relviz.figures.grid import PictureGrid
from relviz.figures.maps import MapGrid, legend_of
from relviz.figures.pane import Pane
from relviz.figures.stack import Part
from relviz.view.autoencoders import (
    autoencoder,
    autoencoder_task,
    missing_tasks,
    options_of,
    seeds_of,
    two_of,
)
from relviz.view.choices import View
from relviz.view.decoding_choices import Decoding
from relviz.view.figure.content import Content, Kind, Options
from relviz.view.figure.words import listed
from relviz.view.image_sets import ImageSet, image_set
from relviz.view.latent_spaces import LatentMap, latent_maps, share_axes, trained_seeds
from relviz.view.swapped import WAYS, WAYS_SAID, between, chosen_rows, passed

DIGITS = ("digits.pixels",)
STEPS = 11
LEFT = 22.0
"""Millimetres for the names of strips, the same for all."""
CODES = ("absolute", "relative")
AUTOENCODERS = {"ae": "autoencoder", "vae": "variational autoencoder"}
MOST_TRAININGS = 8


def _tasks_of_two(view: View, _: Options) -> list[Task]:
    return missing_tasks(view.de, digits_of(view))


def digits_of(view: View) -> ImageSet:
    """The digits that come with relviz; ParameterError if the view has other images."""
    images = image_set(view.de.data)
    if not images.is_digits:
        raise ParameterError(
            f"Figures of Decode are of the digits that come with relviz, and this one is of {images.title}."
        )
    return images


def _swap_content(view: View, options: Options, _: Sequence[Result]) -> Content:
    every, ways = digits_of(view), _ways(options)
    two, rows = two_of(view.de, every), chosen_rows(view.de, every)
    assert two is not None
    labels = [every.names[row] for row in rows]
    images = every.test[rows]
    found = [one for one in passed(two, images) if one.way in ways]
    arrays: dict[str, np.ndarray] = {"rows": np.asarray(rows), "images": images[:, 0].numpy()}
    columns: dict[str, Sequence[Any]] = {"row": rows, "class": labels}
    for one in found:
        name = f"{one.way}_{one.path[0] + 1}_to_{one.path[1] + 1}"
        arrays |= {name: one.images[:, 0].numpy(), f"{name}_mse": one.mse}
        columns |= {f"{name}_mse": one.mse.tolist()}

    def parts(width: float) -> list[Part]:
        grids: list[Part] = [PictureGrid(_grey(images)[None], [""], width, title="What goes in", left=LEFT)]
        for way in ways:
            some = [one for one in found if one.way == way]
            names = [f"{i + 1} → {j + 1}, error {one.mse.mean():.3f}" for one in some for i, j in [one.path]]
            strips = np.stack([_grey(one.images) for one in some])
            grids.append(PictureGrid(strips, names, width, title=WAYS[way], left=LEFT))
        return grids

    caption = (
        f"Digits that trained nothing (rows {listed([str(row) for row in rows])}) through the encoder of one "
        f"training and the decoder of another, 1 → 2 for encoder 1 and decoder 2. {_models_said(view.de)} "
        f"Errors are mean squared errors over these {len(rows)} images. "
        f"{' '.join(WAYS_SAID[way] for way in ways)}"
    )
    return Content(caption, arrays, columns, parts)


def _between_content(view: View, _: Options, __: Sequence[Result]) -> Content:
    images = digits_of(view)
    two = two_of(view.de, images)
    assert two is not None
    last = len(images.test) - 1
    start, end = min(view.de.image, last), min(view.de.end, last)
    strips = between(two, images.test[start], images.test[end], STEPS)
    pictures = np.stack([_grey(strip) for _, strip in strips])
    words = [said.replace("encoder and decoder of one model", "one model") for said, _ in strips]
    words = [said.replace("the decoder of the other model", "the other's decoder") for said in words]

    def parts(width: float) -> list[Part]:
        return [PictureGrid(pictures, words, width)]

    caption = (
        f"From one digit (row {start}, a {images.names[start]}) to another (row {end}, a "
        f"{images.names[end]}) in {STEPS} steps: latents on the straight line between the two, decoded by "
        f"the model that encoded them and by the other. {_models_said(view.de)}"
    )
    arrays = {f"strip_{number}": strip[:, 0].numpy() for number, (_, strip) in enumerate(strips, 1)}
    columns: dict[str, Sequence[Any]] = {"strip": list(range(1, len(words) + 1)), "words": words}
    return Content(caption, arrays, columns, parts)


def _latent_tasks(view: View, options: Options) -> list[Task]:
    images = digits_of(view)
    wanted = [options_of(view.de, "absolute", seed, images) for seed in _seeds(view.de, options)]
    return [autoencoder_task(one, images) for one in wanted if autoencoder(one, images) is None]


def _latent_content(view: View, options: Options, _: Sequence[Result]) -> Content:
    chosen, once, seeds = view.de, options["once"], _seeds(view.de, options)
    codes = _codes(chosen, options)
    maps = {name: latent_maps(chosen.with_changes(codes=name), once, seeds) for name in codes}
    panes = [_pane(one, name, chosen, once) for name, some in maps.items() for one in some]
    images = digits_of(view)
    labels = images.names
    colours = by_class(labels)

    def parts(width: float) -> list[Part]:
        across = len(seeds) if width > 120 or len(codes) > 1 else 2
        return [MapGrid(panes, colours, width, across), legend_of(colours, width)]

    arrays = {f"{name}_{one.seed}": one.points for name, some in maps.items() for one in some}
    columns: dict[str, Sequence[Any]] = {"row": list(range(len(labels))), "class": labels}
    for name, points in arrays.items():
        columns |= {f"{name}_{axis}": points[:, at].tolist() for at, axis in enumerate("xy")}
    model = autoencoder(options_of(chosen, "absolute", seeds[0], images), images)
    assert model is not None
    said = {
        "absolute": "Absolute: the latents",
        "relative": f"Relative: cosines to the latents of the same {model.options.anchors} anchor images",
    }
    how = ". ".join(f"{said[name]}; {some[-1].said.partition(' · ')[2]}" for name, some in maps.items())
    caption = (
        f"Latent spaces of {len(seeds)} trainings that differ in nothing but the seed "
        f"({listed([str(seed) for seed in seeds])}): {AUTOENCODERS[chosen.kind]}s with "
        f"{chosen.latent} latent dimensions, {len(labels)} digits that trained nothing. {how}. Colour: class."
    )
    return Content(caption, arrays, columns, parts)


def _pane(one: LatentMap, codes: str, chosen: Decoding, once: bool) -> Pane:
    group = CODES.index(codes) if share_axes(chosen.latent, codes, once) else None
    return Pane(f"{one.title} · {codes}", one.points, one.said, group)


def _codes(chosen: Decoding, options: Options) -> tuple[str, ...]:
    asked = options["codes"] or chosen.codes
    if asked != "both" and asked not in CODES:
        raise ParameterError(f"The option codes is {asked[:40]!r}; it is both, {' or '.join(CODES)}.")
    return CODES if asked == "both" else (asked,)


def _seeds(chosen: Decoding, options: Options) -> tuple[int, ...]:
    """The trainings that are asked for, or those that are there."""
    seeds = tuple(dict.fromkeys(options["seeds"])) or trained_seeds(chosen)
    if not 1 <= len(seeds) <= MOST_TRAININGS or not all(0 <= seed <= 99 for seed in seeds):
        raise ParameterError(
            f"The option seeds is {list(seeds)}; give 1 to {MOST_TRAININGS} seeds from 0 to 99, of trainings "
            "that are there or can be made."
        )
    return seeds


def _ways(options: Options) -> list[str]:
    wrong = [way for way in options["ways"] if way not in WAYS]
    if wrong or not options["ways"]:
        raise ParameterError(f"The option ways is {options['ways']}; use some of {', '.join(WAYS)}.")
    return [way for way in WAYS if way in options["ways"]]


def _models_said(chosen: Decoding) -> str:
    one, other = seeds_of(chosen)
    return (
        f"{AUTOENCODERS[chosen.kind].capitalize()}s with {chosen.latent} latent dimensions that differ in "
        f"nothing but the seed: 1 has {one}, 2 has {other}."
    )


def _grey(images: Tensor) -> np.ndarray:
    """``(n, 28, 28)`` bytes, as the page shows them."""
    return (images[:, 0].clamp(0, 1) * 255).round().numpy().astype(np.uint8)


SWAP = Kind(
    words="Decoders swapped: images through every encoder and decoder",
    page="decode",
    part="swap",
    tasks=_tasks_of_two,
    content=_swap_content,
    options={"ways": list(WAYS)},
    sources=DIGITS,
)
BETWEEN = Kind(
    words="From one image to another, within a model and across models",
    page="decode",
    part="between",
    tasks=_tasks_of_two,
    content=_between_content,
    sources=DIGITS,
)
LATENTS = Kind(
    words="Latent spaces of several trainings",
    page="decode",
    part="spaces",
    tasks=_latent_tasks,
    content=_latent_content,
    options={"codes": "", "once": True, "seeds": []},
    sources=DIGITS,
)
