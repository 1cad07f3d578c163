"""Decoding in print: images through one encoder and another's decoder, and the latent spaces themselves."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from torch import Tensor

from relviz.compute.entry import Result
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.colouring import by_class, by_place
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
from relviz.view.figure.marked import colour_said
from relviz.view.figure.words import listed
from relviz.view.image_sets import image_set
from relviz.view.latent_spaces import LatentMap, latent_maps, share_axes
from relviz.view.swapped import WAYS, WAYS_SAID, between, chosen_rows, passed

DIGITS = ("digits.pixels",)
STEPS = 11
LEFT = 22.0
"""Millimetres for the names of strips, the same for all."""
CODES = ("absolute", "relative")
AUTOENCODERS = {"ae": "autoencoder", "vae": "variational autoencoder"}
MOST_TRAININGS = 8


def _tasks_of_two(view: View, _: Options) -> list[Task]:
    return missing_tasks(view.de, image_set(view.de.data))


def _swap_content(view: View, options: Options, _: Sequence[Result]) -> Content:
    images, ways = image_set(view.de.data), _ways(options)
    two, rows = two_of(view.de, images), chosen_rows(view.de, images)
    assert two is not None
    given = images.test[rows]
    found = [one for one in passed(two, given) if one.way in ways]
    arrays: dict[str, np.ndarray] = {"rows": np.asarray(rows), "images": given.numpy()}
    columns: dict[str, Sequence[Any]] = {"row": rows, "image": [images.names[row] for row in rows]}
    for one in found:
        name = f"{one.way}_{one.path[0] + 1}_to_{one.path[1] + 1}"
        arrays |= {name: one.images.numpy(), f"{name}_mse": one.mse}
        columns |= {f"{name}_mse": one.mse.tolist()}

    def parts(width: float) -> list[Part]:
        grids: list[Part] = [PictureGrid(_bytes(given)[None], [""], width, title="What goes in", left=LEFT)]
        for way in ways:
            some = [one for one in found if one.way == way]
            names = [f"{i + 1} → {j + 1}, error {one.mse.mean():.3f}" for one in some for i, j in [one.path]]
            strips = np.stack([_bytes(one.images) for one in some])
            grids.append(PictureGrid(strips, names, width, title=WAYS[way], left=LEFT))
        return grids

    caption = (
        f"Images that trained nothing ({images.title.lower()}, rows {listed([str(row) for row in rows])}) "
        f"through the encoder of one training and the decoder of another, 1 → 2 for encoder 1 and decoder 2. "
        f"{_models_said(view.de)} Errors are mean squared errors over these {len(rows)} images. "
        f"{' '.join(WAYS_SAID[way] for way in ways)}"
    )
    return Content(caption, arrays, columns, parts)


def _between_content(view: View, _: Options, __: Sequence[Result]) -> Content:
    images = image_set(view.de.data)
    two = two_of(view.de, images)
    assert two is not None
    last = len(images.test) - 1
    start, end = min(view.de.image, last), min(view.de.end, last)
    strips = between(two, images.test[start], images.test[end], STEPS)
    pictures = np.stack([_bytes(walk) for _, walk in strips])
    words = [said.replace("encoder and decoder of one model", "one model") for said, _ in strips]
    words = [said.replace("the decoder of the other model", "the other's decoder") for said in words]

    def parts(width: float) -> list[Part]:
        return [PictureGrid(pictures, words, width)]

    ends = " to ".join(f"row {row} ({images.names[row]})" for row in (start, end))
    caption = (
        f"From one image to another, {ends} of {images.title.lower()}, in {STEPS} steps: latents on the "
        f"straight line between the two, decoded by the model that encoded them and by the other. "
        f"{_models_said(view.de)}"
    )
    arrays = {f"strip_{number}": walk.numpy() for number, (_, walk) in enumerate(strips, 1)}
    columns: dict[str, Sequence[Any]] = {"strip": list(range(1, len(words) + 1)), "words": words}
    return Content(caption, arrays, columns, parts)


def _latent_tasks(view: View, options: Options) -> list[Task]:
    images = image_set(view.de.data)
    wanted = [options_of(view.de, "absolute", seed, images) for seed in _seeds(options)]
    return [autoencoder_task(one, images) for one in wanted if autoencoder(one, images) is None]


def _latent_content(view: View, options: Options, _: Sequence[Result]) -> Content:
    chosen, once, images = view.de, options["once"], image_set(view.de.data)
    each = [chosen.with_changes(codes=codes) for codes in _codes(chosen, options)]
    maps = {one.codes: latent_maps(one, once, _seeds(options)) for one in each}
    panes = [_pane(shown, one, once) for one in each for shown in maps[one.codes]]
    labels = images.labels[1] if images.labels else None
    assert panes[0].points is not None
    colours = by_class(labels) if labels else by_place(panes[0].points)
    seeds = [one.seed for one in maps[each[0].codes]]

    def parts(width: float) -> list[Part]:
        across = len(seeds) if width > 120 or len(each) > 1 else 2
        return [MapGrid(panes, colours, width, across), legend_of(colours, width)]

    arrays = {f"{codes}_{one.seed}": one.points for codes, some in maps.items() for one in some}
    columns: dict[str, Sequence[Any]] = {"row": list(range(len(images.names))), "image": images.names}
    for name, points in arrays.items():
        columns |= {f"{name}_{axis}": points[:, at].tolist() for at, axis in enumerate("xy")}
    anchors = options_of(chosen, "absolute", seeds[0], images).anchors
    said = {
        "absolute": "Absolute: the latents",
        "relative": f"Relative: cosines to the latents of the same {anchors} anchor images",
    }
    how = ". ".join(f"{said[codes]}; {some[-1].said.partition(' · ')[2]}" for codes, some in maps.items())
    caption = (
        f"Latent spaces of {len(seeds)} trainings that differ in nothing but the seed "
        f"({listed([str(seed) for seed in seeds])}): {AUTOENCODERS[chosen.kind]}s with {chosen.latent} "
        f"latent dimensions, {len(images.names)} images that trained nothing ({images.title.lower()}). "
        f"{how}. {' '.join(colour_said(colours, True))}"
    )
    return Content(caption, arrays, columns, parts)


def _pane(shown: LatentMap, chosen: Decoding, once: bool) -> Pane:
    group = CODES.index(chosen.codes) if share_axes(chosen, once) else None
    return Pane(f"{shown.title} · {chosen.codes}", shown.points, shown.said, group)


def _codes(chosen: Decoding, options: Options) -> tuple[str, ...]:
    asked = options["codes"] or chosen.codes
    if asked != "both" and asked not in CODES:
        raise ParameterError(f"The option codes is {asked[:40]!r}; it is both, {' or '.join(CODES)}.")
    return CODES if asked == "both" else (asked,)


def _seeds(options: Options) -> tuple[int, ...]:
    """The trainings that are asked for; none for those that are there."""
    seeds = tuple(dict.fromkeys(options["seeds"]))
    if len(seeds) > MOST_TRAININGS or not all(0 <= seed <= 99 for seed in seeds):
        raise ParameterError(
            f"The option seeds is {list(seeds)}; give at most {MOST_TRAININGS} seeds from 0 to 99."
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


def _bytes(images: Tensor) -> np.ndarray:
    """``(n, side, side)`` bytes, with ``3`` at the end where they are in colour, as the page shows them."""
    pixels = (images.clamp(0, 1) * 255).round().numpy().astype(np.uint8).transpose(0, 2, 3, 1)
    return pixels[..., 0] if pixels.shape[3] == 1 else pixels


SWAP = Kind(
    words="Decoders swapped: images through every encoder and decoder",
    page="decode",
    part="swap",
    tasks=_tasks_of_two,
    content=_swap_content,
    options={"ways": list(WAYS)},
    sources=DIGITS,
    images=True,
)
BETWEEN = Kind(
    words="From one image to another, within a model and across models",
    page="decode",
    part="between",
    tasks=_tasks_of_two,
    content=_between_content,
    sources=DIGITS,
    images=True,
)
LATENTS = Kind(
    words="Latent spaces of several trainings",
    page="decode",
    part="spaces",
    tasks=_latent_tasks,
    content=_latent_content,
    options={"codes": "", "once": True, "seeds": []},
    sources=DIGITS,
    images=True,
)
