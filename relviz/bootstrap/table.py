"""The retrieval table of anchor optimisation: true anchors, the seeds alone, and what a method found."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from relviz.bootstrap import METHODS, OnStep, Pulse, Step
from relviz.bootstrap.judged import BothWays, Judged, Pairing
from relviz.compute.blocks import OnBlock
from relviz.compute.progress import parts
from relviz.errors import ParameterError
from relviz.measure import RetrievalTable, Runs, anchor_curve

ANCHORS: dict[str, str] = {
    "none": "no anchors: both spaces as they are, where their dimensions agree",
    "true": "the anchors and their true partners",
    "procrustes": "the anchors carried over by the rotation fitted on all true partners",
    "fitted": "the anchors fitted on all true partners as annealed fits them to its matches: its ceiling",
    "seeds": "the seeds alone",
    "found": "the anchors, and the points that a method found for them",
    "rows": "the anchors, and the rows of y nearest to these points, all different",
}
"""What stands for the anchors in a line of the table."""

_SOLVING = 6
"""Weight of a run of the solver in the progress, where a retrieval has 1."""


@dataclass(frozen=True)
class Line:
    """Retrieval both ways through one kind of anchors (see ``ANCHORS``), once for every draw.

    ``method`` and ``seeds``, how many partners were known, are None where they have no say.
    """

    anchors: str
    method: str | None
    seeds: int | None
    x_to_y: Runs
    y_to_x: Runs


@dataclass(frozen=True)
class Outcome:
    """One run of a solver: the share of right matches, its own verdict, and its seconds."""

    method: str
    seeds: int
    draw: int
    right: float
    converged: bool
    reason: str
    seconds: float = field(compare=False)


@dataclass(frozen=True)
class BootstrapTable:
    """Lines of the table, and the outcome of every run; each draw has ``anchors`` anchors of its own."""

    anchors: int
    draws: tuple[int, ...]
    lines: tuple[Line, ...]
    outcomes: tuple[Outcome, ...]

    def line(self, anchors: str, method: str | None = None, seeds: int | None = None) -> Line:
        """The line of these anchors."""
        wanted = (anchors, method, seeds)
        return next(line for line in self.lines if (line.anchors, line.method, line.seeds) == wanted)

    def records(self) -> list[dict[str, Any]]:
        """One flat record for each line, direction and metric: with mean, sd and null."""
        return [
            {
                "anchors": line.anchors,
                "method": line.method,
                "seeds": line.seeds,
                "direction": direction,
                "metric": metric,
                "mean": mean,
                "sd": runs.sd[metric] if runs.sd else None,
                "null": runs.null[metric] if runs.null else None,
            }
            for line in self.lines
            for direction, runs in (("x→y", line.x_to_y), ("y→x", line.y_to_x))
            for metric, mean in runs.mean.items()
        ]


def bootstrap_table(
    x: Any,
    y: Any,
    anchors: int = 300,
    seed_counts: Sequence[int] = (15,),
    methods: Sequence[str] = ("annealed",),
    draws: Sequence[int] = range(5),
    k: int = 10,
    queries: int | None = None,
    on_progress: OnBlock | None = None,
) -> BootstrapTable:
    """Retrieve two parallel spaces one from the other through anchors that were known, or found.

    For each draw: uniform anchors, of which the first ``s`` are the seeds, for each s in
    ``seed_counts``. A solver gets the rows of y in a random order and the partners of the seeds. Every
    kind of anchors is measured on all rows in both directions of retrieval; anchors are always of x,
    looked for in y.

    Source: Cannistraci et al. 2023 (arXiv 2303.00721), tables 4 and 7.

    Parameters
    ----------
    x, y
        ``(n, dx)`` and ``(n, dy)``, row i of one the partner of row i of the other.
    anchors
        How many, in each draw.
    seed_counts
        How many of them are seeds; 0 for none. ``adam_warm`` needs at least one.
    methods
        Some of ``relviz.bootstrap.METHODS``.
    draws
        Seeds of the draws of anchors; each is the solver's seed too.
    k, queries
        As in ``relviz.retrieval``.
    on_progress
        Called with the fraction done; it may raise to stop.

    Raises
    ------
    ShapeError
        If the numbers of rows differ, or a space has one dimension.
    ParameterError
        If an option is unknown or out of range.
    """
    counts = tuple(dict.fromkeys(seed_counts))
    _check(anchors, counts, methods, draws)
    pairing = Pairing(x, y, k, queries)
    runs = [(count, method) for count in counts for method in methods]
    known = [anchors, *(count for count in counts if count)]
    each = [1.0, 1.0, 1.0, 1.0, *len(runs) * (_SOLVING, 1.0, 1.0, 1.0, 1.0)]
    part = parts([2.0 * len(known) * len(draws), *len(draws) * each], on_progress)
    curve = anchor_curve(
        *(pairing.x, pairing.y, known),
        seeds=draws,
        k=k,
        center=False,
        queries=queries,
        on_progress=next(part),
    )
    told: dict[str, list[BothWays]] = {"procrustes": [], "fitted": []}
    measured: dict[tuple[str, str, int], list[BothWays]] = {}
    outcomes = []
    for draw in draws:
        rows = pairing.draw(anchors, draw)
        for what, points in (("procrustes", pairing.rotated(rows)), ("fitted", pairing.fitted(rows))):
            told[what].append(pairing.through(rows, points, draw, (next(part), next(part))))
        for count, method in runs:
            found = pairing.solve(rows, rows[:count], method, draw, *_steps(next(part)))
            outcomes.append(_outcome(found, method, count, draw))
            for what, points in (("found", found.anchors), ("rows", pairing.y[found.indices])):
                both = pairing.through(rows, points, draw, (next(part), next(part)))
                measured.setdefault((what, method, count), []).append(both)
    lines = [*_known(curve[0]), *(_line(what, None, None, both) for what, both in told.items())]
    alone = dict(zip(known[1:], curve[1:], strict=True))
    for count in counts:
        if count:
            lines.append(Line("seeds", None, count, alone[count].x_to_y, alone[count].y_to_x))
        lines += [_line(*what, both) for what, both in measured.items() if what[2] == count]
    return BootstrapTable(anchors, tuple(draws), tuple(lines), tuple(outcomes))


def _check(anchors: int, counts: Sequence[int], methods: Sequence[str], draws: Sequence[int]) -> None:
    if not counts or min(counts) < 0 or max(counts) > anchors:
        raise ParameterError(
            f"Give the numbers of seeds, each from 0 to the {anchors} anchors; they are {list(counts)}."
        )
    unknown = [method for method in methods if method not in METHODS]
    if unknown or not methods or len({*methods}) < len(methods):
        raise ParameterError(
            f"Give different methods out of {', '.join(METHODS)}; they are {', '.join(map(str, methods))}."
        )
    if "adam_warm" in methods and 0 in counts:
        raise ParameterError("adam_warm needs at least one seed. Leave out 0 seeds, or adam_warm.")
    if not draws:
        raise ParameterError("There are no draws of anchors; give the seed of at least one.")


def _known(table: RetrievalTable) -> Iterator[Line]:
    if table.absolute_x_to_y is not None and table.absolute_y_to_x is not None:
        yield Line("none", None, None, table.absolute_x_to_y, table.absolute_y_to_x)
    yield Line("true", None, None, table.x_to_y, table.y_to_x)


def _line(anchors: str, method: str | None, seeds: int | None, both: list[BothWays]) -> Line:
    there, back = (Runs(direction) for direction in zip(*both, strict=True))
    return Line(anchors, method, seeds, there, back)


def _outcome(found: Judged, method: str, seeds: int, draw: int) -> Outcome:
    return Outcome(method, seeds, draw, found.right, found.converged, found.reason, found.seconds)


def _steps(on_part: OnBlock | None) -> tuple[OnStep | None, Pulse | None]:
    """Report the steps of a solver, which may plan further ones as it goes; the progress never falls."""
    if on_part is None:
        return None, None
    told = 0.0

    def on_step(step: Step) -> None:
        nonlocal told
        told = max(told, (step.index + 1) / step.of)
        on_part(told)

    return on_step, lambda: on_part(told)
