"""Metrics of a comparison: retrieval both ways, and over the number of anchors."""

from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from torch import Tensor

from relviz.compute.job import Ticket
from relviz.compute.key import value_digest
from relviz.compute.task import Task, task
from relviz.measure import RetrievalTable, anchor_curve, anchor_retrieval, cka
from relviz.results.comparison import Comparison, Sides, drawn_count
from relviz.state.view import MetricChoices

CURVE_COUNTS = (2, 5, 10, 20, 50, 100, 200, 300, 500, 1000)


@dataclass(frozen=True)
class Metric:
    """One metric of retrieval: ``representation`` relative or absolute, ``direction`` x→y or y→x.

    ``sd`` is over anchor samples, None for one; ``null`` and ``null_sd`` are with the pairing shuffled.
    """

    representation: str
    direction: str
    metric: str
    mean: float
    sd: float | None
    chance: float
    null: float
    null_sd: float
    queries: int


@dataclass(frozen=True)
class Metrics:
    """Retrieval both ways through relative representations, and without them (RR sec. 4.1).

    Attributes
    ----------
    metrics
        Each metric, representation and direction.
    anchors, method
        How many, and how they were drawn; ``"given"`` for none.
    include_anchors
        Whether anchors are queries too, as the papers count.
    cka
        Linear CKA of the original spaces.
    k, rows, queries
        Neighbors, candidates and queries.
    draws
        Anchor samples that it is the mean of.
    """

    metrics: tuple[Metric, ...]
    anchors: int
    method: str
    include_anchors: bool
    cka: float
    k: int
    rows: int
    queries: int
    draws: int = 1

    def find(self, metric: str, representation: str = "relative", direction: str = "x→y") -> Metric | None:
        """One of the metrics; None if it was not measured."""
        wanted = (representation, direction, metric)
        return next(
            (one for one in self.metrics if (one.representation, one.direction, one.metric) == wanted), None
        )


@dataclass(frozen=True)
class Curve:
    """Metrics for growing numbers of anchors: those of ``tables[i]`` through ``counts[i]`` anchors."""

    counts: tuple[int, ...]
    seeds: tuple[int, ...]
    tables: tuple[tuple[Metric, ...], ...]


@dataclass(frozen=True, eq=False)
class _Given:
    """Anchors that are not drawn, what stands for them in B, and the queries if not all other rows."""

    rows: Tensor
    counterparts: Tensor | None
    queries: tuple[int, ...] | None


@dataclass(frozen=True)
class _Retrieval:
    """How retrieval is measured, whatever the anchors."""

    method: str
    similarity: str
    center: bool
    k: int
    seeds: tuple[int, ...]
    queries: int | None

    def options(self) -> dict[str, Any]:
        return {
            "method": self.method,
            "similarity": self.similarity,
            "center": self.center,
            "k": self.k,
            "seed": self.seeds[0],
            "n_draws": len(self.seeds),
            "queries": self.queries,
        }


@dataclass(frozen=True)
class Frequent:
    """Which rows ``method="top"`` draws from: ``top`` of them after the first ``skip``; a fifth for None."""

    top: int | None = None
    skip: int = 0


@task("retrieval", "Measuring")
def _retrieval(
    ticket: Ticket,
    sides: Sides,
    labels: tuple[str, ...] | None,
    anchors: int | _Given,
    how: _Retrieval,
    *,
    include_anchors: bool,
    frequent: Frequent,
) -> Metrics:
    x, y = sides.make()
    options: dict[str, Any] = how.options() | asdict(frequent)
    if isinstance(anchors, _Given):
        options["counterparts"] = anchors.counterparts
        if anchors.queries is not None:
            options["queries"] = list(anchors.queries)
    similarity = cka(x, y)

    def so_far(table: RetrievalTable) -> None:
        ticket.show(partial(_as_metrics, table, similarity))
        ticket.rest()

    table = anchor_retrieval(
        x,
        y,
        anchors.rows if isinstance(anchors, _Given) else anchors,
        labels=labels,
        include_anchors=include_anchors,
        on_progress=ticket.report,
        on_table=so_far,
        **options,
    )
    return _as_metrics(table, similarity)


def _as_metrics(table: RetrievalTable, similarity: float) -> Metrics:
    one = table.x_to_y.runs[0]
    return Metrics(
        _metrics_of(table),
        table.anchors,
        table.method,
        table.include_anchors,
        similarity,
        one.k,
        one.rows,
        one.queries,
        len(table.seeds),
    )


@task("curve", "Drawing the curve")
def _curve(
    ticket: Ticket,
    sides: Sides,
    labels: tuple[str, ...] | None,
    counts: tuple[int, ...],
    how: _Retrieval,
) -> Curve:
    x, y = sides.make()
    tables = anchor_curve(x, y, counts, labels=labels, on_progress=ticket.report, **how.options())
    return Curve(counts, how.seeds, tuple(map(_metrics_of, tables)))


def metrics(
    comparison: Comparison,
    choices: MetricChoices,
    include_anchors: bool = False,
    frequent: Frequent | None = None,
) -> Task[Metrics]:
    """The task that measures retrieval both ways, over several anchor samples.

    Queries are items that are not anchors; with ``include_anchors`` all items are, as the papers count.
    Anchors that a run found are measured with the items held out of it, as far as there are any.
    """
    anchors: int | _Given = comparison.count
    if comparison.choices.is_given:
        held = None if include_anchors else comparison.held_out(choices.queries)
        queries = None if held is None else tuple(held.tolist())
        anchors = _Given(comparison.anchors, comparison.counterparts, queries)
    how = _retrieved(comparison, choices, 1 if comparison.choices.is_given else choices.runs)
    return _retrieval(
        _quantized_sides(comparison),
        comparison.labels,
        anchors,
        how,
        include_anchors=include_anchors,
        frequent=frequent or Frequent(),
    )


def curve(comparison: Comparison, choices: MetricChoices) -> Task[Curve]:
    """The task that measures retrieval for growing numbers of anchors, the comparison's own among them.

    At the comparison's own number the metrics are those of ``metrics``.
    """
    most = drawn_count(max(CURVE_COUNTS), len(comparison.pair))
    counts = sorted({comparison.count, *(count for count in CURVE_COUNTS if count <= most)})
    how = _retrieved(comparison, choices, choices.runs)
    return _curve(_quantized_sides(comparison), comparison.labels, tuple(counts), how)


def _quantized_sides(comparison: Comparison) -> Sides:
    return Sides(value_digest([comparison.pair.digest, comparison.quantum]), lambda: comparison.sides)


def _retrieved(comparison: Comparison, choices: MetricChoices, runs: int) -> _Retrieval:
    seed, rows = comparison.choices.seed, len(comparison.pair)
    return _Retrieval(
        "uniform" if comparison.choices.is_given else comparison.choices.method,
        comparison.similarity,
        comparison.centered,
        min(choices.k, rows - 1),
        tuple(range(seed, seed + runs)),
        choices.queries if 0 < choices.queries < rows else None,
    )


def _metrics_of(table: RetrievalTable) -> tuple[Metric, ...]:
    return tuple(Metric(**record) for record in table.records())
