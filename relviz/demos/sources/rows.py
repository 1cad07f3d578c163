"""Which rows a short rebuild takes."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def spread(values: Sequence[T], rows: int | None) -> list[T]:
    """``rows`` of the values, evenly spread from the first on and in their order; all of them if None."""
    n = len(values)
    if rows is None or rows >= n:
        return list(values)
    return [values[i * n // rows] for i in range(rows)]
