"""The part of the plane that a pane opens on: full, and of one scale where coordinates are shared."""

import numpy as np
import pytest

from relviz.plotting.pane import FILL, MIDDLE, Pane, frames_of, home_of, limits, turn_of

RNG = np.random.default_rng(0)
CLOUD = RNG.normal(size=(2000, 2))
ISLAND = np.concatenate([CLOUD, RNG.normal(size=(15, 2)) * 0.1 + [0, 60]])
CLOUDS = {
    "cloud": CLOUD,
    "island": ISLAND,
    "two islands": np.concatenate([ISLAND, RNG.normal(size=(15, 2)) * 0.1 + [80, -5]]),
    "square": RNG.uniform(size=(500, 2)),
    "heavy tails": RNG.standard_cauchy(size=(3000, 2)),
    "skewed": RNG.exponential(size=(3000, 2)),
}


@pytest.mark.parametrize("name", CLOUDS)
def test_the_middle_of_the_points_fills_four_fifths_along_each_axis(name: str) -> None:
    points = CLOUDS[name]
    low, high = np.quantile(points, [(1 - MIDDLE) / 2, (1 + MIDDLE) / 2], axis=0)
    home = limits(points)
    assert ((high - low) / home.sides >= FILL - 1e-9).all()
    inside = (points >= [home.x[0], home.y[0]]) & (points <= [home.x[1], home.y[1]])
    assert (inside.mean(0) >= MIDDLE).all()


def test_all_points_are_inside_where_that_costs_little() -> None:
    home = limits(CLOUDS["square"])
    assert home.outside(CLOUDS["square"]) == 0


def test_what_one_side_does_not_need_the_other_has() -> None:
    points = np.concatenate([RNG.uniform(size=(1000, 1)), [[1.12], [40.0]]])
    home = limits(np.hstack([points, points]))
    assert home.x[0] == pytest.approx(points.min(), abs=2)
    assert 1.12 < home.x[1] < 1.3


@pytest.mark.parametrize("points", [np.zeros((5, 2)), np.array([[0.0, 0], [0, 3]]), np.array([[1.0, 2]])])
def test_points_that_coincide_have_room(points: np.ndarray) -> None:
    home = limits(points)
    assert (home.sides > 0).all()
    assert home.outside(points) == 0


def test_a_group_shares_its_frame_and_can_be_centered_at_its_scale() -> None:
    a, b = CLOUD, 0.2 * CLOUD + [9, 9]
    panes = [Pane("A", a, group=0), Pane("B", b, group=0), Pane("C", 7 * a)]
    frames = frames_of(panes, 2000)
    homes, own = ([frames[pane][place] for pane in panes] for place in (0, 1))
    assert homes == [home_of(pane, panes, 2000) for pane in panes]
    assert homes[0] == homes[1] != homes[2]
    np.testing.assert_allclose(own[0].sides, own[1].sides)
    assert own[2] == homes[2]
    np.testing.assert_allclose([np.mean(own[1].x), np.mean(own[1].y)], [9, 9], atol=0.3)
    assert own[0].sides.max() < 0.7 * homes[0].sides.max()


def test_a_shape_widens_the_frame_about_its_middle() -> None:
    wide = limits(CLOUD).widened(0.5)
    assert wide.sides[1] / wide.sides[0] == pytest.approx(0.5)
    assert np.mean(wide.x) == pytest.approx(np.mean(limits(CLOUD).x))
    assert (wide.sides >= limits(CLOUD).sides - 1e-9).all()


@pytest.mark.parametrize("mirror", [1, -1])
def test_a_map_that_was_turned_is_turned_back(mirror: int) -> None:
    turned = CLOUD @ np.array([[0.6, 0.8], [-0.8 * mirror, 0.6 * mirror]]) * 3 + 5
    panes = [Pane("A", CLOUD, alone=1), Pane("B", turned, alone=1), Pane("other", turned, alone=2)]
    found = turn_of(panes[1], panes, 2000)
    assert found is not None
    back = turned @ found.matrix
    np.testing.assert_allclose(back - back.mean(0), 3 * (CLOUD - CLOUD.mean(0)), atol=1e-9)
    assert found.correlation == pytest.approx(1)
    assert ("mirrored" in found.words) == (mirror < 0)
    assert turn_of(panes[0], panes, 2000) is turn_of(panes[2], panes, 2000) is None


def test_noise_is_turned_but_not_said_to_be_alike() -> None:
    panes = [Pane("A", CLOUD, alone=0), Pane("B", RNG.normal(size=(2000, 2)), alone=0)]
    found = turn_of(panes[1], panes, 2000)
    assert found is not None
    assert found.correlation < 0.1
    np.testing.assert_allclose(found.matrix @ found.matrix.T, np.eye(2), atol=1e-12)
