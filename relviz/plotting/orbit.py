"""Maps in three dimensions, flat as they are seen from a side: what ``linked_map/assets/orbit.js`` shows."""

from collections.abc import Sequence
from dataclasses import replace
from math import cos, radians, sin

import numpy as np

from relviz.plotting.pane import Pane, checked, room_of

EYE, NEAREST = 5.0, 0.25
"""How far away the eye is, in half sides of what is seen; the share of that beyond which nothing grows."""


def rotation(yaw: float, pitch: float) -> np.ndarray:
    """Rows that point right, up and to the eye, ``(3, 3)``: about the upright axis, then tipped; degrees."""
    cy, sy, cp, sp = cos(radians(yaw)), sin(radians(yaw)), cos(radians(pitch)), sin(radians(pitch))
    return np.array([[cy, 0, sy], [sp * sy, cp, -sp * cy], [-cp * sy, sp, cp * cy]])


def in_space(pane: Pane) -> bool:
    """Whether the points of a pane have three dimensions."""
    return pane.points is not None and np.ndim(pane.points) == 2 and np.shape(pane.points)[1] == 3


def seen_from(panes: Sequence[Pane], yaw: float, pitch: float, total: int) -> list[Pane]:
    """Panes of points in space as flat ones, with how near each point is; others as they are."""
    made, turn = [], rotation(yaw, pitch)
    for pane in panes:
        if in_space(pane):
            room = room_of(pane, panes, total)
            right, up, to_eye = ((checked(pane, total, 3) - room.middle) @ turn.T).T
            eye = EYE * room.half
            larger = eye / np.maximum(NEAREST * eye, eye - to_eye)
            flat = np.stack([right * larger, up * larger], axis=1)
            pane = replace(pane, points=flat, depths=to_eye, axes=None)
        made.append(pane)
    return made
