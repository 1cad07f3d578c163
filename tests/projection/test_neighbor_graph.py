"""Neighbors against brute force in float64."""

import numpy as np
import pytest
import torch

from relviz.projection.neighbor_graph import Reference


def brute(queries: np.ndarray, rows: np.ndarray, k: int, itself: bool) -> tuple[np.ndarray, np.ndarray]:
    distances = np.linalg.norm(queries[:, None].astype(np.float64) - rows[None], axis=2)
    if itself:
        np.fill_diagonal(distances, np.inf)
    order = np.argsort(distances, axis=1, kind="stable")[:, :k]
    return order, np.take_along_axis(distances, order, 1)


@pytest.mark.parametrize("middles", [[1e4], [-200, 200]], ids=["far from zero", "two far clusters"])
def test_neighbors_are_exact_wherever_the_space_lies(middles):
    rng = np.random.default_rng(0)
    x = np.concatenate([middle + rng.standard_normal((150, 20)) for middle in middles]).astype(np.float32)
    found = Reference(torch.from_numpy(x)).among(12)
    order, distances = brute(x, x, 12, itself=True)
    np.testing.assert_array_equal(found.indices, order)
    ratio = found.distances / distances
    np.testing.assert_allclose(ratio, ratio.mean(), rtol=1e-3)


def test_neighbors_of_another_space():
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((2, 90, 7)).astype(np.float32)
    found = Reference(torch.from_numpy(x)).of(torch.from_numpy(y[:40]), 5)
    np.testing.assert_array_equal(found.indices, brute(y[:40], x, 5, itself=False)[0])
    assert Reference(torch.from_numpy(x)).of(torch.from_numpy(y), 90).indices.shape == (90, 90)


def test_a_row_is_not_its_own_neighbor_and_its_copies_are_at_distance_zero():
    x = torch.from_numpy(np.random.default_rng(2).standard_normal((30, 16), dtype=np.float32) * 1e-3 + 7)
    found = Reference(torch.cat([x, x])).among(59)
    rows = np.arange(60)
    assert not (found.indices == rows[:, None]).any()
    np.testing.assert_array_equal(found.indices[:, 0], (rows + 30) % 60)
    assert not found.distances[:, 0].any()
    assert (found.distances[:, 1] > 0).all()


def test_progress_reaches_one():
    seen = []
    Reference(torch.eye(5)).among(2, seen.append)
    assert seen[-1] == 1.0
