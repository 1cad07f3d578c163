"""Length of a view's vectors, and what heads make of another one: a result and a task."""

from functools import lru_cache

import numpy as np

from relviz.compute.digest import text_digest
from relviz.compute.jobs import Ticket
from relviz.compute.key import result_key
from relviz.compute.task import Made, Task
from relviz.pair import Pair
from relviz.stitch import ACTIVATIONS, Lengths, lengths, rescale_injection
from relviz.view.choices import View
from relviz.view.heads import labels_of, names_of
from relviz.view.sources import open_pair
from relviz.view.translation import sides_of

ALPHAS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
RUNS = 5


def lengths_of(view: View) -> dict[str, Lengths]:
    """How long the vectors of both spaces are, by their names."""
    return _lengths(view.a, view.b)


@lru_cache(maxsize=8)
def _lengths(a: str, b: str) -> dict[str, Lengths]:
    pair = open_pair(a, b)
    names = (pair.a.name, pair.b.name)
    if names[0] == names[1]:
        names = f"A · {names[0]}", f"B · {names[1]}"
    return lengths({names[0]: pair.a.vectors, names[1]: pair.b.vectors})


def rescale_task(view: View, pair: Pair) -> Task:
    """The task that trains heads on the source and tests them on vectors of other lengths.

    Raises
    ------
    ParameterError
        If the items have no classes, or they do not suffice for heads.
    """
    source, _ = sides_of(view, pair)
    known = labels_of(pair)
    labels = names_of(known)[known.rows["b" if view.back else "a"]].tolist()

    def compute(ticket: Ticket) -> Made:
        def on_step(index: int, of: int) -> None:
            ticket.report((index + 1) / of, f"head {index + 1} of {of}")
            ticket.rest()

        found = rescale_injection(
            source.vectors, labels, ALPHAS, tuple(ACTIVATIONS), range(RUNS), on_step=on_step
        )
        lines = [
            {"activation": name, "mean": rows.mean(0).tolist(), "sd": np.std(rows, 0, ddof=1).tolist()}
            for name, rows in zip(found.activations, found.accuracy, strict=True)
        ]
        return {}, {"lines": lines, "alphas": list(found.alphas), "runs": RUNS}

    digests = [source.digest, text_digest(list(map(str, labels)))]
    key = result_key("rescale", digests, {"alphas": ALPHAS, "runs": RUNS}, 0)
    return Task(key, "Training heads and rescaling", compute)
