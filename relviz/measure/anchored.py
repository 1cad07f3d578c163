"""Anchor retrieval: two spaces relative to the same anchors, retrieved one from the other, seed by seed."""

from collections.abc import Callable, Sequence
from functools import partial
from numbers import Integral
from typing import cast

from torch import Tensor

from relviz.anchors import OwnSelector, check_selector, select_anchors
from relviz.compute.arrays import ArrayLike, as_indices, check_same_rows, seeds_of
from relviz.compute.blocks import OnBlock
from relviz.compute.jobs import parts
from relviz.compute.progress import OnProgress, heard
from relviz.errors import ParameterError, ShapeError
from relviz.measure.queries import Queries
from relviz.measure.retrieval import Retrieval, retrieval
from relviz.measure.table import RetrievalTable, Runs
from relviz.names import Selector, Similarity, renamed
from relviz.pair import Pair, both_sides
from relviz.relative_projection import OwnSimilarity, check_similarity, finite_matrix, prepare, relative


@renamed(seeds="seed, with n_draws", partners="counterparts")
def anchor_retrieval(
    x: ArrayLike | Pair,
    y: ArrayLike | None = None,
    anchors: int | ArrayLike = 300,
    method: Selector | OwnSelector = "uniform",
    seed: int = 0,
    similarity: Similarity | OwnSimilarity = "cosine",
    k: int = 10,
    null: int | None = 1,
    labels: Sequence[object] | None = None,
    center: bool = True,
    queries: ArrayLike | None = None,
    on_progress: OnProgress | None = None,
    counterparts: ArrayLike | None = None,
    include_anchors: bool = False,
    n_draws: int = 5,
    *,
    top: int | None = None,
    skip: int = 0,
    on_table: Callable[[RetrievalTable], None] | None = None,
) -> RetrievalTable:
    """Measure retrieval between two parallel spaces, in both directions, relative to shared anchors.

    Queries are the items that are not anchors; candidates are all items. An anchor of both spaces
    retrieves itself under any pairing, so counting it would inflate the metrics.

    Source: Moschella et al. 2023 (arXiv 2209.15430), section 4.1 and table 1; the paper counts anchors too.

    Parameters
    ----------
    x, y
        ``(n, dx)`` and ``(n, dy)``, row i of one the counterpart of row i of the other; or a ``Pair``.
    anchors
        Number of anchors to select from ``x`` with ``method``; the same rows are used in ``y``. Or their
        row numbers, for a single run without sd.
    method, similarity
        As in ``select_anchors`` and ``relative``, including custom functions.
    seed, n_draws
        Seeds ``seed`` to ``seed + n_draws - 1``: one anchor sample for each.
    k, null
        As in ``retrieval``.
    queries
        Maximum number of non-anchor items used as queries, sampled with each seed; by default all. Or row
        numbers, of which those that are not anchors are used.
    labels
        One class per row, for ``method="per_class"``.
    center
        Whether to center both spaces and scale their rows to unit length first (``prepare``), for the
        absolute baseline too.
    on_progress
        Called with the fraction done; see ``relviz.compute.progress``.
    counterparts
        ``(k, dy)`` anchors of ``y`` that correspond to the given ``anchors``, in the same frame as ``y``,
        such as those found by ``relviz.bootstrap``. By default, the same rows of ``y``.
    include_anchors
        True counts as the papers do: anchors are queries too.
    top, skip
        Of ``method="top"``, as in ``select_anchors``.
    on_table
        Called after each seed but the last with the table of the seeds so far; it may raise to stop.

    Raises
    ------
    ShapeError
        If the numbers of rows differ, given anchors lie outside them, or ``counterparts`` do not fit.
    ParameterError
        If an option is unknown or out of range, or no item is left as a query.
    """
    left, right = _framed(*both_sides(x, y), center)
    seeds, labels = seeds_of(seed, n_draws), _labels(labels, x)
    if isinstance(anchors, Integral):
        draws, name = _draws(left, [int(anchors)], method, seeds, labels, top, skip), _name(method)
    else:
        given = as_indices(cast(ArrayLike, anchors), len(left), "anchors")
        draws, name = [dict.fromkeys(seeds[:1], given)], "given"
    search = partial(retrieval, k=k, null=null)
    asked = Queries(queries, len(left), include_anchors)
    found = None if counterparts is None else _counterparts(counterparts, draws, right)
    heard_by = heard(on_progress), on_table
    return _tables(left, right, draws, name, similarity, center, search, asked, *heard_by, found)[0]


