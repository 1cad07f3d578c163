"""The anchors that matches amount to, and the rows that stand for them."""

import torch
from torch import Tensor

from relviz.bootstrapping.inputs import Given
from relviz.bootstrapping.procrustes import align
from relviz.compute.blocks import top_k
from relviz.relative_projection import unit_rows

RIDGE = 1.0
"""Weight of the rotation against the rows, in units of the mean variance of a direction of y."""


def fitted_anchors(given: Given, matches: Tensor, trusted: Tensor) -> Tensor:
    """Anchors of y that make the relative rows of matched rows alike.

    The objective of anchor optimization, ``‖X A_Xᵀ − Y A_Yᵀ‖²`` over matched rows, is quadratic in A_Y:
    it is solved outright, with a ridge that draws A_Y toward the anchors of x translated by the
    orthogonal Procrustes rotation of the same rows. On rows that took no part in the fit this was never
    worse than the rotation alone, and up to 0.07 better in MRR (docs/anchor-optimization.md).

    Parameters
    ----------
    matches
        ``(n,)``, a row of y for every row of x.
    trusted
        ``(n,)`` bool, the rows to fit to.

    Returns
    -------
    anchors
        ``(k, dy)``, rows of length one.
    """
    x, y = given.x[trusted], given.y[matches[trusted]]
    points = given.x[given.anchors]
    rotated = align(x.T @ y, len(x)).apply(points)
    covariance = y.T @ y
    d = len(covariance)
    ridge = (RIDGE * covariance.trace() / d).clamp_min(1e-6)
    covariance.diagonal().add_(ridge)
    left_over = x @ points.T - y @ rotated.T
    return unit_rows(rotated + torch.linalg.solve(covariance, y.T @ left_over).T)


_NEAREST = 16


def distinct_rows(given: Given, anchors: Tensor) -> Tensor:
    """The rows of y that stand for the anchors ``(k, dy)``: together the most alike, none used twice.

    Cosines are summed and maximized by linear assignment among the nearest rows of each anchor. Seeds
    keep the rows they were given, which no other anchor may take.

    Returns
    -------
    indices
        ``(k,)`` int64, on the CPU.
    """
    from scipy.optimize import linear_sum_assignment

    free = torch.ones(len(anchors), dtype=torch.bool, device=anchors.device)
    free[given.seed_columns] = False
    open_rows = torch.ones(len(given.y), dtype=torch.bool, device=anchors.device)
    open_rows[given.sy] = False
    indices = torch.empty(len(anchors), dtype=torch.int64)
    indices[given.seed_columns.cpu()] = given.sy.cpu()
    wanted, allowed = anchors[free], open_rows.nonzero().squeeze(1)
    if not len(wanted):
        return indices
    near = top_k(wanted, given.y[allowed], min(_NEAREST, len(allowed)))[1]
    # As many rows again as there are anchors, so that each gets one even if all want the same few.
    options = allowed[torch.cat([near.flatten(), torch.arange(len(wanted), device=near.device)]).unique()]
    cosines = wanted @ given.y[options].T
    row, column = linear_sum_assignment(cosines.cpu().numpy(), maximize=True)
    assigned = torch.empty(len(wanted), dtype=torch.int64)
    assigned[torch.from_numpy(row)] = options.cpu()[torch.from_numpy(column)]
    indices[free.cpu()] = assigned
    return indices
