"""Blockwise sums over a similarity or over parallel rows; memory as in relviz.compute.blocks."""

import torch
from torch import Tensor

from relviz.compute.arrays import check_same_rows
from relviz.compute.blocks import Score, inner, on_same_device, slices, steps
from relviz.errors import ParameterError


def reduce_similarity(
    x: Tensor, y: Tensor, operation: str = "mean", over: str = "columns", score: Score = inner
) -> Tensor:
    """Reduce the ``(n, m)`` similarity over its columns or its rows.

    Parameters
    ----------
    operation
        ``"sum"``, ``"mean"``, ``"max"``, ``"min"`` or ``"logsumexp"``.
    over
        ``"columns"`` gives one number per row of ``x``, ``"rows"`` one per row of ``y``.
    """
    if over not in ("columns", "rows"):
        raise ParameterError(f"over must be 'columns' or 'rows'; it is {over!r}.")
    if operation not in ("sum", "mean", "max", "min", "logsumexp"):
        raise ParameterError(f"There is no reduction {operation!r}; use sum, mean, max, min or logsumexp.")
    x, y = on_same_device(x, y)
    if over == "rows":
        x, y, plain = y, x, score

        def score(p: Tensor, q: Tensor) -> Tensor:
            return plain(q, p).T

    reduced = torch.empty(len(x), device=x.device)
    row_step, column_step = steps(len(y))
    for rows in slices(len(x), row_step):
        parts = [_reduce(score(x[rows], y[c]), operation) for c in slices(len(y), column_step)]
        joined = _reduce(torch.stack(parts, 1), "sum" if operation == "mean" else operation)
        reduced[rows] = joined / len(y) if operation == "mean" else joined
    return reduced


def _reduce(tile: Tensor, operation: str) -> Tensor:
    if operation == "max":
        return tile.amax(1)
    if operation == "min":
        return tile.amin(1)
    if operation == "logsumexp":
        return tile.logsumexp(1)
    return tile.sum(1)


def gram(x: Tensor, y: Tensor) -> Tensor:
    """``xᵀ y`` of parallel rows, summed block by block in float64, on the CPU.

    Returns
    -------
    gram
        ``(dx, dy)`` float64.
    """
    check_same_rows(x, y)
    total = torch.zeros(x.shape[1], y.shape[1], dtype=torch.float64)
    y = y.to(x.device)
    for rows in slices(len(x), steps(max(x.shape[1], y.shape[1]))[0]):
        total += (x[rows].T @ y[rows]).to("cpu", torch.float64)
    return total
