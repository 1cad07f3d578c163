"""What a set of anchors can and cannot tell apart."""

from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.compute.arrays import ArrayLike, as_indices
from relviz.compute.blocks import TILE_ELEMENTS, slices, top_k
from relviz.compute.device import device
from relviz.errors import ParameterError
from relviz.relative_projection import prepare


@dataclass(frozen=True, eq=False, repr=False)
class AnchorReport:
    """Conditioning and coverage of a set of anchors, in the prepared space (centered, unit rows).

    ``condition_number`` is the largest singular value of the ``(k, d)`` anchor matrix over its smallest
    one above rounding; ``rank`` counts those, ``rank_deficit`` is min(k, d) minus the rank;
    ``effective_rank`` is the exponential of the entropy of the normalized singular values (Roy and
    Vetterli 2007). ``largest_cosine`` is the largest |cos| between two anchors, ``closest`` their row
    numbers (None for a single anchor). ``coverage`` is, for each anchor, the share of rows to which it is
    the nearest anchor, ``(k,)`` float32 summing to 1.
    """

    condition_number: float
    rank: int
    rank_deficit: int
    effective_rank: float
    largest_cosine: float
    closest: tuple[int, int] | None
    coverage: Tensor

    def __repr__(self) -> str:
        return (
            f"AnchorReport({len(self.coverage)} anchors, rank {self.rank}, condition number "
            f"{self.condition_number:.3g}, largest cosine {self.largest_cosine:.3f})"
        )


def anchor_report(x: ArrayLike, anchors: ArrayLike) -> AnchorReport:
    """Evaluate anchors, given as row numbers of ``x`` ``(n, d)``; see ``AnchorReport``."""
    prepared = prepare(x).detach().to(device())
    index = as_indices(anchors, len(prepared), "anchors")
    if len(index) == 0:
        raise ParameterError("There are no anchors to evaluate; give at least one.")
    points = prepared[index.to(prepared.device)]
    values = torch.linalg.svdvals(points.cpu().double())
    kept = values[values > values[0] * max(points.shape) * torch.finfo(torch.float32).eps]
    share = kept / kept.sum()
    cosine, pair = _closest(points)
    nearest = top_k(prepared, points, 1)[1][:, 0].cpu()
    return AnchorReport(
        condition_number=float(kept[0] / kept[-1]) if len(kept) else float("inf"),
        rank=len(kept),
        rank_deficit=min(points.shape) - len(kept),
        effective_rank=float((-share * share.log()).sum().exp()) if len(kept) else 0.0,
        largest_cosine=cosine,
        closest=None if pair is None else (int(index[pair[0]]), int(index[pair[1]])),
        coverage=torch.bincount(nearest, minlength=len(index)) / len(prepared),
    )


def _closest(points: Tensor) -> tuple[float, tuple[int, int] | None]:
    """Largest |cos| between two of the unit rows, and which two."""
    k = len(points)
    best: tuple[float, tuple[int, int] | None] = (0.0, None)
    for part in slices(k, max(1, TILE_ELEMENTS // k)):
        tile = (points[part] @ points.T).abs_()
        tile.diagonal(part.start).fill_(-1)
        at = int(tile.argmax())
        row, column = part.start + at // k, at % k
        if row != column and (best[1] is None or float(tile.flatten()[at]) > best[0]):
            best = (min(1.0, float(tile.flatten()[at])), (row, column))
    return best
