"""A drawing or a relative code set by hand, in print: through every encoder and decoder."""

from collections.abc import Sequence

import numpy as np

from relviz.autoencoders import Weights
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.kind import Content, Options
from relviz.figures.kinds.autoencoders import (
    describe_models,
    noun,
    numbers,
    of_images,
    pixels,
    tasks_of_two,
)
from relviz.plotting.grid import PictureGrid
from relviz.plotting.stack import Part
from relviz.results.autoencoders import (
    MOST_MOVED,
    PATHS,
    WAYS,
    WAYS_IN_WORDS,
    anchor_images,
    at_rest,
    changed,
    decode_changed,
    moved,
    options_of,
    passed,
    relative_codes,
    two_of,
)
from relviz.results.drawing import check_text, read
from relviz.state.image_sets import image_set
from relviz.state.view import Decoding
from relviz.wording import plural

LEFT = 24.0
"""Millimeters for the names of lines."""
ROWS = {"absolute": "Absolute", "relative": "Relative", "irp": "Absolute, by IRP"}


def _drawn_tasks(chosen: Decoding, options: Options) -> list[Task[Weights]]:
    read(options, image_set(chosen.data))  # what is damaged is said before anything is trained
    return tasks_of_two(chosen, options)


def _drawn_content(chosen: Decoding, options: Options, _: Sequence[Weights]) -> Content:
    given = image_set(chosen.data)
    image, two = read(options, given), two_of(chosen, given)
    assert two is not None
    found = passed(two, image)
    arrays: dict[str, np.ndarray] = {"image": numbers(image)[0]}
    arrays |= {f"{one.way}_{one.path[0] + 1}_to_{one.path[1] + 1}": numbers(one.images)[0] for one in found}
    columns: dict[str, Sequence[object]] = {
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
        drawing = PictureGrid(pixels(image)[None], [""], width, title="Input", left=LEFT, across=len(PATHS))
        return [drawing, PictureGrid(made, names, width, paths, "Output", LEFT, errors)]

    side = image.shape[-1]
    how = (
        "scaled like the digits of MNIST and centered by center of mass"
        if given.is_digits
        else "resized like the training images"
    )
    ways = " ".join(f"{ROWS[way]}: {_uncapitalized(WAYS_IN_WORDS[way])}" for way in WAYS)
    caption = (
        f"A drawing, {how} ({side} × {side} pixels), through the encoder of one model and the decoder of "
        "another; 1 → 2 is encoder 1 with decoder 2. Under each image: its mean squared error. "
        f"{describe_models(chosen)} {ways}"
    )
    return Content(caption, arrays, columns, parts)


def _uncapitalized(sentence: str) -> str:
    """A sentence that goes on after a colon."""
    return sentence[0].lower() + sentence[1:]


DRAWN = of_images(
    words="A drawing through every encoder and decoder",
    part="draw",
    tasks=_drawn_tasks,
    content=_drawn_content,
    options={"image": "", "shape": [1, 28, 28]},
    checks={"image": check_text},
)


def moves_of(chosen: Decoding, options: Options) -> dict[int, float]:
    """The anchors that a recipe moves, and where to; ParameterError if there is no such anchor."""
    anchors = options_of(chosen, "relative", chosen.one, image_set(chosen.data)).anchors
    changes = {anchor: float(value) for anchor, value in options["changes"]}
    wrong = [anchor for anchor in changes if anchor >= anchors]
    if wrong:
        raise ParameterError(
            f"The option changes names anchor {wrong[0]}, but these models have {anchors} anchors, numbered "
            "from 0."
        )
    return changes


def check_changes(value: object) -> None:
    """ParameterError unless this is a list of anchors, each once, with the cosines they are moved to."""
    pairs = [_change(pair) for pair in value] if isinstance(value, list | tuple) else [None]
    if None in pairs:
        raise ParameterError(
            f"The option changes is {str(value)[:60]!r}; it should be pairs of an anchor's number and a "
            "cosine between -1 and 1, as [[3, -0.5]]."
        )
    if len({pair[0] for pair in pairs if pair}) < len(pairs) or len(pairs) > MOST_MOVED:
        raise ParameterError(
            f"The option changes has {len(pairs)} pairs; give at most {MOST_MOVED}, each anchor once."
        )


def _change(pair: object) -> tuple[int, float] | None:
    """An anchor and where it is moved to; None if this is no such pair."""
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        return None
    anchor, value = pair
    whole = isinstance(anchor, int) and not isinstance(anchor, bool) and anchor >= 0
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return (anchor, value) if whole and number and -1 <= value <= 1 else None


def _slid_tasks(chosen: Decoding, options: Options) -> list[Task[Weights]]:
    moves_of(chosen, options)
    return tasks_of_two(chosen, options)


def _slid_content(chosen: Decoding, options: Options, _: Sequence[Weights]) -> Content:
    given = image_set(chosen.data)
    two = two_of(chosen, given)
    assert two is not None
    row = min(chosen.image, len(given.test) - 1)
    image = given.test[row]
    codes = relative_codes(two, image)
    changes = moved(codes, moves_of(chosen, options))
    after, (own, other) = changed(codes, changes), decode_changed(two, codes, changes)
    anchors = anchor_images(two.relative[0].options, given)[list(changes)]
    three = {"image": image[None], "own": own[None], "other": other[None]}

    def parts(width: float) -> list[Part]:
        shown = np.concatenate([pixels(one) for one in three.values()])[None]
        words = ["image", "own model", "other model"]
        across = max(len(three), len(changes))
        title = "Input and reconstructions"
        grids: list[Part] = [PictureGrid(shown, [""], width, title=title, under=[words], across=across)]
        if changes:
            captions = [f"{_cosine(at_rest(codes, at))} →\n{_cosine(value)}" for at, value in changes.items()]
            names = [str(at) for at in changes]
            title = "Edited cosines, by anchor"
            pictures = pixels(anchors)[None]
            grids.append(PictureGrid(pictures, [""], width, names, title, under=[captions], across=across))
        return grids

    arrays = {name: numbers(one)[0] for name, one in three.items()}
    arrays |= {"before": codes.numpy(), "after": after.numpy()}
    if changes:
        arrays |= {"moved": np.asarray(list(changes)), "anchors": numbers(anchors)}
    columns: dict[str, Sequence[object]] = {
        "anchor": list(range(len(codes))),
        "before": codes.tolist(),
        "after": after.tolist(),
        "moved": [int(at in changes) for at in range(len(codes))],
    }
    edits = (
        f"Edited by hand: {plural(len(changes), 'cosine')}, before → after, below each anchor and its number."
        if changes
        else "No cosine was edited."
    )
    caption = (
        f"A test item of the {noun(given)} (row {row}, {given.names[row]}), represented by its cosine "
        f"similarities to the latents of {len(codes)} anchor images. Decoded from these by its own model "
        f"(1) and by the other (2). {edits} {describe_models(chosen)}"
    )
    return Content(caption, arrays, columns, parts)


def _cosine(value: float) -> str:
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")


SLIDERS = of_images(
    words="Relative code of an image, edited by hand",
    part="slide",
    tasks=_slid_tasks,
    content=_slid_content,
    options={"changes": []},
    checks={"changes": check_changes},
)
