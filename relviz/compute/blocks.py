"""Blockwise kernels over a similarity of rows against rows.

The similarity of n rows with m rows is an n × m matrix. None of these functions ever holds it:
they work tile by tile, and a tile takes a few times ``TILE_ELEMENTS`` numbers at most, so memory is
O(n·d + m·d) whatever n and m are.

``score`` maps two row blocks ``(p, d)``, ``(q, d)`` to a ``(p, q)`` tile, larger meaning nearer;
the default is the inner product, which on unit rows is the cosine.
"""

from collections.abc import Callable, Iterator

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import hardshrink

from relviz.compute.arrays import as_whole, check_same_dimension, check_same_rows
from relviz.errors import ParameterError

Score = Callable[[Tensor, Tensor], Tensor]
OnBlock = Callable[[float], None]

TILE_ELEMENTS = 2_000_000
"""Numbers in one tile: 8 MB of float32."""
TILE_COLUMNS = 65_536
TILE_ROWS = 512
"""Rows of a tile on a processor, where larger tiles leave the cache."""
ON_ACCELERATOR = 16
"""How many times as many numbers a tile has there: 128 MB, of which a few are alive at once."""
TIE = 1e-6
"""Scores nearer than this are a tie: float32 products of unit rows say nothing finer."""


def inner(x: Tensor, y: Tensor) -> Tensor:
    """Inner products of two row blocks."""
    return x @ y.T


def negative_distance(x: Tensor, y: Tensor) -> Tensor:
    """Minus the euclidean distance of two row blocks."""
    return -torch.cdist(x, y)


def slices(n: int, step: int) -> Iterator[slice]:
    """Cut ``range(n)`` into runs of at most ``step``."""
    for start in range(0, n, step):
        yield slice(start, min(start + step, n))


