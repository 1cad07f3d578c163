import numpy as np
import pytest
import torch

from relviz.conditioning import anchor_report
from relviz.errors import ParameterError, ShapeError


def points(n: int, d: int = 6, seed: int = 0) -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32))


def axes() -> torch.Tensor:
    """Centered on zero: plus and minus each of three axes, and two rows near the first."""
    eye = torch.eye(3)
    near = torch.tensor([[0.8, 0.1, 0.0], [-0.8, -0.1, 0.0]])
    return torch.cat([eye, -eye, near])


def test_report_of_orthogonal_anchors():
    report = anchor_report(axes(), [0, 1, 2, 3])
    assert report.rank == 3
    assert report.rank_deficit == 0
    assert report.condition_number == pytest.approx(2**0.5, rel=1e-5)
    assert report.largest_cosine == pytest.approx(1)
    assert report.closest == (0, 3)
    three = anchor_report(axes(), [2, 0, 1])
    assert three.condition_number == pytest.approx(1)
    assert three.effective_rank == pytest.approx(3)
    assert three.largest_cosine == pytest.approx(0, abs=1e-6)
    assert three.coverage[1] >= 2 / 8
    assert float(three.coverage.sum()) == pytest.approx(1)


def test_report_finds_the_two_closest_in_every_block(monkeypatch):
    monkeypatch.setattr("relviz.conditioning.TILE_ELEMENTS", 6)
    x = points(30, 8)
    x[21] = 2 * x[4] - x.mean(0)
    report = anchor_report(x, torch.tensor([9, 4, 2, 13, 21]))
    assert set(report.closest) == {4, 21}


def test_report_of_deficient_anchors():
    flat = points(20, 2) @ points(2, 6, seed=1)
    report = anchor_report(flat, range(8))
    assert (report.rank, report.rank_deficit) == (2, 4)
    assert report.condition_number < 100
    single = anchor_report(flat, [3])
    assert (single.closest, single.largest_cosine, single.condition_number) == (None, 0.0, pytest.approx(1))
    constant = anchor_report(torch.ones(5, 3), [0, 1])
    assert (constant.rank, constant.condition_number, constant.effective_rank) == (0, float("inf"), 0.0)


def test_errors_say_which_rows():
    with pytest.raises(ShapeError, match="between 0 and 8"):
        anchor_report(points(9), [9])
    with pytest.raises(ParameterError, match="no anchors"):
        anchor_report(points(9), [])
