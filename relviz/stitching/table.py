"""What stitching found: runs, cells and their table."""

import statistics
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from relviz.notebook import mean_and_sd, table_html
from relviz.stitching.accuracy import most_frequent, wilson
from relviz.stitching.labels import Classes

FIGURES: dict[str, str] = {
    "accuracy": "share of the test rows whose class the head finds",
    "f1": "F1 of the classes, weighted by their test rows",
    "mae": "mean distance of ordered labels",
}
"""Figures of a run, and what each one says."""

Counts: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Run:
    """One head on one encoder's test rows. ``confusion`` ``(c, c)`` int64: rows true, columns found.

    ``mae`` is None unless the labels are ordered. ``chance`` is the share of the most frequent class among
    the ``rows`` that test: the accuracy of always saying it.
    """

    seed: int
    accuracy: float
    f1: float
    mae: float | None
    confusion: Counts
    rows: int
    chance: float


@dataclass(frozen=True, eq=False)
class Cell:
    """Runs of one encoder with one head by one method; ``native`` is a head on its own encoder."""

    encoder: str
    head: str
    method: str
    runs: tuple[Run, ...]

    @property
    def mean(self) -> dict[str, float]:
        """Mean of each figure over the seeds."""
        return {name: statistics.mean(values) for name, values in self._figures().items()}

    @property
    def sd(self) -> dict[str, float] | None:
        """Sample standard deviation of each figure over the seeds; None for a single run."""
        if len(self.runs) < 2:
            return None
        return {name: statistics.stdev(values) for name, values in self._figures().items()}

    @property
    def rows(self) -> int:
        """How many rows test in one run, on average."""
        return round(statistics.mean(run.rows for run in self.runs))

    @property
    def chance(self) -> float:
        """Share of the most frequent class among the test rows, the mean over the seeds."""
        return statistics.mean(run.chance for run in self.runs)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the mean accuracy as if one run had given it (Wilson).

        Runs share rows, so together they are worth more than one and less than their sum; ``sd`` says how
        much they differ.
        """
        return wilson(self.mean["accuracy"], self.rows)

    @property
    def confusion(self) -> Counts:
        """Confusion matrices of all runs, summed: ``(c, c)`` int64."""
        total: Counts = np.sum([run.confusion for run in self.runs], axis=0)
        return total

    def _figures(self) -> dict[str, list[float]]:
        found = {name: [getattr(run, name) for run in self.runs] for name in FIGURES}
        return {name: values for name, values in found.items() if None not in values}


@dataclass(frozen=True, eq=False, repr=False)
class StitchTable:
    """All cells. ``anchors`` is their number, ``counterparts`` whether those are known or bootstrapped."""

    classes: tuple[str, ...]
    kind: str
    anchors: int
    counterparts: str
    cells: tuple[Cell, ...]

    def cell(self, encoder: str, head: str, method: str) -> Cell:
        """The cell of these; KeyError where there is none."""
        for cell in self.cells:
            if (cell.encoder, cell.head, cell.method) == (encoder, head, method):
                return cell
        raise KeyError((encoder, head, method))

    def __repr__(self) -> str:
        by_method: dict[str, list[float]] = {}
        for cell in self.cells:
            by_method.setdefault(cell.method, []).append(cell.mean["accuracy"])
        means = ", ".join(f"{name} {statistics.mean(values):.3f}" for name, values in by_method.items())
        encoders = len({cell.encoder for cell in self.cells})
        return f"StitchTable({encoders} encoders, {self.kind} head, {self.anchors} anchors; accuracy {means})"

    def _repr_html_(self) -> str:
        rows = [
            (
                *(one[name] for name in ("encoder", "head", "method")),
                *(mean_and_sd(one[name], one[f"{name}_sd"]) for name in FIGURES),
                mean_and_sd(one["chance"], None),
            )
            for one in self.records()
        ]
        head = ("encoder", "head", "method", *FIGURES, "chance")
        return table_html(head, rows, f"Stitching, {self.kind} head, {self.anchors} anchors")

    def records(self) -> list[dict[str, Any]]:
        """One flat record for each cell: encoder, head, method, means and ``_sd`` of the figures.

        And the test ``rows`` of a run, the ``chance`` and the 95% interval of the accuracy.
        """
        return [
            {
                "encoder": cell.encoder,
                "head": cell.head,
                "method": cell.method,
                **{name: cell.mean.get(name) for name in FIGURES},
                **{f"{name}_sd": (cell.sd or {}).get(name) for name in FIGURES},
                "accuracy_low": cell.interval[0],
                "accuracy_high": cell.interval[1],
                "rows": cell.rows,
                "chance": cell.chance,
            }
            for cell in self.cells
        ]


def scored(
    seed: int, truth: Classes, found: Classes, classes: int, values: NDArray[np.float64] | None
) -> Run:
    """Figures of class numbers ``found`` ``(n,)`` against the true ones."""
    confusion = np.bincount(truth * classes + found, minlength=classes**2).reshape(classes, classes)
    right, true, predicted = confusion.diagonal(), confusion.sum(1), confusion.sum(0)
    f1 = 2 * right / np.maximum(true + predicted, 1)
    mae = None if values is None else float(np.abs(values[truth] - values[found]).mean())
    n = len(truth)
    accuracy, weighted = float(right.sum() / n), float((f1 * true).sum() / n)
    return Run(seed, accuracy, weighted, mae, confusion, n, most_frequent(truth))
