"""The public door: whatever a caller hands in becomes a checked float32 matrix, once."""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from relviz.errors import ShapeError

_EXPECTED = "a (rows, dimension) array of numbers"


def as_matrix(x: Any, name: str = "x") -> Tensor:
    """Any array-like as a float32 ``(n, d)`` tensor on its own device; the input is never modified.

    Raises
    ------
    ShapeError
        If it is not two-dimensional, is empty, or does not hold numbers.
    """
    if isinstance(x, Tensor):
        tensor = x.detach()
    else:
        try:
            array = np.asarray(x)
            if array.dtype.kind not in "fiub":
                raise TypeError(f"dtype {array.dtype}")
            tensor = torch.from_numpy(np.array(array, dtype=np.float32, order="C"))
        except (TypeError, ValueError) as reason:
            raise ShapeError(f"{name} must be {_EXPECTED}; it holds something else ({reason}).") from None
    if tensor.ndim != 2 or 0 in tensor.shape:
        raise ShapeError(f"{name} must be {_EXPECTED}; its shape is {tuple(tensor.shape)}.")
    return tensor.to(torch.float32)


def as_indices(values: Any, size: int, name: str = "indices") -> Tensor:
    """Any integer sequence as an int64 ``(k,)`` CPU tensor, each value a row in ``[0, size)``.

    Raises
    ------
    ShapeError
        If it is not one-dimensional, not whole numbers, or points outside the rows.
    """
    array = values.detach().cpu().numpy() if isinstance(values, Tensor) else np.asarray(values)
    if array.size == 0:
        return torch.empty(0, dtype=torch.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ShapeError(
            f"{name} must be a list of row numbers; got shape {array.shape}, dtype {array.dtype}."
        )
    low, high = int(array.min()), int(array.max())
    if low < 0 or high >= size:
        raise ShapeError(f"{name} must lie between 0 and {size - 1}; they run from {low} to {high}.")
    return torch.from_numpy(array.astype(np.int64))


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
