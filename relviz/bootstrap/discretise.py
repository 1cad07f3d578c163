"""Continuous anchors made rows of y, all different."""

import torch
from torch import Tensor

from relviz.bootstrap.given import Given
from relviz.compute.blocks import top_k

_NEAREST = 16


def distinct_rows(given: Given, anchors: Tensor) -> Tensor:
    """The rows of y that stand for the anchors ``(k, dy)``: together the most alike, none used twice.

    Cosines are summed and maximised by linear assignment among the nearest rows of each anchor. Seeds
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
