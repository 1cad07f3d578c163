"""A drawing becomes a digit as those of MNIST are, wherever and however large it was drawn."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import relviz
from relviz.autoencoders import drawn
from relviz.results.drawing import (
    BOX,
    MOST_LETTERS,
    SIDE,
    as_digit,
    check_text,
    going_in,
    read,
    written,
)
from relviz.state.image_sets import DIGITS, ImageSet, image_set

IN_COLOR = ImageSet(
    "images-x", "Letters", "", torch.zeros(2, 3, 32, 32), torch.zeros(1, 3, 32, 32), ("a",), None
)
IN_GRAY = replace(IN_COLOR, train=torch.zeros(2, 1, 28, 28))


def test_digits_drawn_large_come_back_as_they_are() -> None:
    digits = relviz.load_demo("digits").spaces["pixels"].vectors[:50].reshape(-1, SIDE, SIDE).numpy()
    for digit in digits:
        large = np.kron((255 * digit).round().astype(np.uint8), np.ones((4, 4), np.uint8))
        back = as_digit(large)
        nearest = min(
            float(((np.roll(back, (down, across), (0, 1)) - digit) ** 2).mean())
            for down in (-1, 0, 1)
            for across in (-1, 0, 1)
        )
        assert nearest < 0.02


@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 4))
def test_where_and_how_large_does_not_matter(top: int, left: int, scale: int) -> None:
    sign = np.zeros((6, 5), np.uint8)
    sign[:, 2] = sign[0] = 255
    plain = as_digit(np.kron(sign, np.ones((4, 4), np.uint8)))
    page = np.zeros((56, 56), np.uint8)
    drawn = np.kron(sign, np.ones((scale, scale), np.uint8))
    page[top : top + drawn.shape[0], left : left + drawn.shape[1]] = drawn
    np.testing.assert_allclose(as_digit(page), plain, atol=0.51)
    assert abs(float((as_digit(page) - plain).mean())) < 0.02


def test_the_box_and_the_center() -> None:
    bar = np.zeros((40, 40), np.uint8)
    bar[3:37, 30:33] = 255
    digit = as_digit(bar)
    rows, columns = np.flatnonzero(digit.any(1)), np.flatnonzero(digit.any(0))
    assert len(rows) == BOX
    assert abs(rows.mean() - (SIDE - 1) / 2) <= 0.5
    assert abs(columns.mean() - (SIDE - 1) / 2) <= 1


def test_nothing_drawn_is_a_black_picture() -> None:
    assert not as_digit(np.zeros((56, 56), np.uint8)).any()


@settings(deadline=None)
@given(arrays(np.uint8, (56, 56)), st.sampled_from(["digits", "gray", "color"]))
def test_a_recipe_holds_exactly_what_went_in(drawing: np.ndarray, which: str) -> None:
    images = {"digits": image_set(DIGITS), "gray": IN_GRAY, "color": IN_COLOR}[which]
    image = going_in(drawing, images)
    usual = torch.from_numpy(as_digit(drawing))[None, None]
    if which != "digits":
        usual = drawn(drawing, images.train.shape[-1], which == "color")
    torch.testing.assert_close(image, usual, atol=1e-6, rtol=0)
    options = written(image)
    assert len(options["image"]) <= MOST_LETTERS
    check_text(options["image"])
    assert torch.equal(read(options, images), image)


def test_the_largest_picture_in_color_takes_as_many_letters_as_there_may_be() -> None:
    assert len(written(going_in(np.ones((56, 56), np.uint8), IN_COLOR))["image"]) == MOST_LETTERS


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"image": lambda _: ""}, "has no drawing"),
        ({"image": lambda text: text[:-4]}, "damaged: it should be 1048 characters, base64 of 784 bytes"),
        ({"image": lambda text: text + "AAAA"}, "damaged"),
        ({"image": lambda text: "!" + text[1:]}, "damaged"),
        ({"image": lambda text: "ü" + text[1:]}, "damaged"),
        ({"image": lambda text: "=" * len(text)}, "damaged"),
        ({"image": lambda text: "A" * len(text)}, "damaged"),
        ({"shape": [1, 32, 32]}, "is 1 × 32 × 32, and Handwritten digits are 1 × 28 × 28"),
        ({"shape": [3, 28, 28]}, "drawn for other images"),
        ({"shape": [28, 28]}, "drawn for other images"),
        ({"shape": []}, "drawn for other images"),
        ({"shape": [-1, 28, -28]}, "drawn for other images"),
        ({"shape": [10**30, 10**30, 10**30]}, "drawn for other images"),
    ],
)
def test_a_damaged_drawing_is_one_error_with_what_to_do(changes: dict[str, Any], why: str) -> None:
    good = written(going_in(np.eye(56, dtype=np.uint8) * 255, image_set(DIGITS)))
    changed = {name: value(good[name]) if callable(value) else value for name, value in changes.items()}
    with pytest.raises(relviz.ParameterError, match=why) as caught:
        read(good | changed, image_set(DIGITS))
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("value", [None, 3, ["A"], {"a": 1}, "A" * (MOST_LETTERS + 1)])
def test_what_is_no_text_or_too_long_is_refused_before_it_is_read(value: object) -> None:
    with pytest.raises(relviz.ParameterError, match="The option image"):
        check_text(value)
