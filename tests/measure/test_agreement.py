"""Agreement of neighborhoods: full for turned copies, chance for strangers, the item itself not counted."""

from itertools import combinations

import numpy as np
import pytest
import torch

import relviz
from relviz.measure import agreement, chance_jaccard, nearest_others


def random_rows(n: int, d: int, seed: int) -> torch.Tensor:
    return torch.randn(n, d, generator=torch.Generator().manual_seed(seed))


def by_hand(x: np.ndarray, k: int) -> list[set[int]]:
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    scores = unit @ unit.T
    np.fill_diagonal(scores, -np.inf)
    return [set(row.tolist()) for row in np.argsort(-scores, axis=1)[:, :k]]


def test_it_is_the_jaccard_index_of_the_nearest_others() -> None:
    x, y = random_rows(80, 5, 0), random_rows(80, 9, 1)
    expected = [
        len(a & b) / len(a | b) for a, b in zip(by_hand(x.numpy(), 7), by_hand(y.numpy(), 7), strict=True)
    ]
    np.testing.assert_allclose(agreement(x, y, 7).jaccard, expected, atol=1e-6)


def test_a_turned_and_stretched_copy_agrees_fully() -> None:
    x = random_rows(100, 6, 0)
    turn = torch.linalg.qr(random_rows(6, 6, 1)).Q
    assert agreement(x, 3 * x @ turn, 5).mean == 1


def test_strangers_agree_as_chance_does() -> None:
    found = agreement(random_rows(2000, 20, 0), random_rows(2000, 20, 1), 10)
    assert found.mean == pytest.approx(found.chance, rel=0.15)


def test_equal_rows_agree_as_chance_does() -> None:
    found = agreement(torch.ones(400, 3), torch.ones(400, 4), 10)
    assert found.mean == pytest.approx(found.chance, rel=0.25)


@pytest.mark.parametrize(("others", "k"), [(2, 1), (5, 2), (6, 3), (6, 5), (4, 4)])
def test_chance_is_the_mean_over_all_pairs_of_lists(others: int, k: int) -> None:
    lists = [set(chosen) for chosen in combinations(range(others), k)]
    expected = np.mean([len(a & b) / len(a | b) for a in lists for b in lists])
    assert chance_jaccard(others, k) == pytest.approx(expected)


def test_a_row_is_never_its_own_neighbor() -> None:
    space = torch.cat([random_rows(30, 4, 0)] * 3)
    rows = torch.tensor([0, 31, 89])
    lists = nearest_others(space, rows, 5)
    assert lists.shape == (3, 5)
    assert not (lists == rows[:, None]).any()
    assert all(len(set(row)) == 5 for row in lists.tolist())


def test_the_overlap_of_the_emoji_encoders_is_what_was_found() -> None:
    pair = relviz.load_demo("emoji").pair()
    index = agreement(pair.a.vectors, pair.b.vectors, 10).jaccard
    overlap = 2 * index / (1 + index)
    assert overlap.mean() == pytest.approx(0.444, abs=0.005)


@pytest.mark.parametrize("k", [0, 10])
def test_k_out_of_range_is_refused(k: int) -> None:
    with pytest.raises(relviz.ParameterError, match="between 1 and the 9"):
        agreement(random_rows(10, 3, 0), random_rows(10, 3, 1), k)


def test_it_stops_when_told() -> None:
    def stop(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        agreement(random_rows(10, 3, 0), random_rows(10, 3, 1), 2, on_progress=stop)
