"""Entropic transport plans between two spaces, by either backend."""

import math
from typing import Protocol

import torch
from torch import Tensor

from relviz.bootstrapping.blockwise import Blockwise
from relviz.bootstrapping.keops import KeOps
from relviz.errors import ParameterError

BACKENDS: dict[str, str] = {
    "torch": "blocks of matrix products, on any device",
    "keops": "compiled reductions; needs a compiler, pays at low dimension or on a GPU",
}
"""Names that ``sinkhorn`` and ``apply`` accept, and what each one is."""


class Iteration(Protocol):
    """What a backend does for two given spaces, cost and eps."""

    def update(self, g: Tensor) -> tuple[Tensor, Tensor]:
        """One Sinkhorn iteration: f ``(n,)`` from g ``(m,)``, then the new g from f."""

    def average(self, f: Tensor, g: Tensor, values: Tensor) -> Tensor:
        """Mean of the values ``(m, c)`` by each row of the plan: ``(n, c)``."""


def sinkhorn(
    rx: Tensor,
    ry: Tensor,
    eps: float,
    iterations: int = 10,
    cost: str = "cosine",
    tolerance: float = 0.0,
    start: Tensor | None = None,
    backend: str = "torch",
) -> tuple[Tensor, Tensor]:
    """Potentials of the entropic transport plan between the rows of two spaces, uniform marginals.

    The plan is ``P_ij = exp((f_i + g_j − M_ij) / eps)``. Each iteration updates f, then g, so that the
    columns of the plan sum to 1/m, and its rows to 1/n in the limit. One product and one exponential
    for each entry and iteration; memory O(n·d + m·d).

    Source: Cuturi 2013 (arXiv 1306.0895), in the log domain.

    Parameters
    ----------
    rx, ry
        ``(n, d)`` and ``(m, d)``.
    eps
        Regularization, above 0, in the units of the cost.
    iterations
        At most this many.
    cost
        One of ``relviz.bootstrapping.costs.COSTS``.
    tolerance
        Stop when f changes by less than this on average, in the units of the cost.
    start
        ``(m,)``, the g to start from; zeros without it.
    backend
        One of ``BACKENDS``; their answers agree within float32 rounding.

    Returns
    -------
    f, g
        ``(n,)`` and ``(m,)`` float32, in the units of the cost.

    Raises
    ------
    ParameterError
        If an option is out of range, or KeOps is asked for and cannot be used.
    """
    if iterations < 1:
        raise ParameterError(f"iterations must be at least 1; it is {iterations}.")
    step = _iteration(rx, ry, eps, cost, backend)
    g = torch.zeros(len(ry), device=rx.device) if start is None else start.to(rx.device)
    f, g = step.update(g)
    for _ in range(iterations - 1):
        before = f
        f, g = step.update(g)
        if tolerance and float((f - before).abs().mean()) < tolerance:
            break
    return f, g


def apply(
    rx: Tensor,
    ry: Tensor,
    f: Tensor,
    g: Tensor,
    eps: float,
    values: Tensor,
    cost: str = "cosine",
    backend: str = "torch",
) -> Tensor:
    """Rows of the plan, each scaled to sum 1, times the values ``(m, c)``: ``(n, c)`` float32.

    ``f`` and ``g`` are those of ``sinkhorn`` for the same spaces, cost and eps.
    """
    return _iteration(rx, ry, eps, cost, backend).average(f, g, values.to(rx.device))


def _iteration(rx: Tensor, ry: Tensor, eps: float, cost: str, backend: str) -> Iteration:
    if not (eps > 0 and math.isfinite(eps)):
        raise ParameterError(f"eps must be a finite number above 0; it is {eps}.")
    if backend not in BACKENDS:
        raise ParameterError(f"There is no backend {backend!r}; use one of {', '.join(BACKENDS)}.")
    return (Blockwise if backend == "torch" else KeOps)(rx, ry, eps, cost)
