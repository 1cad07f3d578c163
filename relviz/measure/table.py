"""What an anchor retrieval finds: runs over seeds, their summary, and the control beside them."""

import statistics
from dataclasses import dataclass
from typing import Any

from relviz.measure.retrieval import Retrieval, mean_figures
from relviz.notebook import mean_and_sd, table_html


@dataclass(frozen=True, repr=False)
class Runs:
    """One direction of an anchor retrieval: a ``Retrieval`` for every seed, and their summary."""

    runs: tuple[Retrieval, ...]

    @property
    def mean(self) -> dict[str, float]:
        """Mean of each metric over the seeds."""
        return mean_figures([run.figures for run in self.runs])

    @property
    def sd(self) -> dict[str, float] | None:
        """Sample standard deviation of each metric over the seeds; None for a single run."""
        if len(self.runs) < 2:
            return None
        return {name: statistics.stdev(run.figures[name] for run in self.runs) for name in self.mean}

    @property
    def null(self) -> dict[str, float] | None:
        """Mean of each metric when the pairing of the queries is shuffled; None if no null was asked for."""
        nulls = [run.null.figures for run in self.runs if run.null is not None]
        return mean_figures(nulls) if nulls else None

    @property
    def null_sd(self) -> dict[str, float] | None:
        """Standard deviation of each metric over shuffles, the mean of the runs."""
        spreads = [run.null.sd for run in self.runs if run.null is not None]
        return mean_figures(spreads) if spreads else None

    @property
    def chance(self) -> dict[str, float]:
        """Each metric by chance, exactly; the cosine is the mean over the runs."""
        return mean_figures([run.chance for run in self.runs])

    @property
    def queries(self) -> int:
        """Rows that each run was asked about; the fewest, where runs differ."""
        return min(run.queries for run in self.runs)

    def records(self) -> list[dict[str, Any]]:
        """One flat record for each metric: mean, sd, chance and null, None where there is none."""
        mean, sd, chance, null, null_sd = self.mean, self.sd, self.chance, self.null, self.null_sd
        return [
            {
                "metric": metric,
                "mean": mean[metric],
                "sd": sd[metric] if sd else None,
                "chance": chance[metric],
                "null": null[metric] if null else None,
                "null_sd": null_sd[metric] if null_sd else None,
                "queries": self.queries,
            }
            for metric in mean
        ]

    def __repr__(self) -> str:
        mean, sd = self.mean, self.sd or {}
        said = ", ".join(f"{name} {mean_and_sd(mean[name], sd.get(name))}" for name in ("top1", "mrr"))
        return f"Runs({len(self.runs)}: {said})"


@dataclass(frozen=True, repr=False)
class RetrievalTable:
    """Retrieval through relative representations in both directions, and without them.

    ``absolute_x_to_y`` and ``absolute_y_to_x`` are the baseline: retrieval in the original spaces, None if
    their dimensions differ. If the baseline is already high, a pair shows nothing about anchors.
    ``method`` is ``"given"`` for given anchors. ``include_anchors`` tells whether anchors are among the
    queries, as the papers count; every ``Retrieval`` has k and the numbers of rows and queries.
    """

    anchors: int
    method: str
    seeds: tuple[int, ...]
    similarity: str
    centered: bool
    x_to_y: Runs
    y_to_x: Runs
    absolute_x_to_y: Runs | None
    absolute_y_to_x: Runs | None
    include_anchors: bool = False

    def __repr__(self) -> str:
        ways = {"x→y": self.x_to_y, "y→x": self.y_to_x, "absolute x→y": self.absolute_x_to_y}
        said = "; ".join(
            f"{way} top1 {runs.mean['top1']:.3f}, mrr {runs.mean['mrr']:.3f}"
            for way, runs in ways.items()
            if runs
        )
        return f"RetrievalTable({self._about()}: {said})"

    def _repr_html_(self) -> str:
        rows = [
            (
                *(str(one[name]) for name in ("representation", "direction", "metric")),
                mean_and_sd(one["mean"], one["sd"]),
                mean_and_sd(one["chance"], None),
                mean_and_sd(one["null"], one["null_sd"]),
            )
            for one in self.records()
        ]
        head = ("representation", "direction", "metric", "mean ± sd", "chance", "shuffled")
        return table_html(head, rows, f"Anchor retrieval, {self._about()}")

    def _about(self) -> str:
        return f"{self.anchors} anchors {self.method}, {self.similarity}, {len(self.seeds)} seeds"

    def records(self) -> list[dict[str, Any]]:
        """One flat record for each representation, direction and metric: with mean, sd, chance and null."""
        blocks = {
            ("relative", "x→y"): self.x_to_y,
            ("relative", "y→x"): self.y_to_x,
            ("absolute", "x→y"): self.absolute_x_to_y,
            ("absolute", "y→x"): self.absolute_y_to_x,
        }
        return [
            {
                "representation": representation,
                "direction": direction,
                **record,
            }
            for (representation, direction), runs in blocks.items()
            if runs is not None
            for record in runs.records()
        ]
