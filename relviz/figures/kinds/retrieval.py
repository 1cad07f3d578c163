"""Retrieval in print: over the number of anchors, over any choice, and by selection method."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from relviz.compute.entry import Result
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.captions import COUNTED, both_said, counts_of, draws_said, rows_said
from relviz.figures.kind import Content, Kind, Options, of_records
from relviz.figures.panes import Curve, curves_of, spread
from relviz.pair import Pair
from relviz.plotting.charts import Chart, ChartRow, Line
from relviz.plotting.stack import Part
from relviz.results.comparison import GIVEN, curve_task, drawn_count, measure_task
from relviz.sheet import Sheet
from relviz.state.labels import MEASURES, METHODS, SIMILARITIES
from relviz.state.sources import open_pair
from relviz.state.view import RANGES, View
from relviz.wording import count

OVER = {"quantum": "distance up to which vectors are joined", "count": "anchors", "k": "k"}
"""Numbers of a view that measures may be drawn over."""


def _anchor_tasks(view: View, options: Options) -> list[Task]:
    if view.method in GIVEN:
        raise ParameterError("Anchors that are given have no number to vary; choose another method.")
    _metrics(options)
    return [curve_task(view, open_pair(view.a, view.b))]


def _anchor_content(view: View, options: Options, results: Sequence[Result]) -> Content:
    meta = results[0].meta
    curves = curves_of(meta["tables"], _metrics(options))
    seeds = meta["seeds"]
    caption = (
        f"Retrieval over the number of anchors ({METHODS[view.method].lower()}; more include fewer). "
        f"{_said(view)} {draws_said(seeds[0], len(seeds)).capitalize()}."
    )
    return _content(curves, meta["counts"], "anchors", caption, log=True)


def _series_tasks(view: View, options: Options) -> list[Task]:
    pair = open_pair(view.a, view.b)
    _metrics(options)
    return [measure_task(view.with_changes(**{_over(options): value}), pair) for value in _values(options)]


def _series_content(view: View, options: Options, results: Sequence[Result]) -> Content:
    over = _over(options)
    curves = curves_of([one.meta["records"] for one in results], _metrics(options))
    anchors = drawn_count(view, results[0].meta["rows"])
    caption = (
        f"Retrieval over the {OVER[over]}. {_said(view)} {anchors} anchors "
        f"({METHODS[view.method].lower()}), {draws_said(view.seed, view.runs)}."
    )
    return _content(curves, _values(options), OVER[over], caption, log=over != "quantum")


def _content(curves: Sequence[Curve], at: Sequence[float], words: str, caption: str, log: bool) -> Content:
    places = np.asarray(at, np.float64)
    metrics = list(dict.fromkeys(curve.metric for curve in curves))

    def parts(width: float) -> list[Part]:
        charts = [
            Chart(
                MEASURES[metric],
                [
                    Line(
                        "A → B" if not curve.back else "B → A",
                        places,
                        curve.mean,
                        curve.color,
                        curve.sd,
                        ":" if curve.back else "-",
                        "o",
                    )
                    for curve in curves
                    if curve.metric == metric
                ],
                words,
                log_x=log,
                range_y=(0, 1.02),
                ticks=at,
            )
            for metric in metrics
        ]
        return [ChartRow(charts, width, 3 if width > 120 else 2, 0.75)]

    arrays = {"x": places}
    columns: dict[str, Sequence[Any]] = {words: list(at)}
    for curve in curves:
        name = f"{curve.metric}_{'b_to_a' if curve.back else 'a_to_b'}"
        arrays |= {name: curve.mean, f"{name}_sd": curve.sd}
        columns |= {name: curve.mean.tolist(), f"{name}_sd": curve.sd.tolist()}
    return Content(caption, arrays, columns, parts)


def _said(view: View) -> str:
    pair = open_pair(view.a, view.b)
    most = f"at most {count(view.queries)} of the" if 0 < view.queries < len(pair) else "the"
    frame = "centered" if view.center else "not centered"
    return (
        f"{both_said(pair)} Similarity {SIMILARITIES[view.similarity].lower()}, spaces {frame}; "
        f"k = {min(view.k, len(pair) - 1)}; queries: {most} items that are no anchors; {count(len(pair))} "
        "candidates."
    )


def _metrics(options: Options) -> list[str]:
    wanted = list(options["metrics"])
    wrong = [name for name in wanted if name not in MEASURES]
    if wrong or not wanted:
        raise ParameterError(f"The option metrics is {wanted}; use some of {', '.join(MEASURES)}.")
    return wanted


def _over(options: Options) -> str:
    over: str = options["over"]
    if over not in OVER:
        raise ParameterError(f"The option over is {over[:40]!r}; it is one of {', '.join(OVER)}.")
    return over


def _values(options: Options) -> list[Any]:
    over = _over(options)
    low, high = RANGES[over]
    kind = float if over == "quantum" else int
    values = [kind(value) for value in options["values"]]
    if not 1 <= len(values) <= 30 or not all(low <= value <= high for value in values):
        raise ParameterError(
            f"The option values holds {len(values)} numbers for {over}; give 1 to 30 from {low:g} to "
            f"{high:g}."
        )
    return values


ANCHORS = Kind(
    words="Retrieval over the number of anchors",
    page="compare",
    tasks=_anchor_tasks,
    content=_anchor_content,
    options={"metrics": ["top1", "mrr"]},
)
SERIES = Kind(
    words="Retrieval over quantization, or another number of the view",
    page="compare",
    tasks=_series_tasks,
    content=_series_content,
    options={
        "over": "quantum",
        "values": [0.0, 0.2, 0.4, 0.6, 0.8, 1.0],
        "metrics": ["jaccard", "mrr", "cosine"],
    },
)


SHOWN = ("jaccard", "mrr", "cosine")
WAYS = {"x→y": "A → B", "y→x": "B → A"}


def _tasks(view: View, options: Options) -> list[Task]:
    pair = open_pair(view.a, view.b)
    views = [view.with_changes(method=method) for method in _methods(options)]
    return [measure_task(one, pair, papers) for papers in counts_of(options) for one in views]


def _choice_content(view: View, options: Options, results: Sequence[Result]) -> Content:
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


SELECTION = Kind(
    words="Retrieval over the choice of anchors, as a table",
    page="compare",
    tasks=_tasks,
    content=_choice_content,
    options={"methods": ["uniform", "fps", "kmeans"], "papers_count": False},
)
