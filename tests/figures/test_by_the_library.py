"""Numbers of figures and tables are what the documented library call gives, on rows that are held out."""

import pytest

from relviz.figures.make import make
from relviz.figures.open_recipe import recipe_of
from relviz.results import stitching
from relviz.state import View
from tests.benchmarks.shipped_numbers import CHECKS

COUNTED = {"papers_count": True}


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("measures", COUNTED),
        ("anchor_curve", {}),
        ("matrix", {}),
        ("pairs", {}),
        ("maps", {}),
    ],
)
def test_a_figure_has_the_numbers_of_the_library(
    made: View, kind: str, options: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stitching, "RUNS", 2)
    figure = make(recipe_of(made, kind, options))
    compared = list(CHECKS[kind](made, figure.recipe.options, figure.content.columns))
    assert len(compared) >= 4
    for what, ours, library in compared:
        assert ours == pytest.approx(library, abs=1e-6), what
