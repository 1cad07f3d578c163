import statistics

import numpy as np
import pytest
import torch

from relviz.anchors import select_anchors
from relviz.errors import ParameterError, ShapeError
from relviz.measure.anchored import anchor_curve, anchor_retrieval
from relviz.measure.queries import held_out
from relviz.measure.retrieval import METRICS, retrieval
from relviz.relative_projection import prepare, relative


def points(n: int, d: int = 6, seed: int = 0) -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32))


def turned(x: torch.Tensor, noise: float = 0.0) -> torch.Tensor:
    """A rotated, rescaled, shifted copy."""
    d = x.shape[1]
    return 4 * (x + noise * points(len(x), d, seed=8)) @ torch.linalg.qr(points(d, d, seed=9))[0] + 3


@pytest.mark.parametrize("similarity", ["cosine", "inner", "euclidean", "angular"])
def test_anchors_retrieve_a_turned_copy_and_absolute_vectors_do_not(similarity):
    x = points(150)
    table = anchor_retrieval(x, turned(x), anchors=12, n_draws=2, similarity=similarity)
    for runs in (table.x_to_y, table.y_to_x):
        assert runs.mean["mrr_at_k"] == pytest.approx(1, abs=1e-3)
        assert runs.mean["jaccard"] > 0.98
        assert runs.null["mrr_at_k"] < 0.1
    for control in (table.absolute_x_to_y, table.absolute_y_to_x):
        assert control.mean["mrr_at_k"] < 0.3


def test_each_run_is_a_retrieval_and_the_summary_is_theirs():
    x, y = points(90), turned(points(90), 0.5)
    table = anchor_retrieval(x, y, 10, "fps", seed=3, n_draws=3, k=4, null=2, queries=70)
    px, py = prepare(x), prepare(y)
    rows = select_anchors(px, 10, "fps", 4)
    rx, ry = relative(px, px[rows]), relative(py, py[rows])
    asked = held_out(90, rows, 70, seed=4)
    assert table.x_to_y.runs[1] == retrieval(rx, ry, k=4, null=2, seed=4, queries=asked)
    assert table.y_to_x.runs[1] == retrieval(ry, rx, k=4, null=2, seed=4, queries=asked)
    asked = held_out(90, select_anchors(px, 10, "fps", 3), 70, seed=3)
    assert table.absolute_y_to_x.runs == (retrieval(py, px, k=4, null=2, seed=3, queries=asked),)
    values = [run.mrr_at_k for run in table.x_to_y.runs]
    assert table.x_to_y.mean["mrr_at_k"] == pytest.approx(statistics.mean(values))
    assert table.x_to_y.sd["mrr_at_k"] == pytest.approx(statistics.stdev(values))
    assert table.x_to_y.null["mrr_at_k"] == pytest.approx(
        statistics.mean(run.null.mrr_at_k for run in table.x_to_y.runs)
    )
    assert (table.anchors, table.method, table.seeds, table.centered) == (10, "fps", (3, 4, 5), True)


def test_given_anchors_make_one_run():
    x, y = points(60), turned(points(60))[:, :5]
    table = anchor_retrieval(x, y, torch.tensor([5, 9, 30, 2]), center=False, null=None)
    assert (table.anchors, table.method, table.seeds) == (4, "given", (0,))
    assert (table.x_to_y.sd, table.x_to_y.null, table.absolute_x_to_y) == (None, None, None)
    rows = [5, 9, 30, 2]
    asked = held_out(60, rows)
    assert table.x_to_y.runs == (retrieval(relative(x, x[rows]), relative(y, y[rows]), queries=asked),)


@pytest.mark.parametrize("method", ["uniform", "kmeans"])
def test_a_curve_is_the_table_of_each_number_of_anchors(method):
    x, y = points(80), turned(points(80), 0.6)
    curve = anchor_curve(x, y, (20, 3, 8), method, seed=1, n_draws=2, null=None)
    assert [table.anchors for table in curve] == [20, 3, 8]
    for table in curve:
        assert table == anchor_retrieval(x, y, np.int64(table.anchors), method, seed=1, n_draws=2, null=None)
    assert curve[0].x_to_y.mean["mrr"] > curve[1].x_to_y.mean["mrr"]


