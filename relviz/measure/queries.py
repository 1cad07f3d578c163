"""Which rows a retrieval is asked about: its queries."""

from dataclasses import dataclass
from numbers import Integral
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relviz.compute.arrays import ArrayLike, as_indices
from relviz.errors import ParameterError


def held_out(n: int, anchors: ArrayLike, queries: int | None = None, seed: int = 0) -> Tensor:
    """Rows that are not anchors, to be used as queries.

    Parameters
    ----------
    n
        How many rows there are.
    anchors
        ``(k,)`` rows that are anchors or took part in any other fit.
    queries
        Maximum number, sampled at random; by default all.
    seed
        Of the draw.

    Returns
    -------
    rows
        ``(q,)`` int64, rising.

    Raises
    ------
    ParameterError
        If no row is left.

    Examples
    --------
    >>> held_out(6, [0, 1, 4]).tolist()
    [2, 3, 5]
    """
    left = torch.ones(n, dtype=torch.bool)
    left[as_indices(anchors, n, "anchors")] = False
    rows = left.nonzero()[:, 0]
    if not len(rows):
        raise ParameterError(
            f"All {n} rows are anchors or took part in a fit, so none is left as a query. Use fewer anchors."
        )
    if queries is None or queries >= len(rows):
        return rows
    check_count(queries, None, "queries")
    drawn = np.random.default_rng(seed).choice(len(rows), queries, replace=False)
    return rows[torch.from_numpy(np.sort(drawn))]


@dataclass(frozen=True)
class Queries:
    """Which rows are searched with: some or all of ``n``, without the anchors or with them."""

    given: ArrayLike | None
    n: int
    include_anchors: bool

    def of(self, anchors: Tensor, seed: int) -> ArrayLike | None:
        """As ``retrieval`` takes them."""
        if self.include_anchors:
            return self.given
        if self.given is None:
            return held_out(self.n, anchors)
        if isinstance(self.given, (Integral, float, str)):
            check_count(self.given, self.n, "queries")
            return held_out(self.n, anchors, cast(int, self.given), seed)
        rows = as_indices(self.given, self.n, "queries")
        rows = rows[~torch.isin(rows, anchors)]
        if not len(rows):
            raise ParameterError(
                f"All {np.size(self.given)} queries are anchors. Give others, or use fewer anchors."
            )
        return rows


def check_count(value: object, most: int | None, name: str) -> None:
    """ParameterError unless it is a whole number from 1 to ``most``."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise ParameterError(f"{name} must be a whole number; it is {value!r}.")
    if not 1 <= int(value) <= (most or int(value)):
        limit = "be at least 1" if most is None else f"lie between 1 and the {most} rows"
        raise ParameterError(f"{name} must {limit}; it is {value}.")


def query_rows(queries: ArrayLike | None, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Row numbers that are searched with: all of n, some drawn at random, or those given."""
    if queries is None:
        return np.arange(n)
    if isinstance(queries, (Integral, float, str)):
        check_count(queries, n, "queries")
        return np.sort(rng.choice(n, int(cast(int, queries)), replace=False))
    rows = as_indices(queries, n, "queries").numpy()
    if not len(rows):
        raise ParameterError("There are no queries; give at least one row.")
    if len(np.unique(rows)) < len(rows):
        raise ParameterError(f"The {len(rows)} queries hold rows more than once; give each row once.")
    return rows
