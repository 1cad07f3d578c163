"""Two- and three-dimensional maps of spaces, and how several maps are made comparable."""

from collections.abc import Callable, Sequence
from numbers import Real

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from relviz.compute.arrays import ArrayLike, as_matrix
from relviz.errors import Error, ParameterError, ShapeError, Stopped
from relviz.names import FITS, ProjectionFit, ProjectionMethod
from relviz.names import PROJECTIONS as METHODS
from relviz.pair import Pair
from relviz.projection import pca, tsne, umap
from relviz.projection.fit import (
    Fitted,
    Fitter,
    FixedMap,
    Map,
    OnStep,
    Report,
    align_to_first,
    check_parallel,
    fit_first,
    fit_independent,
    fit_joint,
)
from relviz.projection.umap import warm_umap
from relviz.space import Space

__all__ = ["FITS", "METHODS", "Projection", "Stopped", "project", "warm_umap"]

_FITS: dict[str, Callable[[Sequence[Tensor], Fitter, Report], Fitted]] = {
    "joint": fit_joint,
    "first": fit_first,
    "independent": fit_independent,
    "procrustes": fit_independent,
}
_LARGEST = 1e30
"""Beyond this, float32 coordinates of a map could overflow."""
_LEAST_ROWS = {"pca": 2, "tsne": 4, "umap": 4, "first": 1}


class Projection(list[NDArray[np.float32]]):
    """Maps of the given spaces: a list of ``(n, dim)`` float32 arrays, with what a caption needs.

    Attributes
    ----------
    method, fit
        As asked.
    explained
        For PCA, the share of each space's own variance that each component explains, before any alignment:
        a tuple for each space. Else None.
    residual
        For ``fit="procrustes"``, the disparity of each space after the first, 0 (same shape) to 1.
        Else None.
    parameters
        Parameters by name. If one was lowered to suit the number of rows, the requested value is kept, as
        ``perplexity_asked``; parameters that differ between maps are tuples.
    """

    def __init__(
        self,
        maps: Sequence[NDArray[np.float32]],
        method: str,
        fit: str,
        explained: tuple[tuple[float, ...], ...] | None,
        residual: tuple[float, ...] | None,
        parameters: dict[str, object],
    ) -> None:
        super().__init__(maps)
        self.method, self.fit = method, fit
        self.explained, self.residual = explained, residual
        self.parameters = parameters

    def __repr__(self) -> str:
        shapes = ", ".join(f"{len(places)} × {places.shape[1]}" for places in self)
        suffix = (
            "" if self.residual is None else f", residual {', '.join(f'{one:.3f}' for one in self.residual)}"
        )
        return f"Projection({self.method}, fit {self.fit}: {shapes}{suffix})"


