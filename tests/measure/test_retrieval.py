import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from relviz.errors import ParameterError, ShapeError
from relviz.measure.retrieval import METRICS, Retrieval, retrieval
from relviz.relative_projection import unit_rows


def points(n: int, d: int = 6, seed: int = 0) -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32))


def noisy_copy(x: torch.Tensor, noise: float = 0.7) -> torch.Tensor:
    return x + noise * points(len(x), x.shape[1], seed=7)


def by_hand(x: torch.Tensor, y: torch.Tensor, k: int, rows: list[int]) -> dict[str, float]:
    """The definitions, one row at a time; no list may end inside a tie."""
    a, b = (np.round(unit_rows(m).double().numpy(), 7) for m in (x, y))
    found: dict[str, list[float]] = {name: [] for name in METRICS}
    for i in rows:
        scores, own = np.round(b @ a[i], 6), np.round(b @ b[i], 6)
        lists = [set(np.argsort(-s, kind="stable")[:k].tolist()) for s in (scores, own)]
        rank = (1 + (scores > scores[i]).sum() + (scores >= scores[i]).sum()) / 2
        found["jaccard"].append(len(lists[0] & lists[1]) / len(lists[0] | lists[1]))
        found["mrr_at_k"].append(1 / rank if rank <= k else 0)
        found["cosine"].append(float(a[i] @ b[i]))
        found["top1"].append(float((scores >= scores[i]).sum() == 1))
        found["mrr"].append(1 / rank)
    return {name: float(np.mean(values)) for name, values in found.items()}


def assert_figures(result: Retrieval, expected: dict[str, float]) -> None:
    assert result.figures == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("k", [1, 5, 60])
@pytest.mark.parametrize("tile", [8_000_000, 200])
def test_figures_are_their_definitions(k, tile, monkeypatch):
    monkeypatch.setattr("relviz.compute.blocks.TILE_ELEMENTS", tile)
    x = points(60)
    y = noisy_copy(x)
    assert_figures(retrieval(x, y, k=k), by_hand(x, y, k, list(range(60))))


def test_wide_targets_are_searched_in_several_tiles(monkeypatch):
    x = points(60)
    y = noisy_copy(x)
    expected = retrieval(x, y, null=2)
    monkeypatch.setattr("relviz.compute.blocks.TILE_COLUMNS", 17)
    assert_figures(retrieval(x, y, null=2), expected.figures)


def test_tied_rows_share_the_mean_of_their_places():
    half = points(20)
    x, y = torch.cat([half, half]), torch.cat([noisy_copy(half)] * 2)
    result = retrieval(x, y, k=4)
    assert_figures(result, by_hand(x, y, 4, list(range(40))))
    assert result.top1 == 0
    assert retrieval(x, x, k=4).mrr_at_k == pytest.approx(1 / 1.5)


def test_a_rotated_rescaled_copy_is_retrieved_without_error():
    x = points(80)
    turned = 3 * x @ torch.linalg.qr(points(6, 6, seed=3))[0]
    relative_x, relative_y = x @ x[:9].T, turned @ turned[:9].T
    assert_figures(retrieval(relative_x, relative_y), dict.fromkeys(METRICS, 1.0))
    assert retrieval(x, turned).mrr < 0.3


def test_a_space_of_equal_rows_scores_as_chance_does():
    n, k = 400, 10
    constant = torch.ones(n, 5)
    for x, y in ((constant, constant), (points(n, 5), constant), (torch.zeros(n, 5), torch.zeros(n, 5))):
        result = retrieval(x, y, k=k, null=2)
        for figures in (result, result.null):
            assert figures.jaccard == pytest.approx(k / (2 * n - k), rel=0.3)
            assert figures.mrr_at_k < 0.02
            assert figures.mrr < 0.02
            assert figures.top1 < 0.01


def test_lots_are_drawn_only_among_the_tied():
    x = torch.eye(6).repeat_interleave(2, dim=0)
    overlaps = [retrieval(x, x, k=3, seed=seed).jaccard for seed in range(30)]
    # Two places are settled (the row and its equal), the third is drawn from ten rows.
    assert np.mean(overlaps) == pytest.approx(0.1 * 1 + 0.9 * 0.5, abs=0.03)


