"""Optima that mirror two spaces in one direction.

Where many rows come in pairs that differ alike, as names of men and of women do, a space is nearly its own
mirror image in that direction. The rotation that swaps the two then fits nearly as well as the true one.
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import normalize

from relviz.bootstrapping.anneal import Pulse
from relviz.bootstrapping.decompositions import eigh
from relviz.bootstrapping.population import CHILD_STEPS, Spaces, annealed
from relviz.compute.blocks import top_k
from relviz.relative_projection import unit_rows

_NEAREST = 3
DIRECTIONS = 12
"""Directions that are tried. Between names in two languages it was the third."""
MIRROR_BEATS = DIRECTIONS * CHILD_STEPS
"""Pulses that the mirror images of a rotation take, at most."""
_CLEARLY = -0.25
"""Share of the direction, at most, from which even a rotation that is mostly wrong has a mirror image. Of
rotations by which 3% of the matches were right it kept −0.47 to −0.68 in the direction of men and women, and
−0.23 or more in every other."""


@dataclass(frozen=True, eq=False)
class Mirror:
    """A direction in which a rotation has a mirror image that is an optimum, too.

    Attributes
    ----------
    direction
        ``(d,)`` of y, of length one.
    source
        ``(d,)`` of x, what the rotation carries to the direction.
    image
        The other optimum, ``(d, d)``.
    kept
        How much of the direction the image kept, −1 if it stayed reflected to 1 if it came back.
    """

    direction: Tensor
    source: Tensor
    image: Tensor
    kept: float

    @property
    def clear(self) -> bool:
        """Whether it is an optimum beyond what chance makes of a rotation that is mostly wrong."""
        return self.kept <= _CLEARLY

    def beyond(self, rotation: Tensor) -> bool:
        """Whether a rotation ``(d, d)`` lies on the side of the image."""
        return float(self.source @ rotation @ self.direction) < 0

    def reflected(self, rotation: Tensor) -> Tensor:
        """A rotation ``(d, d)`` on the other side of the direction."""
        return _reflected(rotation, self.direction[None])[0]


def directions_of_pairs(y: Tensor) -> Tensor:
    """Directions ``(k, d)`` in which many rows ``(m, d)`` differ from those nearest to them, most first.

    The principal axes of these differences, each of length one.
    """
    unit = unit_rows(y)
    nearest = top_k(unit, unit, min(1 + _NEAREST, len(y)))[1][:, 1:]
    differences = normalize((y[:, None] - y[nearest]).flatten(0, 1), dim=1)
    axes: Tensor = eigh(differences.T @ differences)[1].flip(1).T
    return axes[:DIRECTIONS]


def mirrored(
    spaces: Spaces, rotation: Tensor, generator: torch.Generator, pulse: Pulse | None = None
) -> list[Mirror]:
    """Directions in which this rotation ``(d, d)`` has a mirror image that is an optimum.

    The rotation is reflected in each direction of pairs and annealed. Where it comes back there is no other
    optimum; where there is, it stays reflected.
    """
    directions = directions_of_pairs(spaces.y)
    sources = directions @ rotation.T
    images = annealed(spaces, _reflected(rotation, directions), CHILD_STEPS, generator, pulse)
    kept = (sources[:, None] @ images @ directions[:, :, None]).flatten().tolist()
    found = zip(directions, sources, images, kept, strict=True)
    return [Mirror(*one) for one in found if one[-1] < 0]


def _reflected(rotation: Tensor, directions: Tensor) -> Tensor:
    """A rotation ``(d, d)``, reflected in each of the directions ``(k, d)``: ``(k, d, d)``."""
    return rotation - 2 * (directions @ rotation.T)[:, :, None] * directions[:, None]
