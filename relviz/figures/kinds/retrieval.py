"""Retrieval in print: over the number of anchors, over any choice, and by selection method."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.captions import COUNTED, counts_of, describe_pair, describe_rows, describe_samples
from relviz.figures.inputs import Measured, measured
from relviz.figures.kind import Content, Kind, Options, of_records
from relviz.figures.panes import WAYS, Curve, curves_of, spread
from relviz.plotting.charts import Chart, ChartRow, Line
from relviz.plotting.colors import CLASSES
from relviz.plotting.stack import Part
from relviz.plotting.style import FAINT, INK
from relviz.results.comparison import drawn_count
from relviz.results.metrics import Curve as AnchorCurve
from relviz.results.metrics import Frequent, Metric, Metrics, curve, metrics
from relviz.sheet import Sheet
from relviz.state.option_labels import MEASURES, METHODS, SIMILARITIES
from relviz.state.view import GIVEN, View
from relviz.wording import count

OVER = {"quantum": "merging distance", "count": "anchors", "k": "k"}
"""Numbers of a view that measures may be drawn over."""


def _anchor_tasks(given: Measured, options: Options) -> list[Task[AnchorCurve]]:
    if given.comparison.choices.is_given:
        raise ParameterError("The number of given anchors cannot vary. Choose another method.")
    _metrics(options)
    return [curve(given.comparison, given.choices)]


def _anchor_content(given: Measured, options: Options, results: Sequence[AnchorCurve]) -> Content:
    made = results[0]
    curves, seeds = curves_of(made.tables, _metrics(options)), made.seeds
    caption = (
        f"Retrieval over the number of anchors ({METHODS[given.comparison.choices.method].lower()}; nested "
        f"anchor sets). {_how_measured(given)} {describe_samples(seeds[0], len(seeds)).capitalize()}."
    )
    return _content(curves, made.counts, "anchors", caption, made.tables[-1], log=True)


def _series_tasks(given: Measured, options: Options) -> list[Task[Metrics]]:
    _metrics(options)
    changed = [_with(given, _over(options), value) for value in _values(options)]
    return [metrics(one.comparison, one.choices) for one in changed]


def _with(given: Measured, over: str, value: float) -> Measured:
    """The same with another value of what is drawn over."""
    comparison, choices = given.comparison, given.choices
    if over == "quantum":
        comparison = replace(comparison, quantum=value)
    elif over == "count":
        comparison = replace(comparison, choices=replace(comparison.choices, count=int(value)))
    else:
        choices = replace(choices, k=int(value))
    return Measured(comparison, choices)


def _series_content(given: Measured, options: Options, results: Sequence[Metrics]) -> Content:
    drawn = given.comparison.choices
    over = _over(options)
    curves = curves_of([one.metrics for one in results], _metrics(options))
    anchors = drawn_count(drawn.count, results[0].rows)
    caption = (
        f"Retrieval over the {OVER[over]}. {_how_measured(given)} {anchors} anchors "
        f"({METHODS[drawn.method].lower()}), {describe_samples(drawn.seed, given.choices.runs)}."
    )
    last = results[-1].metrics
    return _content(curves, _values(options), OVER[over], caption, last, log=over != "quantum")


COLORS = {"x→y": CLASSES[0], "y→x": CLASSES[4]}
"""Of both ways: blue and vermilion, which differ in gray too."""
ROOM = 1.08
"""Height of a chart in heights of what it shows."""


def _levels(metric: str, measured: Sequence[Metric]) -> list[tuple[float, str, str]]:
    """Lines across a chart: chance, and the metric in the original spaces where they can be compared."""
    forth = [one for one in measured if (one.metric, one.direction) == (metric, "x→y")]
    by = {one.representation: one for one in forth}
    levels = [(by["relative"].chance, "chance", FAINT)]
    if "absolute" in by:
        levels.append((by["absolute"].mean, "original spaces, A → B", INK))
    return levels


def _content(
    curves: Sequence[Curve],
    at: Sequence[float],
    words: str,
    caption: str,
    measured: Sequence[Metric],
    log: bool,
) -> Content:
    """Charts of the curves; ``measured`` has chance and the metrics of the original spaces."""
    places = np.asarray(at, np.float64)
    metrics = list(dict.fromkeys(curve.metric for curve in curves))

    levels = {metric: _levels(metric, measured) for metric in metrics}
    highest = {
        metric: max(
            *(float((one.mean + one.sd).max()) for one in curves if one.metric == metric),
            *(level for level, _, _ in levels[metric]),
            0.01,
        )
        for metric in metrics
    }

    def parts(width: float) -> list[Part]:
        charts = [
            Chart(
                MEASURES[metric],
                [
                    Line(
                        "A → B" if not curve.back else "B → A",
                        places,
                        curve.mean,
                        COLORS[curve.direction],
                        curve.sd,
                        ":" if curve.back else "-",
                        "^" if curve.back else "o",
                    )
                    for curve in curves
                    if curve.metric == metric
                ],
                words,
                log_x=log,
                range_y=(0, ROOM * highest[metric]),
                ticks=at,
                levels=levels[metric],
            )
            for metric in metrics
        ]
        return [ChartRow(charts, width, 3 if width > 100 else 2, 0.75)]

    arrays = {"x": places}
    columns: dict[str, Sequence[object]] = {words: list(at)}
    for one in curves:
        name = f"{one.metric}_{'b_to_a' if one.back else 'a_to_b'}"
        arrays |= {name: one.mean, f"{name}_sd": one.sd}
        columns |= {name: one.mean.tolist(), f"{name}_sd": one.sd.tolist()}
    return Content(caption, arrays, columns, parts)


def _how_measured(given: Measured) -> str:
    comparison, choices = given.comparison, given.choices
    pair, queries = comparison.pair, choices.queries
    most = f"at most {count(queries)} of the" if 0 < queries < len(pair) else "the"
    frame = "centered" if comparison.centered else "not centered"
    return (
        f"{describe_pair(pair)} Similarity {SIMILARITIES[comparison.similarity].lower()}, spaces {frame}; k "
        f"= {min(choices.k, len(pair) - 1)}; queries: {most} non-anchor items; {count(len(pair))} candidates."
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
        raise ParameterError(f"The option over is {over[:40]!r}; use one of {', '.join(OVER)}.")
    return over


def _values(options: Options) -> list[float]:
    over = _over(options)
    low, high = View.limits(over)
    values = [float(value) if over == "quantum" else int(value) for value in options["values"]]
    if not 1 <= len(values) <= 30 or not all(low <= value <= high for value in values):
        raise ParameterError(
            f"The option values holds {len(values)} numbers for {over}; give 1 to 30 from {low:g} to "
            f"{high:g}."
        )
    return values


ANCHORS = Kind(
    words="Retrieval over the number of anchors",
    page="compare",
    of=measured,
    tasks=_anchor_tasks,
    content=_anchor_content,
    options={"metrics": ["top1", "mrr_at_k"]},
)
SERIES = Kind(
    words="Retrieval over quantization, or another parameter",
    page="compare",
    of=measured,
    tasks=_series_tasks,
    content=_series_content,
    options={
        "over": "quantum",
        "values": [0.0, 0.2, 0.4, 0.6, 0.8, 1.0],
        "metrics": ["jaccard", "mrr_at_k", "cosine"],
    },
)


SHOWN = ("jaccard", "mrr_at_k", "cosine")


@dataclass(frozen=True)
class Selection:
    """A way of selecting anchors: its method, which of the first rows ``top`` draws from, and its name."""

    method: str
    frequent: Frequent
    name: str
    words: str


def _selections(options: Options) -> list[Selection]:
    """One for each method, and of the most frequent one for each number of rows to draw from."""
    skip = int(options["skip"])
    after = f" after {count(skip)}" if skip else ""
    found = []
    for method in _methods(options):
        if method == "top" and options["tops"]:
            found += [
                Selection(method, Frequent(top, skip), f"top{top}", f"{count(top)} most frequent{after}")
                for top in map(int, options["tops"])
            ]
        else:
            found.append(Selection(method, Frequent(skip=skip), method, METHODS[method]))
    return found


def _tasks(given: Measured, options: Options) -> list[Task[Metrics]]:
    whole = given.comparison
    return [
        metrics(
            replace(whole, choices=replace(whole.choices, method=one.method)),
            given.choices,
            papers,
            one.frequent,
        )
        for papers in counts_of(options)
        for one in _selections(options)
    ]


def _choice_content(given: Measured, options: Options, results: Sequence[Metrics]) -> Content:
    selections = _selections(options)
    records: list[dict[str, object]] = []
    sheets = {}
    for place, papers in enumerate(counts_of(options)):
        some = results[place * len(selections) : (place + 1) * len(selections)]
        records += [
            {"counted": COUNTED[papers], "choice": selection.name, **asdict(one)}
            for selection, measured in zip(selections, some, strict=True)
            for one in measured.metrics
            if one.representation == "relative"
        ]
        by_words = {selection.words: one for selection, one in zip(selections, some, strict=True)}
        sheets["As the papers count" if papers else "Choices"] = _sheet(given, by_words)
    return Content(sheets["Choices"].caption, {}, of_records(records), sheets=sheets)


def _sheet(given: Measured, found: Mapping[str, Metrics]) -> Sheet:
    columns = [(way, metric) for way in WAYS for metric in SHOWN]
    rows = [
        (words, *(spread(one.find(metric, direction=way)) for way, metric in columns))
        for words, one in found.items()
    ]
    one, seed = next(iter(found.values())), given.comparison.choices.seed
    caption = (
        f"{describe_pair(given.comparison.pair)} {one.anchors} anchors, "
        f"{describe_samples(seed, given.choices.runs)}; k = {one.k}; "
        f"{describe_rows(one.queries, one.rows, one.include_anchors)}."
    )
    head = ("anchor selection", *(f"{MEASURES[metric]} {WAYS[way]}" for way, metric in columns))
    return Sheet(head, tuple(rows), caption, ranked="columns")


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
    of=measured,
    tasks=_tasks,
    content=_choice_content,
    options={"methods": ["uniform", "fps", "kmeans"], "papers_count": False, "tops": [], "skip": 0},
)
