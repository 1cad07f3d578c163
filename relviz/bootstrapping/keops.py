"""Sinkhorn iterations by compiled reductions, where KeOps can be used."""

import math
import os
from functools import cache
from typing import Any

import torch
from torch import Tensor

from relviz.compute.arrays import check_same_dimension
from relviz.compute.store import default_store
from relviz.errors import ParameterError
from relviz.relative_projection import unit_rows


@cache
def unavailable() -> str:
    """Why KeOps cannot be used here, or an empty text if it can; tried once, with a compilation."""
    for name in ("PYKEOPS_VERBOSE", "KEOPS_VERBOSE"):
        os.environ.setdefault(name, "0")
    # Beside the results, which may all be deleted: compiled formulas are kept there between runs.
    os.environ.setdefault("KEOPS_CACHE_FOLDER", str(default_store().root / "keops"))
    try:
        x = torch.eye(3)
        found = _exponents(x, x, torch.zeros(3), 1.0, True).logsumexp(dim=1)
    except Exception as reason:
        return f"{type(reason).__name__}: {reason}"
    expected = math.log(1 + 2 / math.e)
    return "" if bool((found - expected).abs().max() < 1e-5) else f"it finds {found.tolist()}, not {expected}"


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
        self._inner = cost != "euclidean"
        self._rx, self._ry = (unit_rows(r.to(rx.device)) if cost == "cosine" else r for r in (rx, ry))
        self._eps = eps

    def update(self, g: Tensor) -> tuple[Tensor, Tensor]:
        """One Sinkhorn iteration: f ``(n,)`` from g ``(m,)``, then the new g from f."""
        f = self._potential(self._rx, self._ry, g)
        return f, self._potential(self._ry, self._rx, f)

    def average(self, f: Tensor, g: Tensor, values: Tensor) -> Tensor:
        """Mean of the values ``(m, c)`` by each row of the plan: ``(n, c)``."""
        from pykeops.torch import LazyTensor

        # KeOps shifts each row by its own largest exponent, which is what f would do.
        del f
        exponents = _exponents(self._rx, self._ry, g, self._eps, self._inner)
        means: Tensor = exponents.sumsoftmaxweight(LazyTensor(values[None].contiguous()), dim=1)
        return means

    def _potential(self, left: Tensor, right: Tensor, potential: Tensor) -> Tensor:
        """The other potential. Both directions are this one formula, so it is compiled once."""
        log_sum: Tensor = _exponents(left, right, potential, self._eps, self._inner).logsumexp(dim=1)
        return -self._eps * (log_sum.squeeze(1) + math.log(len(left)))


def _exponents(left: Tensor, right: Tensor, potential: Tensor, eps: float, inner: bool) -> Any:
    from pykeops.torch import LazyTensor

    x, y = LazyTensor(left[:, None].contiguous()), LazyTensor(right[None].contiguous())
    cost = 1 - (x | y) if inner else ((x - y) ** 2).sum(-1).sqrt()
    return (LazyTensor(potential[None, :, None].contiguous()) - cost) / eps
