"""Matching two similarity matrices whose rows are in unknown order: a quadratic assignment."""

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

_STEPS = 25
_BALANCING = 10


def standardised(gram: Matrix) -> Matrix:
    """A similarity matrix ``(k, k)`` with zero diagonal, its other entries of mean 0 and deviation 1."""
    off = ~np.eye(len(gram), dtype=bool)
    spread = gram[off].std()
    scaled = (gram - gram[off].mean()) / (spread if spread > 0 else 1.0)
    np.fill_diagonal(scaled, 0)
    return scaled


def match_graphs(
    a: Matrix, b: Matrix, rng: np.random.Generator, restarts: int = 20
) -> tuple[float, NDArray[np.int64]]:
    """The order of the rows of ``b`` that makes it most like ``a``; both ``(k, k)``, symmetric, diagonal 0.

    From several random starts, Frank-Wolfe steps over doubly stochastic matrices (FAQ, Vogelstein et al.
    2015), then exchanges of two rows as long as one helps.

    Returns
    -------
    likeness, order
        The cosine of the two matrices, 1 when ``a == b[order][:, order]``; and the order ``(k,)``.
    """
    found = [_exchanged(a, b, _frank_wolfe(a, b, _random_plan(len(a), rng))) for _ in range(restarts)]
    values = [float((a * b[np.ix_(order, order)]).sum()) for order in found]
    best = int(np.argmax(values))
    size = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return values[best] / size if size else 0.0, found[best]


def _random_plan(k: int, rng: np.random.Generator) -> Matrix:
    plan = rng.random((k, k))
    for _ in range(_BALANCING):
        plan /= plan.sum(0)
        plan /= plan.sum(1)[:, None]
    return (plan + 1 / k) / 2


def _frank_wolfe(a: Matrix, b: Matrix, plan: Matrix) -> NDArray[np.int64]:
    from scipy.optimize import linear_sum_assignment

    for _ in range(_STEPS):
        slope = a @ plan @ b
        rows, columns = linear_sum_assignment(slope, maximize=True)
        direction = -plan
        direction[rows, columns] += 1
        curve = float(((a @ direction @ b) * direction).sum())
        rise = 2 * float((slope * direction).sum())
        step = min(1.0, max(0.0, -rise / (2 * curve))) if curve < 0 else float(curve + rise > 0)
        if step == 0:
            break
        plan = plan + step * direction
    order: NDArray[np.int64] = linear_sum_assignment(plan, maximize=True)[1]
    return order


def _exchanged(a: Matrix, b: Matrix, order: NDArray[np.int64]) -> NDArray[np.int64]:
    value = -np.inf
    while True:
        arranged = b[np.ix_(order, order)]
        now = float((a * arranged).sum())
        if now <= value + 1e-9:
            return order
        value = now
        crossed = a @ arranged
        own = np.diag(crossed)
        # What exchanging r and s changes the sum by; 4·a_rs·b_rs stays as it is under the exchange.
        gain = 2 * (crossed + crossed.T - own[:, None] - own) + 4 * a * arranged
        np.fill_diagonal(gain, -np.inf)
        r, s = divmod(int(gain.argmax()), len(order))
        if gain[r, s] <= 1e-9:
            return order
        order = order.copy()
        order[[r, s]] = order[[s, r]]
