"""Relative representations: every row represented by its similarities to the anchors (RR sec. 3)."""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from relviz.compute.arrays import ArrayLike, as_matrix, check_range, check_same_dimension, rows_of
from relviz.compute.blocks import TILE_ELEMENTS, slices
from relviz.compute.device import device
from relviz.errors import ParameterError, ShapeError
from relviz.names import Similarity

SIMILARITIES: dict[str, str] = {
    "cosine": "cosine of the angle; unchanged by rotation, reflection and rescaling",
    "inner": "inner product; unchanged by rotation and reflection, grows with the norms",
    "euclidean": "straight-line distance; unchanged by rotation, reflection and shift",
    "l1": "sum of coordinate differences; unchanged by shift and by reordering the coordinates",
    "angular": "angle divided by π, 0 (same direction) to 1 (opposite); unchanged as the cosine is",
}
"""Names that ``relative`` accepts, and what each one measures."""

OwnSimilarity = Callable[[Tensor, Tensor], Tensor]
"""A similarity of one's own: rows ``(p, d)`` and anchors ``(k, d)``, float32, to ``(p, k)``."""

_ROUNDING = 4 * torch.finfo(torch.float32).eps


def relative(
    x: ArrayLike,
    anchors: ArrayLike,
    similarity: Similarity | OwnSimilarity = "cosine",
    center: ArrayLike | None = None,
) -> Tensor:
    """Similarity of every row to every anchor: ``r(x) = (sim(x, a₁), …, sim(x, a_k))``.

    Source: Moschella et al. 2023 (arXiv 2209.15430), section 3; centering as in step 1 of the inverse
    relative projection (arXiv 2406.15057, section 4).

    Gradients flow to ``x``, ``anchors`` and ``center`` if these are tensors that require them. The paper
    stops gradients at the anchors (appendix A.5.4): pass ``anchors.detach()`` for that. Where a similarity
    is not differentiable, the gradient is 0: euclidean at equal rows, l1 at equal coordinates, angular at
    equal and opposite directions, cosine and angular at a row of zeros.

    Parameters
    ----------
    x, anchors
        ``(n, d)`` and ``(k, d)``.
    similarity
        One of ``relviz.SIMILARITIES``, or a function of rows ``(p, d)`` and anchors ``(k, d)`` that
        returns ``(p, k)``; it is called on blocks of rows that fit in memory. Euclidean and l1 are
        distances in the units of ``x``; angular is the angle divided by π, exact to 2e-4 near 0. A zero
        row has cosine 0 with every anchor.
    center
        What to subtract from rows and anchors first: nothing (None), the mean of the anchors
        (``"anchors"``), or a given ``(d,)`` vector.

    Returns
    -------
    relative
        ``(n, k)`` float32.

    Raises
    ------
    ParameterError
        If the similarity or the center is unknown, or a number is NaN or infinite.
    ShapeError
        If the dimensions differ, or a custom similarity returns the wrong shape.

    Examples
    --------
    >>> relative([[3.0, 0.0], [0.0, 2.0]], anchors=[[1.0, 0.0], [1.0, 1.0]], similarity="euclidean")
    tensor([[2.0000, 2.2361],
            [2.2361, 1.4142]])
    """
    check_similarity(similarity)
    rows, points = finite_matrix(x, graph=True), finite_matrix(anchors, "anchors", graph=True)
    check_same_dimension(rows, points, "x and anchors")
    shift = _shift(points, center)
    on_device = _direction(moved(points, shift), similarity).to(device())

    def block(part: slice) -> Tensor:
        directed = _direction(moved(rows[part], shift), similarity).to(device())
        return _similarity(directed, on_device, similarity).cpu()

    parts = list(slices(len(rows), max(1, TILE_ELEMENTS // max(points.shape))))
    if torch.is_grad_enabled() and any(t is not None and t.requires_grad for t in (rows, points, shift)):
        return torch.cat([block(part) for part in parts])
    projected = torch.empty(len(rows), len(points))
    for part in parts:
        projected[part] = block(part)
    return projected


def check_similarity(similarity: object) -> None:
    """ParameterError unless it is one of ``SIMILARITIES``, or a function."""
    if not callable(similarity) and similarity not in list(SIMILARITIES):
        raise ParameterError(
            f"There is no similarity {similarity!r}; use one of {', '.join(SIMILARITIES)}, or a function of "
            "rows and anchors."
        )


def prepare(x: ArrayLike) -> Tensor:
    """Center on the mean and scale every row to unit length, as all methods expect.

    A row that equals the mean up to float32 rounding becomes zero. Gradients flow to ``x``, except through
    zero rows. The mean is that of the given rows: to prepare later rows with the same mean, use
    ``relviz.Frame``.

    Returns
    -------
    prepared
        ``(n, d)`` float32.
    """
    return unit_rows(centered(finite_matrix(x, graph=True)))


def centered(x: Tensor) -> Tensor:
    """Rows minus their mean, on the CPU; rows within float32 rounding of the mean become zero."""
    return moved(x.cpu(), mean_row(x))


def unit_rows(x: Tensor) -> Tensor:
    """Rows scaled to length one, however long or short they are; zero rows stay zero, without gradient."""
    scaled = x / _nonzero(x.detach().abs().amax(1, keepdim=True))
    lengths = _nonzero(torch.linalg.vector_norm(scaled, dim=1, keepdim=True))
    return scaled / lengths if scaled.requires_grad else scaled.div_(lengths)


def finite_matrix(x: ArrayLike, name: str = "x", graph: bool = False) -> Tensor:
    """``as_matrix``, and an error unless every number in it is finite, and float32 can hold it."""
    x = rows_of(x)
    matrix = as_matrix(x, name, graph)
    check_range(x, matrix, name)
    if matrix.detach().sum().isfinite():  # nothing not finite goes unseen in a sum, and a sum is quick
        return matrix
    bad = ~matrix.isfinite().all(1)
    if bad.any():
        raise ParameterError(
            f"{name} holds NaN or infinite values in {int(bad.sum())} of {len(matrix)} rows, first in row "
            f"{int(bad.nonzero()[0])}. Leave those rows out (relviz.Pair does)."
        )
    return matrix


def _nonzero(lengths: Tensor) -> Tensor:
    """Lengths to divide by; a row of zeros divided by infinity stays zero, and so does its gradient."""
    return lengths.masked_fill(lengths == 0, torch.inf)


def mean_row(x: Tensor) -> Tensor:
    """``(d,)`` float32, on the CPU, summed in float64."""
    return x.cpu().mean(0, dtype=torch.float64).to(torch.float32)


def _shift(anchors: Tensor, center: ArrayLike | None) -> Tensor | None:
    if center is None:
        return None
    if isinstance(center, str):
        if center != "anchors":
            raise ParameterError(f"center must be None, 'anchors' or a vector; it is {center!r}.")
        return mean_row(anchors)
    d = anchors.shape[1]
    vector = center if isinstance(center, Tensor) else np.asarray(center)
    if vector.shape != (d,):
        raise ShapeError(f"center must be a vector of {d} numbers; its shape is {tuple(vector.shape)}.")
    return finite_matrix(vector[None], "center", graph=True)[0].cpu()


def moved(x: Tensor, shift: Tensor | None) -> Tensor:
    """Rows minus the shift ``(d,)``; rows within float32 rounding of it become zero, without gradient."""
    if shift is None:
        return x
    shift = shift.to(x.device)
    rest = x - shift
    # The last digits of rows that are otherwise equal must not become directions.
    same = rest.detach().abs().amax(1) <= _ROUNDING * shift.detach().abs().max()
    if rest.requires_grad:
        return rest.masked_fill(same[:, None], 0)
    rest[same] = 0
    return rest


def _own(similarity: OwnSimilarity, x: Tensor, anchors: Tensor) -> Tensor:
    found = torch.as_tensor(similarity(x, anchors), dtype=torch.float32, device=x.device)
    if found.shape != (len(x), len(anchors)):
        raise ShapeError(
            f"similarity must return an array {len(x)} × {len(anchors)}, rows by anchors; it returned one "
            f"of shape {tuple(found.shape)}."
        )
    return found


def _direction(x: Tensor, similarity: object) -> Tensor:
    return unit_rows(x) if similarity in ("cosine", "angular") else x


def _similarity(x: Tensor, anchors: Tensor, similarity: str | OwnSimilarity) -> Tensor:
    if not isinstance(similarity, str):
        return _own(similarity, x, anchors)
    if similarity in ("euclidean", "l1"):
        # The matrix-product form is faster but loses half the digits of small distances.
        p = 2.0 if similarity == "euclidean" else 1.0
        return torch.cdist(x, anchors, p=p, compute_mode="donot_use_mm_for_euclid_dist")
    products = x @ anchors.T
    if similarity == "inner":
        return products
    if not products.requires_grad:
        cosine = products.clamp_(-1, 1)
        return cosine if similarity == "cosine" else cosine.arccos_().div_(torch.pi)
    cosine = products.clamp(-1, 1)
    if similarity == "cosine":
        return cosine
    # The slope of arccos at 1 and -1 is infinite: what stands there is held out of the graph.
    ends = cosine.detach().abs() == 1
    angle = cosine.masked_fill(ends, 0).arccos()
    return torch.where(ends, cosine.detach().arccos(), angle) / torch.pi
