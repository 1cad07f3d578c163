"""The null of a retrieval, against every shuffle of its queries gone through one by one."""

from itertools import permutations

import numpy as np
import pytest
import torch

from relviz.measure import METRICS, chance_jaccard, held_out, retrieval
from relviz.relative_projection import unit_rows


def points(n: int, d: int = 4, seed: int = 0) -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32))


@pytest.mark.parametrize(
    ("n", "d", "queries"), [(6, 4, None), (9, 3, [1, 2, 4, 7, 8]), (40, 9, [3, 30, 12, 9])]
)
def test_the_null_is_the_mean_and_spread_over_all_shuffles(n, d, queries):
    x, y = points(n, d), points(n, d) + 0.7 * points(n, d, seed=5)
    rows = list(range(n)) if queries is None else queries
    result = retrieval(x, y, k=3, null=1, queries=queries)
    figures = []
    for order in permutations(rows):
        shuffled = x.clone()
        shuffled[list(order)] = x[rows]  # the query rows[i] is now held to be order[i]
        figures.append(retrieval(shuffled, y, k=3, queries=queries).figures)
    for name in METRICS:
        if name == "mrr":
            continue
        values = [one[name] for one in figures]
        assert result.null.figures[name] == pytest.approx(np.mean(values), abs=1e-6)
        assert result.null.sd[name] == pytest.approx(np.std(values), abs=1e-6)


def test_the_null_of_the_full_ranking_is_near_that_of_shuffles():
    x, y = points(300, 20), points(300, 20, seed=4)
    result = retrieval(x, y, null=1)
    rng = np.random.default_rng(0)
    values = [retrieval(x[rng.permutation(300)], y).mrr for _ in range(60)]
    assert result.null.mrr == pytest.approx(np.mean(values), rel=0.1)
    assert result.null.sd["mrr"] == pytest.approx(np.std(values), rel=0.5)


def test_chance_is_exact():
    n, k = 50, 4
    x, y = points(n), points(n, seed=1)
    result = retrieval(x, y, k=k, queries=20)
    assert result.chance["top1"] == 1 / n
    assert result.chance["mrr_at_k"] == pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 4) / n)
    assert result.chance["mrr"] == pytest.approx(sum(1 / place for place in range(1, n + 1)) / n)
    assert result.chance["jaccard"] == chance_jaccard(n, k)
    asked = held_out(n, [], 20)
    cosines = unit_rows(x)[asked] @ unit_rows(y).T
    assert retrieval(x, y, k=k, queries=asked).chance["cosine"] == pytest.approx(
        float(cosines.mean()), abs=1e-6
    )


def test_many_queries_are_compared_block_by_block(monkeypatch):
    x, y = points(70), points(70, seed=2)
    whole = retrieval(x, y, null=1)
    monkeypatch.setattr("relviz.measure.shuffled._ROWS", 16)
    parts = retrieval(x, y, null=1)
    assert parts.null.figures == pytest.approx(whole.null.figures)
    assert parts.null.sd == pytest.approx(whole.null.sd)
