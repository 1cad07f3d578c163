"""Quadratic assignment where the answer is known."""

from itertools import permutations

import numpy as np
import pytest

from relviz.bootstrapping.start import match_graphs, standardized


def similarity(k, seed):
    rows = np.random.default_rng(seed).normal(size=(k, 3))
    return standardized(rows @ rows.T)


@pytest.mark.parametrize("k", [2, 5, 20])
def test_a_shuffled_copy_is_put_back(k):
    a, rng = similarity(k, 0), np.random.default_rng(1)
    order = rng.permutation(k)
    likeness, found = match_graphs(a, a[np.ix_(order, order)], rng)
    np.testing.assert_allclose(a[np.ix_(order, order)][np.ix_(found, found)], a, atol=1e-12)
    assert likeness == pytest.approx(1 if k > 2 else 0)


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
