"""Autoencoders in print: decoder swaps, interpolation, latent spaces of several trainings."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from torch import Tensor

from relviz.autoencoders import Weights
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.captions import listed
from relviz.figures.inputs import decoding
from relviz.figures.kind import Content, Kind, Options, Value
from relviz.plotting.colors import by_class, by_place
from relviz.plotting.grid import PictureGrid
from relviz.plotting.maps import MapGrid, legend_of
from relviz.plotting.pane import Pane
from relviz.plotting.stack import Part
from relviz.results.autoencoders import (
    WAYS,
    WAYS_IN_WORDS,
    LatentMap,
    Passed,
    autoencoder,
    autoencoder_task,
    between,
    latent_maps,
    missing_tasks,
    options_of,
    passed,
    seeds_of,
    share_axes,
    trained_seeds,
    two_of,
)
from relviz.state.image_sets import ImageSet, image_set
from relviz.state.view import Decoding

DIGITS = ("digits.pixels",)
NONE: Options = MappingProxyType({})
NO_CHECKS: Mapping[str, Callable[[object], None]] = MappingProxyType({})
STEPS = 11
LEFT = 22.0
"""Millimeters for the names of strips, the same for all."""
AUTOENCODERS = {"ae": "autoencoder", "vae": "variational autoencoder"}


def of_images(
    words: str,
    part: str,
    tasks: Callable[[Decoding, Options], Sequence[Task[Value]]],
    content: Callable[[Decoding, Options, Sequence[Value]], Content],
    options: Options = NONE,
    checks: Mapping[str, Callable[[object], None]] = NO_CHECKS,
) -> Kind[Decoding, Value]:
    """A kind of figure of a part of the Decode page, made of images whatever A and B are."""
    return Kind(
        words=words,
        page="decode",
        part=part,
        of=decoding,
        tasks=tasks,
        content=content,
        options=options,
        sources=DIGITS,
        checks=checks,
    )


def tasks_of_two(chosen: Decoding, _: Options) -> list[Task[Weights]]:
    """The trainings that are not there yet."""
    return missing_tasks(chosen, image_set(chosen.data))


def _swap_content(chosen: Decoding, options: Options, _: Sequence[Weights]) -> Content:
    given, ways = image_set(chosen.data), _ways(options)
    two, rows = two_of(chosen, given), given.chosen(chosen.images)
    assert two is not None
    images = given.test[rows]
    found = [one for one in passed(two, images) if one.way in ways]
    arrays, columns = swap_numbers(given, rows, found)

    def parts(width: float) -> list[Part]:
        return swap_strips(images, {way: WAYS[way] for way in ways}, found, width)

    of_rows = f"rows {listed([str(row) for row in rows])}"
    caption = (
        f"Test {noun(given)} ({of_rows}) through the encoder of one model and the decoder of another; 1 → 2 "
        f"is encoder 1 with decoder 2. {describe_models(chosen)} Errors are mean squared errors over these "
        f"{len(rows)} images. {' '.join(WAYS_IN_WORDS[way] for way in ways)}"
    )
    return Content(caption, arrays, columns, parts)


def swap_numbers(
    given: ImageSet, rows: Sequence[int], found: Sequence[Passed]
) -> tuple[dict[str, np.ndarray], dict[str, Sequence[object]]]:
    """Arrays and columns of a figure: test images by their rows, and what came out in every way."""
    arrays: dict[str, np.ndarray] = {"rows": np.asarray(rows), "images": numbers(given.test[rows])}
    names = [given.names[row] for row in rows]
    columns: dict[str, Sequence[object]] = {"row": rows, "class" if given.labels else "id": names}
    for one in found:
        name = f"{one.way}_{one.path[0] + 1}_to_{one.path[1] + 1}"
        arrays |= {name: numbers(one.images), f"{name}_mse": one.mse}
        columns |= {f"{name}_mse": one.mse.tolist()}
    return arrays, columns


def swap_strips(images: Tensor, ways: Mapping[str, str], found: Sequence[Passed], width: float) -> list[Part]:
    """The images ``(n, channels, side, side)`` in a strip, and one for each path of each of these ways."""
    grids: list[Part] = [PictureGrid(pixels(images)[None], [""], width, title="Input", left=LEFT)]
    for way, title in ways.items():
        some = [one for one in found if one.way == way]
        paths = [f"{i + 1} → {j + 1}, error {one.mse.mean():.3f}" for one in some for i, j in [one.path]]
        strips = np.stack([pixels(one.images) for one in some])
        grids.append(PictureGrid(strips, paths, width, title=title, left=LEFT))
    return grids


def _between_content(chosen: Decoding, _: Options, __: Sequence[Weights]) -> Content:
    given = image_set(chosen.data)
    two = two_of(chosen, given)
    assert two is not None
    last = len(given.test) - 1
    start, end = min(chosen.image, last), min(chosen.end, last)
    strips = between(two, given.test[start], given.test[end], STEPS)
    pictures = np.stack([pixels(images) for _, images in strips])
    words = [heading for heading, _ in strips]

    def parts(width: float) -> list[Part]:
        return [PictureGrid(pictures, words, width)]

    caption = (
        f"From one of the {noun(given)} (row {start}, {given.names[start]}) to another (row {end}, "
        f"{given.names[end]}) in {STEPS} steps. Latents on the straight line between the two are decoded by "
        f"their own model and by the other. {describe_models(chosen)}"
    )
    arrays = {f"strip_{number}": numbers(images) for number, (_, images) in enumerate(strips, 1)}
    columns: dict[str, Sequence[object]] = {"strip": list(range(1, len(words) + 1)), "words": words}
    return Content(caption, arrays, columns, parts)


def _ways(options: Options) -> list[str]:
    wrong = [way for way in options["ways"] if way not in WAYS]
    if wrong or not options["ways"]:
        raise ParameterError(f"The option ways is {options['ways']}; use some of {', '.join(WAYS)}.")
    return [way for way in WAYS if way in options["ways"]]


def describe_models(chosen: Decoding) -> str:
    """What the two models are."""
    one, other = seeds_of(chosen)
    return (
        f"{AUTOENCODERS[chosen.kind].capitalize()}s with {chosen.latent} latent dimensions that differ only "
        f"in their seed: 1 has {one}, 2 has {other}."
    )


def noun(given: ImageSet) -> str:
    """What the images are called in a caption."""
    return "digits" if given.is_digits else "images"


def numbers(images: Tensor) -> np.ndarray:
    """``(n, side, side)``, or ``(n, side, side, 3)`` in color, between 0 and 1."""
    last = images.permute(0, 2, 3, 1).numpy()
    return last[..., 0] if last.shape[3] == 1 else last


def pixels(images: Tensor) -> np.ndarray:
    """The same as bytes, as the page shows them."""
    return (numbers(images).clip(0, 1) * 255).round().astype(np.uint8)


SWAP = of_images(
    words="Decoder swap: images through every encoder and decoder",
    part="swap",
    tasks=tasks_of_two,
    content=_swap_content,
    options={"ways": list(WAYS)},
)
BETWEEN = of_images(
    words="Interpolation within a model and across models",
    part="between",
    tasks=tasks_of_two,
    content=_between_content,
)


CODES = ("absolute", "relative")
MOST_TRAININGS = 8


def _latent_tasks(chosen: Decoding, options: Options) -> list[Task[Weights]]:
    given = image_set(chosen.data)
    wanted = [options_of(chosen, "absolute", seed, given) for seed in _seeds(chosen, options)]
    return [autoencoder_task(one, given) for one in wanted if autoencoder(one, given) is None]


def _latent_content(chosen: Decoding, options: Options, _: Sequence[Weights]) -> Content:
    once, seeds = options["once"], _seeds(chosen, options)
    codes = _codes(chosen, options)
    maps = {name: latent_maps(chosen.with_changes(codes=name), once, seeds) for name in codes}
    panes = [_pane(one, name, chosen, once) for name, some in maps.items() for one in some]
    given = image_set(chosen.data)
    labels = given.labels[1] if given.labels else None
    colors = by_class(labels) if labels else by_place(next(iter(maps.values()))[0].points)

    def parts(width: float) -> list[Part]:
        across = len(seeds) if width > 100 or len(codes) > 1 else 2
        return [MapGrid(panes, colors, width, across), legend_of(colors, width)]

    arrays = {f"{name}_{one.seed}": one.points for name, some in maps.items() for one in some}
    columns: dict[str, Sequence[object]] = {"row": list(range(len(given.names)))}
    columns["class" if labels else "id"] = given.names
    for name, points in arrays.items():
        columns |= {f"{name}_{axis}": points[:, at].tolist() for at, axis in enumerate("xy")}
    model = autoencoder(options_of(chosen, "absolute", seeds[0], given), given)
    assert model is not None
    codes_words = {
        "absolute": "Absolute: latents",
        "relative": f"Relative: cosine similarities to the latents of the same {model.options.anchors} "
        "anchor images",
    }
    how = ". ".join(f"{codes_words[name]}; {some[-1].how}" for name, some in maps.items())
    caption = (
        f"Latent spaces of {len(seeds)} models that differ only in their seed "
        f"({listed([str(seed) for seed in seeds])}): {AUTOENCODERS[chosen.kind]}s with {chosen.latent} "
        f"latent dimensions, {len(given.names)} test {noun(given)}. {how}. Color: "
        f"{'class' if labels else 'PC1 of the first map'}."
    )
    return Content(caption, arrays, columns, parts)


def _pane(one: LatentMap, codes: str, chosen: Decoding, once: bool) -> Pane:
    group = CODES.index(codes) if share_axes(chosen.with_changes(codes=codes), once) else None
    return Pane(f"{one.title} · {codes}", one.points, [one.facts], group)


def _codes(chosen: Decoding, options: Options) -> tuple[str, ...]:
    asked = options["codes"] or chosen.codes
    if asked != "both" and asked not in CODES:
        raise ParameterError(f"The option codes is {asked[:40]!r}; use both, {' or '.join(CODES)}.")
    return CODES if asked == "both" else (asked,)


def _seeds(chosen: Decoding, options: Options) -> tuple[int, ...]:
    """The trainings that are asked for, or those that are there."""
    seeds = tuple(dict.fromkeys(options["seeds"])) or trained_seeds(chosen)
    if not 1 <= len(seeds) <= MOST_TRAININGS or not all(0 <= seed <= 99 for seed in seeds):
        raise ParameterError(
            f"The option seeds is {list(seeds)}; give 1 to {MOST_TRAININGS} seeds from 0 to 99, of models "
            "that are trained or can be."
        )
    return seeds


LATENTS = of_images(
    words="Latent spaces of several models",
    part="spaces",
    tasks=_latent_tasks,
    content=_latent_content,
    options={"codes": "", "once": True, "seeds": []},
)