def test_anchors_are_no_queries_unless_the_papers_are_asked():
    x, y = points(120, 60), turned(points(120, 60))
    shuffled = y[torch.randperm(120, generator=torch.Generator().manual_seed(2))]
    flattered = anchor_retrieval(x, shuffled, 100, include_anchors=True)
    honest = anchor_retrieval(x, shuffled, 100)
    assert (flattered.include_anchors, flattered.x_to_y.queries) == (True, 120)
    assert (honest.include_anchors, honest.x_to_y.queries) == (False, 20)
    assert flattered.x_to_y.mean["top1"] > 0.2
    assert honest.x_to_y.mean["top1"] < 0.05


def test_queries_that_are_given_leave_anchors_out():
    x, y = points(50), turned(points(50), 0.5)
    table = anchor_retrieval(x, y, [3, 4, 5], queries=[1, 3, 9, 20, 30], k=3)
    px, py = prepare(x), prepare(y)
    rx, ry = relative(px, px[[3, 4, 5]]), relative(py, py[[3, 4, 5]])
    assert table.x_to_y.runs[0] == retrieval(rx, ry, k=3, null=1, queries=[1, 9, 20, 30])
    with pytest.raises(ParameterError, match="All 2 queries are anchors"):
        anchor_retrieval(x, y, [3, 4, 5], queries=[3, 4], k=3)
    with pytest.raises(ParameterError, match="All 50 rows are anchors"):
        anchor_retrieval(x, y, 50)


@pytest.mark.parametrize("n_anchors", [2, 10, 300, 490])
@pytest.mark.parametrize("similarity", ["cosine", "euclidean"])
def test_unrelated_spaces_stay_within_their_null(n_anchors, similarity):
    x, y = points(500, 12), points(500, 9, seed=1)
    table = anchor_retrieval(x, y, n_anchors, n_draws=1, similarity=similarity)
    for runs in (table.x_to_y, table.y_to_x):
        for name, value in runs.mean.items():
            slack = 4 * runs.null_sd[name] + 1 / runs.queries
            assert abs(value - runs.null[name]) <= slack, name


def test_classes_reach_the_selection():
    x, labels = points(60), ["rare"] * 3 + ["common"] * 57
    table = anchor_retrieval(x, turned(x, 0.3), 6, "per_class", n_draws=2, labels=labels)
    px, py = prepare(x), prepare(turned(x, 0.3))
    rows = select_anchors(px, 6, "per_class", 1, labels)
    made = retrieval(relative(px, px[rows]), relative(py, py[rows]), queries=held_out(60, rows))
    assert table.x_to_y.runs[1].figures == made.figures


def test_records_are_flat():
    x = points(40)
    records = anchor_retrieval(x, turned(x), 5, n_draws=2).records()
    assert len(records) == 4 * len(METRICS)
    first, last = records[0], records[-1]
    assert (first["representation"], first["direction"], first["metric"]) == ("relative", "x→y", "jaccard")
    assert first["sd"] is not None
    assert (last["representation"], last["direction"], last["sd"]) == ("absolute", "y→x", None)
    assert len(anchor_retrieval(x, x[:, :4], 5, n_draws=1).records()) == 2 * len(METRICS)


def test_progress_runs_evenly_to_one():
    seen: list[float] = []
    x = points(30)
    anchor_curve(x, turned(x), (2, 4), n_draws=3, on_progress=seen.append)
    np.testing.assert_allclose(seen, np.arange(1, 33) / 32)


def test_the_table_so_far_is_that_of_the_first_seeds():
    x, seen = points(40), []
    y = turned(x)
    anchor_retrieval(x, y, 4, n_draws=3, on_table=seen.append)
    assert [table.records() for table in seen] == [
        anchor_retrieval(x, y, 4, n_draws=n).records() for n in (1, 2)
    ]


def test_errors_carry_the_numbers():
    x = points(20)
    with pytest.raises(ShapeError, match="20 and 19 rows"):
        anchor_retrieval(x, x[:19])
    with pytest.raises(ParameterError, match="between 1 and the 20 rows to choose from; it is 300"):
        anchor_retrieval(x, x)
    with pytest.raises(ShapeError, match="between 0 and 19; they run from 3 to 20"):
        anchor_retrieval(x, x, [3, 20])
    with pytest.raises(ShapeError, match=r"anchors .*\(0, 6\)"):
        anchor_retrieval(x, x, [])
    with pytest.raises(ParameterError, match=r"n_draws .* at least 1; it is 0"):
        anchor_retrieval(x, x, 5, n_draws=0)
    for counts in ((), (5, 0)):
        with pytest.raises(ParameterError, match="numbers of anchors, each at least 1"):
            anchor_curve(x, x, counts)
