"""Maps in print show the points, colors and order that they are given."""

from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from relviz.errors import ParameterError, ShapeError
from relviz.plotting.colors import by_class, by_label, by_number
from relviz.plotting.maps import VECTOR_UP_TO, MapGrid, legend_of, rgb_of
from relviz.plotting.pane import Pane, home_of
from relviz.plotting.stack import stacked
from relviz.plotting.style import rendered
from tests.plotting.made import ROWS, colors, panes, points
from tests.plotting.pdf import text_of


def drawn(some: list[Pane], shown: Any = None, width: float = 175, **options: Any) -> Figure:
    shown = shown or colors()
    return stacked([MapGrid(some, shown, width - 3, **options), legend_of(shown, width - 3)], width)


def charts(figure: Figure) -> list[Axes]:
    return [axes for axes in figure.axes if axes.get_label() != "page" and axes.collections]


def marks(axes: Axes, name: str = "points") -> Any:
    return next(one for one in axes.collections if one.get_gid() == name)


def test_every_point_is_where_it_was_in_its_color_and_order() -> None:
    figure = drawn(panes())
    for axes, pane in zip(charts(figure), panes(), strict=True):
        assert pane.points is not None
        np.testing.assert_array_equal(marks(axes).get_offsets(), pane.points)
        np.testing.assert_allclose(marks(axes).get_facecolors()[:, :3], rgb_of(colors()))


def test_colors_are_those_of_the_screen() -> None:
    shown = by_class(["b", "a", "b", "c"])
    palette = dict(zip(shown.legend["names"], shown.legend["palette"], strict=True))
    np.testing.assert_allclose(rgb_of(shown), [to_rgb(palette[name]) for name in "babc"])
    numbers = by_number(np.array([0.0, 1.0, np.nan]), "x")
    expected = [to_rgb(numbers.legend["palette"][0]), to_rgb(numbers.legend["palette"][-1])]
    np.testing.assert_allclose(rgb_of(numbers)[:2], expected, atol=1e-6)
    np.testing.assert_allclose(rgb_of(numbers)[2], to_rgb(numbers.legend["missing"]))


def test_both_axes_have_one_scale_and_fitted_panes_share_limits() -> None:
    figure = drawn(panes(), width=85)
    found = charts(figure)
    for axes, pane in zip(found, panes(), strict=True):
        (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
        box = axes.get_position()
        across, down = box.width * figure.get_figwidth(), box.height * figure.get_figheight()
        assert (x1 - x0) / across == pytest.approx((y1 - y0) / down)
        home = home_of(pane, panes(), ROWS)
        assert x0 <= home.x[0] + 1e-9
        assert y1 >= home.y[1] - 1e-9
    assert found[0].get_xlim() == found[1].get_xlim() != found[2].get_xlim() == found[3].get_xlim()


def test_the_legend_lies_under_all_maps_and_inside_the_page() -> None:
    figure = drawn(panes(), by_label([f"class {row % 30}" for row in range(ROWS)]), anchors=[1])
    figure.draw_without_rendering()
    lowest = min(axes.get_position().y0 for axes in charts(figure))
    page = next(axes for axes in figure.axes if axes.get_label() == "page")
    words = [text for text in page.texts if text.get_text().startswith("class")]
    assert len(words) == 24  # and a word on the others
    for text in page.texts:
        box = text.get_window_extent().transformed(figure.transFigure.inverted())
        assert 0 <= box.x0 <= box.x1 <= 1
        assert 0 <= box.y0 <= box.y1 <= 1
        assert text not in words or box.y1 < lowest


def test_many_points_are_dots_and_their_words_are_not() -> None:
    few, many = drawn(panes()[:1]), drawn(panes(VECTOR_UP_TO + 1)[:1], colors(VECTOR_UP_TO + 1))
    assert not marks(charts(few)[0]).get_rasterized()
    assert marks(charts(many)[0]).get_rasterized()
    raw = rendered(many, "pdf")
    assert len(raw) < 1_000_000
    assert "cat" in text_of(raw)


def test_letters_count_the_panes_and_a_single_one_has_none() -> None:
    assert {"a", "b", "c", "d"} <= set(text_of(rendered(drawn(panes()), "pdf")).split())
    assert "a" not in text_of(rendered(drawn(panes()[:1]), "pdf")).split()


def test_stars_stand_on_their_rows() -> None:
    figure = drawn(panes(), anchors=[3, 5], discovered=[7])
    for axes, pane in zip(charts(figure), panes(), strict=True):
        assert pane.points is not None
        np.testing.assert_array_equal(marks(axes, "anchors").get_offsets(), pane.points[[3, 5]])
        np.testing.assert_array_equal(marks(axes, "discovered").get_offsets(), pane.points[[7]])


def test_pictures_and_texts_stand_on_chosen_points() -> None:
    picture = np.full((8, 8, 4), 200, np.uint8)
    figure = drawn(panes(), pictures={4: picture}, labeled={4: "🦊 fox $5"})
    assert "fox $5" in text_of(rendered(figure, "pdf"))
    box = next(one for one in charts(figure)[0].artists if hasattr(one, "xy"))
    np.testing.assert_array_equal(box.xy, points(0)[4])


def test_a_pane_that_cannot_be_had_says_why() -> None:
    some = [Pane("A", points(0)), Pane("B", None, message="The two spaces have 3 and 4 dimensions.")]
    assert "3 and 4 dimensions" in text_of(rendered(drawn(some), "pdf")).replace("\r\n", " ")


@pytest.mark.parametrize("bad", [points(0)[:5], np.full((ROWS, 2), np.nan)])
def test_points_that_cannot_be_drawn_are_an_error(bad: np.ndarray) -> None:
    with pytest.raises((ShapeError, ParameterError)):
        drawn([Pane("A", bad)])


def test_texts_of_people_and_attackers_are_drawn_as_they_are() -> None:
    names = ["<b>&amp;", "$\\frac{1}{0}$", "שלום", "👩‍👩‍👧", "\x00", "x" * 10_000]
    shown = by_class([names[row % len(names)] for row in range(ROWS)])
    figure = drawn([Pane("$\\bad{ · </svg><script>", points(0))], shown, width=85)
    assert "<b>&amp;" in text_of(rendered(figure, "pdf"))
    assert b"<script>" not in rendered(figure, "svg")
