"""Matches that other rows confirm, for spaces of which only some rows have a counterpart.

A rotation of many directions can bend toward any pair that it is fitted to, so a row without a counterpart
holds the match it has, and many of them draw the rotation away from the truth. Here a row is matched by a
rotation from which its own pair is taken off, and only rows that choose each other take part in it. The
method is ours.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse
from relviz.bootstrapping.decompositions import eigh
from relviz.bootstrapping.hints import Columns, with_hints
from relviz.bootstrapping.mutual_pairs import Pairs, mutual_pairs
from relviz.bootstrapping.principal_axes import MOST_DIMENSIONS
from relviz.bootstrapping.procrustes import Alignment, align
from relviz.compute.parallel import side_by_side
from relviz.relative_projection import unit_rows

EVENING = 3.0
"""Floor of the evened directions: rotations fitted to few pairs find more of the others than at 1."""
POWER = 0.5
_FOLDS = 4
_TAKEN_OFF = 0.8
"""How much of a row's own pair is taken off at first."""
_TINY = 1e-9


def shares_taken_off(steady: int, falling: int, last: int) -> tuple[float, ...]:
    """How much of a row's own pair is taken off: steps with as much as at first, with less, and with none."""
    less = (_TAKEN_OFF * (1 - at / falling) for at in range(falling))
    return (*[_TAKEN_OFF] * steady, *less, *[0.0] * last)


_CONFIRMING = shares_taken_off(steady=5, falling=15, last=3)


def cross_fitted(
    x: Tensor,
    y: Tensor,
    sides: tuple[Tensor, Tensor],
    hints: Columns,
    generator: torch.Generator,
    pulse: Pulse | None = None,
    taken_off: Sequence[float] = _CONFIRMING,
) -> tuple[Alignment, Pairs]:
    """The rotation that matches and fits in turn, each row matched with less of its own pair in the fit.

    Parameters
    ----------
    x, y
        ``(n, dx)`` and ``(m, dy)``, centered, rows of length one.
    sides
        ``(n, r)`` and ``(m, r)``: rows of both in coordinates they share, to start from.
    hints
        What hints say of the rows.
    generator
        Draws the folds of rows that are taken off together, anew in each step.
    pulse
        Called before each rotation is fitted.
    taken_off
        How much of its own pair is taken off the fit that a row is matched by, step by step.

    Returns
    -------
    alignment, pairs
        The rotation fitted to ``pairs``, the last matches.
    """
    u, v = sides
    for share in taken_off:
        pairs = mutual_pairs(with_hints(u, hints[0]), with_hints(v, hints[1]), pulse)
        alignment, u, v = left_out(x, y, pairs, share, _FOLDS, generator, pulse)
    return alignment, pairs


def left_out(
    x: Tensor,
    y: Tensor,
    pairs: Pairs,
    share: float,
    folds: int,
    generator: torch.Generator,
    pulse: Pulse | None = None,
) -> tuple[Alignment, Tensor, Tensor]:
    """The rotation fitted to pairs; rows of x by it, a share of the pairs of their fold taken off.

    Returns
    -------
    alignment, u, v
        The rotation; ``(n, dy)`` and ``(m, dy)``, whose inner products are the similarities.
    """
    if pulse is not None:
        pulse()
    counted, found = x * pairs.weights[:, None], y[pairs.matches]
    cross = counted.T @ found
    alignment = align(cross, MOST_DIMENSIONS, POWER)
    v = y / (y @ alignment.right).norm(dim=1, keepdim=True).clamp_min(_TINY)
    if not share:
        return alignment, unit_rows(x @ alignment.left) @ alignment.right.T, v

    def aligned(rows: Tensor, pulse: Pulse | None) -> Tensor:
        if pulse is not None:
            pulse()
        return _aligned(x[rows], cross - share * counted[rows].T @ found[rows])

    u = torch.empty(len(x), y.shape[1], device=x.device)
    parts = torch.randperm(len(x), generator=generator).to(x.device).chunk(folds)
    for rows, part in zip(parts, side_by_side(aligned, [(rows,) for rows in parts], pulse), strict=True):
        u[rows] = part
    return alignment, u, v


def _aligned(x: Tensor, cross: Tensor) -> Tensor:
    """Rows in the other space by a cross-covariance C, as its alignment with the power 1/2 places them.

    With both its sides these are ``x C``; only their lengths before it, of which the squares are
    ``x (C C')^(1/2) x'``, take a decomposition, of one side.
    """
    squares, axes = eigh(cross @ cross.T)
    lengths = ((x @ axes).square() @ squares.clamp_min(0).sqrt()).sqrt()
    aligned: Tensor = (x @ cross) / lengths.clamp_min(_TINY)[:, None]
    return aligned