@renamed(seeds="seed, with n_draws")
def anchor_curve(
    x: ArrayLike | Pair,
    y: ArrayLike | None = None,
    counts: Sequence[int] = (),
    method: Selector | OwnSelector = "uniform",
    seed: int = 0,
    similarity: Similarity | OwnSimilarity = "cosine",
    k: int = 10,
    null: int | None = 1,
    labels: Sequence[object] | None = None,
    center: bool = True,
    queries: ArrayLike | None = None,
    on_progress: OnProgress | None = None,
    include_anchors: bool = False,
    n_draws: int = 5,
) -> tuple[RetrievalTable, ...]:
    """``anchor_retrieval`` for each number of anchors in ``counts``, in their order.

    For each seed, the anchor sets are nested, so a curve shows the effect of more anchors and not of
    another sample; only ``kmeans`` and custom methods select each set anew. The queries of each point are
    the items that are not anchors there, so each point equals ``anchor_retrieval``.
    """
    left, right = _framed(*both_sides(x, y), center)
    draws = _draws(left, counts, method, seeds_of(seed, n_draws), _labels(labels, x))
    search = partial(retrieval, k=k, null=null)
    asked = Queries(queries, len(left), include_anchors)
    return _tables(left, right, draws, _name(method), similarity, center, search, asked, heard(on_progress))


def _labels(labels: Sequence[object] | None, x: object) -> Sequence[object] | None:
    return x.labels if labels is None and isinstance(x, Pair) else labels


def _name(one: object) -> str:
    """What a method or similarity is called: its own name, or that of the function that it is."""
    return one if isinstance(one, str) else getattr(one, "__name__", type(one).__name__)


def _framed(x: ArrayLike, y: ArrayLike, center: bool) -> tuple[Tensor, Tensor]:
    left, right = finite_matrix(x), finite_matrix(y, "y")
    check_same_rows(left, right)
    return (prepare(left), prepare(right)) if center else (left, right)


def _counterparts(counterparts: ArrayLike, draws: list[dict[int, Tensor]], y: Tensor) -> Tensor:
    found = finite_matrix(counterparts, "counterparts")
    wanted = {len(rows) for drawn in draws for rows in drawn.values()}
    if wanted != {len(found)} or found.shape[1] != y.shape[1]:
        raise ShapeError(
            f"counterparts must have a row for each of {max(wanted)} anchors and the {y.shape[1]} columns of "
            f"y; their shape is {tuple(found.shape)}."
        )
    return found


def _draws(
    x: Tensor,
    counts: Sequence[int],
    method: Selector | OwnSelector,
    seeds: Sequence[int],
    labels: Sequence[object] | None,
    top: int | None = None,
    skip: int = 0,
) -> list[dict[int, Tensor]]:
    """For each number of anchors, the rows that each seed draws."""
    check_selector(method)
    if not len(counts) or min(counts) < 1:
        raise ParameterError(f"Give the numbers of anchors, each at least 1; they are {list(counts)}.")
    if method == "kmeans" or not isinstance(method, str):
        return [{seed: select_anchors(x, count, method, seed, labels) for seed in seeds} for count in counts]
    longest = {
        seed: select_anchors(x, max(counts), method, seed, labels, top=top, skip=skip) for seed in seeds
    }
    return [{seed: drawn[:count] for seed, drawn in longest.items()} for count in counts]


def _tables(
    x: Tensor,
    y: Tensor,
    draws: list[dict[int, Tensor]],
    method: str,
    similarity: Similarity | OwnSimilarity,
    center: bool,
    search: Callable[..., Retrieval],
    asked: Queries,
    on_progress: OnBlock | None,
    on_table: Callable[[RetrievalTable], None] | None = None,
    counterparts: Tensor | None = None,
) -> tuple[RetrievalTable, ...]:
    check_similarity(similarity)
    seeds = tuple(draws[0])
    has_control = x.shape[1] == y.shape[1]
    part = parts([1] * 2 * len(draws) * (len(seeds) + has_control), on_progress)

    def both_ways(left: Tensor, right: Tensor, rows: Tensor, seed: int) -> tuple[Retrieval, Retrieval]:
        queries = asked.of(rows, seed)
        return (
            search(left, right, seed=seed, queries=queries, on_progress=next(part)),
            search(right, left, seed=seed, queries=queries, on_progress=next(part)),
        )

    def table() -> RetrievalTable:
        x_to_y, y_to_x = (Runs(direction) for direction in zip(*runs, strict=True))
        return RetrievalTable(
            anchors=len(drawn[seeds[0]]),
            method=method,
            seeds=seeds[: len(runs)],
            similarity=_name(similarity),
            centered=center,
            x_to_y=x_to_y,
            y_to_x=y_to_x,
            absolute_x_to_y=Runs(control[:1]) if control else None,
            absolute_y_to_x=Runs(control[1:]) if control else None,
            include_anchors=asked.include_anchors,
        )

    tables = []
    for drawn in draws:
        runs: list[tuple[Retrieval, Retrieval]] = []
        control: tuple[Retrieval, Retrieval] | None = None
        for seed, rows in drawn.items():
            rx = relative(x, x[rows], similarity)
            ry = relative(y, y[rows] if counterparts is None else counterparts, similarity)
            runs.append(both_ways(rx, ry, rows, seed))
            if has_control and control is None:
                control = both_ways(x, y, rows, seed)
            if on_table is not None and len(runs) < len(drawn):
                on_table(table())
        tables.append(table())
    return tuple(tables)
