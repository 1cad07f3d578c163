"""A drawing becomes a digit as those of MNIST are, wherever and however large it was drawn."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import relviz
from relviz.view.drawn import BOX, SIDE, as_digit


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


def test_the_box_and_the_centre() -> None:
    bar = np.zeros((40, 40), np.uint8)
    bar[3:37, 30:33] = 255
    digit = as_digit(bar)
    rows, columns = np.flatnonzero(digit.any(1)), np.flatnonzero(digit.any(0))
    assert len(rows) == BOX
    assert abs(rows.mean() - (SIDE - 1) / 2) <= 0.5
    assert abs(columns.mean() - (SIDE - 1) / 2) <= 1


def test_nothing_drawn_is_a_black_picture() -> None:
    assert not as_digit(np.zeros((56, 56), np.uint8)).any()
