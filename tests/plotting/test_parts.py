"""Heat maps, charts and pictures in print show what they are given."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from relviz.errors import ShapeError
from relviz.plotting.charts import Chart, ChartRow, Line
from relviz.plotting.drawing import Drawing, using
from relviz.plotting.grid import PictureGrid
from relviz.plotting.heat import Heat, HeatGrid
from relviz.plotting.stack import Part, stacked
from relviz.plotting.style import rendered
from tests.plotting.pdf import size_mm, text_of

VALUES = np.array([[0.12, 0.5, np.nan], [0.9, 1.0, 0.34]])
ROWS, COLUMNS = ["first · A", "second · B"], ["A", "B", "C"]


def heats(part: HeatGrid) -> list[np.ndarray]:
    figure = stacked([part], 175)
    cells = [one for axes in figure.axes for one in axes.collections if one.get_gid() == "cells"]
    return [np.ma.filled(one.get_array(), np.nan) for one in cells]


def test_cells_are_the_values_from_the_top() -> None:
    part = HeatGrid(
        [Heat("one", VALUES, ROWS, COLUMNS), Heat("two", VALUES / 2, ROWS, COLUMNS)], 172, scale="x"
    )
    found = heats(part)
    np.testing.assert_array_equal(found[0].reshape(2, 3), VALUES)
    np.testing.assert_array_equal(found[1].reshape(2, 3), VALUES / 2)
    said = text_of(rendered(stacked([part], 175), "pdf")).split()
    assert {"0.12", "0.50", "0.90", "1.00", "0.34", "0.06", "A", "B", "C", "one", "two"} <= set(said)
    assert "nan" not in said


def test_what_cells_say_may_be_something_else() -> None:
    counts = np.array([[12, 50, 0], [90, 100, 34]])
    part = HeatGrid([Heat("", VALUES, ROWS, COLUMNS, written=counts, framed=(1, 2))], 172, scale="share")
    assert {"90", "100", "34"} <= set(text_of(rendered(stacked([part], 175), "pdf")).split())


@pytest.mark.parametrize("size", [1, 2, 40, 200])
def test_matrices_of_any_size_fit_the_page(size: int) -> None:
    values = np.random.default_rng(0).random((size, size))
    names = [f"a rather long name of a space {at}" for at in range(size)]
    part = HeatGrid([Heat("", values, names, list(map(str, range(size))))], 82, scale="x")
    raw = rendered(stacked([part], 85), "pdf")
    assert size_mm(raw)[0] == pytest.approx(85, abs=0.1)
    assert len(raw) < 1_000_000


MARKED = (("A → B", "o"), ("B → A", "o"), ("A → B", "o"), ("own shape", "D"), ("", ""))


def line(**options: object) -> Line:
    return Line("agreement", np.arange(1, 6), np.array([0.1, 0.4, np.nan, 0.8, 0.9]), "#0072B2", **options)  # type: ignore[arg-type]


def test_lines_go_through_their_points_and_gaps_are_left_out() -> None:
    chart = Chart(
        "Shares", [line(sd=np.full(5, 0.1))], "step", "share", levels=[(0.7, "truth", "#222222")], marks=[2]
    )
    figure = stacked([ChartRow([chart], 82)], 85)
    drawn = next(one for axes in figure.axes for one in axes.lines if one.get_gid() == "agreement")
    np.testing.assert_array_equal(drawn.get_xydata(), [[1, 0.1], [2, 0.4], [4, 0.8], [5, 0.9]])
    said = text_of(rendered(figure, "pdf"))
    for words in ("Shares", "agreement", "truth", "step"):
        assert words in said


def test_lines_with_points_are_told_apart_in_gray() -> None:
    def markers(**chosen: str) -> list[object]:
        lines = [replace(line(marker=marker), words=words) for words, marker in MARKED]
        with using(Drawing(**chosen)):  # type: ignore[arg-type]
            figure = stacked([ChartRow([Chart("Shares", lines, "step")], 82)], 85)
            (axes,) = (one for one in figure.axes if one.lines and one.get_label() != "page")
            return [one.get_marker() for one in axes.lines]

    assert markers() == ["o", "^", "o", "D", "None"]
    assert markers(markers="dots") == ["o", "o", "o", "D", "None"]


def test_charts_side_by_side_fit_the_page_and_nothing_overlaps() -> None:
    charts = [Chart(f"Chart {at}", [line()], "x", log_x=at == 1, log_y=at == 2) for at in range(3)]
    figure = stacked([ChartRow(charts, 172, first=1.6)], 175)
    frames = [axes.get_position() for axes in figure.axes if axes.lines and axes.get_label() != "page"]
    boxes = sorted(frames, key=lambda box: box.x0)
    assert len(boxes) == 3
    assert boxes[0].width == pytest.approx(1.6 * boxes[1].width, rel=0.15)
    assert all(one.x1 < other.x0 for one, other in pairwise(boxes))
    assert boxes[-1].x1 <= 1
    rendered(figure, "pdf")


@pytest.mark.parametrize("values", [np.full(5, np.nan), np.zeros(5), np.full(5, 1e-12), np.arange(5) * 1e9])
def test_flat_missing_and_extreme_curves_are_drawn(values: np.ndarray) -> None:
    chart = Chart("x", [Line("", np.arange(5), values, "#000000")], "step")
    rendered(stacked([ChartRow([chart], 82)], 85), "pdf")


@pytest.mark.parametrize("shape", [(2, 5, 8, 8), (2, 5, 8, 8, 3)])
def test_pictures_stand_in_their_places(shape: tuple[int, ...]) -> None:
    pictures = np.random.default_rng(0).random(shape)
    part: Part = PictureGrid(pictures, ["original", "decoded"], 82, list("01234"), "Digits")
    figure = stacked([part], 85)
    shown = [axes.images[0].get_array() for axes in figure.axes if axes.images]
    np.testing.assert_array_equal(np.stack(shown).reshape(shape), pictures)
    assert "decoded" in text_of(rendered(figure, "pdf"))


def test_texts_stand_under_their_pictures_and_grids_in_line() -> None:
    pictures = np.zeros((2, 3, 8, 8))
    under = [[f"{row}{column} →\nunder" for column in range(3)] for row in range(2)]
    grid = PictureGrid(pictures, ["one", "two"], 82, left=20, across=4, under=under)
    narrow = PictureGrid(np.zeros((1, 4, 8, 8)), [""], 82, left=20)
    figure = stacked([narrow, grid], 85)
    boxes = [axes.get_position() for axes in figure.axes if axes.images]
    assert boxes[0].x0 == pytest.approx(boxes[4].x0)
    texts = {one.get_text(): one.get_position() for axes in figure.axes for one in axes.texts}
    for (row, column), box in zip(np.ndindex(2, 3), boxes[4:], strict=True):
        x, y = texts[f"{row}{column} →"]
        low = 1 - y / (25.4 * figure.get_size_inches()[1])
        assert x / 85 == pytest.approx((box.x0 + box.x1) / 2)
        assert low < box.y0
        if row == 0:
            assert low > boxes[7].y1
    assert sum(one.get_text() == "under" for axes in figure.axes for one in axes.texts) == 6
    with pytest.raises(ShapeError, match="texts under"):
        PictureGrid(pictures, ["one", "two"], 80, under=under[:1])


def test_pictures_without_their_names_are_an_error() -> None:
    with pytest.raises(ShapeError, match="name for each row"):
        PictureGrid(np.zeros((2, 3, 4, 4)), ["one"], 80)
    with pytest.raises(ShapeError, match="columns"):
        PictureGrid(np.zeros((2, 3, 4, 4)), ["one", "two"], 80, ["1"])
