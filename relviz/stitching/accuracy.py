"""How far an accuracy can be trusted: its interval, and what always saying one class would give."""

import math

import numpy as np
from numpy.typing import NDArray

from relviz.errors import ParameterError

Z = 1.959963984540054
"""Of a normal distribution, 95 % lie within so many standard deviations."""


def wilson(share: float, rows: int) -> tuple[float, float]:
    """The 95 % interval of a share among so many independent rows.

    Source: Wilson 1927. Unlike share ± 1.96 sd it stays between 0 and 1, and does not vanish at either.

    Raises
    ------
    ParameterError
        If the share is not one, or there are no rows.

    Examples
    --------
    >>> [round(end, 3) for end in wilson(31 / 59, 59)]
    [0.4, 0.647]
    """
    if not 0 <= share <= 1 or rows < 1:
        raise ParameterError(
            f"An interval takes a share from 0 to 1 of at least 1 row; got {share!r} of {rows}."
        )
    shrunk = 1 + Z**2 / rows
    middle = (share + Z**2 / (2 * rows)) / shrunk
    half = Z * math.sqrt(share * (1 - share) / rows + (Z / (2 * rows)) ** 2) / shrunk
    return min(share, max(0.0, middle - half)), max(share, min(1.0, middle + half))


def most_frequent(truth: NDArray[np.int64]) -> float:
    """Share of the most frequent class among class numbers ``(n,)``: the accuracy of always saying it.

    >>> most_frequent(np.array([0, 2, 2, 1]))
    0.5
    """
    return float(np.bincount(truth).max() / len(truth))
