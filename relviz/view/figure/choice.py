"""Retrieval for several ways of choosing anchors, as a table."""

from collections.abc import Mapping, Sequence
from typing import Any

from relviz.compute.entry import Result
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.pair import Pair
from relviz.view.choices import View
from relviz.view.figure.content import Content, Kind, Options, of_records
from relviz.view.figure.counted import COUNTED, counts_of
from relviz.view.figure.words import both_said, draws_said, rows_said
from relviz.view.measured import spread
from relviz.view.results import GIVEN, measure_task
from relviz.view.sheet import Sheet
from relviz.view.sources import open_pair
from relviz.view.wording import MEASURES, METHODS

SHOWN = ("jaccard", "mrr", "cosine")
WAYS = {"x→y": "A → B", "y→x": "B → A"}


def _tasks(view: View, options: Options) -> list[Task]:
    pair = open_pair(view.a, view.b)
    views = [view.with_changes(method=method) for method in _methods(options)]
    return [measure_task(one, pair, papers) for papers in counts_of(options) for one in views]


def _content(view: View, options: Options, results: Sequence[Result]) -> Content:
    pair, methods = open_pair(view.a, view.b), _methods(options)
    records: list[dict[str, Any]] = []
    sheets = {}
    for place, papers in enumerate(counts_of(options)):
        some = results[place * len(methods) : (place + 1) * len(methods)]
        found = [
            {"counted": COUNTED[papers], "choice": method, **record}
            for method, result in zip(methods, some, strict=True)
            for record in result.meta["records"]
            if record["representation"] == "relative"
        ]
        records += found
        sheets["As the papers count" if papers else "Choices"] = _sheet(
            view, pair, methods, found, some[0].meta
        )
    return Content(sheets["Choices"].caption, {}, of_records(records), sheets=sheets)


def _sheet(
    view: View, pair: Pair, methods: list[str], records: list[dict[str, Any]], said: Mapping[str, Any]
) -> Sheet:
    cells = {(one["choice"], one["direction"], one["metric"]): one for one in records}
    columns = [(way, metric) for way in WAYS for metric in SHOWN]
    rows = [(METHODS[method], *(spread(cells.get((method, *one))) for one in columns)) for method in methods]
    caption = (
        f"{both_said(pair)} {said['anchors']} anchors, {draws_said(view.seed, view.runs)}; k = {said['k']}; "
        f"{rows_said(said['queries'], said['rows'], said['include_anchors'])}."
    )
    head = ("choice of anchors", *(f"{MEASURES[metric]} {WAYS[way]}" for way, metric in columns))
    return Sheet(head, tuple(rows), caption)


def _methods(options: Options) -> list[str]:
    wanted = list(dict.fromkeys(options["methods"]))
    known = [name for name in METHODS if name not in GIVEN]
    wrong = [name for name in wanted if name not in known]
    if wrong or not wanted:
        raise ParameterError(f"The option methods is {wanted}; use some of {', '.join(known)}.")
    return wanted


KIND = Kind(
    words="Retrieval over the choice of anchors, as a table",
    page="compare",
    tasks=_tasks,
    content=_content,
    options={"methods": ["uniform", "fps", "kmeans"], "papers_count": False},
)
