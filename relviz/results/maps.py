"""Maps of a comparison: both rows in the plane, and how the two maps of a row are fitted."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from torch import Tensor

from relviz.compute.job import Ticket
from relviz.compute.task import Task, task
from relviz.names import FITS, known_name
from relviz.names import PROJECTIONS as METHODS
from relviz.projection import project
from relviz.projection.quality import trustworthiness
from relviz.results.comparison import Comparison, Sides
from relviz.state.option_labels import PROJECTIONS
from relviz.state.view import MapChoices

TRUST_NEIGHBORS = 10
TRUST_QUERIES, TRUST_COMPARED = 1000, 20_000_000
"""Rows that trustworthiness asks about, fewer where it compares each with very many."""
QUICK = ("pca", "first")
"""Projections fast enough to wait for; they have no seed."""


@dataclass(frozen=True, eq=False)
class Maps:
    """Both sides of a row in the plane, A before B.

    Attributes
    ----------
    points
        ``(n, 2)`` or ``(n, 3)`` float32 each.
    trust
        Trustworthiness of each map; None where there are too few rows.
    explained, residual, parameters
        As ``relviz.Projection`` has them.
    """

    points: tuple[np.ndarray, np.ndarray]
    trust: tuple[float | None, float | None]
    explained: tuple[tuple[float, ...], ...] | None
    residual: tuple[float, ...] | None
    parameters: dict[str, Any]


@task(
    "maps",
    lambda given: f"{PROJECTIONS[given['projection']]} of the {given['row']} spaces",
    heavy=lambda given: given["projection"] not in QUICK,
)
def _maps(
    ticket: Ticket,
    sides: Sides,
    *,
    row: str,
    projection: str,
    fit: str,
    seed: int | None,
    options: Mapping[str, int],
) -> Maps:
    ticket.report(None, "preparing")
    spaces = sides.make()

    def on_step(fraction: float | None, _: np.ndarray | None) -> None:
        ticket.report(fraction, row if fraction is None else "")

    method, fitted = known_name(projection, METHODS), known_name(fit, FITS)
    made = project(spaces, method, fitted, seed=seed or 0, on_step=on_step, **options)
    a, b = (_trust(side, points) for side, points in zip(spaces, made, strict=True))
    return Maps((made[0], made[1]), (a, b), made.explained, made.residual, made.parameters)


def fit_of(comparison: Comparison, choices: MapChoices, row: str) -> str:
    """How the two maps of a row are fitted; ``"auto"`` gives both rows the same treatment.

    Linear maps draw B through the axes of A, which shows whether the two spaces share them; t-SNE and
    UMAP are fitted jointly. Neither can be done with absolute spaces of different dimensions:
    those are fitted separately.
    """
    fit = choices.fit_absolute if row == "absolute" else choices.fit_relative
    if fit != "auto":
        return fit
    if row == "absolute" and comparison.pair.a.dimension != comparison.pair.b.dimension:
        return "independent"
    return "first" if choices.projection in QUICK else "joint"


def maps(comparison: Comparison, choices: MapChoices, row: str, dimension: int = 2) -> Task[Maps]:
    """The task that maps both sides into the plane or space; ``row`` is ``"absolute"`` or ``"relative"``."""
    options = {} if dimension == 2 else {"dim": dimension}
    if choices.projection == "tsne":
        options["perplexity"] = choices.perplexity
    if choices.projection == "umap":
        options["n_neighbors"] = choices.neighbors
    return _maps(
        comparison.row(row),
        row=row,
        projection=choices.projection,
        fit=fit_of(comparison, choices, row),
        seed=None if choices.projection in QUICK else choices.seed,
        options=options,
    )


def _trust(side: Tensor, points: np.ndarray) -> float | None:
    k = min(TRUST_NEIGHBORS, (len(side) - 1) // 2)
    queries = min(TRUST_QUERIES, max(TRUST_QUERIES // 10, TRUST_COMPARED // len(side)))
    return trustworthiness(side, points, k, queries) if k else None
