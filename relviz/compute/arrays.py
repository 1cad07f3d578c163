"""The public door: whatever a caller hands in becomes a checked float32 matrix, once."""

import operator
from typing import Any, SupportsIndex, TypeAlias, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from relviz.errors import ParameterError, ShapeError
from relviz.wording import plural

ArrayLike: TypeAlias = npt.ArrayLike | Tensor
"""Rows of numbers, or row numbers: a tensor, an array, lists, a data frame, a ``relviz.Space``."""

_EXPECTED = "a (rows, dimension) array of numbers"
_FLOAT32 = torch.finfo(torch.float32)


def rows_of(x: object) -> Any:
    """The vectors of a space; anything else unchanged."""
    vectors = getattr(x, "vectors", None)
    return vectors if isinstance(vectors, Tensor) else x


def as_matrix(x: ArrayLike, name: str = "x", graph: bool = False) -> Tensor:
    """Any array-like as a float32 ``(n, d)`` tensor on its own device; the input is never modified.

    A tensor that is float32 already shares its memory with the result; anything else is copied. A tensor is
    cut off from its graph unless ``graph`` is set.

    Raises
    ------
    ShapeError
        If it is not two-dimensional, is empty, or does not hold numbers.
    ParameterError
        If it is sparse, or entries of a masked array are masked.
    """
    x = rows_of(x)
    if isinstance(x, Tensor):
        if x.layout != torch.strided:
            raise ParameterError(f"{name} is a sparse tensor; give {name}.to_dense().")
        if x.is_complex():
            raise ShapeError(f"{name} must be {_EXPECTED}; it holds something else (dtype {x.dtype}).")
        tensor = x if graph else x.detach()
    else:
        if hasattr(x, "toarray"):
            raise ParameterError(f"{name} is a sparse matrix; give {name}.toarray().")
        _check_no_mask(x, name)
        try:
            array = np.asarray(x)
            if array.dtype.kind not in "fiub":
                raise TypeError(f"dtype {array.dtype}")
            with np.errstate(over="ignore"):
                tensor = torch.from_numpy(np.array(array, dtype=np.float32, order="C"))
        except (TypeError, ValueError) as reason:
            raise ShapeError(f"{name} must be {_EXPECTED}; it holds something else ({reason}).") from None
    if tensor.ndim != 2 or 0 in tensor.shape:
        raise ShapeError(f"{name} must be {_EXPECTED}; its shape is {tuple(tensor.shape)}.")
    return tensor.to(torch.float32)


def check_range(x: ArrayLike, matrix: Tensor, name: str = "x") -> None:
    """ParameterError where float32 cannot hold what ``as_matrix(x)`` was given.

    Numbers above 3.4e38 become infinite, rows below 1.2e-38 become zero, or keep a digit or two.
    """
    x = rows_of(x)
    if getattr(x, "dtype", None) in (torch.float32, torch.float16, torch.bfloat16, np.float32, np.float16):
        return
    held = matrix.detach()
    largest = torch.maximum(held.amax(1), -held.amin(1))
    for bad, what, remedy in (
        (largest.isinf(), f"above {_FLOAT32.max:.2g}, the largest", "Divide"),
        (largest < _FLOAT32.tiny, f"but not above {_FLOAT32.tiny:.2g}, the smallest", "Multiply"),
    ):
        rows = bad.nonzero()[:, 0].cpu()
        if not len(rows):
            continue
        given = (
            x.detach().cpu()[rows].double().numpy() if isinstance(x, Tensor) else np.asarray(x)[rows.numpy()]
        )
        lost = np.isfinite(given).all(1) & (given != 0).any(1)
        if lost.any():
            raise ParameterError(
                f"{name} holds numbers {what} that float32 can hold, in {int(lost.sum())} of "
                f"{plural(len(matrix), 'row')}, first in row {int(rows[lost.argmax()])}. {remedy} all by one "
                "number."
            )