def project(
    spaces: Sequence[ArrayLike] | Pair,
    method: ProjectionMethod = "pca",
    fit: ProjectionFit = "joint",
    dim: int = 2,
    seed: int = 0,
    *,
    perplexity: float = 30.0,
    n_neighbors: int = 15,
    min_dist: float = 0.1,
    on_step: OnStep | None = None,
) -> Projection:
    """Project the rows of each space to ``dim`` dimensions.

    Parameters
    ----------
    spaces
        ``(n, d)`` arrays or spaces; a ``Pair`` stands for its two sides.
    method
        ``"pca"``, ``"tsne"``, ``"umap"``, or ``"first"``: the first dimensions, unchanged.
    fit
        ``"joint"``: one fit on all rows. ``"first"``: fitted on the first space, the others placed
        in its map. ``"independent"``: fitted separately. ``"procrustes"``: fitted separately, then each later
        map laid on the first by translation, rotation or reflection, and scale; rows are parallel.
    dim
        2 or 3.
    seed
        Of t-SNE and UMAP, 0 to 2³² - 1. The same seed gives the same maps.
    perplexity
        Of t-SNE, at least 1.
    n_neighbors, min_dist
        Of UMAP: at least 2, the row itself counted; 0 to 1.
    on_step
        Called with the fraction done and the current positions of the fitted rows; a truthy result stops
        the fit. Either may be None: there are no positions during the neighbor search, and no fraction
        during compilation.

    Raises
    ------
    ShapeError
        If the spaces do not suit the fit, or have too few rows or columns.
    ParameterError
        If an option is unknown or a number is out of range.
    Error
        If a space holds NaN or infinite values.
    Stopped
        If ``on_step`` returned something truthy.

    Examples
    --------
    >>> from relviz import project
    >>> a, b = project([[[0, 0, 0], [2, 0, 0], [4, 0, 0]], [[1, 0, 0], [3, 0, 0], [5, 0, 0]]])
    >>> b[:, 0] - a[:, 0]
    array([1., 1., 1.], dtype=float32)
    """
    _check_options(method, fit, dim, seed, perplexity, n_neighbors, min_dist)
    given = (spaces.a, spaces.b) if isinstance(spaces, Pair) else spaces
    if isinstance(given, Space) or getattr(given, "ndim", 3) == 2:
        raise ParameterError("project takes a list of spaces; for one alone give [space].")
    rows = [as_matrix(space, f"space {i}").cpu() for i, space in enumerate(given, start=1)]
    if not rows:
        raise ParameterError("There is no space to project; give a list of (rows, dimension) arrays.")
    for i, space in enumerate(rows, start=1):
        _check_space(space, i, dim)
    if fit == "procrustes":
        check_parallel(rows)

    def fitter(x: Tensor, report: Report) -> Map:
        if len(x) < _LEAST_ROWS[method]:
            raise ShapeError(
                f"method={method!r} needs at least {_LEAST_ROWS[method]} rows; it got {len(x)}. Choose "
                "method='pca', or add rows."
            )
        if method == "first":
            return FixedMap(x[:, :dim].numpy().copy())
        if method == "pca":
            return pca.fit(x, dim)
        if bool((x == x[0]).all()):
            return FixedMap(np.zeros((len(x), dim), np.float32), {"note": "all rows are alike"}, zero=True)
        if method == "tsne":
            return tsne.fit(x, dim, int(seed), perplexity, report)
        return umap.fit(x, dim, int(seed), int(n_neighbors), min_dist, report)

    report = Report(on_step)
    report(0.0)
    maps, parameters = _FITS[fit](rows, fitter, report)
    explained = residual = None
    if method == "pca":
        explained = tuple(pca.explained(x, places) for x, places in zip(rows, maps, strict=True))
    if method in ("tsne", "umap"):
        parameters = parameters | {"seed": seed}
    if fit == "procrustes":
        maps, residual = align_to_first(maps)
    report(1.0)
    return Projection(maps, method, fit, explained, residual, parameters)


def _check_options(
    method: object, fit: object, dim: int, seed: int, perplexity: float, n_neighbors: int, min_dist: float
) -> None:
    for name, value, choices in (("method", method, METHODS), ("fit", fit, FITS), ("dim", dim, (2, 3))):
        if value not in list(choices):
            raise ParameterError(f"There is no {name} {value!r}; choose from {', '.join(map(str, choices))}.")
    for name, number, low, high, whole in (
        ("seed", seed, 0, 2**32 - 1, True),
        ("perplexity", perplexity, 1, np.inf, False),
        ("n_neighbors", n_neighbors, 2, np.inf, True),
        ("min_dist", min_dist, 0, 1, False),
    ):
        if not isinstance(number, Real) or not low <= number <= high or (whole and number % 1):
            kind = "a whole number, " if whole else ""
            upper = "" if np.isinf(high) else f" and at most {high}"
            raise ParameterError(f"{name} must be {kind}at least {low}{upper}; it is {number!r}.")


def _check_space(x: Tensor, number: int, dim: int) -> None:
    n, d = x.shape
    if d < dim:
        raise ShapeError(f"A map in {dim} dimensions needs as many columns; space {number} has {n} × {d}.")
    unusable = int((~(x.abs() <= _LARGEST)).any(1).sum())
    if unusable:
        raise Error(
            f"{unusable} of {n} rows of space {number} hold NaN, infinite values or numbers beyond "
            f"{_LARGEST:.0e}. Leave these rows out in all spaces first, as relviz.Pair does, or rescale."
        )
