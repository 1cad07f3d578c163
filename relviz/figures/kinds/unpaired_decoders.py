"""In print: images of one autoencoder, decoded by another that shares no known pair with it."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from relviz.compute.task import Task
from relviz.figures.captions import listed
from relviz.figures.kind import Content, Options
from relviz.figures.kinds.autoencoders import (
    LEFT,
    describe_models,
    noun,
    numbers,
    of_images,
    pixels,
    tasks_of_two,
)
from relviz.plotting.grid import PictureGrid
from relviz.plotting.stack import Part
from relviz.results.autoencoders import Passed, two_of
from relviz.results.unpaired_decoders import (
    LINES,
    OWN,
    LatentsMatched,
    latents_matched,
    passed_unpaired,
)
from relviz.state.image_sets import image_set
from relviz.state.view import Decoding
from relviz.wording import count

PATHS = ((0, 1), (1, 0))


def _tasks(chosen: Decoding, options: Options) -> list[Task[Any]]:
    return [*tasks_of_two(chosen, options), latents_matched(chosen, image_set(chosen.data))]


def _content(chosen: Decoding, _: Options, results: Sequence[object]) -> Content:
    given = image_set(chosen.data)
    matched = cast("LatentsMatched", results[-1])
    two, rows = two_of(chosen, given), given.chosen(chosen.images)
    assert two is not None
    accepted = matched.verdict.converged
    names, images = [given.names[row] for row in rows], given.test[rows]
    found = [
        one for path in PATHS for one in passed_unpaired(two, matched if accepted else None, images, path)
    ]
    arrays: dict[str, np.ndarray] = {"rows": np.asarray(rows), "images": numbers(images)}
    columns: dict[str, Sequence[object]] = {"row": rows, "class" if given.labels else "id": names}
    for one in found:
        name = f"{one.way}_{one.path[0] + 1}_to_{one.path[1] + 1}"
        arrays |= {name: numbers(one.images), f"{name}_mse": one.mse}
        columns |= {f"{name}_mse": one.mse.tolist()}

    def parts(width: float) -> list[Part]:
        grids: list[Part] = [PictureGrid(pixels(images)[None], [""], width, title="Input", left=LEFT)]
        for way, words in LINES.items():
            some = [one for one in found if one.way == way]
            if some:
                paths = [f"{_path(one)}, error {one.mse.mean():.3f}" for one in some]
                strips = np.stack([pixels(one.images) for one in some])
                grids.append(PictureGrid(strips, paths, width, title=words, left=LEFT))
        return grids

    of_rows = f"rows {listed([str(row) for row in rows])}"
    here, there = (count(many) for many in matched.images)
    verdict = "accepted the match" if accepted else "rejected the match, so nothing is translated"
    caption = (
        f"Test {noun(given)} ({of_rows}), encoded by one model and decoded by itself, by another, and by the "
        "other after a translation for which no pair is known; 1 → 2 is encoder 1 with decoder 2. "
        f"{describe_models(chosen)} The latents of {here} training {noun(given)} in model 1 are matched with "
        f"those of {there} others in model 2 by the shapes of the two spaces; a rotation fitted to the "
        f"matches translates. The self-check {verdict}. Errors are mean squared errors over these "
        f"{len(rows)} images."
    )
    return Content(caption, arrays, columns, parts)


def _path(one: Passed) -> str:
    i, j = one.path
    return f"{i + 1} → {(i if one.way == OWN else j) + 1}"


UNPAIRED = of_images(
    words="Decoder swap without known pairs",
    part="unpaired",
    tasks=_tasks,
    content=_content,
)
