"""Optima that mirror two spaces in one direction.

Where many rows come in pairs that differ alike, as names of men and of women do, a space is nearly its own
mirror image in that direction. The rotation that swaps the two then fits nearly as well as the true one.
"""

import torch
from torch import Tensor
from torch.nn.functional import normalize

from relviz.bootstrapping.anneal import Pulse
from relviz.bootstrapping.population import CHILD_STEPS, Spaces, annealed
from relviz.compute.blocks import top_k
from relviz.relative_projection import unit_rows

_NEAREST = 3
DIRECTIONS = 12
"""Directions that are tried. Between names in two languages it was the third."""
MIRROR_BEATS = DIRECTIONS * CHILD_STEPS
"""Pulses that the mirror images of a rotation take, at most."""


def directions_of_pairs(y: Tensor) -> Tensor:
    """Directions ``(k, d)`` in which many rows ``(m, d)`` differ from those nearest to them, most first.

    The principal axes of these differences, each of length one.
    """
    unit = unit_rows(y)
    nearest = top_k(unit, unit, min(1 + _NEAREST, len(y)))[1][:, 1:]
    differences = normalize((y[:, None] - y[nearest]).flatten(0, 1), dim=1)
    axes: Tensor = torch.linalg.eigh(differences.T @ differences)[1].flip(1).T
    return axes[:DIRECTIONS]


def mirrored(
    spaces: Spaces, rotation: Tensor, generator: torch.Generator, pulse: Pulse | None = None
) -> list[Tensor]:
    """Other optima than this rotation ``(d, d)``, which are its mirror images: each ``(d, d)``.

    The rotation is reflected in each direction of pairs and annealed. Where it comes back there is no other
    optimum; where there is, it stays reflected.
    """
    directions = directions_of_pairs(spaces.y)
    turned = directions @ rotation.T
    reflected = rotation - 2 * turned[:, :, None] * directions[:, None]
    found = annealed(spaces, reflected, CHILD_STEPS, generator, pulse)
    kept = (turned[:, None] @ found @ directions[:, :, None]).flatten()
    return list(found[kept < 0])
