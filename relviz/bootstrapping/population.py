"""A population of rotations: many starts that nothing but two shapes tells of, and what they agree on.

Each start is mostly wrong, but the wrong parts of independent starts differ, and the right parts do not. So
the sum of a few of the better ones begins nearer to the truth than any of them, and so on, until all are one.
"""

import math
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field

import torch
from torch import Tensor
from torch.nn.functional import normalize

from relviz.bootstrapping.anneal import Pulse
from relviz.bootstrapping.correspondence import hard
from relviz.bootstrapping.decompositions import eigh
from relviz.bootstrapping.hints import Columns, cost_of, with_hints
from relviz.bootstrapping.procrustes import nuclear_norms, singular
from relviz.bootstrapping.start import FEWEST_COLUMNS, Sides
from relviz.compute.blocks import slices
from relviz.compute.parallel import side_by_side
from relviz.relative_projection import unit_rows

_ROWS = 512
"""Rows of x that one step looks at, drawn anew for each; all rows of y."""
FIRST_STEPS, CHILD_STEPS = 20, 12
_EPS = (0.1, 0.03)
_FARTHEST = 2.0
"""Potentials lie within the range of the cosine's costs; few rows alone would drive them further."""
_NOISE = 2e-4
"""How much of a better fit is none."""
FITTED = 1000
"""Rows of x on which fits are compared."""
_KNOWN_LEAST, _KNOWN_SHARE = 5.0, 0.2
_BATCH = 200_000_000
"""Numbers of the soft matches that a graphics card holds at once."""


@dataclass(frozen=True)
class Selection:
    """How each generation of a population follows from the one before.

    Attributes
    ----------
    share
        Of the members that become parents, the better ones.
    parents
        Of each child. The fewer, the less children are alike, and the longer a population takes to be one.
    patient
        Whether a population goes on while its parents become better, not the best of them alone.
    members
        How many times those that options ask for, at most.
    steps
        How many times those of a child of a quick selection. The more, the fewer members come as far.
    one_kind
        Whether each start compares rows by one kind of signature. Kinds err alike, so starts differ more.
    """

    share: float
    parents: int
    patient: bool = False
    members: int = 1
    steps: int = 1
    one_kind: bool = False


QUICK = Selection(1 / 3, 4)
PATIENT = Selection(1 / 3, 2, patient=True, members=2, steps=3, one_kind=True)


