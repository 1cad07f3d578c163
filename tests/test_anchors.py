from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from relviz.anchors import METHODS, select_anchors
from relviz.errors import ParameterError, ShapeError
from relviz.relative_projection import unit_rows


def points(n: int, d: int = 4, seed: int = 0) -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32))


@settings(max_examples=15, deadline=None)
@given(data=st.data(), n=st.integers(1, 40), seed=st.integers(0, 5), same=st.booleans())
@pytest.mark.parametrize("method", METHODS)
def test_anchors_are_k_different_rows_and_the_same_for_the_same_seed(method, data, n, seed, same):
    k = data.draw(st.integers(1, n))
    x = torch.ones(n, 3) if same else points(n, 3, seed)
    labels = [f"class {i % 3}" for i in range(n)]
    chosen = select_anchors(x, k, method, seed, labels)
    assert chosen.dtype == torch.int64
    assert len(set(chosen.tolist())) == k
    assert 0 <= int(chosen.min()) <= int(chosen.max()) < n
    assert torch.equal(chosen, select_anchors(x.numpy(), k, method, seed, labels))


@pytest.mark.parametrize("method", METHODS)
def test_the_seed_matters_and_global_random_state_does_not(method):
    x, labels = points(200), [str(i % 4) for i in range(200)]
    first = select_anchors(x, 10, method, 0, labels)
    state = np.random.get_state(legacy=False)["state"]["key"].copy()  # noqa: NPY002
    assert torch.equal(first, select_anchors(x, 10, method, 0, labels))
    assert np.array_equal(state, np.random.get_state(legacy=False)["state"]["key"])  # noqa: NPY002
    assert not torch.equal(first, select_anchors(x, 10, method, 1, labels))


@pytest.mark.parametrize("method", ["uniform", "fps", "top", "per_class"])
def test_a_shorter_choice_begins_a_longer_one(method):
    x, labels = points(60), [str(i % 3) for i in range(60)]
    long = select_anchors(x, 20, method, 3, labels, top=30)
    for k in (1, 7, 19):
        assert torch.equal(select_anchors(x, k, method, 3, labels, top=30), long[:k])


def test_fps_takes_the_row_least_like_those_taken():
    x = points(80, 5)
    chosen = select_anchors(x, 12, "fps", seed=2).tolist()
    cosine = unit_rows(x) @ unit_rows(x).T
    for step in range(1, 12):
        similarity = cosine[:, chosen[:step]].amax(1)
        similarity[chosen[:step]] = torch.inf
        assert chosen[step] == int(similarity.argmin())


def test_fps_and_kmeans_see_directions_only():
    x = points(80, 5)
    longer = x * torch.linspace(1, 9, 80)[:, None]
    for method in ("fps", "kmeans"):
        assert torch.equal(select_anchors(x, 6, method), select_anchors(longer, 6, method))


@pytest.mark.parametrize("full_rows", [1000, 10])
def test_kmeans_takes_the_middle_of_each_cluster(full_rows, monkeypatch):
    monkeypatch.setattr("relviz.clusters.FULL_ROWS", full_rows)
    rng = np.random.default_rng(0)
    spread = np.concatenate([[0], rng.uniform(0.05, 0.1, 20) * rng.choice([-1, 1], 20)])
    spread[1:] -= spread.mean()
    angles = np.concatenate([center + spread for center in (0, 2, 4)])
    x = np.stack([np.cos(angles), np.sin(angles)], 1)
    clusters = {row // 21 for row in select_anchors(x, 3, "kmeans").tolist()}
    assert clusters == {0, 1, 2}
    if full_rows == 1000:
        assert sorted(select_anchors(x, 3, "kmeans").tolist()) == [0, 21, 42]


def test_top_draws_from_the_first_rows():
    x = points(100)
    assert int(select_anchors(x, 5, "top", top=8).max()) < 8
    assert {int(i) for s in range(40) for i in select_anchors(x, 5, "top", s)} == set(range(20))
    assert sorted(select_anchors(x, 30, "top").tolist()) == list(range(30))


def test_top_may_pass_over_the_very_first_rows():
    x = points(100)
    drawn = {int(i) for s in range(40) for i in select_anchors(x, 5, "top", s, top=8, skip=30)}
    assert drawn == set(range(30, 38))
    usual = {int(i) for s in range(60) for i in select_anchors(x, 5, "top", s, skip=20)}
    assert usual == set(range(20, 36))
    for k in (1, 4):
        longer = select_anchors(x, 5, "top", top=8, skip=30)
        assert torch.equal(select_anchors(x, k, "top", top=8, skip=30), longer[:k])
    for skip in (-1, 96, 1.5):
        with pytest.raises(ParameterError, match=f"skip .* 0 and the 95 rows that leave 5 .* it is {skip}"):
            select_anchors(x, 5, "top", skip=skip)


@settings(max_examples=40, deadline=None)
@given(data=st.data(), sizes=st.lists(st.integers(1, 12), min_size=1, max_size=5), seed=st.integers(0, 9))
def test_per_class_is_as_even_as_the_classes_allow(data, sizes, seed):
    labels = [name for name, size in enumerate(sizes) for _ in range(size)]
    k = data.draw(st.integers(1, len(labels)))
    taken = Counter(
        labels[i] for i in select_anchors(points(len(labels)), k, "per_class", seed, labels).tolist()
    )
    most = max(taken.values())
    for name, size in enumerate(sizes):
        assert taken[name] >= min(size, most - 1)


@pytest.mark.parametrize("method", METHODS)
def test_candidates_limit_the_choice(method):
    x, candidates = points(50), [40, 3, 17, 8, 30, 22]
    labels = [str(i % 2) for i in range(50)]
    chosen = select_anchors(x, 6, method, labels=labels, candidates=candidates)
    assert sorted(chosen.tolist()) == sorted(candidates)
    assert set(select_anchors(x, 2, method, labels=labels, candidates=candidates).tolist()) < set(candidates)
    mask = np.isin(np.arange(50), candidates)
    rows = select_anchors(x, 3, method, labels=labels, candidates=np.sort(candidates))
    assert torch.equal(select_anchors(x, 3, method, labels=labels, candidates=mask), rows)


def test_errors_carry_the_numbers():
    x = points(9)
    with pytest.raises(ParameterError, match="'random'; use one of uniform"):
        select_anchors(x, 3, "random")
    for k in (0, 10, -1, 2.0, "2", True, None):
        with pytest.raises(ParameterError, match=f"between 1 and the 9 rows to choose from; it is {k!r}"):
            select_anchors(x, k)
    for seed in (-1, 0.5, None):
        with pytest.raises(ParameterError, match=f"seed must be a whole number, .*; it is {seed}"):
            select_anchors(x, 3, seed=seed)
    with pytest.raises(ShapeError, match="a mask of 3 values for 9 rows"):
        select_anchors(x, 3, candidates=[True, False, True])
    with pytest.raises(ParameterError, match="between 1 and the 2 rows"):
        select_anchors(x, 3, candidates=[1, 2])
    with pytest.raises(ParameterError, match="needs labels"):
        select_anchors(x, 3, "per_class")
    with pytest.raises(ShapeError, match="9 rows but 4 labels"):
        select_anchors(x, 3, "per_class", labels=list("abcd"))
    for top in (2, 10):
        with pytest.raises(ParameterError, match=f"top .* 3 and the 9 rows to choose from; it is {top}"):
            select_anchors(x, 3, "top", top=top)
    with pytest.raises(ShapeError, match="1 of them"):
        select_anchors(x, 2, candidates=[1, 2, 1])
