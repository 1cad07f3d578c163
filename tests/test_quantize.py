import math

import numpy as np
import pytest
import torch
from scipy.cluster.hierarchy import fcluster, linkage

from relviz.errors import ParameterError
from relviz.quantize import quantize


def clusters(seed: int = 0, size: int = 20) -> tuple[torch.Tensor, torch.Tensor]:
    """Three tight clusters of known members, far apart."""
    rng = np.random.default_rng(seed)
    which = torch.from_numpy(rng.permutation(np.repeat([0, 1, 2], size)))
    centers = torch.tensor([[0.0, 0, 0, 0], [20, 0, 0, 0], [0, 30, 0, 0]])
    noise = torch.from_numpy(rng.normal(scale=0.1, size=(3 * size, 4)).astype(np.float32))
    return centers[which] + noise, which


def distinct(x: torch.Tensor) -> int:
    return len(x.unique(dim=0))


def test_rows_become_the_mean_of_their_cluster():
    x, which = clusters()
    means = torch.stack([x[which == c].mean(0) for c in range(3)])
    torch.testing.assert_close(quantize(x, 0.5), means[which])


def test_the_clusters_are_those_of_scipy_on_the_full_distance_matrix():
    x = torch.from_numpy(np.random.default_rng(1).normal(size=(120, 5)).astype(np.float32))
    spread = float((x - x.mean(0)).square().sum(1).mean().sqrt())
    tree = linkage(x.numpy().astype(float), method="ward")
    for threshold in (0.3, 1.0, 3.0):
        cluster = torch.from_numpy(fcluster(tree, threshold * spread, "distance")).long()
        expected = torch.stack([x[cluster == c].mean(0) for c in cluster])
        torch.testing.assert_close(quantize(x, threshold), expected, atol=1e-5, rtol=1e-5)


def test_the_ends_of_the_scale():
    x, _ = clusters()
    x = torch.cat([x, x[:7]])
    torch.testing.assert_close(quantize(x, 0), x, rtol=0, atol=0)
    assert distinct(quantize(x, math.sqrt(2 * len(x)))) == 1
    counts = [distinct(quantize(x, t)) for t in (0, 0.01, 0.1, 1, 10)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == len(x) - 7


@pytest.mark.parametrize("scale", [1e-3, 1e4])
def test_the_threshold_is_in_units_of_the_space(scale):
    x, _ = clusters()
    for threshold in (0.01, 0.5):
        torch.testing.assert_close(quantize(scale * x, threshold), scale * quantize(x, threshold))


def test_equal_rows_single_rows_and_numpy():
    assert quantize(np.ones((5, 3)), 0.5).tolist() == [[1.0] * 3] * 5
    assert quantize(np.array([[1, 2]]), 0.5).tolist() == [[1.0, 2.0]]
    x, _ = clusters()
    kept = x.clone()
    quantize(x, 1.0)
    assert torch.equal(x, kept)


@pytest.mark.parametrize("threshold", [-0.1, math.nan])
def test_a_threshold_below_zero_is_refused(threshold):
    with pytest.raises(ParameterError, match=str(threshold)):
        quantize(clusters()[0], threshold)
