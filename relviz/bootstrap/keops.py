"""Sinkhorn iterations by KeOps: reductions compiled for the formula, nothing n × m in memory."""

import math
import os
from functools import cache
from typing import Any

import torch
from torch import Tensor

from relviz.compute.arrays import check_same_dimension
from relviz.compute.store import default_store
from relviz.errors import ParameterError
from relviz.relative import unit_rows


@cache
def unavailable() -> str:
    """Why KeOps cannot be used here, or an empty text if it can; tried once, with a compilation."""
    os.environ.setdefault("PYKEOPS_VERBOSE", "0")
    # Beside the results, which may all be deleted: compiled formulas are kept there between runs.
    os.environ.setdefault("KEOPS_CACHE_FOLDER", str(default_store().root / "keops"))
    try:
        from pykeops.torch import LazyTensor

        one = torch.ones(1, 1, 1)
        total = (LazyTensor(one) * LazyTensor(one.transpose(0, 1))).sum(1)
        return "" if total.item() == 1 else "it computed 1 × 1 wrongly"
    except Exception as reason:
        return f"{type(reason).__name__}: {reason}"


class KeOps:
    """Iterations between the rows of ``rx`` ``(n, d)`` and ``ry`` ``(m, d)``, by KeOps.

    Every formula and dimension is compiled at its first use, which takes half a minute or less.

    Raises
    ------
    ParameterError
        If KeOps cannot be used on this machine.
    """

    def __init__(self, rx: Tensor, ry: Tensor, eps: float, cost: str) -> None:
        if why := unavailable():
            raise ParameterError(f"The backend 'keops' cannot be used here ({why}). Use backend='torch'.")
        check_same_dimension(rx, ry)
        self._cosine = cost == "cosine"
        self._rx, self._ry = (unit_rows(r.to(rx.device)) if self._cosine else r for r in (rx, ry))
        self._eps = eps

    def update(self, g: Tensor) -> tuple[Tensor, Tensor]:
        """One Sinkhorn iteration: f ``(n,)`` from g ``(m,)``, then the new g from f."""
        f = self._potential(self._rx, self._ry, g)
        return f, self._potential(self._ry, self._rx, f)

    def average(self, f: Tensor, g: Tensor, values: Tensor) -> Tensor:
        """Mean of the values ``(m, c)`` by each row of the plan: ``(n, c)``."""
        from pykeops.torch import LazyTensor

        exponents = self._exponents(self._rx, self._ry, g) + LazyTensor((f / self._eps)[:, None, None])
        return exponents.sumsoftmaxweight(LazyTensor(values[None].contiguous()), dim=1)

    def _potential(self, left: Tensor, right: Tensor, potential: Tensor) -> Tensor:
        """The other potential. Both directions are this one formula, so it is compiled once."""
        log_sum = self._exponents(left, right, potential).logsumexp(dim=1)
        return -self._eps * (log_sum.squeeze(1) + math.log(len(left)))

    def _exponents(self, left: Tensor, right: Tensor, potential: Tensor) -> Any:
        from pykeops.torch import LazyTensor

        x, y = LazyTensor(left[:, None].contiguous()), LazyTensor(right[None].contiguous())
        cost = 1 - (x | y) if self._cosine else ((x - y) ** 2).sum(-1).sqrt()
        return (LazyTensor(potential[None, :, None].contiguous()) - cost) / self._eps
