"""A run is measured with rows that it never saw, and one thing has one number wherever it stands."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import relviz
from relviz.bootstrapping.run_evaluation import Evaluation
from relviz.cli.main import main
from relviz.figures.kinds.bootstrap import RUN_CURVES
from relviz.figures.numbers import matches_csv
from relviz.results import bootstrap
from relviz.results.bootstrap import bootstrap_task
from relviz.results.comparison import comparison_of
from relviz.results.metrics import metrics
from relviz.results.run import record_of
from relviz.results.run_summary import (
    accuracy_summary,
    free_points_note,
    queries_summary,
    retrieval_lines,
    top1_summary,
)
from relviz.state import View
from relviz.state.sources import keep_space, open_pair
from relviz.state.view import Run

ROWS, DIMENSIONS = 320, 12
RUN = Run(anchors=40, seeds=15, method="adam_warm", options="steps=12,warm_up=4")


def pair(shuffled: bool = False) -> tuple[str, str]:
    """Sources of B, a noisy turned copy of A; or of one whose rows are in another order than it says."""
    draw = torch.Generator().manual_seed(0)
    a = torch.randn(ROWS, DIMENSIONS, generator=draw)
    turn = torch.linalg.qr(torch.randn(DIMENSIONS, DIMENSIONS, generator=draw))[0]
    b = 2 * a @ turn + 0.6 * torch.randn(ROWS, DIMENSIONS, generator=draw) + 1
    if shuffled:
        b = b[torch.randperm(ROWS, generator=draw)]
    ids = [f"id{row}" for row in range(ROWS)]
    return keep_space(relviz.Space(a, ids=ids, name="A")), keep_space(relviz.Space(b, ids=ids, name="B"))


@pytest.fixture(autouse=True)
def _store(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path_factory.getbasetemp() / "held_out"))


def view_of(run: Run = RUN, shuffled: bool = False) -> View:
    a, b = pair(shuffled)
    return View(a=a, b=b, ao=run)


def test_what_is_held_out_is_seen_by_no_fit_and_matched_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    view, seen = view_of(RUN.with_changes(anchor_seed=9)), []

    def spy(x, y, *rest, **options):
        seen.append((x, y))
        return relviz.bootstrap(x, y, *rest, **options)

    monkeypatch.setattr(bootstrap, "bootstrap", spy)
    both = open_pair(view.a, view.b)
    task = bootstrap_task(view.ao, both)
    task.run()
    record = record_of(task)
    found, held = record.outcome, record.held_out
    assert len(held) == 64
    assert not torch.isin(record.anchors, held).any()
    for given, side in zip(seen[0], (both.a.vectors, both.b.vectors), strict=True):
        assert len(given) == ROWS - 64
        assert not (torch.cdist(given, side[held]) == 0).any()
    assert found.matches.min() >= 0
    assert (record.replay.at(0).matches[held.numpy()] == -1).all()
    assert (record.replay.last.matches == found.matches.numpy()).all()
    lines = list(csv.DictReader(io.StringIO(matches_csv(record, both))))
    assert [int(line["row_a"]) for line in lines if line["in_fit"] == "0"] == held.tolist()
    # Elsewhere B is in the frame of all its rows; the seeds, which are rows, are exactly there.
    seeds = torch.isin(record.anchors, record.seeds)
    there = relviz.prepare(both.b.vectors)[record.anchors[seeds]]
    torch.testing.assert_close(found.points[seeds], there, atol=1e-5, rtol=0)
    used = view.with_changes(method="run", run=task.key, queries=0)
    assert torch.equal(comparison_of(used, both).held_out(used.queries), held)
    assert metrics(comparison_of(used, both), used.metric_choices).run().queries == 64


def test_one_thing_has_one_number_on_page_curve_caption_table_and_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = view_of(RUN.with_changes(seed=0))
    both = open_pair(view.a, view.b)
    record = bootstrap_task(view.ao, both).run()
    evaluation, replay = record.outcome.evaluation, record.replay
    measured = evaluation.retrieval
    assert (evaluation.held_out, evaluation.queries, evaluation.rows) == (64, 64, ROWS)
    assert record.references["truth"] == measured["truth"]["mrr"]
    assert record.references["seeds"] == measured["seeds"]["mrr"]
    assert replay.curve("mrr")[-1] == np.float32(measured["found"]["mrr"])
    assert replay.curve("accuracy")[-1] == np.float32(evaluation.accuracy)
    assert evaluation.chance["top1"] == 1 / ROWS
    caption = RUN_CURVES.content(RUN_CURVES.of(view), RUN_CURVES.chosen({}), [record]).caption
    table = {line["retrieval A → B"]: line["MRR"] for line in retrieval_lines(evaluation)}
    assert list(table)[:4] == [
        "true anchors",
        "known pairs only",
        "discovered, nearest items",
        "discovered, free points",
    ]
    for words in list(table)[:4]:
        assert f"{words} {table[words]}" in caption
    assert accuracy_summary(evaluation) in caption
    assert queries_summary(view.ao, evaluation) in caption
    monkeypatch.chdir(tmp_path)
    for name, side in (("a.npz", both.a), ("b.npz", both.b)):
        np.savez(name, vectors=side.vectors.numpy(), ids=np.array(both.ids))
    asked = ["bootstrap", "a.npz", "b.npz", "--anchors", "40", "--method", "adam_warm"]
    asked += ["--options", RUN.options]
    assert main(asked) == 0
    told = capsys.readouterr().out
    assert accuracy_summary(evaluation) in told
    assert queries_summary(view.ao, evaluation) in told
    assert top1_summary(evaluation) in told
    assert main([*asked, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["measured"] == measured
    assert said["matches_right"] == evaluation.accuracy
    assert main([*asked, "--held-out", "0"]) == 0
    assert "fitted items (none are held out)" in capsys.readouterr().out
    assert main([*asked, "--held-out", "0.9"]) == 1


def test_with_too_few_rows_it_says_so() -> None:
    evaluation = Evaluation(
        rows=80, held_out=0, queries=30, accuracy=0.5, free=40, retrieval={}, chance={}, shuffled={}
    )
    assert "too few items for a held-out set" in queries_summary(RUN, evaluation)
    assert "none are held out" in queries_summary(RUN.with_changes(held_out=0.0), evaluation)
    assert "all are anchors" in queries_summary(RUN, replace(evaluation, queries=0))
    assert top1_summary(evaluation) == ""
    assert "40 anchors" in free_points_note(40)


@pytest.mark.parametrize("method", ["adam_warm", "annealed"])
def test_of_a_random_pairing_nothing_is_found(method: str) -> None:
    """B is shuffled, so all 15 seeds are false: every metric lies where a shuffled pairing puts it."""
    options = RUN.options if method == "adam_warm" else "rounds=1"
    view = view_of(RUN.with_changes(method=method, options=options), shuffled=True)
    found = bootstrap_task(view.ao, open_pair(view.a, view.b)).run().outcome
    evaluation = found.evaluation
    assert not found.verdict.converged
    assert evaluation.accuracy < 0.05
    for kind, figures in evaluation.retrieval.items():
        null = evaluation.shuffled[kind]
        for metric, value in figures.items():
            # Few hits of many queries are skew: a Poisson count may lie far beyond its sd.
            within = 4 * null.sd[metric] + (2 / evaluation.queries if metric == "top1" else 0)
            assert abs(value - null.mean[metric]) <= within, (kind, metric)
