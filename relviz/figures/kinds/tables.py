"""Tables in print, as LaTeX, Markdown and csv; and every pair of the shelf as heat maps too."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from relviz.bootstrapping.table import BootstrapTable
from relviz.compute.entry import Result
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.captions import COUNTED, anchors_said, both_said, counts_of, draws_said, rows_said
from relviz.figures.kind import Content, Kind, Options, of_records
from relviz.figures.panes import HEAD, metric_rows
from relviz.measure import SCORES
from relviz.pair import Pair
from relviz.plotting.heat import Heat, HeatGrid
from relviz.plotting.stack import Part
from relviz.results.all_pairs import FIGURES, AllPairs, all_pairs_sheets, all_pairs_task
from relviz.results.comparison import comparison_of
from relviz.results.metrics import Metrics, metrics
from relviz.results.retrieval_table import Trials, our_sheet, papers_sheet, table_task
from relviz.results.translation import TITLES, baselines_task, figures_of, sides_of
from relviz.sheet import Sheet
from relviz.state.labels import METHODS
from relviz.state.sources import open_pair
from relviz.state.view import RUN_CHOICES, Names, View
from relviz.wording import count, plural

SCORES_HEAD = (
    "method",
    "cosine similarity to the target",
    "MRR",
    "rank 1 for the true counterpart",
    "accuracy of the target's head",
    "95% interval",
)


def queries_said(records: Sequence[Mapping[str, Any]]) -> str:
    """Which items were translated and looked for, and the chance of both ranks.

    Raises
    ------
    ParameterError
        If no method could be used: why.
    """
    one = next((one for one in records if "queries" in one), None)
    if one is None:
        raise ParameterError(records[0]["reason"])
    return (
        f"Queries: {plural(one['queries'], 'item')} that took no part in the fit; candidates: all "
        f"{count(one['candidates'])} items, anchors included. Chance: MRR {one['chance_mrr']:.4f}, top-1 "
        f"{one['chance_top1']:.2%}."
    )


def null_said(records: Sequence[Mapping[str, Any]]) -> str:
    """What shuffled counterparts give: the range over methods, as far as it was computed."""
    known = [one for one in records if "null_mrr" in one]
    if not known:
        return ""
    parts = []
    for name, words in {"cosine": "cosine", "mrr": "MRR", "top1": "top-1"}.items():
        means = [f"{one[f'null_{name}']:.3f}" for one in known]
        low, high = min(means, key=float), max(means, key=float)
        sd = max(one[f"null_sd_{name}"] for one in known)
        parts.append(f"{words} {low if low == high else f'{low} to {high}'} (sd {sd:.3f} at most)")
    return f"The same translators with the queries' counterparts shuffled: {', '.join(parts)}."


def heads_said(records: Sequence[Mapping[str, Any]]) -> str:
    """On which rows the accuracies are, and what always saying one class would give."""
    tested = next((one for one in records if one.get("accuracy") is not None), None)
    if tested is None:
        return ""
    return (
        f"Accuracy: {plural(tested['accuracy_rows'], 'test row')} that are neither anchors nor training "
        f"rows, with Wilson intervals; the most frequent class is {tested['accuracy_chance']:.3f} of them."
    )


def scored_row(method: str, one: Mapping[str, Any]) -> tuple[str, ...]:
    """A line of the table, under ``HEAD``."""
    low, high = one.get("accuracy_low"), one.get("accuracy_high")
    interval = "–" if low is None or high is None else f"{low:.3f}–{high:.3f}"
    values = (one.get(name) for name in ("cosine", "mrr", "top1", "accuracy"))
    return TITLES[method], *("–" if value is None else f"{value:.3f}" for value in values), interval


def scored_arrays(found: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Every score as an array over the methods that could be used, and their names."""
    fine = {method: one for method, one in found.items() if "reason" not in one}
    return {"methods": list(fine)} | {name: [one[name] for one in fine.values()] for name in SCORES}


def _metric_tasks(view: View, options: Options) -> list[Task[Metrics]]:
    comparison = comparison_of(view, open_pair(view.a, view.b))
    return [metrics(comparison, view.metric_choices, papers) for papers in counts_of(options)]


def _metric_content(view: View, options: Options, results: Sequence[Metrics]) -> Content:
    sheets, records = {}, []
    for papers, measured in zip(counts_of(options), results, strict=True):
        sheets["As the papers count" if papers else "Metrics"] = _metric_sheet(view, measured)
        records += [{"counted": COUNTED[papers], **asdict(one)} for one in measured.metrics]
    return Content(sheets["Metrics"].caption, {}, of_records(records), sheets=sheets)


def _metric_sheet(view: View, measured: Metrics) -> Sheet:
    pair, given = open_pair(view.a, view.b), view.anchor_choices.given
    runs = 1 if given else view.runs
    how = "given" if given else METHODS[view.method].lower()
    caption = (
        f"{both_said(pair)} {measured.anchors} anchors ({how}), {draws_said(view.seed, runs)}; "
        f"k = {measured.k}; {rows_said(measured.queries, measured.rows, measured.include_anchors)}; "
        f"self-matches included. Linear CKA of the original spaces: {measured.cka:.3f}."
    )
    return Sheet(HEAD, tuple(metric_rows(measured)), caption)


def _retrieval_tasks(pair: Pair, options: Options) -> list[Task[BootstrapTable]]:
    trials = trials_of(options)
    return [table_task(replace(trials, include_anchors=papers), pair) for papers in counts_of(options)]


