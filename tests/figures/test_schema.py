"""Schemas show one item as the library has it: its relative vector, and where it lands in another space."""

import numpy as np
import pytest

import relviz
from relviz.errors import ParameterError
from relviz.figures.make import PrintFigure
from tests.plotting.pdf import text_of

ANCHORS = [3, 14, 15, 9, 2, 6, 5, 35]


def rotated_pair(d: int = 6) -> relviz.Pair:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(80, d)).astype(np.float32)
    turn = np.linalg.qr(rng.normal(size=(d, d)))[0].astype(np.float32)
    items = tuple(f"item {row}" for row in range(len(x)))
    return relviz.Pair(
        relviz.Space(x, items, items=items, name="plain"),
        relviz.Space(3 * x @ turn, items, items=items, name="rotated"),
    )


def drawn(figure: PrintFigure, name: str) -> list[np.ndarray]:
    parts = [one for axes in figure.figure.axes for one in axes.collections if one.get_gid() == name]
    return [np.asarray(one.get_offsets()) for one in parts]


def test_an_item_has_one_relative_vector_in_a_space_and_in_its_rotated_copy() -> None:
    pair = rotated_pair()
    figure = relviz.figure(pair, "vector", anchors=ANCHORS[:3], row=7)
    x = relviz.prepare(pair.a.vectors)
    own = (x[7] @ x[ANCHORS[:3]].T).numpy()
    np.testing.assert_allclose(figure.content.arrays["in_a"], own, atol=1e-5)
    np.testing.assert_allclose(figure.content.arrays["in_b"], own, atol=1e-5)
    assert "differ by 0.00 on average" in figure.caption
    assert figure.content.columns["anchor"] == [f"item {row}" for row in ANCHORS[:3]] * 2
    said = text_of(figure.file("pdf"))
    assert all(
        f"item {row} {value:.2f}".replace("-", "−") in said for row, value in zip(ANCHORS, own, strict=False)
    )


def test_an_item_lands_on_its_counterpart_where_anchors_span_the_space() -> None:
    figure = relviz.figure(rotated_pair(), "way", anchors=ANCHORS, row=7, translate="irp", delta=0.0, omega=1)
    assert figure.content.arrays["cosine"] == pytest.approx(1, abs=1e-3)
    assert "similarity is 1.00" in figure.caption
    (landed,) = drawn(figure, "landed")
    _, item = drawn(figure, "item")
    np.testing.assert_allclose(landed, item, atol=1e-2)


def test_without_a_row_it_is_the_first_that_is_no_anchor() -> None:
    figure = relviz.figure(rotated_pair(), "vector", anchors=[0, 1, 4])
    assert set(figure.content.columns["item"]) == {"item 2"}


def test_more_anchors_than_colors_are_refused() -> None:
    with pytest.raises(ParameterError, match="up to 8 anchors; 9 are selected"):
        relviz.figure(rotated_pair(), "vector", anchors=9)


@pytest.mark.parametrize("row", [80, 2000])
def test_a_row_that_is_not_there_is_refused(row: int) -> None:
    with pytest.raises(ParameterError, match="rows 0 to 79"):
        relviz.figure(rotated_pair(), "way", anchors=3, row=row)
