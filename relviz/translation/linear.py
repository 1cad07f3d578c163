"""The linear maps that inverse relative projection is held against, on the same unit anchors."""

import torch
from torch import Tensor

from relviz.translation.inverse import ROUNDING, condition_number
from relviz.translation.irp_plus import tried
from relviz.translation.method import Fit, Method
from relviz.translation.pairs import AnchorPairs


def procrustes(pairs: AnchorPairs) -> Fit:
    """The rotation that brings the anchors of the source nearest to those of the target.

    Schönemann 1966; where the dimensions differ, the smaller space is padded with zeros. Directions that
    the anchors do not determine are sent to zero, not to any direction at random. Nothing is inverted, so
    the condition number is 1.
    """
    x, y = pairs.source.exact, pairs.target.exact
    if len(x) < min(x.shape[1], y.shape[1]):
        left, rx = torch.linalg.qr(x.T)
        right, ry = torch.linalg.qr(y.T)
        u, values, vt = torch.linalg.svd(rx @ ry.T, full_matrices=False)
        u, vt = left @ u, vt @ right.T
    else:
        u, values, vt = torch.linalg.svd(x.T @ y, full_matrices=False)
    significant = values > values[0] * max(*x.shape, y.shape[1]) * ROUNDING
    return Fit((u[:, significant] @ vt[significant]).float(), 1.0, len(pairs))


def lstsq(pairs: AnchorPairs) -> Fit:
    """Least squares, the shortest solution where there are many."""
    x, y = pairs.source.exact, pairs.target.exact
    u, values, vt = torch.linalg.svd(x, full_matrices=False)
    kept = values > values[0] * max(x.shape) * ROUNDING
    matrix = (vt[kept].T / values[kept]) @ (u[:, kept].T @ y)
    return Fit(matrix.float(), condition_number(values**2), len(pairs))


def affine(pairs: AnchorPairs) -> Fit:
    """Least squares with an offset of its own."""
    u, values, vt = pairs.source.svd
    matrix = (vt.T / values) @ (u.T @ pairs.target.level)
    offset = pairs.target.exact.mean(0) - pairs.source.exact.mean(0) @ matrix
    return Fit(matrix.float(), pairs.source.condition_number, len(pairs), offset=offset.float())


def ridge(pairs: AnchorPairs, strength: float | None = None) -> Fit:
    """Least squares with a penalty on the matrix: ``strength`` times the mean squared singular value.

    Without ``strength``, the one of the least squared error on every anchor left out
    (PRESS, Allen 1974). Generalized cross-validation would be cheaper and fails here: where anchors repeat,
    as pictures of emoji do, it takes few anchors for noiseless ones. The condition number is that of the
    anchors with the penalty appended.
    """
    u, values, vt = pairs.source.svd
    if not len(values):
        return Fit(torch.zeros(pairs.dimensions), 1.0, len(pairs))
    goal = pairs.target.level
    squares, seen = values**2, u.T @ goal
    mean = float(squares.mean())
    if strength is None:
        found = tried(lambda one: -_press(u, squares, seen, goal, one * mean))
        strength = max(found, key=found.__getitem__)
    penalty = strength * mean
    matrix = vt.T @ ((values / (squares + penalty))[:, None] * seen)
    number = float(((squares[0] + penalty) / (squares[-1] + penalty)) ** 0.5)
    return Fit(matrix.float(), number, len(pairs), chosen=(("strength", strength),))


def _press(u: Tensor, squares: Tensor, seen: Tensor, goal: Tensor, penalty: float) -> float:
    kept = squares / (squares + penalty)
    # The mean too is that of the other anchors.
    own = u**2 @ kept + 1 / len(u)
    return float((((goal - u @ (kept[:, None] * seen)) / (1 - own)[:, None]) ** 2).sum())


PROCRUSTES = Method(procrustes, "Procrustes", "the rotation that fits the anchors best")
LSTSQ = Method(lstsq, "Least squares", "the linear map that fits the anchors best")
RIDGE = Method(
    ridge, "Ridge", "the same with a penalty. Its strength is chosen by leaving anchors out", ("strength",)
)
AFFINE = Method(affine, "Affine", "least squares with an offset")
