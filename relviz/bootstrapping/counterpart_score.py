"""How probable it is that a row has a counterpart and that its match is it, decided without the truth.

``python -m tests.benchmarks.bootstrap_partial --calibration`` fits the coefficients, and checks the
probabilities on pairs that took no part. The method is ours.
"""

import math

import torch
from scipy.optimize import brentq
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse
from relviz.bootstrapping.cross_fitting import EVENING, left_out
from relviz.bootstrapping.inputs import Given
from relviz.bootstrapping.mutual_pairs import Pairs, mutual_pairs
from relviz.bootstrapping.principal_axes import MOST_ROWS, evened, principal
from relviz.bootstrapping.right_share import Interval
from relviz.compute.blocks import top_k
from relviz.compute.parallel import one_thread

FOLDS = 8
_NEAR = 10
COEFFICIENTS = (-2.41, 1.60, 0.33, 2.82, 1.91)
"""Of a constant, the gap, whether the others choose the same match, how much the pair counts in the rotation,
and the log-odds of the share of rows for which the others choose the same."""
_TRIMMED, _TRIMMED_OF_MANY, _MANY = 3, 1, 6000
"""Rotations fitted, each to the pairs that choose each other by the one before; of many rows one suffices."""
_LEAST = 0.002
"""Share of confirmed rows below which all shares count alike."""
_FARTHEST = 50.0
"""Log-odds by which probabilities are moved at most."""


def has_counterpart(
    given: Given, matches: Tensor, share: Interval | None = None, pulse: Pulse | None = None
) -> Tensor:
    """Probability that each row of x has a counterpart in y and that its match is it: ``(n,)``, 0 to 1.

    Logistic in what the other rows say: a rotation fitted without the row, and without an eighth of all rows
    with it, sends the row near to its match or near to others. Known pairs have probability 1.

    Parameters
    ----------
    matches
        ``(n,)``, a row of y for every row of x.
    share
        Of right matches, if it was estimated. A rotation fitted to few rows confirms hardly any match, right
        or wrong. So where the mean of the probabilities lies outside the interval of the estimate, all are
        moved by the same log-odds, until it is the estimate.
    pulse
        Called before each rotation is fitted.
    """
    weights = torch.tensor(COEFFICIENTS, device=matches.device)
    with one_thread(given.few):
        odds = evidence(given, matches, pulse) @ weights
    free = torch.ones(len(odds), dtype=torch.bool, device=odds.device)
    free[given.sx] = False
    if share is not None and free.any():
        odds += _shift(odds[free].cpu().double(), share)
    found = torch.sigmoid(odds)
    found[given.sx] = 1.0
    return found


def _shift(odds: Tensor, share: Interval) -> float:
    """Log-odds to add so that the mean probability is the estimate; 0 where it lies in the interval."""

    def mean(shift: float) -> float:
        return float(torch.sigmoid(odds + shift).mean())

    if share.low <= mean(0.0) <= share.high:
        return 0.0
    half_a_row = 0.5 / len(odds)
    wanted = min(max(share.estimate, half_a_row), 1 - half_a_row)
    return float(brentq(lambda shift: mean(shift) - wanted, -_FARTHEST, _FARTHEST))


def evidence(given: Given, matches: Tensor, pulse: Pulse | None = None) -> Tensor:
    """What ``has_counterpart`` goes by: ``(n, 5)``, in the order of ``COEFFICIENTS``.

    The gap is how far the match is ahead of the best other row, behind it if below 0, in units of the gap
    between the second and the third best, the median over rows.
    """
    generator = torch.Generator().manual_seed(0)
    x, y = (evened(principal(side)[0], EVENING) for side in (given.x, given.y))
    weights = x.new_ones(len(x))
    for _ in range(_TRIMMED if len(x) <= _MANY else _TRIMMED_OF_MANY):
        _, u, v = left_out(x, y, Pairs(matches, weights), 0.0, FOLDS, generator, pulse)
        chosen = mutual_pairs(u, v, pulse)
        weights = chosen.weights * (chosen.matches == matches)
    _, u, v = left_out(x, y, Pairs(matches, weights), 1.0, FOLDS, generator, pulse)
    near = min(_NEAR, len(y))
    part = torch.randperm(len(x), generator=generator)[:MOST_ROWS].to(x.device)
    hubs = top_k(v, u[part], min(len(part), max(1, round(_NEAR * len(part) / len(x)))))[0].mean(1)
    values, rows = top_k(u, v, near)
    values = 2 * values - hubs[rows]
    own = 2 * (u * v[matches]).sum(1) - hubs[matches]
    others = values.masked_fill(rows == matches[:, None], -torch.inf).sort(1, descending=True).values
    unit = (others[:, 1] - others[:, 2]).median().clamp_min(1e-6) if near > 3 else others.new_tensor(1.0)
    gap = (own - others[:, 0]) / unit
    same = (gap > 0).float()
    share = float(same.mean().clamp(_LEAST, 1 - _LEAST))
    odds = torch.full_like(gap, math.log(share / (1 - share)))
    return torch.stack([torch.ones_like(gap), gap.clamp(-30, 30) / 10, same, weights, odds], 1)
