"""The retrieval table as a task and as text: its key, its figures, and files that others can read."""

import csv
import io
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

import relviz
from relviz.bootstrapping.table import BootstrapTable
from relviz.compute.jobs import Canceled, Job, Ticket
from relviz.figures.latex_table import latex
from relviz.results.retrieval_table import (
    PAPERS_METRICS,
    QUOTED,
    Trials,
    our_sheet,
    papers_sheet,
    table_csv,
    table_task,
)
from relviz.sheet import Sheet, markdown

TRIALS = Trials(anchors=12, seed_counts=(8, 0), methods=("adam",), draws=2)


def space(seed: int, rows: int = 40) -> relviz.Space:
    vectors = np.random.default_rng(seed).normal(size=(rows, 5)).astype(np.float32)
    return relviz.Space(torch.from_numpy(vectors), name=f"space_{seed} & more")


PAIR = relviz.Pair(space(1), space(2))


@pytest.fixture(autouse=True)
def _store(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path_factory.getbasetemp() / "retrieval_table"))


def made() -> BootstrapTable:
    return table_task(TRIALS, PAIR).run()


def test_the_task_gives_the_library_s_table() -> None:
    expected = relviz.bootstrap_table(PAIR.a.vectors, PAIR.b.vectors, 12, (8, 0), ("adam",), n_draws=2)
    found = made()
    assert found.records() == expected.records()
    assert found == expected  # but for its seconds
    assert (found.rows, found.queries, found.held_out, found.anchors, found.draws) == (40, 28, 0, 12, (0, 1))
    assert found.lines[0].x_to_y.runs[0].k == 10


@pytest.mark.parametrize(
    "changes",
    [
        {"anchors": 11},
        {"seed_counts": (7, 0)},
        {"methods": ("annealed",)},
        {"draws": 3},
        {"include_anchors": True},
    ],
)
def test_another_choice_is_another_result(changes: dict[str, Any]) -> None:
    other = replace(TRIALS, **changes)
    assert table_task(other, PAIR).key != table_task(TRIALS, PAIR).key
    assert table_task(TRIALS, relviz.Pair(space(1), space(3))).key != table_task(TRIALS, PAIR).key


def test_a_small_pair_has_rows_left_to_ask_about() -> None:
    few = relviz.Pair(space(1, 9), space(2, 9))
    table = table_task(Trials(seed_counts=(3,), methods=("adam",), draws=1), few).run()
    assert (table.anchors, table.queries, table.lines[0].x_to_y.runs[0].k) == (7, 2, 9)


def test_it_stops_when_it_is_canceled() -> None:
    task = table_task(replace(TRIALS, draws=4), PAIR)
    job: Job[Any] = Job(task.key)
    job.cancel()
    with pytest.raises(Canceled):
        task.compute(Ticket(job))


def test_the_sheet_has_a_line_for_every_kind_of_anchors() -> None:
    sheet = our_sheet(made(), PAIR)
    assert [row[0] for row in sheet.rows] == [
        "none (absolute)",
        "true anchors (GT)",
        "Procrustes on all true pairs of the fit",
        "fitted on all true pairs of the fit",
        "8 known pairs only",
        "AO Adam (Cannistraci et al. 2023), 8 known pairs, free points",
        "AO Adam (Cannistraci et al. 2023), 8 known pairs, nearest items",
        "AO Adam (Cannistraci et al. 2023), no known pairs, free points",
        "AO Adam (Cannistraci et al. 2023), no known pairs, nearest items",
        "chance",
    ]
    assert sheet.dicts()[-1]["MRR A→B"] == f"{sum(1 / rank for rank in range(1, 41)) / 40:.4f}"
    gt = sheet.dicts()[1]
    expected = relviz.anchor_retrieval(PAIR.a.vectors, PAIR.b.vectors, 12, n_draws=2)
    assert gt["MRR@k B→A"] == f"{expected.y_to_x.mean['mrr_at_k']:.3f} ± {expected.y_to_x.sd['mrr_at_k']:.3f}"
    assert (gt["matches right"], gt["converged"]) == ("–", "–")
    outcomes = [run for run in made().outcomes if run.seeds == 8]
    assert sheet.dicts()[5]["matches right"] == f"{np.mean([run.right for run in outcomes]):.1%}"
    assert sheet.dicts()[5]["converged"] == f"{sum(run.converged for run in outcomes)} of 2"
    assert (
        "12 uniform anchors of A, mean ± sd over seeds 0–1; k = 10; 28 queries that are no" in sheet.caption
    )


