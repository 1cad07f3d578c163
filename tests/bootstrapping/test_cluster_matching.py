"""Clusters matched by how they lie to each other: quadratic assignment where the answer is known."""

from itertools import permutations

import numpy as np
import pytest
import torch

from relviz.bootstrapping.cluster_matching import (
    centroids,
    match_graphs,
    matched_clusters,
    relative_to_clusters,
    standardized,
)
from tests.bootstrapping.made import lopsided


def similarity(k, seed):
    rows = np.random.default_rng(seed).normal(size=(k, 3))
    return standardized(rows @ rows.T)


@pytest.mark.parametrize("k", [2, 5, 20])
def test_a_shuffled_copy_is_put_back(k):
    a, rng = similarity(k, 0), np.random.default_rng(1)
    order = rng.permutation(k)
    cosine, found = match_graphs(a, a[np.ix_(order, order)], rng)
    np.testing.assert_allclose(a[np.ix_(order, order)][np.ix_(found, found)], a, atol=1e-12)
    assert cosine == pytest.approx(1 if k > 2 else 0)


def test_small_ones_reach_the_best_of_all_orders():
    for seed in range(8):
        a, b = similarity(6, seed), similarity(6, 100 + seed)
        sums = [(a * b[np.ix_(order, order)]).sum() for order in map(list, permutations(range(6)))]
        size = np.sqrt((a * a).sum() * (b * b).sum())
        assert match_graphs(a, b, np.random.default_rng(0))[0] == pytest.approx(max(sums) / size)


def test_standardized_entries_have_mean_zero_and_deviation_one():
    made = similarity(7, 3)
    off = made[~np.eye(7, dtype=bool)]
    assert (off.mean(), off.std()) == (pytest.approx(0, abs=1e-12), pytest.approx(1))
    assert not np.diag(made).any()
    assert not standardized(np.ones((4, 4))).any()


def test_separate_clusters_get_a_centroid_each():
    corners = torch.eye(4).repeat_interleave(10, 0) + 0.01 * torch.randn(
        40, 4, generator=torch.Generator().manual_seed(0)
    )
    found = centroids(corners / corners.norm(dim=1, keepdim=True), 4, torch.Generator().manual_seed(0))
    assert sorted((found @ torch.eye(4)).argmax(1).tolist()) == [0, 1, 2, 3]
    torch.testing.assert_close(found.norm(dim=1), torch.ones(4))


def test_as_many_centroids_as_asked_where_rows_repeat():
    found = centroids(torch.eye(3).repeat(5, 1), 8, torch.Generator().manual_seed(0))
    assert found.shape == (8, 3)
    assert found.isfinite().all()


def test_rows_relative_to_matched_clusters_tell_more_than_chance():
    x, y, truth = lopsided()
    drawn = torch.Generator().manual_seed(0)
    pool = matched_clusters(x, y, drawn)
    assert [one.cosine for one in pool] == sorted((one.cosine for one in pool), reverse=True)
    u, v = relative_to_clusters(x, y, pool, drawn)
    counterpart = (u * v[truth]).sum(1, keepdim=True)
    assert float((u @ v.T > counterpart).float().mean(1).median()) < 0.1
