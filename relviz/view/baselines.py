"""A translation beside every other method: how near each comes, and what a head makes of it."""

from typing import Any

from relviz.compute.digest import array_digest
from relviz.compute.jobs import Ticket
from relviz.compute.key import result_key
from relviz.compute.task import Made, Task
from relviz.errors import Error
from relviz.pair import Pair
from relviz.translate import METHODS
from relviz.view.choices import View
from relviz.view.heads import NOT_SAID, Said, heads_of, heads_of_if_any, heads_task, said_of
from relviz.view.translation import Translation, anchor_rows, sides_of, translation_of

TITLES = {
    "irp": "IRP",
    "irp_plus": "IRP+",
    "procrustes": "Procrustes",
    "lstsq": "Least squares",
    "ridge": "Ridge",
    "affine": "Affine",
    "absolute": "No translation (baseline)",
}


def said_by_heads(view: View, pair: Pair, made: Translation) -> Said | None:
    """What the heads find among the test rows; None until they are trained."""
    heads = heads_of(view, pair)
    if heads is None:
        return None
    source, target = sides_of(view, pair)
    return said_of(heads, source.vectors, made.made, target.vectors, made.anchors)


def baselines_task(view: View, pair: Pair) -> Task:
    """The task that translates by every method but irp, whose δ and ω the page has sliders for.

    Its result says the scores of each method on held-out items, and of the head where there are classes; or
    the reason, where a method cannot be used.

    Raises
    ------
    relviz.Error
        If the view has no anchors.
    """
    others = [method for method in METHODS if method != "irp"]
    rows, goal = anchor_rows(view, pair)
    digests = [pair.digest, array_digest(rows), array_digest(goal)]
    try:
        trained = heads_task(view, pair)
        digests.append(trained.key)
    except Error:
        trained = None

    def compute(ticket: Ticket) -> Made:
        if trained is not None:
            trained.run(ticket.part(0.0, 0.0, trained.title))
        found: dict[str, Any] = {}
        for place, method in enumerate(others):
            ticket.report(place / len(others), TITLES[method])
            ticket.rest()
            found[method] = figures_of(view.with_changes(translate=method), pair)
        return {}, {"found": found}

    return Task(result_key("baselines", digests, {"back": view.back}, 0), "Every other method", compute)


def figures_of(view: View, pair: Pair) -> dict[str, Any]:
    """The scores of the view's translation, and of the head if it is trained; or why it cannot be used."""
    try:
        made = translation_of(view)
        found = made.scores.record()
    except Error as reason:
        return {"reason": str(reason)}
    said = said_by_heads(view, pair, made) if heads_of_if_any(view, pair) else None
    return found | (NOT_SAID if said is None else said.record())
