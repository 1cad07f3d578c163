"""Sections of a view: the choices that one computation takes, and nothing else of the view."""

from dataclasses import dataclass

GIVEN = ("hand", "run")
"""Ways of choosing anchors that draw none: they are given, by a person or by a run."""


@dataclass(frozen=True)
class AnchorChoices:
    """Which items are the anchors: drawn by ``method``, ``picks`` chosen by hand, or those of a ``run``.

    Of a run, B uses the anchors it found, or with ``rows`` the items nearest to them.
    """

    method: str
    count: int
    seed: int
    picks: tuple[int, ...]
    run: str
    rows: bool

    @property
    def is_given(self) -> bool:
        """Whether they are given, by a person or by a run, so that none are drawn."""
        return self.method in GIVEN


@dataclass(frozen=True)
class MapChoices:
    """How spaces are drawn: the projection with its options, and how the two maps of a row are fitted."""

    projection: str
    fit_absolute: str
    fit_relative: str
    perplexity: int
    neighbors: int
    seed: int


@dataclass(frozen=True)
class MetricChoices:
    """How retrieval is measured: neighbors, anchor samples, queries (0 for all held-out items)."""

    k: int
    runs: int
    queries: int


@dataclass(frozen=True)
class TranslationChoices:
    """How items are translated: by which method, from A into B or ``back``, through which anchors.

    From ``delta`` to ``length`` they are irp's own; of the anchors the first ``used`` serve, 0 for all.
    """

    method: str
    delta: float
    omega: int
    decided_by: str
    completion: bool
    length: str
    used: int
    back: bool


@dataclass(frozen=True)
class StitchingChoices:
    """How heads are trained and met: their kind, how the anchors' counterparts are known, and the draws.

    Each draw takes as many of the rows that train as ``anchors``; ``seed`` is that of the first draw.
    """

    head: str
    counterparts: str
    anchors: int
    seed: int


@dataclass(frozen=True)
class ColorChoices:
    """What colors a map, how many clusters there are, and how many neighbors an agreement counts."""

    color: str
    clusters: int
    k: int
