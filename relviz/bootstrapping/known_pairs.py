"""Lines of the retrieval table of anchor optimization, and the outcomes of its runs."""

from dataclasses import dataclass, field

from relviz.measure import METRICS, Runs
from relviz.names import Record
from relviz.notebook import mean_and_sd, table_html

LineName = tuple[str, str | None, int | None]
"""Anchors, method and seeds of a line."""

ANCHORS: dict[str, str] = {
    "none": "no anchors: both original spaces, where their dimensions agree",
    "true": "the anchors and their true counterparts",
    "procrustes": "the anchors translated by the rotation fitted on all true pairs of the fit",
    "fitted": "the anchors fitted as annealed fits them, on all true pairs of the fit: its ceiling",
    "seeds": "the seeds alone",
    "found": "the anchors, and the points that a method found for them",
    "rows": "the anchors, and the rows of y nearest to these points, all different",
}
"""What stands for the anchors in a line of the table."""


@dataclass(frozen=True)
class Line:
    """Retrieval both ways through one kind of anchors (see ``ANCHORS``), once for every draw.

    ``method`` and ``seeds``, how many pairs were known, are None where they have no say.
    """

    anchors: str
    method: str | None
    seeds: int | None
    x_to_y: Runs
    y_to_x: Runs


@dataclass(frozen=True)
class Outcome:
    """One run of a solver: the share of right matches, its own verdict, and its seconds.

    ``right`` is of the rows of the fit that are not seeds.
    """

    method: str
    seeds: int
    draw: int
    right: float
    converged: bool
    reason: str
    seconds: float = field(compare=False)


@dataclass(frozen=True, repr=False)
class BootstrapTable:
    """Lines of the table, and the outcome of every run; each draw has ``anchors`` anchors of its own.

    Every line is measured with the same ``queries`` of ``rows`` rows, each searched among all. ``held_out``
    rows took part in no fit; where there are any, the queries are among them. With ``include_anchors`` all
    rows are in the fit, and all are queries, as the papers count.
    """

    anchors: int
    draws: tuple[int, ...]
    lines: tuple[Line, ...]
    outcomes: tuple[Outcome, ...]
    rows: int
    queries: int
    held_out: int
    include_anchors: bool = False

    def line(self, anchors: str, method: str | None = None, seeds: int | None = None) -> Line:
        """The line of these anchors."""
        wanted = (anchors, method, seeds)
        return next(line for line in self.lines if (line.anchors, line.method, line.seeds) == wanted)

    def __repr__(self) -> str:
        found = [f"{name} {runs.mean['mrr']:.3f}" for name, runs in self._named()]
        right = sum(one.converged for one in self.outcomes)
        return (
            f"BootstrapTable({self.anchors} anchors, {len(self.draws)} draws; x→y mrr {', '.join(found)}; "
            f"{right} of {len(self.outcomes)} runs converged)"
        )

    def _repr_html_(self) -> str:
        rows = [
            (name, *(mean_and_sd(runs.mean[one], (runs.sd or {}).get(one)) for one in METRICS))
            for name, runs in self._named()
        ]
        return table_html(("anchors, x→y", *METRICS), rows, f"{self.anchors} anchors, {self.queries} queries")

    def _named(self) -> list[tuple[str, Runs]]:
        def name(line: Line) -> str:
            several = (line.anchors, line.method, None if line.seeds is None else f"{line.seeds} known")
            return " ".join(one for one in several if one)

        return [(name(line), line.x_to_y) for line in self.lines]

    def records(self) -> list[Record]:
        """One flat record for each line, direction and metric: with mean, sd, chance and null."""
        return [
            {
                "anchors": line.anchors,
                "method": line.method,
                "seeds": line.seeds,
                "direction": direction,
                **record,
            }
            for line in self.lines
            for direction, runs in (("x→y", line.x_to_y), ("y→x", line.y_to_x))
            for record in runs.records()
        ]
