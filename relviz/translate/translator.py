"""A translator: vectors of one encoder carried into another's space through anchors alone."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

import torch
from torch import Tensor

from relviz.errors import ShapeError
from relviz.relative import unit_rows
from relviz.translate.baselines import affine, lstsq, procrustes, ridge
from relviz.translate.irp import Fit, between, fold
from relviz.translate.irp_plus import irp_plus
from relviz.translate.options import Options, check_method
from relviz.translate.pairs import AnchorPairs, Framed, anchor_pairs, check_directions
from relviz.translate.pruning import farthest_orders


@dataclass(frozen=True, eq=False)
class Translator:
    """Carries rows ``(n, dx)`` into the other space ``(n, dy)``: ``translator(x)``.

    Attributes
    ----------
    method
        One of ``METHODS``.
    parameters
        What it was told, and what it chose itself, as far as the method makes use of it.
    condition_number
        Of what was inverted (the largest of all subspaces), 1 where nothing was.
    anchors_kept
        How many anchors it rests on, the mean over subspaces.
    """

    method: str
    parameters: Mapping[str, Any]
    condition_number: float
    anchors_kept: float
    pairs: AnchorPairs = field(default=None, repr=False)  # type: ignore[assignment]  # always given
    length: str = field(default="own", repr=False)
    fit: Fit = field(default=None, repr=False)  # type: ignore[assignment]  # always given

    @cached_property
    def matrix(self) -> Tensor:
        """``(dx, dy)`` float32, between the unit frames: rows minus the anchor mean, of length one.

        For irp it is also the completed anchor set: row j is the image of unit vector j.
        """
        if self.fit.weights is not None:
            return between(self.pairs, self.fit.weights).float()
        assert self.fit.matrix is not None
        return self.fit.matrix

    def __call__(self, x: Any) -> Tensor:
        """Translate rows ``(n, dx)``: centre, unit length, matrix, length, de-centre; ``(n, dy)`` float32.

        A row at the anchor mean goes to the anchor mean.

        Raises
        ------
        ShapeError
            If the dimension is not that of the source's anchors.
        ParameterError
            If a number is NaN or infinite.
        """
        return self.carry(self.pairs.framed(x))

    def carry(self, rows: Framed) -> Tensor:
        """Translate rows that ``AnchorPairs.framed`` of the same anchors has prepared."""
        if self.method == "absolute":
            return self._framed(rows.given.clone())
        goal = self.pairs.target
        made = unit_rows(self._turned(rows)) * goal.length
        if self.length == "own":
            made *= rows.lengths / rows.anchors.length
        return self._framed(made + goal.mean)

    def _turned(self, rows: Framed) -> Tensor:
        if self.fit.weights is not None:
            # The inverse's large numbers cancel in float64; what is left is a sum of anchors.
            return (rows.cosines @ self.fit.weights).float() @ self.pairs.target.unit
        made = rows.unit @ self.matrix
        return made if self.fit.offset is None else made + self.fit.offset

    def _framed(self, made: Tensor) -> Tensor:
        if self.pairs.frame is None:
            return made
        mean, length = self.pairs.frame
        return made * length + mean


def translator(
    xa: Any,
    ya: Any,
    method: str = "irp",
    delta: float = 0.8,
    omega: int = 8,
    completion: bool = True,
    seed: int = 0,
    *,
    decided_by: str = "both",
    strength: float | None = None,
    length: str = "own",
    target: Any = None,
) -> Translator:
    """Fit a translator on parallel anchors.

    Source: inverse relative projection, arXiv 2406.15057, section 3; baselines as in Maiorca et al. 2023
    (arXiv 2311.00664).

    Parameters
    ----------
    xa, ya
        ``(k, dx)`` and ``(k, dy)``, row i of one the partner of row i of the other.
    method
        One of ``METHODS``.
    delta
        irp prunes anchors until the farthest left out has a distance 1 - |cos| below it; 0 keeps all.
    omega
        How many subspaces irp averages, each pruned from a different start; there are never more than
        anchors.
    completion
        irp first translates the unit vectors, and takes them and their images as the anchors. Where the
        same anchors are kept on both sides, as here, the images are the rows of ``matrix``, and translating
        by them is the same product: the result does not depend on it.
    seed
        Of the starts.
    decided_by
        Which distance prunes: ``"source"``, ``"target"`` or ``"both"`` (the smaller).
    strength
        Of ridge, in units of the mean squared singular value; chosen by leaving anchors out without it.
    length
        ``"own"``: rows keep their length, in units of the mean anchor length, so that an isometry is
        recovered whole; ``"mean"``: all get the mean anchor length, as in the paper.
    target
        ``(m, dy)`` rows of the target space, if ``ya`` lie in the frame of ``relviz.prepare(target)``, as
        ``relviz.bootstrap(x, target, …).anchors`` do; translations then lie in the target space itself.
        Without it they lie where ``ya`` do. The rows ``target[result.indices]`` serve as well, and better
        for all methods but procrustes (docs/translation.md).

    Raises
    ------
    ShapeError
        If ``xa`` and ``ya`` differ in number, or absolute meets spaces of different dimensions.
    ParameterError
        If an option is unknown or out of range, a number is NaN or infinite, or the anchors are one or all
        the same.

    Examples
    --------
    >>> xa = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]
    >>> ya = [[5.0, 7.0], [3.0, 5.0], [5.0, 3.0]]  # turned by a quarter, twice as long, moved
    >>> translator(xa, ya, method="procrustes")([[0.0, -1.0]])
    tensor([[7., 5.]])
    """
    options = Options(delta, omega, completion, seed, decided_by, strength, length)
    check_method(method)
    return fit_translator(anchor_pairs(xa, ya, target), method, options)


def fit_translator(pairs: AnchorPairs, method: str = "irp", options: Options | None = None) -> Translator:
    """``translator`` on anchors prepared once by ``anchor_pairs``: what another δ or ω shares is kept.

    Raises
    ------
    ShapeError, ParameterError
        As ``translator``.
    """
    check_method(method)
    told = options or Options()
    if method != "absolute":
        check_directions(pairs, method)
    fitted, used = _FITS[method](pairs, told)
    return Translator(
        method=method,
        parameters=MappingProxyType({**used, **dict(fitted.chosen), "length": told.length}),
        condition_number=fitted.condition_number,
        anchors_kept=fitted.anchors_kept,
        pairs=pairs,
        length=told.length,
        fit=fitted,
    )


def _irp(pairs: AnchorPairs, told: Options) -> tuple[Fit, dict[str, Any]]:
    orders = farthest_orders(pairs, told.decided_by, told.omega, told.seed)
    names = ("delta", "omega", "completion", "seed", "decided_by")
    return fold(pairs, orders.subspaces(told.delta, told.omega)), {
        name: getattr(told, name) for name in names
    }


def _absolute(pairs: AnchorPairs) -> Fit:
    dx, dy = pairs.dimensions
    if dx != dy:
        raise ShapeError(
            f"Vectors as they are cannot be compared: the spaces have {dx} and {dy} dimensions. "
            "Use another method than 'absolute'."
        )
    return Fit(torch.eye(dx), 1.0, len(pairs))


def _plain(fit: Callable[[AnchorPairs], Fit]) -> Callable[[AnchorPairs, Options], tuple[Fit, dict[str, Any]]]:
    return lambda pairs, _: (fit(pairs), {})


_FITS: dict[str, Callable[[AnchorPairs, Options], tuple[Fit, dict[str, Any]]]] = {
    "irp": _irp,
    "irp_plus": _plain(irp_plus),
    "procrustes": _plain(procrustes),
    "lstsq": _plain(lstsq),
    "ridge": lambda pairs, told: (ridge(pairs, told.strength), {}),
    "affine": _plain(affine),
    "absolute": _plain(_absolute),
}
