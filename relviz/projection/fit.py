"""What makes the maps of several spaces comparable: the rows they are fitted on, or an alignment."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from relviz.errors import ShapeError, Stopped

OnStep = Callable[[float | None, np.ndarray | None], object]
"""Called with the fraction done and the places so far, either of which may be None; truthy stops."""


@dataclass(frozen=True)
class Report:
    """Passes progress on to ``on_step``, as a share of the whole work, and stops when told to."""

    on_step: OnStep | None = None
    start: float = 0.0
    span: float = 1.0

    def __call__(self, fraction: float | None, places: np.ndarray | None = None) -> None:
        """Report a fraction of this part; None where no fraction can be given.

        Raises
        ------
        Stopped
            If ``on_step`` returned something truthy. What ``on_step`` raises is let through.
        """
        if self.on_step is None:
            return
        done = None if fraction is None else self.start + self.span * fraction
        if self.on_step(done, places):
            raise Stopped("The map was stopped before it was finished.")

    def part(self, start: float, stop: float) -> "Report":
        """The report of a piece of this work that runs from one fraction of it to another."""
        return replace(self, start=self.start + self.span * start, span=self.span * (stop - start))


class Map(Protocol):
    """A map fitted to the rows of one space, which can place rows of others."""

    @property
    def places(self) -> np.ndarray:
        """``(n, dim)`` float32."""

    @property
    def parameters(self) -> dict[str, object]:
        """What was used, for captions."""

    @property
    def placing(self) -> str:
        """How ``place`` does it, for captions."""

    def place(self, rows: Tensor, report: Report) -> np.ndarray:
        """``(m, d)`` rows of the same dimension to ``(m, dim)`` float32."""


Fitter = Callable[[Tensor, Report], Map]


@dataclass(frozen=True, eq=False)
class FixedMap:
    """The first dimensions themselves, or, where all rows are alike, zeros."""

    places: np.ndarray
    parameters: dict[str, object] = field(default_factory=dict)
    zero: bool = False
    placing: str = "unchanged"

    def place(self, rows: Tensor, report: Report) -> np.ndarray:  # noqa: ARG002  # at once: nothing to report
        """The same columns of other rows, or zeros."""
        places = rows[:, : self.places.shape[1]].numpy().copy()
        return np.zeros_like(places) if self.zero else places


Fitted = tuple[list[np.ndarray], dict[str, object]]
"""The places of each space's rows, and the parameters of the maps."""


def fit_joint(spaces: Sequence[Tensor], fitter: Fitter, report: Report) -> Fitted:
    """One fit on the rows of all spaces, stacked."""
    _check_dimensions(spaces, "joint", "stacks the rows of all spaces")
    together = fitter(torch.cat(list(spaces)), report)
    ends = np.cumsum([len(space) for space in spaces])[:-1]
    return [part.copy() for part in np.split(together.places, ends)], together.parameters


def fit_first(spaces: Sequence[Tensor], fitter: Fitter, report: Report) -> Fitted:
    """A fit on the first space, into which the rows of the others are placed."""
    _check_dimensions(spaces, "first", "places the rows of the other spaces in the first one's map")
    count = len(spaces)
    first = fitter(spaces[0], report.part(0, 1 / count))
    placed = [
        first.place(space, report.part(i / count, (i + 1) / count))
        for i, space in enumerate(spaces[1:], start=1)
    ]
    return [first.places, *placed], first.parameters | {"placed": first.placing}


def fit_independent(spaces: Sequence[Tensor], fitter: Fitter, report: Report) -> Fitted:
    """A fit on each space alone: nothing makes these maps comparable."""
    count = len(spaces)
    maps = [fitter(space, report.part(i / count, (i + 1) / count)) for i, space in enumerate(spaces)]
    return [each.places for each in maps], _merged([each.parameters for each in maps])


def align_to_first(maps: Sequence[np.ndarray]) -> tuple[list[np.ndarray], tuple[float, ...]]:
    """Each later map laid on the first, with the disparity that remains for each of them."""
    laid = [align(places, onto=maps[0]) for places in maps[1:]]
    return [maps[0], *(places for places, _ in laid)], tuple(disparity for _, disparity in laid)


def align(places: np.ndarray, onto: np.ndarray) -> tuple[np.ndarray, float]:
    """Translate, rotate or reflect, and scale one map onto another of the same rows.

    Least squares over all such transformations (Gower & Dijksterhuis 2004, ch. 4).

    Returns
    -------
    aligned, disparity
        ``(n, dim)`` float32, and the squared residual as a share of the target's variance, in
        [0, 1], as ``scipy.spatial.procrustes`` defines it: 0 for the same shape.
    """
    source, source_size, _ = _standardized(places)
    target, target_size, center = _standardized(onto)
    if not (source_size and target_size):
        flat = np.broadcast_to(center, onto.shape).astype(np.float32)
        return flat, float(source_size != target_size)
    left, singular, right = np.linalg.svd(source.T @ target)
    scale = singular.sum()
    aligned = source @ (left @ right) * (scale * target_size) + center
    return aligned.astype(np.float32), float(np.clip(1 - scale**2, 0, 1))


def _standardized(places: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
    center = places.mean(0, dtype=np.float64)
    centered = places - center
    size = float(np.linalg.norm(centered))
    return centered / size if size else centered, size, center


def check_parallel(spaces: Sequence[Tensor]) -> None:
    """Raise ShapeError unless all spaces have as many rows, as an alignment needs."""
    rows = [len(space) for space in spaces]
    if len(set(rows)) > 1:
        raise ShapeError(
            "fit='procrustes' matches rows by position, so all spaces need the same number of rows; they "
            f"have {_listed(rows)}. Match them with relviz.Pair, or choose fit='independent'."
        )


def _check_dimensions(spaces: Sequence[Tensor], fit: str, what: str) -> None:
    dimensions = [space.shape[1] for space in spaces]
    if len(set(dimensions)) > 1:
        raise ShapeError(
            f"fit={fit!r} {what}, so their dimensions must agree; they are {_listed(dimensions)}. "
            "Choose fit='independent' or 'procrustes', or project the relative spaces."
        )


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:-1])) + f" and {numbers[-1]}"


def _merged(parameters: list[dict[str, object]]) -> dict[str, object]:
    """One value where all maps used the same, else a tuple with one for each map."""
    merged = {}
    for name in dict.fromkeys(name for each in parameters for name in each):
        values = tuple(each.get(name) for each in parameters)
        merged[name] = values[0] if len(set(values)) == 1 else values
    return merged
