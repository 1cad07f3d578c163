"""Heads and self-similarities in print: every number is the library's own."""

import numpy as np
import pytest

import relviz
from relviz.figures.make import make
from relviz.figures.open_recipe import recipe_of
from relviz.measure import self_similarity_correlation
from relviz.results import head_curve, stitching
from relviz.state import View
from relviz.state.sources import open_pair


@pytest.fixture(autouse=True)
def _two_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (head_curve, stitching):
        monkeypatch.setattr(module, "RUNS", 2)


def f1(made: relviz.StitchTable, encoder: str, head: str, method: str) -> float:
    return made.cell(encoder, head, method).mean["f1"]


def test_heads_are_held_against_each_other_on_absolute_and_relative_vectors(made: View) -> None:
    figure = make(recipe_of(made, "heads"))
    pair = open_pair(made.a, made.b)
    table = relviz.stitch(
        {side.name: side.vectors for side in (pair.a, pair.b)},
        pair.labels,
        12,
        methods=("native", "relative"),
        n_draws=2,
    )
    columns = figure.content.columns
    found = {
        (row[1], row[2], row[0]): row[3]
        for row in zip(*(columns[name] for name in ("representation", "encoder", "head", "f1")), strict=True)
    }
    for encoder in (pair.a.name, pair.b.name):
        for head in (pair.a.name, pair.b.name):
            assert found[encoder, head, "relative"] == f1(table, encoder, head, "relative")
        assert found[encoder, encoder, "absolute"] == f1(table, encoder, encoder, "native")
    rows = figure.content.sheets["Heads"].rows
    assert len(rows) == 4 + 2
    own = [f1(table, one, one, "relative") for one in (pair.a.name, pair.b.name)]
    assert rows[-2][2] == f"{np.mean(own):.3f} ± {np.std(own):.3f}"
    assert rows[1][1] == f"{found[pair.a.name, pair.b.name, 'absolute']:.3f} ± " + rows[1][1].split()[-1]


@pytest.mark.slow
def test_heads_know_true_anchors_few_or_those_that_were_discovered(made: View) -> None:
    figure = make(recipe_of(made, "heads_by_anchors"))
    columns = figure.content.columns
    assert list(dict.fromkeys(columns["anchors"])) == ["true", "known", "found"]
    assert set(columns["method"]) == {"relative"}
    sheet = figure.content.sheets["Heads"]
    assert len(sheet.rows) == 4
    assert len(sheet.rows[0]) == 4
    own = [row for row in sheet.rows if len(set(row[0].split(" → "))) == 1]
    assert len(own) == 2
    assert "Known pairs only: 15 anchors" in figure.caption


def test_self_similarities_are_those_of_both_spaces_and_their_relative_representations(made: View) -> None:
    figure = make(recipe_of(made, "self_similarity"))
    pair = open_pair(made.a, made.b)
    x, y = (relviz.prepare(side.vectors) for side in (pair.a, pair.b))
    rows = relviz.select_anchors(x, 12, seed=0)
    spaces = pair.a.vectors, pair.b.vectors, relviz.relative(x, x[rows]), relviz.relative(y, y[rows])
    np.testing.assert_allclose(
        figure.content.arrays["correlation"], self_similarity_correlation(*spaces), atol=1e-6
    )
    assert figure.content.columns["space"][:4] == ["A, absolute"] * 4
    assert "1,770 pairs of 60 items" in figure.caption