def trials_of(options: Options) -> Trials:
    """What is tried; ParameterError if there is no such method, or a number is out of range."""
    methods = tuple(options["methods"])
    wrong = [name for name in methods if name not in RUN_CHOICES["method"]]
    if wrong:
        raise ParameterError(f"There is no method {wrong[0][:40]!r}; use {', '.join(RUN_CHOICES['method'])}.")
    seeds, anchors, draws = tuple(options["seeds"]), options["anchors"], options["draws"]
    if not 2 <= anchors <= 5000 or not 1 <= draws <= 20 or not all(0 <= one <= anchors for one in seeds):
        raise ParameterError(
            f"The table is asked for with {anchors} anchors, {draws} draws and {list(seeds)} seeds; give "
            "2 to 5000 anchors, 1 to 20 draws, and no more seeds than anchors."
        )
    return Trials(anchors, seeds, methods, draws)


def options_of(trials: Trials) -> dict[str, Any]:
    """What ``trials_of`` reads, and whether it is also counted as the papers do."""
    return {
        "papers_count": trials.include_anchors,
        "anchors": trials.anchors,
        "seeds": list(trials.seed_counts),
        "methods": list(trials.methods),
        "draws": trials.draws,
    }


def _retrieval_content(pair: Pair, options: Options, results: Sequence[BootstrapTable]) -> Content:
    sheets: dict[str, Sheet] = {}
    records: list[dict[str, Any]] = []
    for papers, table in zip(counts_of(options), results, strict=True):
        sheets["As the papers count" if papers else "Ours"] = our_sheet(table, pair)
        records += [{"counted": COUNTED[papers], **record} for record in table.records()]
    sheets["In the papers"] = papers_sheet()
    return Content(sheets["Ours"].caption, {}, of_records(records), sheets=sheets)


def _translation_tasks(view: View, _: Options) -> list[Task]:
    return [baselines_task(view, open_pair(view.a, view.b))]


def _translation_content(view: View, _: Options, results: Sequence[Result]) -> Content:
    pair = open_pair(view.a, view.b)
    source, target = sides_of(view, pair)
    ours = figures_of(view.with_changes(translate="irp"), pair)
    found = {"irp": ours} | results[0].meta["found"]
    records = [{"method": name, **one} for name, one in found.items()]
    caption = " ".join(
        [
            f"{source.name} translated into {target.name}, using {anchors_said(comparison_of(view, pair))}.",
            f"{both_said(pair)} IRP with δ {view.delta:g}, ω {view.omega}. Cosine similarity after centering "
            "on the anchors.",
            *filter(None, (queries_said(records), null_said(records), heads_said(records))),
        ]
    )
    rows = tuple(scored_row(name, one) for name, one in found.items())
    return Content(
        caption,
        {name: np.asarray(values) for name, values in scored_arrays(found).items()},
        of_records(records),
        sheets={"Translation": Sheet(SCORES_HEAD, rows, caption)},
    )


def _pairs_tasks(shelf: tuple[Names, int, int], _: Options) -> list[Task[AllPairs]]:
    return [all_pairs_task(*shelf)]


def _pairs_content(_: tuple[Names, int, int], __: Options, results: Sequence[AllPairs]) -> Content:
    (made,) = results
    names = made.names
    if len(names) < 2:
        raise ParameterError(f"{len(names)} of the loaded embeddings can be opened. A pair needs two.")
    numbers = [str(at) for at in range(1, len(names) + 1)]
    rows = [f"{name} · {number}" for name, number in zip(names, numbers, strict=True)]

    def parts(width: float) -> list[Part]:
        heats = [Heat(words, made.figures[name], rows, numbers) for name, words in FIGURES.items()]
        return [HeatGrid(heats, width, 3 if width > 120 else 1, scale="0 to 1")]

    sheets = {words: all_pairs_sheets(made)[name] for name, words in FIGURES.items()}
    caption = next(iter(sheets.values())).caption.partition(". ")[2]
    cells = [(i, j) for i in range(len(names)) for j in range(len(names))]
    columns: dict[str, Sequence[Any]] = {
        "from": [names[i] for i, _ in cells],
        "to": [names[j] for _, j in cells],
    }
    columns |= {name: [float(made.figures[name][cell]) for cell in cells] for name in FIGURES}
    arrays = {name: made.figures[name] for name in FIGURES}
    return Content(caption, arrays, columns, parts, sheets)


MEASURED = Kind(
    words="Similarity metrics of two encoders, as a table",
    page="compare",
    tasks=_metric_tasks,
    content=_metric_content,
    options={"papers_count": False},
)
RETRIEVAL = Kind(
    words="The papers' retrieval table",
    page="bootstrap",
    tasks=_retrieval_tasks,
    content=_retrieval_content,
    options={"anchors": 300, "seeds": [15, 5], "methods": ["annealed"], "draws": 5, "papers_count": False},
    of=lambda view: open_pair(view.a, view.b),
)
TRANSLATION = Kind(
    "Translation by every method, as a table",
    "stitch",
    _translation_tasks,
    _translation_content,
    part="translate",
)
PAIRS = Kind(
    words="All pairs of the loaded embeddings",
    page="shelf",
    tasks=_pairs_tasks,
    content=_pairs_content,
    shelf=True,
    of=lambda view: (view.sources, view.count, view.seed),
)
