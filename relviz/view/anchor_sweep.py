"""Inverse relative projection over the number of anchors, pruned and not: a task."""

from relviz.compute.digest import text_digest
from relviz.compute.jobs import Ticket
from relviz.compute.key import result_key
from relviz.compute.task import Made, Task
from relviz.errors import ParameterError
from relviz.pair import Pair
from relviz.stitch.sweep import FIGURES
from relviz.view.choices import View
from relviz.view.heads import TEST, labels_of, names_of
from relviz.view.stitching import swept
from relviz.view.translation import sides_of

COUNTS = (25, 50, 100, 200, 300, 384, 500, 768, 1000)
SHARE = 0.95
"""Of the rows that train, so many may be anchors."""
DELTAS, OMEGAS = (0.0, 0.8), (1, 8)
RUNS = 3


def anchor_sweep_task(view: View, pair: Pair) -> Task:
    """The task that translates test items for every number of anchors.

    Its result holds ``FIGURES`` (counts, seeds, δ, ω), and says ``counts`` and the conditions.

    Raises
    ------
    ParameterError
        If there are too few rows for two numbers of anchors, or no classes for a head.
    """
    source, target = sides_of(view, pair)
    known = labels_of(pair)
    labels = names_of(known)[known.rows["A"]].tolist()
    counts = tuple(one for one in COUNTS if one <= SHARE * (1 - TEST) * len(pair))
    if len(counts) < 2:
        raise ParameterError(
            f"{len(pair)} rows are too few for several numbers of anchors; it takes {2 * COUNTS[1]}."
        )
    told = {
        "deltas": DELTAS,
        "omegas": OMEGAS,
        "counts": counts,
        "seeds": tuple(range(view.seed, view.seed + RUNS)),
        "head": view.head,
        "test": TEST,
    }

    def compute(ticket: Ticket) -> Made:
        found = swept(
            source, target, labels, told, ticket, lambda step: f"{step.anchors} anchors, draw {step.seed}"
        )
        figures = {name: found.figures[name] for name in FIGURES}
        tested = {"tests": found.rows, "chance": found.chance}
        return figures, {"counts": list(counts), "runs": RUNS, "seed": view.seed, **tested}

    digest = text_digest(list(map(str, labels)))
    key = result_key("anchor-sweep", [source.digest, target.digest, digest], told, view.seed)
    return Task(key, "Trying every number of anchors", compute)
