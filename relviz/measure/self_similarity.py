"""How alike several spaces arrange the same items: correlations of their self-similarities."""

from collections.abc import Callable

import numpy as np
import torch

from relviz.compute.arrays import ArrayLike, check_same_rows
from relviz.compute.blocks import slices, steps
from relviz.compute.device import device
from relviz.errors import ParameterError
from relviz.pair import Pair
from relviz.relative_projection import finite_matrix, unit_rows
from relviz.space import Space

_FEWEST = 3
_NOTHING = 1e-10
"""Variance of similarities that is only rounding."""


def self_similarity_correlation(
    *spaces: ArrayLike | Space | Pair, on_progress: Callable[[float], object] | None = None
) -> np.ndarray:
    """Pearson correlation of the self-similarities of spaces of the same rows.

    The self-similarities of a space are the cosines of all pairs of its rows, so spaces of any dimensions
    can be compared. Source: Moschella et al. 2023 (arXiv 2209.15430), A.5.2, figure 8. No matrix of all
    pairs is kept.

    Parameters
    ----------
    spaces
        At least two, each ``(n, d)`` with its own d, of parallel rows; n ≥ 3. A pair stands for its two.
    on_progress
        Called with the fraction done; an exception stops the computation.

    Returns
    -------
    numpy.ndarray
        ``(s, s)`` float64, for s spaces.

    Raises
    ------
    ShapeError
        If the numbers of rows differ.
    ParameterError
        If there are fewer than two spaces or three rows, a number is NaN or infinite, or all rows of a space
        are equally similar.

    Examples
    --------
    >>> x = np.random.default_rng(0).normal(size=(50, 4))
    >>> turned = 3 * x @ np.linalg.qr(np.random.default_rng(1).normal(size=(4, 4)))[0]
    >>> self_similarity_correlation(x, turned).round(4)
    array([[1., 1.],
           [1., 1.]])
    """
    sides = [side for one in spaces for side in ((one.a, one.b) if isinstance(one, Pair) else (one,))]
    if len(sides) < 2:
        raise ParameterError(
            f"Self-similarities are compared for at least two spaces; there are {len(sides)}."
        )
    units = [unit_rows(finite_matrix(one, f"space {at}").to(device())) for at, one in enumerate(sides, 1)]
    first, *rest = units
    for other in rest:
        check_same_rows(first, other)
    n = len(first)
    if n < _FEWEST:
        raise ParameterError(f"Self-similarities need at least {_FEWEST} rows; there are {n}.")
    sums = torch.zeros(len(units), dtype=torch.float64)
    products = torch.zeros(len(units), len(units), dtype=torch.float64)
    for part in slices(n, steps(n, first.device)[0]):
        cosines = torch.stack(
            [(unit[part] @ unit.T).index_put_(_itself(part), unit.new_zeros(())) for unit in units]
        )
        flat = cosines.flatten(1).double()
        sums += flat.sum(1).cpu()
        products += (flat @ flat.T).cpu()
        if on_progress is not None:
            on_progress(part.stop / n)
    means = sums / (n * (n - 1))
    covariances = products / (n * (n - 1)) - means[:, None] * means
    for at, variance in enumerate(covariances.diagonal().tolist(), 1):
        if variance <= _NOTHING:
            raise ParameterError(
                f"All rows of space {at} are equally similar; there is nothing to correlate."
            )
    spreads = covariances.diagonal().sqrt()
    found: np.ndarray = (covariances / (spreads[:, None] * spreads)).clamp(-1, 1).numpy()
    return found


def _itself(part: slice) -> tuple[torch.Tensor, torch.Tensor]:
    """Where rows of a block meet themselves."""
    return torch.arange(part.stop - part.start), torch.arange(part.start, part.stop)
