"""One translation has one set of numbers: page, table, figure, command line and library give the same.

And shuffled targets are never found, wherever they are looked for.
"""

import csv
import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import relviz
from relviz.cli.main import main
from relviz.figures.make import make
from relviz.figures.open_recipe import recipe_of
from relviz.measure import SCORES
from relviz.results.translation import QUERY_SEED, Translation, queries_of
from relviz.state import View
from relviz.state.sources import keep_space, open_pair
from relviz.translation import METHODS
from relviz.ui.stitch.scores import compared
from tests.benchmarks.translate import PAIRS
from tests.results.translated import problem_of
from tests.ui.screen import chart, finished, opened, said, values

SHOWN = {
    "cosine": "Cosine similarity to the target",
    "cosine_uncentered": "Cosine (uncentered)",
    "mrr": "MRR",
}
ROWS, COUNT, COMPARED = 900, 100, 640


@cache
def vectors(demo: str, a: str, b: str) -> tuple[torch.Tensor, torch.Tensor]:
    pair = relviz.load_demo(demo).pair(a, b)
    return pair.a.vectors[:ROWS], pair.b.vectors[:ROWS]


def kept(x: torch.Tensor, y: torch.Tensor) -> dict[str, Any]:
    """A link to both; without classes no heads are trained, which takes the time."""
    return {"a": keep_space(relviz.Space(x, name="x")), "b": keep_space(relviz.Space(y, name="y"))}


def by_the_library(x: torch.Tensor, y: torch.Tensor, anchors: torch.Tensor, method: str) -> Any:
    t = relviz.translator(x[anchors], y[anchors], method)
    return relviz.translation_scores(t, x, y, anchors, queries_of(len(x)), QUERY_SEED)


def translation_of(view: View) -> Translation:
    return problem_of(view, open_pair(view.a, view.b)).translation


def lines(content: Any) -> dict[str, dict[str, str]]:
    """The csv of a table, by method."""
    text = content.file("csv").decode("utf-8-sig")
    return {line["method"]: line for line in csv.DictReader(io.StringIO(text))}


@pytest.mark.slow
@pytest.mark.parametrize(("demo", "a", "b"), PAIRS)
def test_page_table_figure_and_library_give_the_same_numbers(demo: str, a: str, b: str) -> None:
    x, y = (side[:COMPARED] for side in vectors(demo, a, b))
    link = kept(x, y)
    view = View(**link, count=COUNT)
    anchors = relviz.select_anchors(x, COUNT, seed=0)
    table = make(recipe_of(view, "translation"))
    unrounded, sheet = lines(table), table.content.sheets["Translation"].rows
    at = finished(opened("stitch", link | {"count": str(COUNT)}))
    cosines, ranks = (dict(zip(bar["x"], values(bar["y"]), strict=True)) for bar in chart(at)["data"])
    for method, row in zip(METHODS, sheet, strict=True):
        if method == "absolute" and x.shape[1] != y.shape[1]:
            assert row[1:] == ("–",) * 5
            continue
        scores = by_the_library(x, y, anchors, method)
        assert not torch.isin(scores.rows, anchors).any()
        assert {name: float(unrounded[method][name]) for name in SCORES} == scores.figures
        assert row[1:4] == tuple(f"{scores.figures[name]:.3f}" for name in ("cosine", "mrr", "top1"))
        assert (cosines[row[0]], ranks[row[0]]) == (scores.cosine, scores.mrr)
        figure = make(recipe_of(view.with_changes(translate=method), "landing")).content
        arrays = figure.arrays
        np.testing.assert_array_equal(arrays["queries"], scores.rows)
        np.testing.assert_array_equal(arrays["rank"], scores.ranks)
        assert {name: float(arrays[name]) for name in SCORES if name != "cosine"} | {
            "cosine": float(arrays["mean_cosine"])
        } == scores.figures
        assert f"similarity to the target {scores.cosine:.3f}" in figure.caption
        assert f"MRR {scores.mrr:.3f}" in figure.caption
        assert np.nanmean(1 / np.array(figure.columns["rank"], float)) == pytest.approx(scores.mrr)
    shown = by_the_library(x, y, anchors, View.translate)
    metrics = {metric.label: metric.value for metric in at.metric}
    assert {name: metrics[label] for name, label in SHOWN.items()} == {
        name: f"{shown.figures[name]:.3f}" for name in SHOWN
    }
    assert f"**{shown.top1:.1%}** of {shown.queries} held-out items" in said(at)
    assert compared(shown, None) in said(at)


@pytest.mark.parametrize("method", METHODS)
def test_the_page_has_the_library_s_numbers_for_every_translator(method: str) -> None:
    x, y = (side[:400] for side in vectors("glosses", "minilm", "e5"))
    at = opened("stitch", kept(x, y) | {"count": "40", "translate": method, "back": "yes"})
    anchors = relviz.select_anchors(x, 40, seed=0)
    scores = by_the_library(y, x, anchors, method)
    assert scores.queries == 360
    metrics = {metric.label: metric.value for metric in at.metric}
    assert {metrics[label] for label in SHOWN.values()} == {f"{scores.figures[name]:.3f}" for name in SHOWN}
    assert compared(scores, None) in said(at)


