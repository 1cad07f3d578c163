"""The table against closed forms and against the parts it is made of."""

import numpy as np
import pytest
import torch

import relviz
from relviz.bootstrapping import evaluation
from relviz.bootstrapping.evaluation import Pairing
from relviz.bootstrapping.table import Line, bootstrap_table
from relviz.compute.jobs import Canceled
from relviz.errors import ParameterError, ShapeError
from relviz.measure import METRICS, anchor_retrieval, held_out


def points(n: int, d: int, seed: int = 0) -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32))


def turned(x: torch.Tensor, noise: float = 0.0) -> torch.Tensor:
    """A rotated, rescaled, shifted copy, rows in the same order."""
    d = x.shape[1]
    return 4 * (x + noise * points(len(x), d, seed=8)) @ torch.linalg.qr(points(d, d, seed=9))[0] + 3


@pytest.fixture(scope="module")
def of_a_rotation() -> relviz.BootstrapTable:
    x = points(150, 8)
    return bootstrap_table(x, turned(x), 30, (12, 5), ("annealed",), n_draws=2)


def test_of_a_rotated_copy_everything_is_found(of_a_rotation: relviz.BootstrapTable) -> None:
    for what in ("found", "rows"):
        for seeds in (12, 5):
            line = of_a_rotation.line(what, "annealed", seeds)
            for runs in (line.x_to_y, line.y_to_x):
                assert runs.mean["mrr_at_k"] == pytest.approx(1)
                assert runs.mean["mrr"] == pytest.approx(1)
                assert runs.mean["cosine"] == pytest.approx(1, abs=1e-3)
    for what in ("true", "procrustes", "fitted"):
        assert of_a_rotation.line(what).y_to_x.mean["mrr_at_k"] == pytest.approx(1)
    assert {run.right for run in of_a_rotation.outcomes} == {1.0}
    assert all(run.converged and run.seconds > 0 and run.reason for run in of_a_rotation.outcomes)
    assert [(run.seeds, run.draw) for run in of_a_rotation.outcomes] == [(12, 0), (5, 0), (12, 1), (5, 1)]


def test_known_anchors_give_what_the_anchor_retrieval_gives() -> None:
    x = points(90, 6)
    y = turned(x, 0.5)
    table = bootstrap_table(x, y, 20, (7,), ("adam_warm",), 3, n_draws=2, k=4, queries=60)
    assert (table.rows, table.queries, table.held_out) == (90, 60, 0)
    expected = anchor_retrieval(x, y, 20, seed=3, n_draws=2, k=4, queries=60)
    line = table.line("true")
    assert (line.x_to_y, line.y_to_x) == (expected.x_to_y, expected.y_to_x)
    for draw, run in zip((3, 4), table.line("seeds", seeds=7).x_to_y.runs, strict=True):
        rows = relviz.select_anchors(x, 20, seed=draw)
        asked = held_out(90, rows, 60, draw)  # those of all lines: the other anchors are no queries either
        of_seeds = anchor_retrieval(x, y, rows[:7], seed=draw, n_draws=1, k=4, queries=asked)
        assert of_seeds.x_to_y.runs == (run,)
    control = table.line("none")
    assert (control.x_to_y, control.y_to_x) == (expected.absolute_x_to_y, expected.absolute_y_to_x)
    assert [(line.anchors, line.seeds) for line in table.lines] == [
        *(("none", None), ("true", None), ("procrustes", None), ("fitted", None)),
        *(("seeds", 7), ("found", 7), ("rows", 7)),
    ]


def test_found_anchors_are_those_of_the_solver_and_their_rows() -> None:
    x = points(80, 6)
    y = turned(x, 0.4)
    rows = relviz.select_anchors(x, 16, seed=2)
    found = Pairing(x, y).draw(16, 2).solve(9, "adam_warm")
    px, py = relviz.prepare(x), relviz.prepare(y)
    table = bootstrap_table(x, y, 16, (9,), ("adam_warm",), 2, n_draws=1)
    for what, points_y in (("found", found.anchors), ("rows", py[found.indices])):
        both = relviz.relative(px, px[rows]), relviz.relative(py, points_y)
        expected = relviz.retrieval(*both, seed=2, null=1, queries=held_out(80, rows))
        assert table.line(what, "adam_warm", 9).x_to_y.runs == (expected,)
    assert len({*found.indices.tolist()}) == 16
    assert found.indices[:9].tolist() == rows[:9].tolist()


