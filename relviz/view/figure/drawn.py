"""A drawing in print: through every encoder and decoder."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from torch import Tensor

from relviz.compute.entry import Result
from relviz.compute.task import Task
from relviz.figures.grid import PictureGrid
from relviz.figures.stack import Part
from relviz.view.autoencoders import two_of
from relviz.view.choices import View
from relviz.view.drawn import check_text, read
from relviz.view.figure.content import Content, Kind, Options
from relviz.view.figure.decoding import DIGITS, models_said, numbers, pixels, tasks_of_two
from relviz.view.image_sets import image_set
from relviz.view.swapped import PATHS, WAYS, WAYS_SAID, passed

LEFT = 24.0
"""Millimetres for the names of lines."""
ROWS = {"absolute": "Absolute", "relative": "Relative", "irp": "Absolute, by IRP"}


def drawing_of(view: View, options: Options) -> Tensor:
    """The image ``(1, channels, side, side)`` that a recipe holds; ParameterError if it cannot be had."""
    return read(options, image_set(view.de.data))


def _drawn_tasks(view: View, options: Options) -> list[Task]:
    drawing_of(view, options)  # what is damaged is said before anything is trained
    return tasks_of_two(view, options)


def _drawn_content(view: View, options: Options, _: Sequence[Result]) -> Content:
    given, image = image_set(view.de.data), drawing_of(view, options)
    two = two_of(view.de, given)
    assert two is not None
    found = passed(two, image)
    arrays: dict[str, np.ndarray] = {"image": numbers(image)[0]}
    arrays |= {f"{one.way}_{one.path[0] + 1}_to_{one.path[1] + 1}": numbers(one.images)[0] for one in found}
    columns: dict[str, Sequence[Any]] = {
        "way": [one.way for one in found],
        "encoder": [one.path[0] + 1 for one in found],
        "decoder": [one.path[1] + 1 for one in found],
        "mse": [float(one.mse[0]) for one in found],
    }

    def parts(width: float) -> list[Part]:
        lines = [[one for one in found if one.way == way] for way in WAYS]
        made = np.stack([np.concatenate([pixels(one.images) for one in line]) for line in lines])
        paths = [f"{i + 1} → {j + 1}" for i, j in PATHS]
        errors = [[f"{one.mse[0]:.3f}" for one in line] for line in lines]
        names = [ROWS[way] for way in WAYS]
        drawing = PictureGrid(
            pixels(image)[None], [""], width, title="What goes in", left=LEFT, across=len(PATHS)
        )
        return [drawing, PictureGrid(made, names, width, paths, "What comes out", LEFT, errors)]

    side = image.shape[-1]
    how = (
        "made as large as the digits of MNIST and put in the middle by its mass"
        if given.is_digits
        else "made as small as the images that trained"
    )
    caption = (
        f"A drawing, {how} ({side} × {side} pixels), through the encoder of one training and the decoder of "
        f"another, 1 → 2 for encoder 1 and decoder 2; under each picture its mean squared error. "
        f"{models_said(view.de)} {' '.join(f'{ROWS[way]}: {_begun(WAYS_SAID[way])}' for way in WAYS)}"
    )
    return Content(caption, arrays, columns, parts)


def _begun(sentence: str) -> str:
    """A sentence that goes on after a colon."""
    return sentence[0].lower() + sentence[1:]


KIND = Kind(
    words="A drawing through every encoder and decoder",
    page="decode",
    part="draw",
    tasks=_drawn_tasks,
    content=_drawn_content,
    options={"image": "", "shape": [1, 28, 28]},
    sources=DIGITS,
    checks={"image": check_text},
)
