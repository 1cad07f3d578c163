"""What a search starts from: known pairs, or what the shapes of the two spaces tell of their rows."""

from copy import copy

import numpy as np
import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse
from relviz.bootstrapping.cluster_matching import matched_clusters, relative_to_clusters
from relviz.bootstrapping.principal_axes import LEADING
from relviz.bootstrapping.signatures import HALF_WALKS, NEIGHBORS, QUANTILES, SIZES, Signatures, signatures
from relviz.relative_projection import unit_rows

Sides = tuple[Tensor, Tensor]
Pairs = tuple[Tensor, Tensor]

_DENSITIES, _PROFILES, _WALKS, _TIMES = 10, 60, 6, 8
"""How many columns of each signature one start is drawn with."""
_LOG_TIMES = (1.0, 5.5)
_WEIGHTS = (1.0, 1.0, 1.0)
"""Of densities, profiles, and walks with heat."""
_CLUSTERS, _KNOWN = 0.3, 1.0
"""Weights of the columns relative to clusters and to known pairs beside the signatures."""
FEWEST_COLUMNS = 10
"""Known pairs that are columns of a start: fewer do not tell rows apart, and drown what does."""


def seeded_sides(x: Tensor, y: Tensor, seeds: Pairs) -> Sides:
    """Rows of both spaces relative to the seeds: ``(n, s)`` and ``(m, s)``, rows of length one."""
    sx, sy = seeds
    return unit_rows(x @ x[sx].T), unit_rows(y @ y[sy].T)


class Starts:
    """Starts without known pairs, or with too few: columns in which rows of both spaces can be compared.

    No signature alone tells rows apart on every pair of spaces; side by side, each weighted alike, they do on
    most. Every other start has columns relative to matched clusters too, which help some pairs much and
    others not at all. Known pairs, if any, are columns of every start.

    Parameters
    ----------
    x, y
        ``(n, dx)`` and ``(m, dy)``, centered, on their principal axes.
    seeds
        Rows of x and of y that belong together, ``(s,)`` each, maybe none.
    """

    def __init__(
        self, x: Tensor, y: Tensor, seeds: Pairs, generator: torch.Generator, pulse: Pulse | None = None
    ) -> None:
        self._x, self._y, self._generator = x, y, generator
        most = min(len(x), len(y))
        self._signatures = tuple(signatures(side, LEADING, most, pulse) for side in (x, y))
        self._clusters = matched_clusters(x, y, generator, pulse)
        self._known = seeded_sides(x, y, seeds) if len(seeds[0]) >= FEWEST_COLUMNS else None
        self._count = 0

    def untold(self, generator: torch.Generator) -> "Starts":
        """The same that know no pairs, drawn by another generator."""
        other = copy(self)
        other._generator, other._known, other._count = generator, None, 0
        return other

    def draw(self, one_kind: bool = False) -> Sides:
        """A start: ``(n, c)`` and ``(m, c)``, rows of length one; maybe by one kind of signature alone."""
        self._count += 1
        a, b = self._signatures
        parts = [(1.0, _compared(a, b, self._generator, one_kind))]
        if self._count % 2:
            parts.append((_CLUSTERS, relative_to_clusters(self._x, self._y, self._clusters, self._generator)))
        if self._known is not None:
            parts.append((_KNOWN, self._known))
        return _joined([(weight, side[0]) for weight, side in parts]), _joined(
            [(weight, side[1]) for weight, side in parts]
        )


def _compared(a: Signatures, b: Signatures, generator: torch.Generator, one_kind: bool) -> Sides:
    """Densities, profiles, walks and heat of the rows of both spaces, the same ones of each drawn anew.

    With ``one_kind`` they are densities, or profiles, or walks with heat.
    """
    rng = np.random.default_rng(int(torch.randint(2**31, (1,), generator=generator)))
    axes = rng.integers(2, size=2)
    sizes = np.sort(rng.choice(SIZES, _DENSITIES, replace=False))
    quantiles = np.sort(rng.choice(QUANTILES, _PROFILES, replace=False))
    graph = int(rng.integers(len(NEIGHBORS)))
    walks = np.sort(rng.choice(2 * HALF_WALKS - 1, _WALKS, replace=False))
    times = torch.from_numpy(np.exp(rng.uniform(*_LOG_TIMES, _TIMES)))
    kinds = [int(rng.integers(len(_WEIGHTS)))] if one_kind else range(len(_WEIGHTS))
    made = []
    for side in (a, b):
        diffused = torch.cat([side.graphs[graph].returns[:, walks], side.graphs[graph].heat(times)], 1)
        parts = (
            _ranks(side.densities[axes[0]][:, sizes]),
            _standardized(side.profiles[axes[1]][:, quantiles]),
            _ranks(diffused),
        )
        made.append(_joined([(_WEIGHTS[kind], unit_rows(parts[kind])) for kind in kinds]))
    return made[0], made[1]


def _joined(parts: list[tuple[float, Tensor]]) -> Tensor:
    return unit_rows(torch.cat([weight * part for weight, part in parts], 1))


def _ranks(columns: Tensor) -> Tensor:
    """Every column by the ranks of its values, from −1/2 to 1/2."""
    return columns.argsort(0).argsort(0).float() / len(columns) - 0.5


def _standardized(columns: Tensor) -> Tensor:
    spread = columns.std(0)
    return (columns - columns.mean(0)) / torch.where(spread > 0, spread, 1.0)
