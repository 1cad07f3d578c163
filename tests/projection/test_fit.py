"""How maps are made comparable: alignments with a known answer, and the four fits by PCA."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relviz.errors import ShapeError
from relviz.projection import project
from relviz.projection.fit import align


def cloud(n: int = 40, d: int = 6, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((n, d)) * np.arange(d, 0, -1)


@given(
    seed=st.integers(0, 500), scale=st.floats(0.01, 100), reflect=st.booleans(), dim=st.sampled_from([2, 3])
)
@settings(max_examples=40, deadline=None)
def test_a_moved_turned_and_scaled_map_comes_back(seed, scale, reflect, dim):
    rng = np.random.default_rng(seed)
    turn, _ = np.linalg.qr(rng.standard_normal((dim, dim)))
    turn[:, 0] *= np.sign(np.linalg.det(turn)) * (-1 if reflect else 1)
    onto = rng.standard_normal((30, dim))
    aligned, disparity = align(scale * onto @ turn + rng.standard_normal(dim), onto)
    np.testing.assert_allclose(aligned, onto, atol=1e-5)
    assert disparity < 1e-9


def test_disparity_and_alignment_are_scipys():
    from scipy.spatial import procrustes

    rng = np.random.default_rng(0)
    onto, places = rng.standard_normal((2, 25, 3))
    standard_onto, standard_places, expected = procrustes(onto, places)
    aligned, disparity = align(places, onto)
    assert disparity == pytest.approx(expected)
    size = np.linalg.norm(onto - onto.mean(0))
    np.testing.assert_allclose((aligned - onto) / size, standard_places - standard_onto, atol=1e-6)


def test_a_map_without_extent_goes_to_the_middle():
    onto = np.random.default_rng(0).standard_normal((9, 2)) + 3
    aligned, disparity = align(np.ones((9, 2)), onto)
    np.testing.assert_allclose(aligned, np.tile(onto.mean(0), (9, 1)), rtol=1e-6)
    assert disparity == 1
    assert align(np.ones((9, 2)), np.zeros((9, 2)))[1] == 0


def test_procrustes_undoes_a_rotation_and_measures_noise():
    x = cloud()
    turn, _ = np.linalg.qr(np.random.default_rng(1).standard_normal((6, 6)))
    noise = np.random.default_rng(2).standard_normal(x.shape)
    maps = project([x, 3 * x @ turn + 5, x + 0.3 * noise, x + noise], fit="procrustes")
    np.testing.assert_allclose(maps[1], maps[0], atol=1e-4)
    exact, near, far = maps.residual
    assert exact < 1e-5 < near < far < 1


def test_procrustes_leaves_the_first_map_and_the_shares_as_they_were():
    x, y = cloud(), cloud(seed=1)
    alone, aligned = project([x, y], fit="independent"), project([x, y], fit="procrustes")
    np.testing.assert_array_equal(aligned[0], alone[0])
    assert aligned.explained == alone.explained
    assert alone.residual is None


def test_a_joint_map_puts_equal_rows_in_equal_places():
    x = cloud()
    a, b = project([x, x], fit="joint")
    np.testing.assert_array_equal(a, b)
    c, d = project([x, x[:7] + 1], fit="joint")
    assert len(c) == 40
    assert len(d) == 7


def test_joint_is_one_fit_on_all_rows():
    x, y = cloud(), cloud(n=15, seed=1) + 2
    a, b = project([x, y], fit="joint")
    (both,) = project([np.vstack([x, y])])
    np.testing.assert_array_equal(np.vstack([a, b]), both)


def test_first_is_joint_when_the_second_is_the_same_and_differs_when_not():
    x, y = cloud(), 2 * cloud(seed=1)[:, ::-1]
    for one, other in zip(project([x, x], fit="joint"), project([x, x], fit="first"), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-4)
    first = project([x, y], fit="first")
    np.testing.assert_array_equal(first[0], project([x], fit="joint")[0])
    assert np.abs(first[1] - project([x, y], fit="joint")[1]).max() > 1
    assert first.parameters["placed"] == "on the same components"


@pytest.mark.parametrize("fit", ["joint", "first"])
def test_dimensions_that_differ_are_named_with_a_way_out(fit):
    with pytest.raises(ShapeError, match=r"6 and 4\. Choose fit='independent' or 'procrustes'"):
        project([cloud(), cloud(d=4)], fit=fit)
    for other in ("independent", "procrustes"):
        assert project([cloud(), cloud(d=4)], fit=other)[1].shape == (40, 2)


def test_procrustes_needs_as_many_rows():
    with pytest.raises(ShapeError, match=r"40 and 30\. Match them with relviz\.Pair"):
        project([cloud(), cloud(n=30)], fit="procrustes")
    assert [len(places) for places in project([cloud(), cloud(n=30)], fit="independent")] == [40, 30]
