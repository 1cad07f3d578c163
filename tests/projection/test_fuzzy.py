"""Memberships and the fuzzy union against their definitions."""

import numpy as np
import pytest
import torch

from relviz.projection.neighbor_graph import Neighbors, Reference, graph, memberships


def distances(n: int = 50, k: int = 9, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.sort(rng.uniform(0.5, 3, (n, k)), axis=1).astype(np.float32)


@pytest.mark.parametrize("connected", [True, False])
def test_a_row_has_log2_k_of_membership_to_give(connected):
    weights = memberships(distances(), connected)
    np.testing.assert_allclose(weights.sum(1), np.log2(10), rtol=1e-5)
    assert (np.diff(weights, axis=1) <= 0).all()
    assert (weights[:, 0] == 1).all() == connected


def test_memberships_do_not_depend_on_the_unit():
    np.testing.assert_allclose(memberships(distances() * 1e-9), memberships(distances()), rtol=1e-4)


def test_ties_and_copies_belong_wholly():
    np.testing.assert_array_equal(memberships(np.ones((3, 8), np.float32)), 1)
    np.testing.assert_array_equal(memberships(np.zeros((3, 8), np.float32)), 1)
    copies = np.array([[0, 0, 1, 2, 3, 4]], np.float32)
    np.testing.assert_array_equal(memberships(copies)[0, :3], 1)


def test_no_neighborhood_is_narrower_than_a_thousandth_of_the_mean_distance():
    # Seven ties give more membership than log2(9), so the width would shrink to nothing.
    tied = np.array([[1, 1, 1, 1, 1, 1, 1, 1.001]], np.float32)
    width = 1e-3 * tied.sum() / 9
    np.testing.assert_allclose(memberships(tied)[0, -1], np.exp(-(tied[0, -1] - 1) / width), rtol=1e-4)


def test_the_graph_is_the_probabilistic_union_of_both_directions():
    x = torch.from_numpy(np.random.default_rng(3).standard_normal((40, 5), dtype=np.float32))
    found = Reference(x).among(6)
    directed = np.zeros((40, 40))
    np.put_along_axis(directed, found.indices, memberships(found.distances), 1)
    union = 1 - (1 - directed) * (1 - directed.T)
    np.testing.assert_allclose(graph(found).toarray(), union, atol=1e-6)


def test_a_pair_of_rows_is_tied_wholly():
    pair = Neighbors(np.array([[1], [0]]), np.array([[2.0], [2.0]], np.float32))
    np.testing.assert_array_equal(graph(pair).toarray(), [[0, 1], [1, 0]])