@dataclass(frozen=True, eq=False)
class Spaces:
    """Two spaces on their leading axes, as every member of a population sees them.

    Attributes
    ----------
    x, y
        ``(n, d)`` and ``(m, d)``.
    known
        Cross-covariance ``(d, d)`` of known pairs, zeros without any.
    hints_x, hints_y
        ``(n, h)`` and ``(m, h)``, what hints say of the rows.
    """

    x: Tensor
    y: Tensor
    known: Tensor
    hints_x: Tensor
    hints_y: Tensor
    unit_y: Tensor = field(init=False)
    counted_y: Tensor = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "unit_y", with_hints(unit_rows(self.y), self.hints_y).T.contiguous())
        object.__setattr__(self, "counted_y", torch.cat([self.y, self.y.new_ones(len(self.y), 1)], 1))

    @property
    def drawn(self) -> int:
        """Rows of x that one step looks at."""
        return max(1, min(_ROWS, len(self.x) // 2))

    @property
    def batch(self) -> int:
        """Members that are annealed side by side: one on a processor, whose cache holds no more."""
        if self.x.device.type == "cpu":
            return 1
        return max(1, _BATCH // (self.drawn * len(self.y)))


def spaces_of(x: Tensor, y: Tensor, seeds: Sides, leading: int, hints: Columns) -> Spaces:
    """The leading axes of two spaces ``(n, dx)`` and ``(m, dy)``, and what known pairs say of them."""
    d = min(leading, x.shape[1], y.shape[1])
    x, y = x[:, :d].contiguous(), y[:, :d].contiguous()
    sx, sy = seeds
    most = _KNOWN_SHARE * min(_ROWS, len(x)) / len(sx) if len(sx) >= FEWEST_COLUMNS else 0.0
    weight = max(_KNOWN_LEAST, most)
    return Spaces(x, y, weight * x[sx].T @ y[sy], *hints)


def nearest_rotation(cross: Tensor) -> Tensor:
    """The rotation nearest to each cross-covariance ``(…, d, d)`` (Procrustes, Schönemann 1966)."""
    u, _, vt = singular(cross)
    rotation: Tensor = u @ vt
    return rotation


def correlation(one: Tensor, other: Tensor) -> float:
    """How much two rotations ``(d, d)`` have in common: 1 if they are the same, about 0 by chance."""
    return float((one * other).sum()) / len(one)


def annealed(
    spaces: Spaces, rotations: Tensor, steps: int, generator: torch.Generator, pulse: Pulse | None = None
) -> Tensor:
    """Rotations ``(p, d, d)`` after a short annealing of each; the first need not be orthogonal.

    Every step draws rows of x, matches them softly with all rows of y by one Sinkhorn iteration that goes on
    from the potentials of the step before, and takes the rotation nearest to the cross-covariance.
    """
    potentials = spaces.x.new_zeros(len(rotations), 1, len(spaces.y))
    for step in range(steps):
        done = step / max(1, steps - 1)
        eps = _EPS[0] * (_EPS[1] / _EPS[0]) ** done
        rows, known = _draw(spaces, generator), (1 - done) * spaces.known
        args = [
            (spaces, rows, rotations[part], potentials[part], eps, known)
            for part in slices(len(rotations), spaces.batch)
        ]
        rotations = torch.cat(list(side_by_side(_stepped, args, pulse)))
    return rotations


def _stepped(
    spaces: Spaces,
    rows: Tensor,
    rotations: Tensor,
    potentials: Tensor,
    eps: float,
    known: Tensor,
    pulse: Pulse | None,
) -> Tensor:
    """Rotations ``(p, d, d)`` after one step with these rows of x; ``potentials`` are moved on."""
    if pulse is not None:
        pulse()
    turned = with_hints(normalize(spaces.x[rows] @ rotations, dim=-1), spaces.hints_x[rows])
    return nearest_rotation(_soft_cross(spaces, rows, turned, spaces.unit_y, potentials, eps) + known)


def _draw(spaces: Spaces, generator: torch.Generator) -> Tensor:
    return torch.randperm(len(spaces.x), generator=generator)[: spaces.drawn].to(spaces.x.device)


def _soft_cross(
    spaces: Spaces, rows: Tensor, left: Tensor, right: Tensor, potentials: Tensor, eps: float
) -> Tensor:
    """Cross-covariances ``(p, d, d)`` of rows of x with their soft matches; ``potentials`` are moved on.

    ``left`` (p, r, c) and ``right`` (c, m) are of length one and the potentials bounded, so no exponent
    overflows, and no row needs its largest one taken off.
    """
    scale = math.log2(math.e) / eps
    powers = torch.baddbmm(
        (potentials - 1) * scale, left, right.expand(len(left), *right.shape), alpha=scale
    ).exp2_()
    sums = powers @ spaces.counted_y
    mass = sums[..., -1:].clamp_min(torch.finfo(powers.dtype).tiny)
    columns = mass.reciprocal().transpose(1, 2) @ powers
    share = columns / len(rows) * len(spaces.y)
    potentials -= share.clamp_min(torch.finfo(powers.dtype).tiny).log2() / scale
    potentials.clamp_(-_FARTHEST, _FARTHEST)
    cross: Tensor = spaces.x[rows].T @ (sums[..., :-1] / mass)
    return cross


def fits(spaces: Spaces, rotations: Tensor, rows: Tensor) -> Tensor:
    """Mean inner product of these rows of x with their matches under the best rotation of those: ``(p,)``."""
    part = spaces.x[rows]

    def fit(rotation: Tensor, _: Pulse | None) -> Tensor:
        turned, y = part @ rotation, spaces.y
        if spaces.hints_x.shape[1]:
            turned, y = with_hints(unit_rows(turned), spaces.hints_x[rows]), spaces.unit_y.T
        matches = hard(y, turned, cost_of((spaces.hints_x, spaces.hints_y)), both=False).x_of_y
        return part.T @ spaces.y[matches]

    crosses = side_by_side(fit, [(rotation,) for rotation in rotations])
    return nuclear_norms(torch.stack(list(crosses))).cpu() / len(rows)


def consensus(rotations: Tensor) -> Tensor:
    """How much each of independent rotations ``(p, d, d)`` has in common with the others: ``(p,)``.

    Right ones share the truth, and wrong ones nothing: the leading eigenvector of their correlations.
    """
    flat = rotations.flatten(1) / math.sqrt(rotations.shape[1])
    shared = (flat @ flat.T).fill_diagonal_(0)
    weights = eigh(shared)[1][:, -1]
    alike: Tensor = (weights * weights.sum().sign()).cpu()
    return alike


@dataclass(frozen=True, eq=False)
class Members:
    """Members of a population, best first, the ``rows`` of x that they are compared on, and ``rises``."""

    rotations: Tensor
    fits: Tensor
    rows: Tensor
    rises: bool


class Population:
    """Members, better from generation to generation.

    Attributes
    ----------
    rotations, fits
        ``(p, d, d)`` and ``(p,)``, best first.
    rises
        Whether the last generation fitted better than the one before.
    """

    def __init__(
        self,
        spaces: Spaces,
        start: Callable[[], Sides],
        members: int,
        generator: torch.Generator,
        pulse: Pulse | None = None,
        selection: Selection = QUICK,
        begun: Members | None = None,
    ) -> None:
        self._selection, self._size = selection, selection.members * members
        self._spaces, self._generator, self._pulse = spaces, generator, pulse
        if begun is not None:
            self._rows, self.rises = begun.rows.to(spaces.x.device), begun.rises
            self.rotations, self.fits = begun.rotations.to(spaces.x.device), begun.fits
            return
        self._rows = torch.randperm(len(spaces.x), generator=generator)[:FITTED].to(spaces.x.device)
        first = torch.stack([self._first_rotation(start()) for _ in range(self._size)])
        born = annealed(spaces, first, FIRST_STEPS, generator, pulse)
        fitted = fits(spaces, born, self._rows)
        order = (_scored(fitted) + _scored(consensus(born))).argsort(descending=True)
        self.rotations, self.fits = born[order], fitted[order]
        self.rises = True

    def generation(self) -> None:
        """Children of the better members, each of several; the best of old and new go on."""
        parents, fitted = self.rotations[: self.elite], self.fits[: self.elite]
        born, childrens = self._children(parents)
        everyone, everyones = torch.cat([parents, born]), torch.cat([fitted, childrens])
        order = everyones.argsort(descending=True)[: self._size]
        self.rotations, self.fits = everyone[order], everyones[order]
        compared = torch.mean if self._selection.patient else torch.max
        self.rises = float(compared(self.fits[: self.elite])) > float(compared(fitted)) + _NOISE

    def joined(self, other: "Population") -> "Population":
        """A population of children of the better members of both."""
        both = copy(self)
        born, fitted = self._children(torch.cat([one.rotations[: one.elite] for one in (self, other)]))
        order = fitted.argsort(descending=True)
        both.rotations, both.fits, both.rises = born[order], fitted[order], True
        return both

    @property
    def members(self) -> Members:
        """What it goes on from."""
        return Members(self.rotations, self.fits, self._rows, self.rises)

    @property
    def elite(self) -> int:
        """How many members become parents: the better ones."""
        return max(2, int(self._size * self._selection.share))

    @property
    def coherence(self) -> float:
        """1 when the better members are one rotation, near 0 when they have nothing in common."""
        mean = self.rotations[: self.elite].mean(0)
        return float(torch.linalg.matrix_norm(mean)) / math.sqrt(len(mean))

    @property
    def rotation(self) -> Tensor:
        """What the better members have in common, ``(d, d)``."""
        return nearest_rotation(self.rotations[: self.elite].mean(0))

    def _first_rotation(self, sides: Sides) -> Tensor:
        """The rotation that one step of soft matches gives by the columns of a start."""
        spaces, rows = self._spaces, _draw(self._spaces, self._generator)
        if self._pulse is not None:
            self._pulse()
        potentials = spaces.x.new_zeros(1, 1, len(spaces.y))
        left, right = with_hints(sides[0][rows], spaces.hints_x[rows]), with_hints(sides[1], spaces.hints_y)
        cross = _soft_cross(spaces, rows, left[None], right.T, potentials, _EPS[0])
        return nearest_rotation(cross[0] + spaces.known)

    def _children(self, parents: Tensor) -> tuple[Tensor, Tensor]:
        """Rotations ``(p, d, d)``, each annealed from the sum of some parents, and their fits ``(p,)``."""
        sums = torch.stack([parents[self._drawn(len(parents))].sum(0) for _ in range(self._size)])
        steps = self._selection.steps * CHILD_STEPS
        born = annealed(self._spaces, sums, steps, self._generator, self._pulse)
        return born, fits(self._spaces, born, self._rows)

    def _drawn(self, many: int) -> Tensor:
        order = torch.randperm(many, generator=self._generator)
        return order[: self._selection.parents].to(self.rotations.device)


def _scored(values: Tensor) -> Tensor:
    spread = values.std()
    return (values - values.mean()) / (spread if spread > 0 else 1.0)
