"""PCA against numpy's singular value decomposition, and where float32 would fail."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from relviz.projection import pca, project

SHAPES = {"tall": (60, 40), "wide": (40, 60)}
every_path = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)


@pytest.fixture(params=["factorised", "iterated"])
def eigenvectors(request, monkeypatch):
    """Both ways to the eigenvectors, on spaces small enough to check."""
    if request.param == "iterated":
        monkeypatch.setattr(pca, "ITERATE_ABOVE", 10)


def spread(n: int, d: int, seed: int = 0) -> np.ndarray:
    """Gaussian rows whose directions have well-parted variances, turned at random."""
    rng = np.random.default_rng(seed)
    turn, _ = np.linalg.qr(rng.standard_normal((d, d)))
    return (rng.standard_normal((n, d)) * 0.8 ** np.arange(d) @ turn).astype(np.float32)


def svd(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.linalg.svd(x - x.mean(0, dtype=np.float64), full_matrices=False)


@every_path
@pytest.mark.usefixtures("eigenvectors")
def test_components_scores_and_shares_are_those_of_the_svd(shape):
    x = spread(*shape)
    left, singular, right = svd(x)
    found = pca.fit(torch.from_numpy(x), 3)
    signs = np.sign((found.components * right[:3].T).sum(0))
    np.testing.assert_allclose(found.components * signs, right[:3].T, atol=1e-6)
    np.testing.assert_allclose(found.places * signs, left[:, :3] * singular[:3], atol=1e-5)
    shares = singular[:3] ** 2 / (singular**2).sum()
    np.testing.assert_allclose(pca.explained(torch.from_numpy(x), found.places), shares, rtol=1e-5)


@given(seed=st.integers(0, 1000), n=st.integers(2, 12), d=st.integers(3, 12))
@settings(max_examples=40, deadline=None)
def test_the_largest_entry_of_each_component_is_positive(seed, n, d):
    x = np.random.default_rng(seed).standard_normal((n, d)).astype(np.float32)
    components = pca.fit(torch.from_numpy(x), 2).components
    largest = components[np.abs(components).argmax(0), range(2)]
    assert (largest >= 0).all()
    assert largest[0] > 0


@every_path
@pytest.mark.usefixtures("eigenvectors")
def test_every_run_gives_the_same_bits(shape):
    x = torch.from_numpy(spread(*shape))
    np.testing.assert_array_equal(pca.fit(x, 2).components, pca.fit(x, 2).components)


def test_a_mean_or_a_direction_that_dwarfs_the_rest_costs_no_precision():
    x = np.random.default_rng(0).standard_normal((300, 5)).astype(np.float32)
    x *= np.array([1e5, 3, 1, 0.1, 0.1], np.float32)
    x[:, 1:] += np.float32(4096)
    _, _, right = svd(x.astype(np.float64))
    np.testing.assert_allclose(
        np.abs(pca.fit(torch.from_numpy(x), 2).components.T @ right[:2].T), np.eye(2), atol=1e-6
    )


def test_what_does_not_vary_lies_at_zero():
    constant = np.full((7, 4), 0.1, np.float32)
    flat = project([constant, constant])
    assert not flat[0].any()
    assert flat.explained == ((0.0, 0.0), (0.0, 0.0))
    line = np.outer(np.arange(6), [1.0, 2.0, 2.0])
    (only,) = project([line])
    np.testing.assert_allclose(only[:, 0], 3 * (np.arange(6) - 2.5), rtol=1e-6)
    assert not only[:, 1].any()


def test_shares_are_of_the_spaces_own_variance():
    x = spread(80, 6)
    x -= x.mean(0)
    joint = project([x, 5 * x], fit="joint")
    alone = project([x], fit="independent")
    np.testing.assert_allclose(joint.explained[0], alone.explained[0], rtol=1e-4)
    np.testing.assert_allclose(joint.explained[1], alone.explained[0], rtol=1e-4)
