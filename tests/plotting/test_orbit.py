"""Maps in three dimensions in print: the side they are seen from, what is near, and what is refused."""

import numpy as np
import pytest

import relviz
from relviz.errors import ParameterError
from relviz.plotting.linked_map.encoding import MapSeen, decode_seen
from relviz.plotting.orbit import EYE, in_space, rotation, seen_from
from relviz.plotting.pane import Pane, room_of
from tests.benchmarks.paper import own_pair

CROSS = np.array([[1.0, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]])


def test_from_the_front_what_is_near_is_larger() -> None:
    pane = Pane("A", CROSS, group=0)
    half = room_of(pane, [pane], 6).half
    (flat,) = seen_from([pane], 0, 0, 6)
    np.testing.assert_allclose(flat.points, CROSS[:, :2], atol=1e-12)
    np.testing.assert_allclose(flat.depths, CROSS[:, 2], atol=1e-12)
    near = Pane("B", CROSS + 0.5 * CROSS[:, [1, 2, 0]], group=0)
    (seen,) = seen_from([near], 0, 0, 6)
    eye = EYE * room_of(near, [near], 6).half
    np.testing.assert_allclose(seen.points, near.points[:, :2] * eye / (eye - near.points[:, 2:]), atol=1e-12)
    assert half > 1
    assert in_space(pane)
    assert not in_space(flat)


def test_turned_by_a_right_angle_the_third_axis_points_right_and_up() -> None:
    np.testing.assert_allclose(rotation(90, 0) @ [0, 0, 1], [1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(rotation(0, -90) @ [0, 0, 1], [0, 1, 0], atol=1e-12)
    turn = rotation(33, -21)
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(turn) == pytest.approx(1)


def test_the_side_of_the_screen_is_that_of_the_print() -> None:
    sent = {"identity": "x", "hidden": [], "windows": [], "side": [np.pi / 6, -7.0]}
    assert decode_seen(sent, "x").side == (30.0, -90.0)
    assert decode_seen({**sent, "side": ["left", None]}, "x") == MapSeen()
    pair = own_pair(60, 8)
    made = relviz.figure(
        pair, "maps", dimensions="3", rows="relative", anchors=20, look={"yaw": 30, "pitch": 10}
    )
    points = made.content.arrays["relative_a"]
    assert points.shape == (60, 3)
    assert "in 3-D" in made.caption
    assert "Seen from a side: turned by 30°, tipped by 10°." in made.caption
    panes = [Pane(side, made.content.arrays[f"relative_{side}"], group=0) for side in "ab"]
    expected = seen_from(panes, 30, 10, 60)[0].points
    axes = next(
        one for one in made.figure.axes if any(part.get_gid() == "points" for part in one.collections)
    )
    drawn = np.concatenate([part.get_offsets() for part in axes.collections if part.get_gid() == "points"])
    order = [np.lexsort(some.T) for some in (drawn, expected)]
    np.testing.assert_allclose(drawn[order[0]], expected[order[1]], atol=1e-6)


def test_a_flat_map_is_seen_from_no_side() -> None:
    with pytest.raises(ParameterError, match="three dimensions"):
        relviz.figure(own_pair(60, 8), "maps", rows="relative", anchors=20, look={"yaw": 30}).file("svg")
