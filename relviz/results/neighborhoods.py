"""Neighborhoods of items in the original spaces: how far two encoders agree on them, and clusters."""

from dataclasses import dataclass

import numpy as np

from relviz.clusters import clusters
from relviz.compute.job import Ticket
from relviz.compute.task import Task, task
from relviz.measure import agreement
from relviz.pair import Pair
from relviz.space import Space

CLUSTER_SEED = 0


@dataclass(frozen=True, eq=False)
class Agreement:
    """How far the two encoders agree on the neighbors of each item: Jaccard ``(n,)``, k, and chance."""

    jaccard: np.ndarray
    k: int
    chance: float


@task("agreement", "Comparing neighborhoods")
def _agreement(ticket: Ticket, pair: Pair, *, k: int) -> Agreement:
    found = agreement(pair.a.vectors, pair.b.vectors, k, on_progress=ticket.report)
    return Agreement(found.jaccard, found.k, found.chance)


def neighborhood_agreement(pair: Pair, k: int) -> Task[Agreement]:
    """The task that compares the neighborhoods of every item in the two original spaces."""
    return _agreement(pair, k=min(k, len(pair) - 1))


@dataclass(frozen=True, eq=False)
class Clusters:
    """The cluster of every item, ``(n,)``, the largest cluster first."""

    members: np.ndarray
    seed: int


@task("clusters", "Finding clusters in {space.name}")
def _clusters(ticket: Ticket, space: Space, *, k: int, seed: int) -> Clusters:
    ticket.report(None, "k-means")
    return Clusters(clusters(space.vectors, k, seed).numpy(), seed)


def clusters_of(space: Space, k: int) -> Task[Clusters]:
    """The task that finds clusters among the absolute vectors of a space."""
    return _clusters(space, k=min(k, len(space)), seed=CLUSTER_SEED)
