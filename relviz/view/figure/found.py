"""The anchors that a run discovered, as a table: each item of A, and the item of B that stands for it."""

from collections.abc import Sequence
from typing import Any

from relviz.compute.entry import Result
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.view.bootstrapping import bootstrap_task, title_of
from relviz.view.choices import View
from relviz.view.figure.content import Content, Kind, Options
from relviz.view.figure.words import both_said
from relviz.view.found import found_of
from relviz.view.sheet import Sheet
from relviz.view.sources import open_pair
from relviz.wording import plural

LINES, MOST_LINES = 20, 60


def _tasks(view: View, _: Options) -> list[Task]:
    return [bootstrap_task(view, view.ao, open_pair(view.a, view.b))]


def _content(view: View, options: Options, _: Sequence[Result]) -> Content:
    pair = open_pair(view.a, view.b)
    found = found_of(bootstrap_task(view, view.ao, pair))
    assert found is not None
    lines = options["lines"]
    if not 1 <= lines <= MOST_LINES:
        raise ParameterError(f"The option lines is {lines}; give 1 to {MOST_LINES}.")
    seeds = set(found.seeds.tolist())
    every = list(zip(found.rows.tolist(), found.indices.tolist(), strict=True))
    others = [(a, b) for a, b in every if a not in seeds]
    head = ("anchor in A", "found in B", *(("right",) if view.ao.known else ()))
    rows = tuple(
        (pair.items[a], pair.items[b], *(("yes" if a == b else "no",) if view.ao.known else ()))
        for a, b in others[:lines]
    )
    right = sum(a == b for a, b in others)
    caption = (
        f"Anchors discovered by anchor optimisation: {title_of(view.ao, pair)} (draw {view.ao.draw} of "
        f"seeds, {view.ao.anchor_seed} of anchors). {both_said(pair)} The first {len(rows)} of "
        f"{plural(len(others), 'anchor')} that were no seeds, each with the nearest item of B"
        + (f"; {right} of {len(others)} are right." if view.ao.known else ".")
    )
    columns: dict[str, Sequence[Any]] = {
        "row_a": [a for a, _ in every],
        "item_a": [pair.items[a] for a, _ in every],
        "row_b": [b for _, b in every],
        "item_b": [pair.items[b] for _, b in every],
        "seed": [int(a in seeds) for a, _ in every],
    }
    arrays = {"anchors_a": found.rows.numpy(), "anchors_b": found.points.numpy()}
    arrays |= {"indices_b": found.indices.numpy(), "seeds_a": found.seeds.numpy()}
    return Content(
        caption, arrays, columns, sheets={"Anchors discovered": Sheet(head, rows, caption, words=2)}
    )


KIND = Kind(
    words="Anchors that a run discovered, as a table",
    page="bootstrap",
    tasks=_tasks,
    content=_content,
    options={"lines": LINES},
)