def test_the_null_is_chance():
    n, k = 2000, 10
    x = points(n, 30)
    result = retrieval(x, noisy_copy(x, 0.3), k=k, null=5)
    harmonic = sum(1 / place for place in range(1, k + 1))
    assert result.mrr_at_k > 0.9
    assert result.null.jaccard == pytest.approx(k / (2 * n), rel=0.5)
    assert result.null.mrr_at_k == pytest.approx(harmonic / n, rel=0.6)
    assert result.null.mrr == pytest.approx(sum(1 / place for place in range(1, n + 1)) / n)
    assert abs(result.null.cosine) < 0.01
    assert result.null.top1 < 0.003


def test_the_null_is_retrieval_with_permuted_counterparts():
    x = points(40)
    y = noisy_copy(x)
    nulls = [retrieval(x, y, k=5, null=1, seed=s).null.figures for s in range(30)]
    orders = [np.random.default_rng(100 + s).permutation(40) for s in range(30)]
    permuted = [retrieval(x[order], y, k=5).figures for order in orders]
    for name in METRICS:
        expected = np.mean([figures[name] for figures in permuted])
        assert np.mean([figures[name] for figures in nulls]) == pytest.approx(expected, abs=0.02)


def test_queries_are_a_seeded_sample_against_all_rows():
    x = points(50)
    y = noisy_copy(x)
    asked = np.sort(np.random.default_rng(4).choice(50, 12, replace=False)).tolist()
    result = retrieval(x, y, k=5, queries=12, seed=4, null=1)
    assert (result.rows, result.queries, result.k) == (50, 12, 5)
    assert_figures(result, by_hand(x, y, 5, asked))
    assert result == retrieval(x, y, k=5, queries=12, seed=4, null=1)


def test_progress_runs_to_one_and_may_stop_the_search(monkeypatch):
    monkeypatch.setattr("relviz.compute.blocks.TILE_ELEMENTS", 600)
    seen: list[float] = []
    retrieval(points(60), points(60), on_progress=seen.append)
    assert seen == sorted(seen)
    assert len(seen) == 12
    assert seen[-1] == 1

    def stop(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        retrieval(points(60), points(60), on_progress=stop)


def test_inputs_are_not_modified():
    x, y = points(20), points(20, seed=1)
    kept_x, kept_y = x.clone(), y.clone()
    retrieval(x, y, null=1)
    assert torch.equal(x, kept_x)
    assert torch.equal(y, kept_y)


def test_errors_carry_the_numbers():
    x = points(12)
    with pytest.raises(ShapeError, match="12 and 11 rows"):
        retrieval(x, x[:11])
    with pytest.raises(ShapeError, match="6 and 5"):
        retrieval(x, x[:, :5])
    for k in (0, 13):
        with pytest.raises(ParameterError, match=f"k must lie between 1 and the 12 rows; it is {k}"):
            retrieval(x, x, k=k)
    with pytest.raises(ParameterError, match="queries must lie between 1 and the 12 rows; it is 13"):
        retrieval(x, x, queries=13)
    with pytest.raises(ParameterError, match="it is 0"):
        retrieval(x, x, null=0)
    with pytest.raises(ParameterError, match="y holds NaN"):
        retrieval(x, x / 0)


PEAK = """
import torch
from relviz.measure.retrieval import retrieval
def peak():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
x = torch.randn(20_000, 300, generator=torch.Generator().manual_seed(0))
retrieval(x[:50], x[:50], null=1)
before = peak()
retrieval(x, x + 0.1, null=1, queries={queries})
print(peak() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from Linux")
def test_no_square_matrix_is_held():
    # Read in a process of its own; ru_maxrss would count the memory of this one from before the fork.
    run = [sys.executable, "-c", PEAK.format(queries=4_000)]
    kilobytes = int(subprocess.run(run, capture_output=True, text=True, check=True).stdout)
    assert kilobytes < 350_000
