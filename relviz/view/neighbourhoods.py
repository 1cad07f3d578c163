"""What a view asks of the items themselves: their clusters, agreement, and likeness to one of them."""

import numpy as np

from relviz.clusters import clusters
from relviz.compute.jobs import Ticket
from relviz.compute.store import result_key
from relviz.compute.task import Made, Task
from relviz.measure import agreement
from relviz.pair import Pair
from relviz.relative import relative
from relviz.view.choices import View
from relviz.view.results import frames_of

CLUSTER_SEED = 0


def agreement_task(view: View, pair: Pair) -> Task:
    """The task that compares the neighbourhoods of every item in the two original spaces.

    Its result holds ``jaccard`` ``(n,)`` and says ``k`` and ``chance``.
    """
    k = min(view.k, len(pair) - 1)

    def compute(ticket: Ticket) -> Made:
        found = agreement(pair.a.vectors, pair.b.vectors, k, on_block=ticket.report)
        return {"jaccard": found.jaccard}, {"k": found.k, "chance": found.chance}

    key = result_key("agreement", [pair.digest], {"k": k}, 0)
    return Task(key, "Comparing neighbourhoods", compute)


def cluster_task(view: View, pair: Pair, side: str) -> Task:
    """The task that finds clusters among the absolute vectors of side ``"a"`` or ``"b"``.

    Its result holds ``members`` ``(n,)``, the largest cluster first, and says ``k`` and ``seed``.
    """
    space = {"a": pair.a, "b": pair.b}[side]
    k = min(view.clusters, len(pair))

    def compute(ticket: Ticket) -> Made:
        ticket.report(None, "k-means")
        return {"members": clusters(space.vectors, k, CLUSTER_SEED).numpy()}, {"k": k, "seed": CLUSTER_SEED}

    key = result_key("clusters", [space.digest], {"k": k}, CLUSTER_SEED)
    return Task(key, f"Finding clusters in {side.upper()}", compute)


def similarities(view: View, pair: Pair, side: str, row: int) -> np.ndarray:
    """Cosine of every item of side ``"a"`` or ``"b"`` to one of them, ``(n,)``; centred if the view is."""
    space = frames_of(view, pair)[("a", "b").index(side)]
    return relative(space, space[row : row + 1]).flatten().numpy()
