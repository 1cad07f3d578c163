import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from relviz.measure.neighbors import jaccard, neighbors, neighbors_and_ranks
from relviz.relative_projection import unit_rows


def points(n: int, d: int = 6, seed: int = 0) -> torch.Tensor:
    return unit_rows(torch.from_numpy(np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32)))


@given(st.integers(1, 6), st.integers(0, 20))
def test_jaccard_is_that_of_the_sets(k, seed):
    rng = np.random.default_rng(seed)
    left, right = (np.stack([rng.choice(9, k, replace=False) for _ in range(5)]) for _ in range(2))
    expected = [
        len({*a} & {*b}) / len({*a} | {*b}) for a, b in zip(left.tolist(), right.tolist(), strict=True)
    ]
    found = jaccard(torch.from_numpy(left), torch.from_numpy(right))
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_lists_are_the_nearest_best_first():
    x, y = points(30), points(25, seed=1)
    expected = np.argsort(-(x @ y.T).numpy(), axis=1)
    lists, ranks = neighbors_and_ranks(x, y, torch.arange(30) % 25, 7, np.random.default_rng(0))
    np.testing.assert_array_equal(lists, expected[:, :7])
    np.testing.assert_array_equal(lists, neighbors(x, y, 7, np.random.default_rng(1)))
    np.testing.assert_array_equal(neighbors(x, y, 25, np.random.default_rng(0)), expected)
    places = [int(np.flatnonzero(expected[i] == i % 25)[0]) + 1 for i in range(30)]
    np.testing.assert_array_equal(ranks, places)


def test_lots_keep_what_is_nearer_and_leave_out_what_is_farther(monkeypatch):
    monkeypatch.setattr("relviz.measure.neighbors.TILE_ELEMENTS", 30)
    # Seen from the first axis: row 0 is nearest, rows 1 to 6 are tied, the rest are farther.
    y = torch.stack([torch.tensor([1.0, 0]), *[torch.tensor([0.8, 0.6])] * 6, *[torch.tensor([-1.0, 0])] * 3])
    x = torch.tensor([[1.0, 0.0]]).repeat(600, 1)
    lists = neighbors(x, y, 3, np.random.default_rng(0))
    assert bool((lists[:, 0] == 0).all())
    drawn = torch.bincount(lists[:, 1:].flatten(), minlength=10)
    assert drawn[0] == 0
    assert not drawn[7:].any()
    assert bool(((drawn[1:7] - 200).abs() < 50).all())
    assert bool((lists[:, 1] != lists[:, 2]).all())
