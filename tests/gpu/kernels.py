"""Kernels: similarities tile by tile, reductions, minima, and the matching of rows."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import torch
from torch import Tensor

from relviz.bootstrapping.correspondence import ColumnMinima, hard, row_minima
from relviz.bootstrapping.sinkhorn import apply, sinkhorn
from relviz.compute.blocks import (
    Score,
    gram,
    inner,
    negative_distance,
    ranks_in_blocks,
    reduce_similarity,
    top_k,
    top_k_and_ranks,
)
from relviz.compute.device import device
from relviz.relative_projection import unit_rows
from tests.gpu.case import Case, Tolerance, Work
from tests.gpu.made import gaussian, seen_again

SUMS = Tolerance(1e-5, 2e-3, "float32 sums in another order; a place moves only where two scores tie")
DISTANCES = Tolerance(1e-3, 2e-2, "distances by products lose half the digits of small ones")
POTENTIALS = Tolerance(
    2e-3, 1e-2, "sums of exponentials divided by eps 0.02: a rounding error of a cost counts fifty times"
)
RANKS = Tolerance(2e-3, 2e-3, "a rank moves half a place where a score lies within rounding of a tie")
EPS = 0.02
OPERATIONS = ("sum", "mean", "max", "min", "logsumexp")


def cases(small: bool) -> Iterator[Case]:
    """All kernels, on two unit spaces of as many rows."""
    n, d = (1000, 64) if small else (10_000, 384)
    size = f"{n:,} × {n:,}, d {d}"

    def case(name: str, tolerance: Tolerance, call: Callable[[Tensor, Tensor], Mapping[str, Tensor]]) -> Case:
        def prepare() -> Work:
            x = gaussian(n, d)
            a, b = (unit_rows(rows).to(device()) for rows in (x, seen_again(x, d)))
            return lambda: call(a, b)

        return Case(name, size, tolerance, prepare)

    for score in (inner, negative_distance):
        told = DISTANCES if score is negative_distance else SUMS
        name = score.__name__.replace("_", " ")
        yield case(f"top_k, {name}", told, partial(_top_k, score))
        yield case(f"ranks_in_blocks, {name}", RANKS, partial(_ranks, score))
    yield case("top_k_and_ranks", RANKS, lambda a, b: _named("vir", top_k_and_ranks(a, b, _same(a), 10)))
    for over in ("columns", "rows"):
        for operation in OPERATIONS:
            name = f"reduce_similarity, {operation} over {over}"
            yield case(name, SUMS, partial(_reduced, operation, over))
    yield case("gram", SUMS, lambda a, b: {"gram": gram(a, b)})
    yield case("row_minima", SUMS, lambda a, b: _named("vi", row_minima(a[:2000] @ b.T)))
    yield case("ColumnMinima", SUMS, _column_minima)
    for cost in ("cosine", "euclidean"):
        yield case(f"sinkhorn, 10 iterations, {cost}", POTENTIALS, partial(_potentials, cost))
        yield case(f"plan applied, {cost}", POTENTIALS, partial(_applied, cost))
    yield case("hard correspondence", DISTANCES, _hard)


def _named(names: str, tensors: tuple[Tensor, ...]) -> dict[str, Tensor]:
    return dict(zip(names, tensors, strict=True))


def _same(a: Tensor) -> Tensor:
    """Every row's counterpart: the row of the same number."""
    return torch.arange(len(a), device=a.device)


def _top_k(score: Score, a: Tensor, b: Tensor) -> dict[str, Tensor]:
    return _named("vi", top_k(a, b, 10, score))


def _ranks(score: Score, a: Tensor, b: Tensor) -> dict[str, Tensor]:
    return {"r": ranks_in_blocks(a, b, _same(a), score)}


def _reduced(operation: str, over: str, a: Tensor, b: Tensor) -> dict[str, Tensor]:
    return {"v": reduce_similarity(a, b, operation, over)}


def _potentials(cost: str, a: Tensor, b: Tensor) -> dict[str, Tensor]:
    return _named("fg", sinkhorn(a, b, EPS, 10, cost))


def _column_minima(a: Tensor, b: Tensor) -> dict[str, Tensor]:
    seen = ColumnMinima(len(b), a.device)
    for start in range(0, len(a), 500):
        seen.see(a[start : start + 500] @ b.T, start)
    return {"least": seen.least, "row": seen.row}


def _applied(cost: str, a: Tensor, b: Tensor) -> dict[str, Tensor]:
    f, g = sinkhorn(a, b, EPS, 2, cost)
    return {"means": apply(a, b, f, g, EPS, b, cost)}


def _hard(a: Tensor, b: Tensor) -> dict[str, Tensor]:
    found = hard(a, b)
    return {"y_of_x": found.y_of_x, "x_of_y": found.x_of_y}
