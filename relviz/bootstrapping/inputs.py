"""The inputs of anchor optimization, checked and prepared once."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor

from relviz.bootstrapping.hints import HintColumns, Hints, hint_columns
from relviz.compute.arrays import ArrayLike, as_indices
from relviz.compute.device import device
from relviz.errors import ParameterError, ShapeError
from relviz.relative_projection import centered, finite_matrix, unit_rows
from relviz.wording import count, plural

Known: TypeAlias = tuple[ArrayLike, ArrayLike] | ArrayLike
"""Known pairs: rows of x and rows of y, as long as each other; or pairs of a row of x and one of y."""

_KNOWN = (
    "known must be a tuple of two lists as long as each other, (rows of x, rows of y), both empty if there "
    "are none; or pairs, an array of shape (s, 2)."
)

_FEW = 10_000**2


@dataclass(frozen=True, eq=False)
class Given:
    """What every solver starts from; all tensors are on the compute device.

    Attributes
    ----------
    x, y
        ``(n, dx)`` and ``(m, dy)`` float32, centered, rows of length one (or zero).
    anchors
        ``(k,)`` int64, rows of x, all different.
    sx, sy
        ``(s,)`` int64, 0 ≤ s ≤ k: row ``sx[i]`` of x is known to be row ``sy[i]`` of y.
    seed_columns
        ``(s,)`` int64, where the seeds stand among the anchors: ``anchors[seed_columns] == sx``.
    hints
        What else is known of the rows; its likely pairs have no row of the seeds.
    """

    x: Tensor
    y: Tensor
    anchors: Tensor
    sx: Tensor
    sy: Tensor
    seed_columns: Tensor
    hints: HintColumns

    @property
    def few(self) -> bool:
        """Whether a run is left to one thread of a processor: its steps are short and many."""
        return self.x.device.type == "cpu" and len(self.x) * len(self.y) <= _FEW


def check_given(
    x: ArrayLike, y: ArrayLike, anchors: ArrayLike, known: Known, hints: Hints | None = None
) -> Given:
    """Check and prepare the inputs of ``relviz.bootstrap``.

    Raises
    ------
    ShapeError
        If an array has the wrong shape, the lists of known rows differ in length, an index points outside the
        rows, a space has one dimension, or there are fewer rows than anchors.
    ParameterError
        If an index is repeated, a known row is not among the anchors, there are no anchors, a space is
        constant, or a number is NaN or infinite.
    """
    source, target = _space(x, "x"), _space(y, "y")
    chosen = _anchors(anchors, len(source), len(target))
    sx, sy = _known(known, len(source), len(target))
    columns = _columns(chosen, sx)
    where = device()
    return Given(
        source.to(where),
        target.to(where),
        chosen.to(where),
        sx.to(where),
        sy.to(where),
        columns.to(where),
        _columns_of_hints(hints, source, target, (sx, sy)),
    )


def _space(x: ArrayLike, name: str) -> Tensor:
    rows = finite_matrix(x, name)
    n, d = rows.shape
    if d == 1:
        raise ShapeError(
            f"{name} has {plural(n, 'row')} of dimension 1. Centered and scaled to length one they are all "
            "+1 or -1 and cannot be told apart; give vectors of at least 2 dimensions."
        )
    prepared = unit_rows(centered(rows))
    if not prepared.any():
        raise ParameterError(
            f"{name} is constant: its {plural(n, 'row')} of dimension {d} are all the same, to float32 "
            "rounding. Give a space whose rows differ."
        )
    return prepared


def _anchors(anchors: ArrayLike, n: int, m: int) -> Tensor:
    if np.ndim(anchors) == 0:
        raise ShapeError(f"anchors must be a list of row numbers of x, or a mask; they are {anchors!r}.")
    chosen = as_indices(anchors, n, "anchors, rows of x,")
    k = len(chosen)
    if k == 0:
        raise ParameterError("There are no anchors; give the numbers of some rows of x, 300 for example.")
    for rows, name in ((n, "x"), (m, "y")):
        if rows < k:
            raise ShapeError(
                f"There are {plural(k, 'anchor')} but only {plural(rows, 'row')} of {name}, and each anchor "
                f"needs a row of its own. Give at most {count(min(n, m))} anchors."
            )
    _check_distinct(chosen, "anchors")
    return chosen


def _known(known: Known, n: int, m: int) -> tuple[Tensor, Tensor]:
    left, right = _two_lists(known)
    sx = as_indices(left, n, "known[0], rows of x,")
    sy = as_indices(right, m, "known[1], rows of y,")
    if len(sx) != len(sy):
        raise ShapeError(
            f"known pairs are a row of x and one of y, but there are {plural(len(sx), 'row')} of x and "
            f"{plural(len(sy), 'row')} of y. Give two lists of the same length."
        )
    _check_distinct(sx, "known[0]")
    _check_distinct(sy, "known[1]")
    return sx, sy


def _columns_of_hints(hints: Hints | None, x: Tensor, y: Tensor, seeds: tuple[Tensor, Tensor]) -> HintColumns:
    found, where = hint_columns(hints, len(x), len(y)), device()
    px, py = found.likely
    free = ~torch.isin(px, seeds[0]) & ~torch.isin(py, seeds[1])
    likely = px[free].to(where), py[free].to(where)
    return HintColumns(found.x.to(where), found.y.to(where), found.shared, likely)


def _two_lists(known: Any) -> tuple[Any, Any]:
    """Rows of x and rows of y, from a tuple of the two, or from pairs; refused where it could be either."""
    if isinstance(known, tuple) and len(known) == 2:
        return known
    if isinstance(known, Iterator):
        known = list(known)
    if isinstance(known, (Tensor, np.ndarray)):
        shape = tuple(known.shape)
    elif isinstance(known, (list, tuple)) and all(map(_is_row, known)):
        lengths = {len(row) for row in known}
        shape = (len(known), *lengths) if len(lengths) == 1 else (len(known),)
    else:
        raise ShapeError(_KNOWN)
    if 0 in shape:
        return [], []
    if shape == (2, 2):
        raise ShapeError(
            f"known pairs that are two times two numbers could be two pairs, or two lists of rows. {_KNOWN} "
            "Of two pairs, give ([x1, x2], [y1, y2])."
        )
    if len(shape) == 2 and shape[1] == 2:
        if isinstance(known, (Tensor, np.ndarray)):
            return known[:, 0], known[:, 1]
        return [row[0] for row in known], [row[1] for row in known]
    if len(known) == 2:
        return known[0], known[1]
    raise ShapeError(f"{_KNOWN} Their shape is {shape}.")


def _is_row(row: ArrayLike) -> bool:
    return np.ndim(row) == 1 if hasattr(row, "ndim") else isinstance(row, (list, tuple, range))


def _check_distinct(indices: Tensor, name: str) -> None:
    values, times = indices.unique(return_counts=True)
    repeated = values[times > 1]
    if len(repeated):
        raise ParameterError(
            f"{name} must all differ; {count(len(indices) - len(values))} of {count(len(indices))} name a "
            f"row that is there already, row {int(repeated[0])} for one. Name each row once."
        )


def _columns(anchors: Tensor, sx: Tensor) -> Tensor:
    """Where each seed stands among the anchors."""
    if len(sx) > len(anchors):
        raise ParameterError(
            f"There are {plural(len(sx), 'known pair')} but only {plural(len(anchors), 'anchor')}, and every "
            "known row of x must be an anchor. Give more anchors, or fewer known pairs."
        )
    place = {row: column for column, row in enumerate(anchors.tolist())}
    missing = [row for row in sx.tolist() if row not in place]
    if missing:
        raise ParameterError(
            f"known[0] must be among the anchors; {count(len(missing))} of {plural(len(sx), 'known row')} "
            f"{'is' if len(missing) == 1 else 'are'} not, row {missing[0]} of x for one. "
            "Add these rows to the anchors."
        )
    return torch.tensor([place[row] for row in sx.tolist()], dtype=torch.int64)


def without(n: int, rows: Tensor) -> Tensor:
    """Which of n rows are not among these, ``(n,)`` bool."""
    free = torch.ones(n, dtype=torch.bool, device=rows.device)
    free[rows] = False
    return free
