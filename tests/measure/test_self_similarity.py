"""Correlations of self-similarities against the n × n formula, and where the answer is known."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import relviz
from relviz.compute import blocks
from relviz.errors import ParameterError, ShapeError
from relviz.measure import self_similarity_correlation


def points(n: int, d: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32)


def by_all_pairs(*spaces: np.ndarray) -> np.ndarray:
    """All pairs of distinct rows at once."""
    upper = np.triu_indices(len(spaces[0]), 1)
    units = [space / np.linalg.norm(space, axis=1, keepdims=True) for space in spaces]
    return np.corrcoef([(unit.astype(np.float64) @ unit.T)[upper] for unit in units])


@settings(max_examples=20, deadline=None)
@given(n=st.integers(3, 60), d=st.integers(2, 9), seed=st.integers(0, 99))
def test_it_is_the_correlation_over_all_pairs_of_rows(n: int, d: int, seed: int) -> None:
    spaces = points(n, d, seed), points(n, d + 3, seed + 100), points(n, 4, seed + 200) + 1
    np.testing.assert_allclose(self_similarity_correlation(*spaces), by_all_pairs(*spaces), atol=1e-4)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    spaces = points(101, 6), points(101, 4, 1)
    whole = self_similarity_correlation(*spaces)
    monkeypatch.setattr(blocks, "TILE_ELEMENTS", 101 * 7)
    shares: list[float] = []
    np.testing.assert_allclose(
        self_similarity_correlation(*spaces, on_progress=shares.append), whole, atol=1e-6
    )
    assert len(shares) == 15
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_a_turned_and_rescaled_copy_has_the_same_self_similarities() -> None:
    x = points(80, 5)
    turned = 7 * x @ np.linalg.qr(points(5, 5, 1))[0]
    np.testing.assert_allclose(self_similarity_correlation(x, turned), 1, atol=1e-5)


def test_relative_spaces_of_words_are_more_alike_than_the_absolute() -> None:
    pair = relviz.load_demo("glosses").pair("minilm", "wordllama")
    x, y = relviz.prepare(pair.a.vectors), relviz.prepare(pair.b.vectors)
    rows = relviz.select_anchors(x, 300, seed=0)
    found = self_similarity_correlation(x, y, relviz.relative(x, x[rows]), relviz.relative(y, y[rows]))
    assert found[2, 3] > found[0, 1] > 0.3
    assert min(found[0, 2], found[1, 3]) > 0.7


@pytest.mark.parametrize(
    ("spaces", "error", "words"),
    [
        ((points(9, 3),), ParameterError, "at least two spaces"),
        ((points(9, 3), points(8, 3)), ShapeError, "9.*8"),
        ((points(2, 3), points(2, 3)), ParameterError, "at least 3 rows; there are 2"),
        ((points(9, 3), np.ones((9, 3), np.float32)), ParameterError, "space 2 are equally similar"),
        ((points(9, 3), np.full((9, 3), np.nan, np.float32)), ParameterError, "space 2 holds NaN"),
    ],
)
def test_what_cannot_be_correlated_is_refused(
    spaces: tuple[np.ndarray, ...], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        self_similarity_correlation(*(torch.from_numpy(one) for one in spaces))
