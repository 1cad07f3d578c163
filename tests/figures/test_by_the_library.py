"""Numbers of figures and tables are what the documented library call gives, on rows that are held out."""

from dataclasses import replace

import numpy as np
import pytest

from relviz.figures.gallery import shipped_recipes
from relviz.figures.make import make
from relviz.figures.open_recipe import recipe_of, view_of
from relviz.results import head_curve, stitching, sweeps
from relviz.state import View
from tests.benchmarks.library_calls import CHECKS, retrieval


@pytest.mark.parametrize(
    ("kind", "options", "changes"),
    [
        ("measures", {"papers_count": True}, {}),
        ("anchor_curve", {}, {}),
        ("series", {"values": [0.0, 0.8]}, {}),
        ("self_similarity", {}, {}),
        ("maps", {}, {}),
        ("vector", {}, {"count": 4}),
        ("way", {"row": 50}, {"translate": "procrustes", "count": 4}),
        ("translation", {}, {}),
        ("landing", {}, {"back": True}),
        ("probe", {}, {"item": 50}),
        ("matrix", {}, {}),
        ("run", {}, {}),
    ],
)
def test_a_figure_has_the_numbers_of_the_library(
    made: View,
    kind: str,
    options: dict[str, object],
    changes: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (head_curve, stitching, sweeps):
        monkeypatch.setattr(module, "RUNS", 2)
    view = made.with_changes(**changes).with_changes(ao=made.ao.with_changes(anchors=12, seeds=6))
    figure = make(recipe_of(view, kind, options))
    compared = list(CHECKS[kind](view, figure.recipe.options, figure.content))
    assert len(compared) >= 2
    for what, ours, library in compared:
        assert ours == pytest.approx(library, abs=1e-5), what


def test_every_shipped_figure_is_compared_with_the_library() -> None:
    assert {recipe.kind for recipe in shipped_recipes().values()} <= CHECKS.keys()


def test_a_wrong_number_is_seen(made: View) -> None:
    figure = make(recipe_of(made, "self_similarity"))
    wrong = {"correlation": figure.content.arrays["correlation"] + np.eye(4)}
    content = replace(figure.content, arrays=wrong)
    compared = list(retrieval.self_similarity(view_of(figure.recipe), {}, content))
    assert max(abs(ours - theirs) for _, ours, theirs in compared) == pytest.approx(1)