def test_the_solver_sees_the_rows_of_y_in_another_order(monkeypatch: pytest.MonkeyPatch) -> None:
    x = points(60, 5)
    y, seen = turned(x), []

    def spy(x, y, anchors, seeds, *rest, **options):
        seen.append((y, seeds))
        return relviz.bootstrap(x, y, anchors, seeds, *rest, **options)

    monkeypatch.setattr(evaluation, "bootstrap", spy)
    pairing = Pairing(x, y)
    for draw in (0, 1):
        pairing.draw(20, draw).solve(6, "adam_warm")
    for shuffled, (sx, sy) in seen:
        assert (shuffled == y).all(1).float().mean() < 0.2
        torch.testing.assert_close(shuffled[sy], y[sx])
    assert not torch.equal(seen[0][0], seen[1][0])


def test_no_seeds_have_no_line_of_their_own(of_a_rotation: relviz.BootstrapTable) -> None:
    x = points(40, 4)
    table = bootstrap_table(x, turned(x)[:, :3], 10, (0, 0), ("adam",), n_draws=1, k=3)
    assert [line.anchors for line in table.lines] == ["true", "procrustes", "fitted", "found", "rows"]
    assert len(of_a_rotation.lines) == 4 + 2 * 3


def test_records_are_flat(of_a_rotation: relviz.BootstrapTable) -> None:
    records = of_a_rotation.records()
    assert len(records) == len(of_a_rotation.lines) * 2 * len(METRICS)
    wanted = {"anchors": "found", "method": "annealed", "seeds": 5, "direction": "y→x", "metric": "mrr_at_k"}
    (record,) = [r for r in records if wanted.items() <= r.items()]
    line = of_a_rotation.line("found", "annealed", 5)
    assert (record["mean"], record["sd"]) == (line.y_to_x.mean["mrr_at_k"], line.y_to_x.sd["mrr_at_k"])
    assert isinstance(line, Line)


def test_progress_never_falls_and_ends_at_one_and_cancels_inside_the_solver() -> None:
    x = points(60, 5)
    told: list[float] = []
    bootstrap_table(x, turned(x), 15, (6,), ("annealed",), n_draws=2, on_progress=told.append)
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1)
    assert len([t for t in told if 0.3 < t < 0.5]) > 20

    def stop(fraction: float) -> None:
        told.append(fraction)
        if fraction > 0.4:
            raise Canceled("enough")

    told.clear()
    with pytest.raises(Canceled):
        bootstrap_table(x, turned(x), 15, (6,), ("annealed",), n_draws=2, on_progress=stop)
    assert told[-1] < 0.45


@pytest.mark.slow
def test_real_spaces_are_measured_on_rows_that_took_part_in_no_fit() -> None:
    pair = relviz.load_demo("glosses").pair("minilm", "wordllama")
    table = bootstrap_table(pair.a.vectors[:500], pair.b.vectors[:500], 150, (15,), ("adam_warm",), n_draws=2)
    assert (table.rows, table.queries, table.held_out) == (500, 100, 100)
    mrr = {line.anchors: line.x_to_y.mean["mrr"] for line in table.lines}
    assert mrr["seeds"] < mrr["true"]
    # What has 384 dimensions and is fitted to 400 rows fits these, and others much less.
    counted = bootstrap_table(
        *(pair.a.vectors[:500], pair.b.vectors[:500], 150, (15,), ("adam_warm",)),
        n_draws=2,
        include_anchors=True,
    )
    assert (counted.queries, counted.held_out, counted.include_anchors) == (500, 0, True)
    flattered = {line.anchors: line.x_to_y.mean["mrr"] for line in counted.lines}
    assert flattered["true"] < flattered["procrustes"] < flattered["fitted"]
    assert mrr["fitted"] < flattered["fitted"] - 0.2


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"known_counts": (5, 31)}, ParameterError, "from 0 to the 30 anchors"),
        ({"known_counts": (-1,)}, ParameterError, r"\[-1\]"),
        ({"known_counts": ()}, ParameterError, r"\[\]"),
        ({"methods": ("annealed", "magic")}, ParameterError, "magic"),
        ({"methods": ()}, ParameterError, "different methods"),
        ({"methods": ("adam", "adam")}, ParameterError, "different methods"),
        ({"methods": ("adam_warm",), "known_counts": (5, 0)}, ParameterError, "at least one known pair"),
        ({"n_draws": 0}, ParameterError, "n_draws .* at least 1; it is 0"),
        ({"anchors": 200}, ParameterError, "200"),
        ({"anchors": 150}, ParameterError, "All 150 rows are anchors"),
        ({"held_out": 0.6}, ParameterError, "0.6"),
        ({"held_out": True}, ParameterError, "True"),
        ({"k": 151}, ParameterError, "151"),
        ({"y": points(149, 8)}, ShapeError, "150 and 149"),
    ],
)
def test_what_cannot_be_is_said_before_any_work(changes: dict, error: type, words: str) -> None:
    x = points(150, 8)
    with pytest.raises(error, match=words):
        bootstrap_table(**{"x": x, "y": turned(x), "anchors": 30, "on_progress": pytest.fail} | changes)
