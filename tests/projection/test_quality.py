"""Trustworthiness: full for a faithful map, that of scikit-learn for others, half for a shuffled one."""

import numpy as np
import pytest
import torch

import relviz
from relviz.projection import project
from relviz.projection.quality import trustworthiness


def random_rows(n: int, d: int, seed: int) -> torch.Tensor:
    return torch.randn(n, d, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("k", [1, 5, 20])
def test_it_is_that_of_scikit_learn(k: int) -> None:
    from sklearn.manifold import trustworthiness as expected

    x = random_rows(150, 8, 0)
    points = x[:, :2] + 0.1 * random_rows(150, 2, 1)
    found = trustworthiness(x, points, k, queries=None)
    assert found == pytest.approx(expected(x.numpy(), points.numpy(), n_neighbors=k), abs=1e-4)
    assert 0.5 < found < 1


def test_a_faithful_map_has_all_trust_however_far_it_lies() -> None:
    x = random_rows(200, 2, 0)
    assert trustworthiness(x, x, 10) == 1
    assert trustworthiness(x, 1e-3 * x + 50, 5) > 0.999


def test_a_shuffled_map_has_about_half() -> None:
    x = random_rows(1000, 5, 0)
    assert trustworthiness(x, random_rows(1000, 2, 1), 10) == pytest.approx(0.5, abs=0.03)


def test_a_sample_of_rows_comes_near_to_all_and_repeats() -> None:
    x = random_rows(1500, 20, 0)
    points = project([x], "pca", "independent")[0]
    sampled = trustworthiness(x, points, 10, queries=500)
    assert sampled == pytest.approx(trustworthiness(x, points, 10, queries=None), abs=0.02)
    assert sampled == trustworthiness(x, points, 10, queries=500)


@pytest.mark.parametrize("k", [0, 5, 50])
def test_k_out_of_range_is_refused(k: int) -> None:
    with pytest.raises(relviz.ParameterError, match="half of the 10 rows"):
        trustworthiness(random_rows(10, 3, 0), np.zeros((10, 2)), k)


def test_rows_that_are_not_as_many_are_refused() -> None:
    with pytest.raises(relviz.ShapeError):
        trustworthiness(random_rows(10, 3, 0), np.zeros((9, 2)), 2)