def as_indices(values: ArrayLike, size: int, name: str = "indices") -> Tensor:
    """Row numbers, or a mask of the rows, as an int64 ``(k,)`` CPU tensor, each a row in ``[0, size)``.

    A mask of truth values must be as long as there are rows; it gives the rows that are True, in their order.

    Raises
    ------
    ShapeError
        If it is not one-dimensional, not whole numbers, points outside the rows, or is a mask of another
        length.
    ParameterError
        If entries of a masked array are masked.
    """
    _check_no_mask(values, name)
    try:
        array = values.detach().cpu().numpy() if isinstance(values, Tensor) else np.asarray(values)
    except (TypeError, ValueError, RuntimeError) as reason:
        raise ShapeError(f"{name} must be a list of row numbers, or a mask ({reason}).") from None
    if array.size == 0 and array.dtype.kind != "b":
        return torch.empty(0, dtype=torch.int64)
    if array.ndim != 1 or array.dtype.kind not in "iub":
        raise ShapeError(
            f"{name} must be a list of row numbers, or a mask; got shape {array.shape}, dtype {array.dtype}."
        )
    if array.dtype.kind == "b":
        if len(array) != size:
            raise ShapeError(
                f"{name} is a mask of {len(array)} values for {plural(size, 'row')}; give one for each row."
            )
        return torch.from_numpy(np.flatnonzero(array))
    low, high = int(array.min()), int(array.max())
    if low < 0 or high >= size:
        raise ShapeError(f"{name} must lie between 0 and {size - 1}; they run from {low} to {high}.")
    return torch.from_numpy(array.astype(np.int64))


def as_whole(value: object, name: str, least: int = 0, most: int | None = None, of: str = "") -> int:
    """A whole number from ``least`` to ``most``, of Python or numpy; ``of`` says what ``most`` counts.

    Raises
    ------
    ParameterError
        If it is none, or lies outside. Truth values, text and floats are none, 10.0 included.
    """
    try:
        whole = None if isinstance(value, (bool, np.bool_)) else operator.index(cast(SupportsIndex, value))
    except TypeError:
        whole = None
    if whole is None or whole < least or (most is not None and whole > most):
        last = f"the {most} {of}" if of else most
        bounds = f"at least {least}" if most is None else f"between {least} and {last}"
        raise ParameterError(f"{name} must be a whole number, {bounds}; it is {value!r}.")
    return whole


def as_seed(value: object, name: str = "seed") -> int:
    """A seed of random choices: a whole number from 0 to 2³² - 1; ParameterError else."""
    return as_whole(value, name, 0, 2**32 - 1)


def seeds_of(seed: int, n_draws: int) -> list[int]:
    """The seeds of several random draws, the first of which has ``seed``; ParameterError as ``as_seed``.

    >>> seeds_of(3, 2)
    [3, 4]
    """
    first = as_seed(seed)
    return list(range(first, first + as_whole(n_draws, "n_draws", 1)))


def _check_no_mask(x: object, name: str) -> None:
    if np.ma.isMaskedArray(x) and (masked := int(np.ma.getmaskarray(x).sum())):
        raise ParameterError(
            f"{name} is a masked array, and {masked} of its {x.size} entries are masked. Leave their rows "
            "out, or fill them."
        )


def check_same_dimension(x: Tensor, y: Tensor, names: str = "x and y") -> None:
    """Raise ShapeError unless both matrices have the same number of columns."""
    if x.shape[1] != y.shape[1]:
        raise ShapeError(f"{names} must have the same dimension; they have {x.shape[1]} and {y.shape[1]}.")


def check_same_rows(x: Tensor, y: Tensor, names: str = "x and y") -> None:
    """Raise ShapeError unless both matrices have the same number of rows."""
    if x.shape[0] != y.shape[0]:
        raise ShapeError(
            f"{names} must be parallel, row by row; they have {x.shape[0]} and {y.shape[0]} rows."
        )
