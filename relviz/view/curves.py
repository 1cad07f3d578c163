"""Curves over the number of anchors, as lines with their spread."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relviz.figures.colours import OKABE_ITO
from relviz.view.wording import MEASURES

METRICS = ("top1", "mrr")
WAYS = {"x→y": "A → B", "y→x": "B → A"}


@dataclass(frozen=True, eq=False)
class Curve:
    """Mean and standard deviation of a metric in one direction, 0 where there is one run; ``(c,)`` each."""

    metric: str
    direction: str
    mean: np.ndarray
    sd: np.ndarray
    colour: str

    @property
    def words(self) -> str:
        """What a legend says."""
        return f"{MEASURES[self.metric]} {WAYS[self.direction]}"

    @property
    def back(self) -> bool:
        """Whether it is of the way from B to A, drawn with dots."""
        return self.direction == "y→x"


def curves_of(
    tables: Sequence[Sequence[Mapping[str, Any]]], metrics: Sequence[str] = METRICS, kind: str = "relative"
) -> list[Curve]:
    """Curves through tables of retrieval, records as ``RetrievalTable.records`` gives them."""
    found = []
    for place, metric in enumerate(metrics):
        for direction in WAYS:
            wanted = (kind, direction, metric)
            points = [
                next(r for r in table if (r["representation"], r["direction"], r["metric"]) == wanted)
                for table in tables
            ]
            mean = np.array([r["mean"] for r in points])
            sd = np.array([r["sd"] or 0 for r in points])
            found.append(Curve(metric, direction, mean, sd, OKABE_ITO[place]))
    return found
