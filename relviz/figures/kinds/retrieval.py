"""Retrieval in print: over the number of anchors, over any choice, and by selection method."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.captions import COUNTED, both_said, counts_of, draws_said, rows_said
from relviz.figures.kind import Content, Kind, Options, of_records
from relviz.figures.panes import WAYS, Curve, curves_of, spread
from relviz.pair import Pair
from relviz.plotting.charts import Chart, ChartRow, Line
from relviz.plotting.stack import Part
from relviz.results.comparison import comparison_of, drawn_count
from relviz.results.metrics import Curve as AnchorCurve
from relviz.results.metrics import Metrics, curve, metrics
from relviz.sheet import Sheet
from relviz.state.labels import MEASURES, METHODS, SIMILARITIES
from relviz.state.sources import open_pair
from relviz.state.view import GIVEN, View
from relviz.wording import count

OVER = {"quantum": "distance below which vectors are merged", "count": "anchors", "k": "k"}
"""Numbers of a view that measures may be drawn over."""


def _anchor_tasks(view: View, options: Options) -> list[Task]:
    if view.anchor_choices.given:
        raise ParameterError("The number of given anchors cannot vary. Choose another method.")
    _metrics(options)
    return [curve(comparison_of(view, open_pair(view.a, view.b)), view.metric_choices)]


def _anchor_content(view: View, options: Options, results: Sequence[AnchorCurve]) -> Content:
    made = results[0]
    curves, seeds = curves_of(made.tables, _metrics(options)), made.seeds
    caption = (
        f"Retrieval over the number of anchors ({METHODS[view.method].lower()}; nested anchor sets). "
        f"{_said(view)} {draws_said(seeds[0], len(seeds)).capitalize()}."
    )
    return _content(curves, made.counts, "anchors", caption, log=True)


def _series_tasks(view: View, options: Options) -> list[Task]:
    pair = open_pair(view.a, view.b)
    _metrics(options)
    views = [view.with_changes(**{_over(options): value}) for value in _values(options)]
    return [metrics(comparison_of(one, pair), one.metric_choices) for one in views]


def _series_content(view: View, options: Options, results: Sequence[Metrics]) -> Content:
    over = _over(options)
    curves = curves_of([one.metrics for one in results], _metrics(options))
    anchors = drawn_count(view.count, results[0].rows)
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
    for one in curves:
        name = f"{one.metric}_{'b_to_a' if one.back else 'a_to_b'}"
        arrays |= {name: one.mean, f"{name}_sd": one.sd}
        columns |= {name: one.mean.tolist(), f"{name}_sd": one.sd.tolist()}
    return Content(caption, arrays, columns, parts)


def _said(view: View) -> str:
    pair = open_pair(view.a, view.b)
    most = f"at most {count(view.queries)} of the" if 0 < view.queries < len(pair) else "the"
    frame = "centered" if view.center else "not centered"
    return (
        f"{both_said(pair)} Similarity {SIMILARITIES[view.similarity].lower()}, spaces {frame}; k = "
        f"{min(view.k, len(pair) - 1)}; queries: {most} non-anchor items; {count(len(pair))} candidates."
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
    low, high = View.limits(over)
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
    options={"metrics": ["top1", "mrr_at_k"]},
)
SERIES = Kind(
    words="Retrieval over quantization, or another parameter",
    page="compare",
    tasks=_series_tasks,
    content=_series_content,
    options={
        "over": "quantum",
        "values": [0.0, 0.2, 0.4, 0.6, 0.8, 1.0],
        "metrics": ["jaccard", "mrr_at_k", "cosine"],
    },
)


SHOWN = ("jaccard", "mrr_at_k", "cosine")


def _tasks(view: View, options: Options) -> list[Task]:
    pair = open_pair(view.a, view.b)
    views = [view.with_changes(method=method) for method in _methods(options)]
    return [
        metrics(comparison_of(one, pair), one.metric_choices, papers)
        for papers in counts_of(options)
        for one in views
    ]


def _choice_content(view: View, options: Options, results: Sequence[Metrics]) -> Content:
    pair, methods = open_pair(view.a, view.b), _methods(options)
    records: list[dict[str, Any]] = []
    sheets = {}
    for place, papers in enumerate(counts_of(options)):
        some = results[place * len(methods) : (place + 1) * len(methods)]
        by_method = dict(zip(methods, some, strict=True))
        records += [
            {"counted": COUNTED[papers], "choice": method, **asdict(one)}
            for method, measured in by_method.items()
            for one in measured.metrics
            if one.representation == "relative"
        ]
        sheets["As the papers count" if papers else "Choices"] = _sheet(view, pair, by_method)
    return Content(sheets["Choices"].caption, {}, of_records(records), sheets=sheets)


def _sheet(view: View, pair: Pair, measured: Mapping[str, Metrics]) -> Sheet:
    columns = [(way, metric) for way in WAYS for metric in SHOWN]
    rows = [
        (METHODS[method], *(spread(one.find(metric, direction=way)) for way, metric in columns))
        for method, one in measured.items()
    ]
    one = next(iter(measured.values()))
    caption = (
        f"{both_said(pair)} {one.anchors} anchors, {draws_said(view.seed, view.runs)}; k = {one.k}; "
        f"{rows_said(one.queries, one.rows, one.include_anchors)}."
    )
    head = ("anchor selection", *(f"{MEASURES[metric]} {WAYS[way]}" for way, metric in columns))
    return Sheet(head, tuple(rows), caption)


def _methods(options: Options) -> list[str]:
    wanted = list(dict.fromkeys(options["methods"]))
    known = [name for name in METHODS if name not in GIVEN]
    wrong = [name for name in wanted if name not in known]
    if wrong or not wanted:
        raise ParameterError(f"The option methods is {wanted}; use some of {', '.join(known)}.")
    return wanted


SELECTION = Kind(
    words="Retrieval by anchor selection, as a table",
    page="compare",
    tasks=_tasks,
    content=_choice_content,
    options={"methods": ["uniform", "fps", "kmeans"], "papers_count": False},
)
