"""Latent spaces of several trainings in print."""

from collections.abc import Sequence
from typing import Any

from relviz.compute.entry import Result
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.colouring import by_class, by_place
from relviz.figures.maps import MapGrid, legend_of
from relviz.figures.pane import Pane
from relviz.figures.stack import Part
from relviz.view.autoencoders import autoencoder, autoencoder_task, options_of
from relviz.view.choices import View
from relviz.view.decoding_choices import Decoding
from relviz.view.figure.content import Content, Kind, Options
from relviz.view.figure.decoding import AUTOENCODERS, DIGITS, noun
from relviz.view.figure.words import listed
from relviz.view.image_sets import image_set
from relviz.view.latent_spaces import LatentMap, latent_maps, share_axes, trained_seeds

CODES = ("absolute", "relative")
MOST_TRAININGS = 8


def _latent_tasks(view: View, options: Options) -> list[Task]:
    given = image_set(view.de.data)
    wanted = [options_of(view.de, "absolute", seed, given) for seed in _seeds(view.de, options)]
    return [autoencoder_task(one, given) for one in wanted if autoencoder(one, given) is None]


def _latent_content(view: View, options: Options, _: Sequence[Result]) -> Content:
    chosen, once, seeds = view.de, options["once"], _seeds(view.de, options)
    codes = _codes(chosen, options)
    maps = {name: latent_maps(chosen.with_changes(codes=name), once, seeds) for name in codes}
    panes = [_pane(one, name, chosen, once) for name, some in maps.items() for one in some]
    given = image_set(chosen.data)
    labels = given.labels[1] if given.labels else None
    colours = by_class(labels) if labels else by_place(next(iter(maps.values()))[0].points)

    def parts(width: float) -> list[Part]:
        across = len(seeds) if width > 120 or len(codes) > 1 else 2
        return [MapGrid(panes, colours, width, across), legend_of(colours, width)]

    arrays = {f"{name}_{one.seed}": one.points for name, some in maps.items() for one in some}
    columns: dict[str, Sequence[Any]] = {"row": list(range(len(given.names)))}
    columns["class" if labels else "id"] = given.names
    for name, points in arrays.items():
        columns |= {f"{name}_{axis}": points[:, at].tolist() for at, axis in enumerate("xy")}
    model = autoencoder(options_of(chosen, "absolute", seeds[0], given), given)
    assert model is not None
    said = {
        "absolute": "Absolute: the latents",
        "relative": f"Relative: cosines to the latents of the same {model.options.anchors} anchor images",
    }
    how = ". ".join(f"{said[name]}; {some[-1].said.partition(' · ')[2]}" for name, some in maps.items())
    caption = (
        f"Latent spaces of {len(seeds)} trainings that differ in nothing but the seed "
        f"({listed([str(seed) for seed in seeds])}): {AUTOENCODERS[chosen.kind]}s with "
        f"{chosen.latent} latent dimensions, {len(given.names)} {noun(given)} that trained nothing. {how}. "
        f"Colour: {'class' if labels else 'place in the first map'}."
    )
    return Content(caption, arrays, columns, parts)


def _pane(one: LatentMap, codes: str, chosen: Decoding, once: bool) -> Pane:
    group = CODES.index(codes) if share_axes(chosen.with_changes(codes=codes), once) else None
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


LATENTS = Kind(
    words="Latent spaces of several trainings",
    page="decode",
    part="spaces",
    tasks=_latent_tasks,
    content=_latent_content,
    options={"codes": "", "once": True, "seeds": []},
    sources=DIGITS,
)
