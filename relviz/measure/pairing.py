"""Is a pairing of two spaces, assumed because rows stand in the same order, borne out by the vectors?"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.anchors import select_anchors
from relviz.compute.arrays import ArrayLike, as_whole, check_same_rows, seeds_of
from relviz.errors import ParameterError
from relviz.measure.queries import held_out
from relviz.names import renamed
from relviz.pair import Pair, both_sides
from relviz.relative_projection import finite_matrix, prepare, relative, unit_rows

VERDICTS: dict[str, str] = {
    "plausible": "held-out rows find their counterparts among the nearest",
    "doubtful": "held-out rows find their counterparts nearer than a random pairing, but not near",
    "random": "held-out rows find their counterparts no nearer than a random pairing does",
}
"""What ``pairing_test`` may answer, and what each answer says."""

FEWEST_ROWS = 20
SIGNIFICANT = 3.0
"""Standard deviations of a shuffled pairing beyond which a pairing is not random."""
MOST, NEAR = 0.75, 0.2
"""A pairing is plausible if most rows have at most this share of the others ahead of the counterpart. Were
half of the rows paired wrongly, a quarter of all would have half of the others ahead."""


@dataclass(frozen=True)
class PairingTest:
    """What a test of a pairing found.

    Attributes
    ----------
    verdict
        One of ``VERDICTS``.
    ahead
        Share of the other held-out rows that are nearer than the counterpart, for the median held-out row:
        0 if the counterpart is nearest, 0.5 for a random pairing.
    ahead_for_most
        The same at the third quartile of the held-out rows: 0.75 for a random pairing.
    top1
        Share of the held-out rows whose counterpart is the nearest of all held-out ones.
    z
        By how many standard deviations the mean rank is below that of a shuffled pairing.
    queries
        Held-out rows of each draw, which are the candidates as well.
    anchors, draws
        How many anchors, and how often they were drawn.
    """

    verdict: str
    ahead: float
    ahead_for_most: float
    top1: float
    z: float
    queries: int
    anchors: int
    draws: int


@renamed(draws="n_draws")
def pairing_test(
    x: ArrayLike | Pair,
    y: ArrayLike | None = None,
    anchors: int = 300,
    n_draws: int = 3,
    queries: int = 500,
    seed: int = 0,
) -> PairingTest:
    """Test whether row i of one space is the counterpart of row i of the other, on rows that are not anchors.

    Anchors retrieve themselves under any pairing, so only the other rows are tested. Their ranks are
    compared, exactly, with those under all shuffles of their pairing.

    Parameters
    ----------
    x, y
        ``(n, dx)`` and ``(n, dy)``, n ≥ 20; or a ``Pair``.
    anchors
        How many; at most half of the rows.
    n_draws
        How often anchors are drawn.
    queries
        Maximum number of held-out rows, sampled at random.
    seed
        Of the draws.

    Raises
    ------
    ShapeError
        If the rows are not as many.
    ParameterError
        If there are fewer than 20, or a number is NaN or infinite.
    """
    left, right = both_sides(x, y)
    rows_x, rows_y = finite_matrix(left), finite_matrix(right, "y")
    check_same_rows(rows_x, rows_y)
    n = len(rows_x)
    if n < FEWEST_ROWS:
        raise ParameterError(f"{n} rows are too few to test their pairing; it takes at least {FEWEST_ROWS}.")
    anchors, queries = as_whole(anchors, "anchors", 1), as_whole(queries, "queries", 1)
    seeds = seeds_of(seed, n_draws)
    x, y = prepare(rows_x), prepare(rows_y)
    many = min(anchors, n // 2)
    found = []
    for draw in seeds:
        rows = select_anchors(x, many, "uniform", draw)
        asked = held_out(n, rows, queries, draw)
        sides = [unit_rows(relative(side[asked], side[rows])) for side in (x, y)]
        cosines = sides[0] @ sides[1].T
        found += [_ranked(cosines), _ranked(cosines.T)]
    ahead, most, top1, z = (sum(values) / len(found) for values in zip(*found, strict=True))
    verdict = "random" if z < SIGNIFICANT else "plausible" if most <= NEAR else "doubtful"
    return PairingTest(verdict, ahead, most, top1, z, len(asked), many, len(seeds))


def _ranked(cosines: Tensor) -> tuple[float, float, float, float]:
    """Of cosines ``(q, q)``: shares ahead of the diagonal, its share of first places, and its z."""
    q = len(cosines)
    order = cosines.argsort(dim=1, descending=True)
    places = torch.arange(q).expand(q, q)
    ranks = torch.empty(q, q, dtype=torch.float64).scatter_(1, order, places.double())
    own = ranks.diagonal()
    spread = ranks - ranks.mean(0) - ranks.mean(1, keepdim=True) + ranks.mean()
    sd = math.sqrt(float(spread.square().sum()) / (q - 1)) / q
    z = float(ranks.mean() - own.mean()) / sd if sd else 0.0
    ahead = own / (q - 1)
    return float(ahead.median()), float(ahead.quantile(MOST)), float((own == 0).double().mean()), z
