"""A run is measured with rows that it never saw, and one thing has one number wherever it stands."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

import relviz
from relviz.cli.main import main
from relviz.figures.files import matches_csv
from relviz.figures.kinds.bootstrap import RUN_CURVES
from relviz.results import bootstrap
from relviz.results.bootstrap import bootstrap_task
from relviz.results.comparison import comparison_of
from relviz.results.metrics import metrics
from relviz.results.replay import CURVES
from relviz.results.run import (
    asked_said,
    found_of,
    free_said,
    held_said,
    measured_lines,
    reel_of,
    right_said,
)
from relviz.state import View
from relviz.state.sources import keep_space, open_pair
from relviz.state.view import Run

pytestmark = pytest.mark.usefixtures("one_thread")

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
def _store(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path_factory.getbasetemp() / "held_out"))
    return


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
    task = bootstrap_task(view, view.ao, both)
    task.run()
    found = found_of(task)
    assert len(found.held) == 64
    assert not torch.isin(found.rows, found.held).any()
    for given, side in zip(seen[0], (both.a.vectors, both.b.vectors), strict=True):
        assert len(given) == ROWS - 64
        assert not (torch.cdist(given, side[found.held]) == 0).any()
    assert found.matches.min() >= 0
    reel = reel_of(task)
    assert (reel.frames[0].matches[found.held.numpy()] == -1).all()
    assert (reel.frames[-1].matches == found.matches.numpy()).all()
    lines = list(csv.DictReader(io.StringIO(matches_csv(found, both))))
    assert [int(line["row_a"]) for line in lines if line["in_fit"] == "0"] == found.held.tolist()
    # Elsewhere B is in the frame of all its rows; the seeds, which are rows, are exactly there.
    seeds = torch.isin(found.rows, found.seeds)
    there = relviz.prepare(both.b.vectors)[found.rows[seeds]]
    torch.testing.assert_close(found.points[seeds], there, atol=1e-5, rtol=0)
    used = view.with_changes(method="run", run=task.key, queries=0)
    assert torch.equal(comparison_of(used, both).held_out(used.queries), found.held)
    assert metrics(comparison_of(used, both), used.metric_choices).run().queries == 64


def test_one_thing_has_one_number_on_page_curve_caption_table_and_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = view_of(RUN.with_changes(seed=0))
    both = open_pair(view.a, view.b)
    task = bootstrap_task(view, view.ao, both)
    result = task.run()
    reel, outcome = reel_of(task), result.meta["outcome"]
    measured = outcome["measured"]
    assert (outcome["held_out"], outcome["queries"], outcome["rows"]) == (64, 64, ROWS)
    assert reel.opening.lines["truth"] == measured["truth"]["mrr_full"]
    assert reel.opening.lines["seeds"] == measured["seeds"]["mrr_full"]
    assert reel.curves[-1, CURVES.index("mrr")] == np.float32(measured["found"]["mrr_full"])
    assert reel.curves[-1, CURVES.index("accuracy")] == np.float32(outcome["right"])
    assert outcome["chance"]["top1"] == 1 / ROWS
    caption = RUN_CURVES.content(view, RUN_CURVES.chosen({}), [result]).caption
    table = {line["retrieval A → B"]: line["MRR, full ranking"] for line in measured_lines(outcome)}
    assert list(table)[:4] == [
        "true anchors",
        "known pairs alone",
        "discovered, nearest items",
        "discovered, free points",
    ]
    for words in list(table)[:4]:
        assert f"{words} {table[words]}" in caption
    assert right_said(outcome) in caption
    assert asked_said(view.ao, outcome) in caption
    monkeypatch.chdir(tmp_path)
    for name, side in (("a.npz", both.a), ("b.npz", both.b)):
        np.savez(name, vectors=side.vectors.numpy(), ids=np.array(both.ids))
    asked = ["bootstrap", "a.npz", "b.npz", "--anchors", "40", "--method", "adam_warm"]
    asked += ["--options", RUN.options]
    assert main(asked) == 0
    told = capsys.readouterr().out
    assert right_said(outcome) in told
    assert asked_said(view.ao, outcome) in told
    assert held_said(outcome) in told
    assert main([*asked, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["measured"] == measured
    assert said["matches_right"] == outcome["right"]
    assert main([*asked, "--held-out", "0"]) == 0
    assert "fitted items (none are held out)" in capsys.readouterr().out
    assert main([*asked, "--held-out", "0.9"]) == 1


def test_with_too_few_rows_it_says_so() -> None:
    outcome = {"queries": 30, "rows": 80, "held_out": 0}
    assert "too few items for a held-out set" in asked_said(RUN, outcome)
    assert "none are held out" in asked_said(RUN.with_changes(held_out=0.0), outcome)
    assert "all are anchors" in asked_said(RUN, {**outcome, "queries": 0})
    assert held_said(outcome) == ""
    assert "40 anchors" in free_said(40)


@pytest.mark.parametrize("method", ["adam_warm", "annealed"])
def test_of_a_random_pairing_nothing_is_found(method: str) -> None:
    """B is shuffled, so all 15 seeds are false: every metric lies where a shuffled pairing puts it."""
    options = RUN.options if method == "adam_warm" else "rounds=1"
    view = view_of(RUN.with_changes(method=method, options=options), shuffled=True)
    outcome = bootstrap_task(view, view.ao, open_pair(view.a, view.b)).run().meta["outcome"]
    assert not outcome["converged"]
    assert outcome["right"] < 0.05
    for kind, figures in outcome["measured"].items():
        null = outcome["null"][kind]
        for metric, value in figures.items():
            # Few hits of many queries are skew: a Poisson count may lie far beyond its sd.
            within = 4 * null["sd"][metric] + (2 / outcome["queries"] if metric == "top1" else 0)
            assert abs(value - null["mean"][metric]) <= within, (kind, metric)
