"""Partners found where nothing matches the rows: all of them as numbers, the most similar as a table."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from relviz.compute.entry import Result
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.view.choices import View
from relviz.view.export import texts_array
from relviz.view.figure.content import Content, Kind, Options
from relviz.view.figure.found import LINES, MOST_LINES
from relviz.view.known import Known, checked_pairs, names_of
from relviz.view.sheet import Sheet
from relviz.view.sources import open_space
from relviz.view.unpaired import ANCHORS, one_to_one, unpaired_task
from relviz.wording import count, plural

MOST_KNOWN = 5000
"""Pairs that a recipe holds."""


def options_of(known: Known) -> dict[str, Any]:
    """What ``known_of`` reads; ParameterError for more pairs than a recipe holds."""
    if len(known) > MOST_KNOWN:
        raise ParameterError(
            f"{plural(len(known), 'pair')} are known, and a recipe holds {count(MOST_KNOWN)}. For a figure, "
            "let no more than these be known; they are more than enough."
        )
    return {"known_a": [a for a, _ in known], "known_b": [b for _, b in known]}


def known_of(view: View, options: Options) -> Known:
    """The pairs that a recipe says are known; ParameterError if they cannot be."""
    a, b = open_space(view.a), open_space(view.b)
    return checked_pairs(options["known_a"], options["known_b"], a, b)


def _tasks(view: View, options: Options) -> list[Task]:
    return [unpaired_task(view.a, view.b, known_of(view, options), view.ao.seed)]


def _content(view: View, options: Options, results: Sequence[Result]) -> Content:
    a, b = open_space(view.a), open_space(view.b)
    known, lines = known_of(view, options), options["lines"]
    if not 1 <= lines <= MOST_LINES:
        raise ParameterError(f"The option lines is {lines}; give 1 to {MOST_LINES}.")
    found = results[0]
    rows, partners = one_to_one(found.arrays["matches"], found.arrays["similarity"])
    similarity = found.arrays["similarity"][rows]
    names_a, names_b = names_of(a), names_of(b)
    told = {*known}
    given = [int(pair in told) for pair in zip(rows, partners, strict=True)]
    columns: dict[str, Sequence[Any]] = {
        "row_a": rows,
        "name_a": [names_a[row] for row in rows],
        "row_b": partners,
        "name_b": [names_b[row] for row in partners],
        "similarity": similarity.tolist(),
        "known": given,
    }
    arrays = {"row_a": np.array(rows, np.int64), "name_a": texts_array(columns["name_a"])}
    arrays |= {"row_b": np.array(partners, np.int64), "name_b": texts_array(columns["name_b"])}
    arrays |= {"similarity": similarity, "known": np.array(given, np.uint8)}
    best = [at for at in np.argsort(-similarity, kind="stable").tolist() if not given[at]][:lines]
    table = tuple(
        (columns["name_a"][at], columns["name_b"][at], f"{columns['similarity'][at]:.3f}") for at in best
    )
    caption = _caption(view, known, found, len(rows), sum(given), len(table))
    sheet = Sheet(("item of A", "its partner in B", "similarity"), table, caption, words=2)
    return Content(caption, arrays, columns, sheets={"Partners": sheet})


def _caption(view: View, known: Known, found: Result, many: int, again: int, listed: int) -> str:
    a, b = open_space(view.a), open_space(view.b)
    sides = "; ".join(
        f"{side}: {space.name} ({plural(len(space), 'row')}, {plural(space.dimension, 'dimension')})"
        for side, space in (("A", a), ("B", b))
    )
    told = "no pairs known"
    if known:
        told = f"{plural(len(known), 'pair')} known, {again} of them among the partners found"
    anchors = max(len(known), min(ANCHORS, len(a), len(b)))
    verdict = "converged" if found.meta["converged"] else "not converged, so do not trust the partners"
    has = "has a partner of its" if many == 1 else "have a partner of their"
    return (
        "Partners found by anchor optimisation, where nothing else says which row of A belongs to which of "
        f"B. {sides}. {plural(many, 'row')} of A {has} own in B; {told}. Annealed method, "
        f"{plural(anchors, 'anchor')} (known rows and others drawn at random), seed {view.ao.seed} of the "
        f"draw and of the solver. By its own verdict: {verdict}. {found.meta['evidence']['reason']} "
        "Similarity: cosine of the two vectors of cosines to the anchors. Listed: the "
        f"{listed} most similar that were not known before."
    )


KIND = Kind(
    words="Partners found, as a table",
    page="bootstrap",
    tasks=_tasks,
    content=_content,
    options={"known_a": [], "known_b": [], "lines": LINES},
    paired=False,
    longest={"known_a": MOST_KNOWN, "known_b": MOST_KNOWN},
)
