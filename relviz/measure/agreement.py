"""Agreement of neighborhoods: has an item the same nearest others in two spaces?

Both spaces are asked in their original dimensions. The item itself is not counted, unlike in the
Jaccard index of a retrieval, where the papers count it.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relviz.compute.arrays import ArrayLike, as_seed, as_whole, check_same_rows
from relviz.compute.blocks import OnBlock
from relviz.compute.device import device
from relviz.compute.progress import OnProgress, heard
from relviz.measure.chance import chance_jaccard
from relviz.measure.neighbors import jaccard, neighbors
from relviz.names import renamed
from relviz.pair import Pair, both_sides
from relviz.relative_projection import finite_matrix, unit_rows


@dataclass(frozen=True, eq=False)
class Agreement:
    """Jaccard index of the k nearest others of every row, ``(n,)`` float32, and what chance gives."""

    jaccard: NDArray[np.float32]
    k: int
    chance: float

    @property
    def mean(self) -> float:
        """Mean over the rows."""
        return float(self.jaccard.mean())


@renamed(on_block="on_progress")
def agreement(
    x: ArrayLike | Pair,
    y: ArrayLike | None = None,
    k: int = 10,
    seed: int = 0,
    on_progress: OnProgress | None = None,
) -> Agreement:
    """How far the neighborhoods of parallel rows agree, by cosine in each space.

    Parameters
    ----------
    x, y
        ``(n, dx)`` and ``(n, dy)``: row i of one is the counterpart of row i of the other; or a ``Pair``.
    k
        How many neighbors, 1 to n - 1.
    seed
        Of the lots that settle ties.
    on_progress
        Called with the fraction done; see ``relviz.compute.progress``.

    Raises
    ------
    ShapeError
        If the rows are not as many.
    ParameterError
        If k is out of range, or a number is NaN or infinite.

    Examples
    --------
    >>> corners = [[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [0.1, 1.0]]
    >>> agreement(corners, corners, k=1).jaccard.tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    left, right = both_sides(x, y)
    sides = finite_matrix(left, "x"), finite_matrix(right, "y")
    check_same_rows(*sides)
    n = len(sides[0])
    k, seed = as_whole(k, "k", 1, n - 1, "other rows there are"), as_seed(seed)
    on_block = heard(on_progress)
    every = torch.arange(n)
    halves = [(lambda done, half=half: on_block((done + half) / 2)) if on_block else None for half in (0, 1)]
    ours, theirs = (
        nearest_others(side, every, k, seed + half, halves[half]) for half, side in enumerate(sides)
    )
    return Agreement(jaccard(ours, theirs).numpy(), k, chance_jaccard(n - 1, k))


def nearest_others(
    space: ArrayLike, rows: ArrayLike, k: int, seed: int = 0, on_block: OnBlock | None = None
) -> Tensor:
    """The k rows of a space nearest by cosine to each of the given rows of it, which are left out.

    Returns
    -------
    lists
        ``(len(rows), k)`` int64 on the CPU, nearest first.
    """
    units = unit_rows(finite_matrix(space, "space").to(device()))
    asked = torch.as_tensor(rows, dtype=torch.int64)
    lists = neighbors(
        units[asked.to(units.device)], units, k + 1, np.random.default_rng(seed), on_block
    ).cpu()
    # A row with equals need not be first in its own list, nor in it at all: then the last one goes.
    itself = (lists == asked[:, None]).to(torch.int8)
    return lists.gather(1, itself.argsort(dim=1, stable=True))[:, :k]