@pytest.mark.parametrize("back", [False, True])
def test_what_stands_for_a_found_anchor_is_no_query(back: bool, monkeypatch) -> None:
    x, y = (side[:200] for side in vectors("glosses", "minilm", "e5"))
    view = View(**kept(x, y), count=20, back=back)
    monkeypatch.setattr("relviz.results.comparison.Comparison.rows_in_b", torch.arange(100, 120))
    rows = relviz.select_anchors(x, 20, seed=0)
    made = translation_of(view.with_changes(seed=0, similarity="cosine", picks=(1,)))
    assert not torch.isin(made.scores.rows, rows).any()
    assert not torch.isin(made.scores.rows, torch.arange(100, 120)).any()
    assert made.scores.queries == 200 - len(torch.cat([rows, torch.arange(100, 120)]).unique())


def test_with_no_item_left_the_page_and_the_table_say_what_helps() -> None:
    x, y = (side[:40] for side in vectors("glosses", "minilm", "e5"))
    every = {"method": "hand", "picks": ".".join(map(str, range(40)))}
    link = kept(x, y) | every
    at = finished(opened("stitch", link))
    assert "Use fewer anchors" in said(at)
    assert not at.metric
    with pytest.raises(relviz.ParameterError, match="Use fewer anchors"):
        make(recipe_of(View.from_params(link)[0], "translation"))
    probed = finished(opened("stitch", link | {"part": "probe"}))
    assert "it tests neither translation nor head" in said(probed)
    fewer = finished(opened("stitch", link | {"used": "30"}))
    assert "of 10 held-out items" in said(fewer)


def shuffled(demo: str, a: str, b: str, n: int, k: int, how: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows whose counterparts are no longer beside them: of those that are not anchors, or of all."""
    x, y = (side[:n] for side in vectors(demo, a, b))
    rows = np.arange(n)
    if how == "queries":
        rows = np.setdiff1d(rows, relviz.select_anchors(x, k, seed=0).numpy())
    moved = y.clone()
    moved[rows] = y[np.random.default_rng(k).permutation(rows)]
    return x, moved


def within_the_null(record: dict[str, Any]) -> None:
    """4 sd of the exact null, and the step of one query, since figures of few queries take few values."""
    for name in SCORES:
        most = 4 * record[f"null_sd_{name}"] + 1 / record["queries"]
        assert abs(record[name] - record[f"null_{name}"]) <= most, (name, record)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("demo", "a", "b", "k", "how"),
    [
        ("emoji", "image_lite0", "image_lite1", 290, "queries"),
        ("glosses", "minilm", "e5", 150, "all"),
        ("words", "glove50", "wink100", 2, "queries"),
    ],
)
def test_shuffled_targets_are_not_found_on_the_page(demo: str, a: str, b: str, k: int, how: str) -> None:
    link = kept(*shuffled(demo, a, b, 300, k, how))
    at = finished(opened("stitch", link | {"count": str(k)}))
    view = View(**link, count=k)
    records = {
        one: translation_of(view.with_changes(translate=one)).scores.record()
        for one in (View.translate, "irp", "ridge")
    }
    for record in records.values():
        within_the_null(record)
    shown = {metric.label: metric.value for metric in at.metric}
    assert shown["MRR"] == f"{records[View.translate]['mrr']:.3f}"
    cosine, mrr = (dict(zip(bar["x"], values(bar["y"]), strict=True)) for bar in chart(at)["data"][:2])
    assert (cosine["Ridge"], mrr["Ridge"]) == (records["ridge"]["cosine"], records["ridge"]["mrr"])
    ten = 1 / records["irp"]["queries"] + 4 * records["irp"]["null_sd_mrr"]
    assert max(mrr.values()) <= records["irp"]["null_mrr"] + ten


@pytest.mark.parametrize(("k", "how"), [(2, "all"), (100, "queries"), (190, "queries"), (190, "all")])
def test_shuffled_targets_are_not_found_on_the_command_line(
    k: int, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, side in zip("ab", shuffled("glosses", "minilm", "e5", 200, k, how), strict=True):
        np.save(f"{name}.npy", side.numpy())
    asked = ["stitch", "a.npy", "b.npy", "--translation", "--anchors", str(k)]
    assert main([*asked, "--table", "t.tex", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["method"] for one in found["methods"]] == list(METHODS)
    for record in found["methods"]:
        assert record["queries"] == 200 - k
        assert record["chance_top1"] == 1 / 200
        within_the_null(record)
    assert f"{200 - k} items that took no part in the fit" in found["caption"]
    assert main(asked) == 0
    assert f"{found['methods'][0]['mrr']:.3f}" in capsys.readouterr().out.splitlines()[1]


@pytest.mark.slow
def test_shuffled_classes_are_not_found_by_a_head() -> None:
    """Whatever is said, against shuffled truth it is right as often as the classes agree by chance."""
    x, y = shuffled("glosses", "minilm", "e5", 900, 100, "all")
    labels = relviz.load_demo("glosses").spaces["minilm"].labels[:900]
    names = {"x": labels, "y": [labels[row] for row in np.random.default_rng(100).permutation(900)]}
    table = relviz.stitch({"x": x, "y": y}, names, 100, n_draws=2)
    for cell in table.cells:
        if cell.encoder != cell.head:
            assert cell.interval[0] <= cell.chance, (cell.method, cell.mean)
    assert table.cell("x", "x", "native").interval[0] > table.cell("x", "x", "native").chance


def test_pairs_are_those_of_the_docs() -> None:
    docs = (Path(__file__).resolve().parents[2] / "docs" / "translation.md").read_text(encoding="utf-8")
    for demo, a, b in PAIRS:
        assert f"| {demo} {a} → {b} |" in docs
