"""Two copies of a toy space, one of them moved: what changes, and what cosines to anchors do."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from relviz.compute.job import Ticket
from relviz.compute.task import task
from relviz.demos import load_demo
from relviz.relative_projection import relative
from relviz.results.stories.story_picture import StoryPicture

SHEET = "emoji.image_lite0"
ITEMS = {
    "dog face": (0.80, 0.30, 0.35),
    "cat face": (0.70, 0.52, 0.20),
    "horse": (0.94, 0.04, 0.10),
    "rose": (-0.38, 0.78, 0.30),
    "sunflower": (-0.10, 0.92, 0.05),
    "red apple": (-0.62, 0.56, -0.40),
    "banana": (-0.80, 0.34, -0.25),
    "pizza": (-0.90, 0.06, -0.45),
    "automobile": (0.06, -0.86, 0.30),
    "bicycle": (0.28, -0.80, 0.05),
    "rocket": (0.50, -0.58, -0.45),
    "guitar": (-0.42, -0.66, -0.20),
    "trumpet": (-0.64, -0.46, 0.30),
    "soccer ball": (0.74, -0.30, -0.40),
}
"""Where two or three axes of meaning would put some emoji: a toy, made by hand."""
ANCHORS = ("cat face", "sunflower", "bicycle")
AXIS = (0.36, 0.8, 0.48)
"""A unit vector: what model B is turned about in three dimensions."""
SPACES = {"plane": 2, "sphere": 3}


@dataclass(frozen=True)
class Pose:
    """How model B differs from model A: degrees, a mirror, percents of size and width, and of a shift."""

    turn: float = 0.0
    mirror: bool = False
    scale: float = 100.0
    shift: float = 0.0
    stretch: float = 100.0


EXAMPLES = {
    "turn": Pose(turn=70),
    "mirror": Pose(mirror=True),
    "scale": Pose(scale=50),
    "shift": Pose(shift=50),
    "stretch": Pose(stretch=40),
}


def toy_space(dimension: int) -> Tensor:
    """The items in the plane or in space, ``(14, dimension)``."""
    return torch.tensor([place[:dimension] for place in ITEMS.values()], dtype=torch.float32)


def posed(space: Tensor, pose: Pose) -> Tensor:
    """A space ``(n, 2)`` or ``(n, 3)`` mirrored, squeezed along y, turned, rescaled, shifted."""
    moved = space.clone()
    if pose.mirror:
        moved[:, 0] *= -1
    moved[:, 1] *= pose.stretch / 100
    moved = moved @ _rotation(pose.turn, space.shape[1]).T * (pose.scale / 100)
    return moved + pose.shift / 100 * torch.tensor([1.0, 0.6, 0.0])[: space.shape[1]]


def cosines(space: Tensor, centered: bool = False) -> Tensor:
    """Every item's cosines to the three anchors, ``(14, 3)``."""
    names = list(ITEMS)
    rows = space - space.mean(0) if centered else space
    return relative(rows, rows[[names.index(name) for name in ANCHORS]])


@task("story-pose", "Two poses of one space")
def pose_picture(ticket: Ticket, *, space: str) -> StoryPicture:
    """A toy space and its copy; the facts say how far each change moves points and changes cosines."""
    ticket.check()
    plain = toy_space(SPACES[space])
    facts = {"items": float(len(plain)), "anchors": float(len(ANCHORS)), "dimensions": float(SPACES[space])}
    for name, pose in EXAMPLES.items():
        moved = posed(plain, pose)
        facts[f"{name}_moved"] = float((moved - plain).norm(dim=1).mean())
        for kind, centered in (("", False), ("_centered", True)):
            change = cosines(moved, centered) - cosines(plain, centered)
            facts[f"{name}{kind}_changed"] = float(change.abs().max())
    names = list(ITEMS)
    rows = [_row(name) for name in names]
    anchors = [names.index(name) for name in ANCHORS]
    return StoryPicture(
        facts,
        {"items": names},
        {
            "places": plain.numpy(),
            "rows": np.array(rows, np.int32),
            "anchors": np.array(anchors, np.int32),
            "axis": np.array(AXIS, np.float32),
        },
        SHEET,
    )


def _row(name: str) -> int:
    """The row of an emoji in its demo."""
    items = load_demo("emoji").spaces["image_lite0"].items
    assert items is not None
    return next(row for row, item in enumerate(items) if item.partition(" ")[2] == name)


def _rotation(degrees: float, dimension: int) -> Tensor:
    turn = np.deg2rad(degrees)
    if dimension == 2:
        flat = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
        return torch.tensor(flat, dtype=torch.float32)
    x, y, z = AXIS
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    full = np.eye(3) + np.sin(turn) * cross + (1 - np.cos(turn)) * cross @ cross
    return torch.from_numpy(full).float()
