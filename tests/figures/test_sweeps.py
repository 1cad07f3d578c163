"""Sweeps over δ, ω and anchors in print: every number is the library's own."""

import numpy as np
import pytest

import relviz
from relviz.figures.make import make
from relviz.figures.open_recipe import recipe_of
from relviz.results import head_curve
from relviz.results import sweeps as results
from relviz.results.stitching import anchor_count
from relviz.state import View
from relviz.state.sources import open_pair
from relviz.stitching import sweep

ALONG = {"deltas": (0.0, 0.8), "omegas": (1, 4)}


@pytest.fixture(autouse=True)
def _small_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    from relviz.figures.kinds import sweeps

    for module in (results, sweeps):
        monkeypatch.setattr(module, "DELTAS", ALONG["deltas"])
        monkeypatch.setattr(module, "OMEGAS", ALONG["omegas"])
    for module in (results, head_curve):
        monkeypatch.setattr(module, "RUNS", 2)


def test_within_a_space_and_between_two_they_are_sweeps_of_the_same_anchors(made: View) -> None:
    content = make(recipe_of(made, "sweep_within")).content
    pair = open_pair(made.a, made.b)
    x, y = pair.a.vectors, pair.b.vectors
    for way, target in (("within", x), ("between", y)):
        found = sweep(x, target, pair.labels, **ALONG, counts=(12,), n_draws=2)
        np.testing.assert_allclose(
            content.arrays[f"similarity_{way}"], found.mean("similarity")[0], atol=1e-6
        )
        np.testing.assert_allclose(
            content.arrays[f"mean_condition_number_{way}"], found.mean("mean_condition_number")[0], rtol=1e-5
        )
    assert content.arrays["similarity_within"][0, 0] > content.arrays["similarity_between"][0, 0]
    assert [*content.columns["way"]] == ["within"] * 4 + ["between"] * 4


def test_correlations_are_those_of_the_points_that_are_drawn(made: View) -> None:
    figure = make(recipe_of(made, "sweep_correlation"))
    columns = {name: np.array(values) for name, values in figure.content.columns.items()}
    for words in ("similarity and accuracy", "condition number and number of anchors"):
        these = columns["correlated"] == words
        pearson = np.corrcoef(columns["at_x"][these], columns["at_y"][these])[0, 1]
        np.testing.assert_allclose(columns["pearson"][these], pearson)
    pair = open_pair(made.a, made.b)
    found = sweep(pair.a.vectors, pair.b.vectors, pair.labels, **ALONG, counts=(12,), n_draws=2)
    np.testing.assert_allclose(columns["at_x"][:4], found.mean("similarity")[0].flatten(), atol=1e-6)


def test_a_literal_reading_is_swept_too_and_said(made: View) -> None:
    view = made.with_changes(completion=False, length="raw", decided_by="target")
    figure = make(recipe_of(view, "sweep"))
    assert "for every δ and ω, not completed, rows not renormalized." in figure.caption
    pair = open_pair(view.a, view.b)
    options = relviz.translation.Options(**relviz.translation.LITERAL)
    found = sweep(
        pair.a.vectors, pair.b.vectors, pair.labels, **ALONG, counts=(12,), n_draws=2, options=options
    )
    np.testing.assert_allclose(figure.content.arrays["similarity"], found.mean("similarity")[0], atol=1e-6)
    assert "not completed" not in make(recipe_of(made, "sweep")).caption


def test_heads_over_anchors_are_the_stitching_matrices(made: View, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head_curve, "HEAD_COUNTS", (2, 12, 10_000))
    content = make(recipe_of(made, "head_curve")).content
    pair = open_pair(made.a, made.b)
    spaces = {side.name: side.vectors for side in (pair.a, pair.b)}
    most = anchor_count(10_000, len(pair))
    assert {*content.columns["anchors"]} == {2, 12, most}
    rows = list(zip(*content.columns.values(), strict=True))
    named = [dict(zip(content.columns, row, strict=True)) for row in rows]
    table = relviz.stitch(spaces, pair.labels, 12, methods=("relative",), n_draws=2)
    for one in (row for row in named if row["anchors"] == 12):
        assert one["accuracy"] == table.cell(one["encoder"], one["head"], "relative").mean["accuracy"]
    assert len(named) == 3 * 4


def test_frequent_anchors_are_drawn_after_those_that_are_skipped(made: View) -> None:
    options = {"methods": ["uniform", "top"], "tops": [15, 30], "skip": 10}
    content = make(recipe_of(made, "choice", options)).content
    assert list(dict.fromkeys(content.columns["choice"])) == ["uniform", "top15", "top30"]
    sheet = content.sheets["Choices"]
    assert [row[0] for row in sheet.rows] == [
        "Uniform",
        "15 most frequent after 10",
        "30 most frequent after 10",
    ]
    pair = open_pair(made.a, made.b)
    table = relviz.anchor_retrieval(
        pair.a.vectors, pair.b.vectors, 12, "top", k=3, n_draws=2, queries=20, top=15, skip=10
    )
    rows = [
        dict(zip(content.columns, row, strict=True)) for row in zip(*content.columns.values(), strict=True)
    ]
    (mrr,) = (
        row["mean"]
        for row in rows
        if (row["choice"], row["direction"], row["metric"]) == ("top15", "x→y", "mrr")
    )
    assert mrr == pytest.approx(table.x_to_y.mean["mrr"])
