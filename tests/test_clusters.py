import numpy as np
import pytest
import torch

import relviz
from relviz.clusters import FULL_ROWS, clusters
from relviz.errors import ParameterError


def groups(sizes: list[int], d: int = 8, seed: int = 0) -> tuple[torch.Tensor, np.ndarray]:
    """Tight groups about orthogonal axes, shuffled: rows, and the group of each."""
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    rows = 5 * np.eye(d)[truth] + 0.05 * rng.normal(size=(len(truth), d)) + 3
    return torch.from_numpy(rows.astype(np.float32)), truth


def test_groups_that_lie_apart_are_found_the_largest_first():
    rows, truth = groups([10, 40, 25, 5])
    found = clusters(rows, 4, seed=3).numpy()
    np.testing.assert_array_equal(found, np.array([2, 0, 1, 3])[truth])


def test_shift_scale_and_rotation_change_nothing():
    rows, _ = groups([12, 30, 18])
    turn = torch.linalg.qr(torch.from_numpy(np.random.default_rng(1).normal(size=(8, 8)))).Q.float()
    np.testing.assert_array_equal(clusters(7 * rows @ turn + 2, 3), clusters(rows, 3))


def test_the_same_seed_gives_the_same_clusters_and_the_input_stays():
    pair = relviz.load_demo("glosses").pair("minilm", "e5")
    before = pair.a.vectors.clone()
    first = clusters(pair.a.vectors, 12, seed=1)
    np.testing.assert_array_equal(first, clusters(pair.a.vectors, 12, seed=1))
    assert torch.equal(pair.a.vectors, before)
    sizes = np.bincount(first, minlength=12)
    assert (np.diff(sizes) <= 0).all()
    assert sizes.min() > 0


def test_clusters_of_real_texts_follow_their_classes():
    pair = relviz.load_demo("glosses").pair("minilm", "e5")
    found = clusters(pair.a.vectors, 12).numpy()
    labels = np.unique(pair.labels, return_inverse=True)[1]

    def purity(members: np.ndarray) -> float:
        return sum(np.bincount(labels[members == one]).max() for one in range(12)) / len(labels)

    assert purity(found) > 2 * purity(np.random.default_rng(0).permutation(found))


def test_fewer_different_rows_than_clusters():
    rows = torch.tensor([[1.0, 0], [0, 1], [1, 0], [1, 0], [0, 1]])
    assert clusters(rows, 4).tolist() == [0, 1, 0, 0, 1]


def test_many_rows_are_clustered_by_parts():
    rows, truth = groups([FULL_ROWS // 2 + 1000, FULL_ROWS // 2, 100])
    found = clusters(rows, 2).numpy()
    assert (found[truth < 2] == truth[truth < 2]).mean() > 0.99


@pytest.mark.parametrize("k", [0, 6, -1])
def test_a_number_out_of_range_is_refused(k: int):
    with pytest.raises(ParameterError, match=f"5 rows; it is {k}"):
        clusters(torch.eye(5), k)
    with pytest.raises(ParameterError, match="NaN"):
        clusters(torch.tensor([[np.nan, 1.0], [0, 1]]), 1)
