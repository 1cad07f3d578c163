"""Where two encoders disagree: items and classes, pairs of items near in one space alone, clusters split."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from relviz.compute.blocks import ranks_in_blocks
from relviz.compute.device import device
from relviz.compute.job import Ticket
from relviz.compute.task import Task, task
from relviz.measure import nearest_others
from relviz.pair import Pair
from relviz.relative_projection import finite_matrix, unit_rows
from relviz.results.neighborhoods import Agreement
from relviz.space import Space

EXTREME = 0.1
"""Share of the items among which examples are drawn: those whose neighbors agree least, or most."""
MOST_QUERIES = 4000
"""Items whose nearest item is looked for in the other space; of more, a part drawn at random."""


@dataclass(frozen=True, eq=False)
class Disagreements:
    """Items that the two encoders see differently, or alike.

    Attributes
    ----------
    rows
        ``(m,)`` items.
    in_a, in_b
        ``(m, k)`` the items nearest to each in either original space, best first.
    """

    rows: np.ndarray
    in_a: np.ndarray
    in_b: np.ndarray


@task("disagreements", "Finding where the encoders disagree")
def _disagreements(
    ticket: Ticket, pair: Pair, jaccard: np.ndarray, *, k: int, count: int, seed: int, most: bool
) -> Disagreements:
    ticket.check()
    rng = np.random.default_rng(seed)
    shuffled = rng.permutation(len(jaccard))  # so that ties are drawn by lot
    order = np.argsort(-jaccard[shuffled] if most else jaccard[shuffled], kind="stable")
    extreme = shuffled[order][: max(count, round(EXTREME * len(jaccard)))]
    return _with_neighbors(pair, rng.permutation(extreme)[:count], k, seed)


def disagreements(
    pair: Pair, agreement: Agreement, shown: int, count: int, seed: int, most: bool = False
) -> Task[Disagreements]:
    """The task that draws items on which the encoders agree least, or ``most``, with ``shown`` neighbors."""
    k = min(shown, len(pair) - 1)
    return _disagreements(pair, agreement.jaccard, k=k, count=count, seed=seed, most=most)


def _with_neighbors(pair: Pair, rows: np.ndarray, k: int, seed: int) -> Disagreements:
    in_a, in_b = (nearest_others(side.vectors, rows, k, seed).numpy() for side in (pair.a, pair.b))
    return Disagreements(rows, in_a, in_b)


@dataclass(frozen=True, eq=False)
class Contrasts:
    """Pairs of items that are nearest in one space and far apart in the other, the most contrasting first.

    Attributes
    ----------
    items
        Their rows, and the ``k`` nearest of each in both spaces; the other of a pair is the first of its
        nearest in the space where they are near.
    ranks
        ``(m,)`` where the other of a pair stands in the other space, among all other items; 1 is nearest.
    queries
        How many items were asked about.
    """

    items: Disagreements
    ranks: np.ndarray
    queries: int


@task("contrasts", "Finding pairs that are near in one space alone")
def _contrasts(ticket: Ticket, pair: Pair, *, near: str, k: int, count: int, seed: int) -> Contrasts:
    sides = (pair.a, pair.b) if near == "a" else (pair.b, pair.a)
    rng = np.random.default_rng(seed)
    queries = np.sort(rng.permutation(len(pair))[:MOST_QUERIES])
    ticket.report(None, "")
    nearest = nearest_others(sides[0].vectors, queries, 1, seed).numpy()[:, 0]
    ranks = _ranks(sides[1], queries, nearest)
    order = np.argsort(-ranks, kind="stable")
    seen, kept = set(), []
    for at in order.tolist():
        couple = frozenset((int(queries[at]), int(nearest[at])))
        if couple not in seen and len(kept) < count:
            seen.add(couple)
            kept.append(at)
    items = _with_neighbors(pair, queries[kept], k, seed)
    lists = items.in_a if near == "a" else items.in_b
    lists[:, 0] = nearest[kept]  # of several nearest alike, the one that was ranked
    return Contrasts(items, ranks[kept], len(queries))


def _ranks(space: Space, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Where each of ``others`` stands among all but the row itself, as seen from ``rows``; ``(q,)``."""
    units = unit_rows(finite_matrix(space.vectors, "space").to(device()))
    asked, wanted = (torch.as_tensor(some).to(units.device) for some in (rows, others))
    return ranks_in_blocks(units[asked], units, wanted).cpu().numpy() - 1


def contrasts(pair: Pair, near: str, shown: int, count: int, seed: int = 0) -> Task[Contrasts]:
    """The task that finds pairs near in side ``"a"`` or ``"b"`` and far apart in the other."""
    return _contrasts(pair, near=near, k=min(shown, len(pair) - 1), count=count, seed=seed)


@dataclass(frozen=True)
class ClassAgreement:
    """A class: its name, how many items it has, and the mean Jaccard index of their neighborhoods."""

    name: str
    items: int
    mean: float


def by_class(labels: Sequence[str], jaccard: np.ndarray) -> list[ClassAgreement]:
    """Agreement of every class, the least first.

    >>> [(one.name, one.items, one.mean) for one in by_class(["a", "b", "a"], np.array([0.5, 0.25, 1.0]))]
    [('b', 1, 0.25), ('a', 2, 0.75)]
    """
    names, members = np.unique(np.asarray(labels, dtype=object), return_inverse=True)
    counts = np.bincount(members)
    means = np.bincount(members, weights=jaccard) / counts
    found = zip(names.tolist(), counts.tolist(), means.tolist(), strict=True)
    return sorted((ClassAgreement(*one) for one in found), key=lambda one: one.mean)


@dataclass(frozen=True)
class ClusterSplit:
    """How the items of a cluster of one space lie in the clusters of the other.

    Attributes
    ----------
    cluster, items
        Its number, and how many items it has.
    parts
        Effective number of clusters of the other space that they lie in: the exponential of the entropy of
        their shares, 1 where all lie in one.
    chance
        The same if they were drawn at random: that of all items.
    main, share
        The cluster of the other space that has most of them, and what share.
    """

    cluster: int
    items: int
    parts: float
    chance: float
    main: int
    share: float


def splits(members: np.ndarray, others: np.ndarray) -> list[ClusterSplit]:
    """How clusters ``(n,)`` of one space are split by those of the other, the most split first.

    >>> [round(one.parts, 6) for one in splits(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 0]))]
    [2.0, 1.0]
    """
    table = np.zeros((members.max() + 1, others.max() + 1), np.int64)
    np.add.at(table, (members, others), 1)
    chance = _effective(table.sum(0))
    found = [
        ClusterSplit(
            at, int(row.sum()), _effective(row), chance, int(row.argmax()), float(row.max() / row.sum())
        )
        for at, row in enumerate(table)
        if row.sum()
    ]
    return sorted(found, key=lambda one: -one.parts)


def _effective(counts: np.ndarray) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(np.exp(-(shares * np.log(shares)).sum()))