def steps(m: int, device: torch.device) -> tuple[int, int]:
    """How many rows and columns a tile over m columns has."""
    columns = min(m, TILE_COLUMNS)
    if device.type != "cpu":
        return max(1, ON_ACCELERATOR * TILE_ELEMENTS // columns), columns
    return min(max(1, TILE_ELEMENTS // columns), TILE_ROWS), columns


class _Tiles:
    """One row block against all columns, tile by tile; passed over again, a single tile is kept."""

    def __init__(self, block: Tensor, y: Tensor, step: int, score: Score) -> None:
        self._block, self._y, self._step, self._score = block, y, step, score
        self._only = score(block, y) if step >= len(y) else None

    def __iter__(self) -> Iterator[tuple[slice, Tensor]]:
        if self._only is not None:
            yield slice(0, len(self._y)), self._only
            return
        for columns in slices(len(self._y), self._step):
            yield columns, self._score(self._block, self._y[columns])


def ascending(rows: Tensor) -> Tensor:
    """Each row sorted, smallest first. On a processor numpy is quicker than torch."""
    if rows.device.type != "cpu":
        return rows.sort(1).values
    return torch.from_numpy(np.sort(rows.numpy(), 1))


def on_same_device(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Both matrices on the device of the first; ShapeError if their dimensions differ."""
    check_same_dimension(x, y)
    return x, y.to(x.device)


def top_k(
    x: Tensor, y: Tensor, k: int, score: Score = inner, on_block: OnBlock | None = None
) -> tuple[Tensor, Tensor]:
    """The k highest-scoring rows of ``y`` for each row of ``x``, best first.

    Parameters
    ----------
    x, y
        ``(n, d)`` and ``(m, d)``.
    k
        How many, 1 to m.
    on_block
        Called with the fraction done after each block of rows; it may raise to stop.

    Returns
    -------
    values, indices
        Both ``(n, k)``; float32 and int64.
    """
    x, y = on_same_device(x, y)
    n, m = len(x), len(y)
    _check_k(k, m)
    values = torch.empty(n, k, device=x.device)
    indices = torch.empty(n, k, dtype=torch.int64, device=x.device)
    row_step, column_step = steps(m, x.device)
    for rows in slices(n, row_step):
        values[rows], indices[rows] = _best(_Tiles(x[rows], y, column_step, score), k)
        if on_block:
            on_block(rows.stop / n)
    return values, indices


def _check_k(k: int, m: int) -> None:
    as_whole(k, "k", 1, m, "rows searched")


def _best(tiles: _Tiles, k: int) -> tuple[Tensor, Tensor]:
    best: tuple[Tensor, Tensor] | None = None
    for columns, tile in tiles:
        found = tile.topk(min(k, tile.shape[1]), dim=1)
        here = (found.values, found.indices + columns.start)
        if best is not None:
            both = [torch.cat(parts, 1) for parts in zip(best, here, strict=True)]
            order = both[0].topk(min(k, both[0].shape[1]), dim=1).indices
            here = (both[0].gather(1, order), both[1].gather(1, order))
        best = here
    assert best is not None
    return best


def ranks_in_blocks(
    x: Tensor,
    y: Tensor,
    counterparts: Tensor,
    score: Score = inner,
    on_block: OnBlock | None = None,
) -> Tensor:
    """Where row ``counterparts[i]`` of ``y`` stands among all rows of ``y`` as seen from row i of ``x``.

    Rank 1 is the best. Rows that score alike, to within ``TIE``, share the mean of their places, so a
    space in which all rows are the same gets the rank of chance, not 1.

    Returns
    -------
    ranks
        ``(n,)`` float32.
    """
    x, y = on_same_device(x, y)
    n, m = len(x), len(y)
    ranks = torch.empty(n, device=x.device)
    counterparts = counterparts.to(x.device)
    row_step, column_step = steps(m, x.device)
    for rows in slices(n, row_step):
        ranks[rows] = _ranks(_Tiles(x[rows], y, column_step, score), counterparts[rows], m)
        if on_block:
            on_block(rows.stop / n)
    return ranks


def _ranks(tiles: _Tiles, wanted: Tensor, m: int, best: Tensor | None = None) -> Tensor:
    """Ranks ``(p,)``; of a row whose ``best`` scores ``(p, k)`` reach below its counterpart's, these tell."""
    own = torch.empty(len(wanted), 1, device=wanted.device)
    for columns, tile in tiles:
        inside = ((wanted >= columns.start) & (wanted < columns.stop)).nonzero().squeeze(1)
        own[inside, 0] = tile[inside, wanted[inside] - columns.start]
    if best is None:
        return (m + _balance(tiles, own) + 1) / 2
    balance = _signs(best - own) - (m - best.shape[1])
    deep = (own[:, 0] - 2 * TIE <= best[:, -1]).nonzero().squeeze(1)
    if len(deep):
        balance[deep] = _balance(tiles, own[deep], None if len(deep) == len(own) else deep)
    return (m + balance + 1) / 2


def _balance(tiles: _Tiles, own: Tensor, rows: Tensor | None = None) -> Tensor:
    """How many more columns score above ``own`` than below, in these rows of the tiles or in all."""
    balance = torch.zeros(len(own), device=own.device)
    for _, tile in tiles:
        balance += _signs((tile if rows is None else tile[rows]) - own)
    return balance


def _signs(differences: Tensor) -> Tensor:
    return hardshrink(differences, TIE).sign_().sum(1)


def top_k_and_ranks(
    x: Tensor,
    y: Tensor,
    counterparts: Tensor,
    k: int,
    score: Score = inner,
    on_block: OnBlock | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """``top_k`` and ``ranks_in_blocks`` in one pass: each tile is computed once and serves both.

    Returns
    -------
    values, indices, ranks
        ``(n, k)``, ``(n, k)`` and ``(n,)``, as the two functions give them.
    """
    x, y = on_same_device(x, y)
    n, m = len(x), len(y)
    _check_k(k, m)
    values = torch.empty(n, k, device=x.device)
    indices = torch.empty(n, k, dtype=torch.int64, device=x.device)
    ranks = torch.empty(n, device=x.device)
    counterparts = counterparts.to(x.device)
    row_step, column_step = steps(m, x.device)
    for rows in slices(n, row_step):
        tiles = _Tiles(x[rows], y, column_step, score)
        values[rows], indices[rows] = _best(tiles, k)
        ranks[rows] = _ranks(tiles, counterparts[rows], m, values[rows])
        if on_block:
            on_block(rows.stop / n)
    return values, indices, ranks


def reduce_similarity(
    x: Tensor, y: Tensor, operation: str = "mean", over: str = "columns", score: Score = inner
) -> Tensor:
    """Reduce the ``(n, m)`` similarity over its columns or its rows.

    Parameters
    ----------
    operation
        ``"sum"``, ``"mean"``, ``"max"``, ``"min"`` or ``"logsumexp"``.
    over
        ``"columns"`` gives one number per row of ``x``, ``"rows"`` one per row of ``y``.
    """
    if over not in ("columns", "rows"):
        raise ParameterError(f"over must be 'columns' or 'rows'; it is {over!r}.")
    if operation not in ("sum", "mean", "max", "min", "logsumexp"):
        raise ParameterError(f"There is no reduction {operation!r}; use sum, mean, max, min or logsumexp.")
    x, y = on_same_device(x, y)
    if over == "rows":
        x, y, plain = y, x, score

        def score(p: Tensor, q: Tensor) -> Tensor:
            return plain(q, p).T

    reduced = torch.empty(len(x), device=x.device)
    row_step, column_step = steps(len(y), x.device)
    for rows in slices(len(x), row_step):
        parts = [_reduce(score(x[rows], y[c]), operation) for c in slices(len(y), column_step)]
        joined = _reduce(torch.stack(parts, 1), "sum" if operation == "mean" else operation)
        reduced[rows] = joined / len(y) if operation == "mean" else joined
    return reduced


def _reduce(tile: Tensor, operation: str) -> Tensor:
    if operation == "max":
        return tile.amax(1)
    if operation == "min":
        return tile.amin(1)
    if operation == "logsumexp":
        return tile.logsumexp(1)
    return tile.sum(1)


def gram(x: Tensor, y: Tensor) -> Tensor:
    """``xᵀ y`` of parallel rows, summed block by block in float64, on the CPU.

    Returns
    -------
    gram
        ``(dx, dy)`` float64.
    """
    check_same_rows(x, y)
    total = torch.zeros(x.shape[1], y.shape[1], dtype=torch.float64)
    y = y.to(x.device)
    for rows in slices(len(x), max(1, TILE_ELEMENTS // max(x.shape[1], y.shape[1]))):
        total += (x[rows].T @ y[rows]).to("cpu", torch.float64)
    return total