def test_as_the_papers_count_all_rows_are_in_the_fit_and_queries() -> None:
    found = table_task(replace(TRIALS, include_anchors=True), PAIR).run()
    expected = relviz.bootstrap_table(
        *(PAIR.a.vectors, PAIR.b.vectors, 12, (8, 0), ("adam",)), n_draws=2, include_anchors=True
    )
    assert found.records() == expected.records()
    assert (found.queries, found.include_anchors) == (40, True)
    assert "as the papers count: 40 queries among 40 candidates" in our_sheet(found, PAIR).caption
    true = relviz.anchor_retrieval(
        PAIR.a.vectors, PAIR.b.vectors, 12, n_draws=2, include_anchors=True
    ).x_to_y.mean["mrr_at_k"]
    assert expected.line("true").x_to_y.mean["mrr_at_k"] == true


def test_csv_has_every_figure() -> None:
    lines = list(csv.DictReader(io.StringIO(table_csv(made()))))
    assert len(lines) == 9 * 2 * 5
    assert [float(line["mean"]) for line in lines] == [record["mean"] for record in made().records()]


def test_markdown_and_latex_have_as_many_cells_in_every_line() -> None:
    sheet = our_sheet(made(), PAIR)
    lines = markdown(sheet).splitlines()
    assert {line.count("|") for line in lines[:-2]} == {len(sheet.head) + 1}
    assert len(lines) == len(sheet.rows) + 4
    blocks = latex(sheet).split(r"\begin{tabular}{@{}l")[1:]  # columns that do not fit stand in a block below
    shown = []
    for block in blocks:
        body = [line for line in block.splitlines() if line.endswith(r"\\")]
        (cells,) = {len(re.findall(r"(?<!\\)&", line)) + 1 for line in body}
        assert len(body) == len(sheet.rows) + 1
        shown.append(cells - sheet.words)
    assert sum(shown) == len(sheet.head) - sheet.words
    assert latex(sheet).count("{") == latex(sheet).count("}")


def test_latex_says_what_is_written_and_does_nothing_else() -> None:
    text = latex(Sheet(("a",), ((r"50 % _x_ \input{y} ± A→B ~^",),), "$"))
    assert r"50 \% \_x\_ \textbackslash{}input\{y\} $\pm$ A$\to$B \textasciitilde{}\textasciicircum{}" in text
    assert r"\caption{\$}" in text


def test_the_papers_figures_are_as_they_stand_there() -> None:
    sheet = papers_sheet()
    assert len(sheet.rows) == len(QUOTED)
    assert {len(row) for row in sheet.rows} == {len(sheet.head)}
    ao = next(row for row in sheet.dicts() if row["anchors"].startswith("AO table 4: AO, 15 known pairs"))
    assert [ao[f"{name} A→B"] for name in PAPERS_METRICS] == ["0.52±0.00", "0.99±0.00", "0.94±0.00"]
    assert [ao[f"{name} B→A"] for name in PAPERS_METRICS] == ["0.50±0.01", "0.99±0.00", "0.94±0.00"]
    seeds = next(row for row in sheet.dicts() if "known pairs only" in row["anchors"])
    assert (seeds["MRR@k A→B"], seeds["MRR@k B→A"]) == ("0.11±0.01", "0.15±0.02")
    assert {row["spaces"] for row in sheet.dicts()} == {"FastText / Word2Vec", "ViT-base / ViT-small"}
