"""Colors of classes: told apart in gray and by the color-blind, the same on the pages and in print."""

import tomllib
from pathlib import Path

import pytest

from relviz.plotting.colors import CLASSES, MORE_CLASSES
from relviz.plotting.drawing import BEFORE_SHAPES
from tests.benchmarks.palette import SHAPE, SIGHTS, distances, lightness_gap

ROOT = Path(__file__).parents[2]


def test_lightness_and_distances_are_those_of_colors_that_are_known() -> None:
    assert lightness_gap(["#000000", "#FFFFFF"]) == pytest.approx(100, abs=0.01)
    assert lightness_gap(["#FF0000", "#00FF00"]) == pytest.approx(87.73 - 53.24, abs=0.02)
    apart = distances(["#808080", "#FFFFFF"])
    assert apart == pytest.approx(dict.fromkeys(SIGHTS, apart["normal"]), abs=0.1)  # grays are seen by all


@pytest.mark.parametrize(("palette", "least"), [(CLASSES, 19), (MORE_CLASSES, 10)])
def test_classes_are_told_apart_in_gray_and_by_the_color_blind(
    palette: tuple[str, ...], least: float
) -> None:
    assert SHAPE == BEFORE_SHAPES
    assert lightness_gap(palette) > 5.5
    assert min(distances(palette).values()) > least


def test_charts_on_the_pages_have_the_same_colors() -> None:
    theme = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
    assert tuple(theme["light"]["chartCategoricalColors"]) == CLASSES
    assert tuple(theme["dark"]["chartCategoricalColors"][1:-1]) == CLASSES[1:-1]
    code = (ROOT / "relviz/ui/learn/assets/stage.js").read_text("utf-8")
    assert f'"{",".join(CLASSES)}"' in code
