"""Tables in print, as LaTeX, Markdown and csv; and every pair of the shelf as heat maps too."""

from collections.abc import Sequence
from dataclasses import asdict, replace

import numpy as np

from relviz.bootstrapping.table import BootstrapTable
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.captions import (
    COUNTED,
    counts_of,
    describe_anchors,
    describe_pair,
    describe_rows,
    describe_samples,
)
from relviz.figures.inputs import (
    Measured,
    Shelved,
    Stitched,
    matched,
    measured,
    shelved,
    stitched,
)
from relviz.figures.kind import Content, Kind, Options, of_records
from relviz.figures.panes import HEAD, SHORT_HEAD, metric_rows
from relviz.measure import SCORES, TranslationScores
from relviz.pair import Pair
from relviz.plotting.heat import Heat, HeatGrid
from relviz.plotting.stack import Part
from relviz.results.all_pairs import FIGURES, AllPairs, all_pairs_caption, all_pairs_sheets, all_pairs_task
from relviz.results.heads import heads_of
from relviz.results.metrics import Metrics, metrics
from relviz.results.retrieval_table import MOST_DRAWS, Trials, our_sheet, papers_sheet, table_task
from relviz.results.translation import (
    Baselines,
    MethodScores,
    baselines_task,
    irp_scores,
)
from relviz.sheet import Sheet
from relviz.state.option_labels import METHODS, SOLVERS, TRANSLATIONS
from relviz.state.view import View
from relviz.wording import count, plural

SCORES_HEAD = (
    "method",
    "cosine similarity to the target",
    "MRR",
    "rank 1 for the true counterpart",
    "accuracy of the target's head",
    "95% interval",
)

SHORT_SCORES = {
    "cosine similarity to the target": "cosine",
    "rank 1 for the true counterpart": "top-1",
    "accuracy of the target's head": "accuracy",
    "No translation (baseline)": "None",
}


def describe_queries(scores: TranslationScores) -> str:
    """Which items were translated and looked for, and the chance of both ranks."""
    return (
        f"Queries: {plural(scores.queries, 'item')} that took no part in the fit; candidates: all "
        f"{count(scores.candidates)} items, anchors included. Chance: MRR {scores.chance['mrr']:.4f}, top-1 "
        f"{scores.chance['top1']:.2%}."
    )


def describe_null(several: Sequence[TranslationScores]) -> str:
    """What shuffled counterparts give: the range over methods, as far as it was computed."""
    known = [scores.null for scores in several if scores.null is not None]
    if not known:
        return ""
    parts = []
    for name, words in {"cosine": "cosine", "mrr": "MRR", "top1": "top-1"}.items():
        means = [f"{null.figures[name]:.3f}" for null in known]
        low, high = min(means, key=float), max(means, key=float)
        sd = max(null.sd[name] for null in known)
        parts.append(f"{words} {low if low == high else f'{low} to {high}'} (sd {sd:.3f} at most)")
    return f"The same translators with the queries' counterparts shuffled: {', '.join(parts)}."


def describe_heads(found: Sequence[MethodScores]) -> str:
    """On which rows the accuracies are, and what always saying one class would give."""
    tested = next((one.accuracy for one in found if one.accuracy is not None and one.accuracy.rows), None)
    if tested is None:
        return ""
    return (
        f"Accuracy: {plural(tested.rows, 'test row')} that are neither anchors nor training rows, "
        f"with Wilson intervals; the most frequent class is {tested.chance:.3f} of them."
    )


def scored_row(one: MethodScores) -> tuple[str, ...]:
    """A line of the table, under ``SCORES_HEAD``."""
    values, interval = ["–"] * 4, "–"
    if one.scores is not None:
        values[:3] = (f"{value:.3f}" for value in (one.scores.cosine, one.scores.mrr, one.scores.top1))
    if one.accuracy is not None and one.accuracy.rows:
        low, high = one.accuracy.interval
        values[3], interval = f"{one.accuracy.translated:.3f}", f"{low:.3f}–{high:.3f}"
    return TRANSLATIONS[one.method], *values, interval


def _metric_tasks(given: Measured, options: Options) -> list[Task[Metrics]]:
    return [metrics(given.comparison, given.choices, papers) for papers in counts_of(options)]


def _metric_content(given: Measured, options: Options, results: Sequence[Metrics]) -> Content:
    sheets, records = {}, []
    for papers, found in zip(counts_of(options), results, strict=True):
        sheets["As the papers count" if papers else "Metrics"] = _metric_sheet(given, found)
        records += [{"counted": COUNTED[papers], **asdict(one)} for one in found.metrics]
    return Content(sheets["Metrics"].caption, {}, of_records(records), sheets=sheets)


def _metric_sheet(given: Measured, found: Metrics) -> Sheet:
    pair, anchors = given.comparison.pair, given.comparison.choices
    runs = 1 if anchors.is_given else given.choices.runs
    how = "given" if anchors.is_given else METHODS[anchors.method].lower()
    caption = (
        f"{describe_pair(pair)} {found.anchors} anchors ({how}), {describe_samples(anchors.seed, runs)}; "
        f"k = {found.k}; {describe_rows(found.queries, found.rows, found.include_anchors)}; "
        f"self-matches included. Linear CKA of the original spaces: {found.cka:.3f}."
    )
    return Sheet(HEAD, tuple(metric_rows(found)), caption, short=SHORT_HEAD)


def _retrieval_tasks(pair: Pair, options: Options) -> list[Task[BootstrapTable]]:
    trials = trials_of(options)
    return [table_task(replace(trials, include_anchors=papers), pair) for papers in counts_of(options)]


def trials_of(options: Options) -> Trials:
    """What is tried; ParameterError if there is no such method, or a number is out of range."""
    methods = tuple(options["methods"])
    wrong = [name for name in methods if name not in SOLVERS]
    if wrong:
        raise ParameterError(f"There is no method {wrong[0][:40]!r}; use {', '.join(SOLVERS)}.")
    seeds, anchors, draws = tuple(options["seeds"]), options["anchors"], options["draws"]
    low, high = View.limits("count")
    fits = low <= anchors <= high and 1 <= draws <= MOST_DRAWS
    if not fits or not all(0 <= one <= anchors for one in seeds):
        raise ParameterError(
            f"The table has {anchors} anchors, {draws} draws and {list(seeds)} seeds; give {low:g} to "
            f"{high:g} anchors, 1 to {MOST_DRAWS} draws, and no more seeds than anchors."
        )
    return Trials(anchors, seeds, methods, draws)


def options_of(trials: Trials) -> Options:
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
    records: list[dict[str, object]] = []
    for papers, table in zip(counts_of(options), results, strict=True):
        sheets["As the papers count" if papers else "Ours"] = replace(
            our_sheet(table, pair), ranked="columns", apart=("chance",)
        )
        records += [{"counted": COUNTED[papers], **record} for record in table.records()]
    sheets["In the papers"] = papers_sheet()
    return Content(sheets["Ours"].caption, {}, of_records(records), sheets=sheets)


def _translation_tasks(given: Stitched, _: Options) -> list[Task[Baselines]]:
    return [baselines_task(given.problem, given.choices.head)]


def _translation_content(given: Stitched, _: Options, results: Sequence[Baselines]) -> Content:
    problem = given.problem
    pair, choices = problem.pair, problem.choices
    found = [irp_scores(problem, heads_of(pair, given.choices.head, choices.back)), *results[0].methods]
    fine = {one.method: one.scores for one in found if one.scores is not None}
    if not fine:
        raise ParameterError(found[0].reason)
    several = list(fine.values())
    caption = " ".join(
        [
            f"{problem.source.name} translated into {problem.target.name}, using "
            f"{describe_anchors(problem.comparison)}.",
            f"{describe_pair(pair)} IRP with δ {choices.delta:g}, ω {choices.omega}{problem.reading}. Cosine "
            "similarity after centering on the anchors.",
            *filter(None, (describe_queries(several[0]), describe_null(several), describe_heads(found))),
        ]
    )
    arrays = {name: np.asarray([scores.figures[name] for scores in several]) for name in SCORES}
    return Content(
        caption,
        {"methods": np.asarray(list(fine)), **arrays},
        of_records([one.record() for one in found]),
        sheets={
            "Translation": Sheet(
                SCORES_HEAD, tuple(map(scored_row, found)), caption, ranked="columns", short=SHORT_SCORES
            )
        },
    )


def _pairs_tasks(given: Shelved, _: Options) -> list[Task[AllPairs]]:
    return [all_pairs_task(given.sources, given.count, given.seed)]


def _pairs_content(_: Shelved, __: Options, results: Sequence[AllPairs]) -> Content:
    (made,) = results
    names = made.names
    if len(names) < 2:
        raise ParameterError(f"{len(names)} of the loaded embeddings can be opened. A pair needs two.")
    numbers = [str(at) for at in range(1, len(names) + 1)]
    rows = [f"{name} · {number}" for name, number in zip(names, numbers, strict=True)]

    def parts(width: float) -> list[Part]:
        heats = [Heat(words, made.figures[name], rows, numbers) for name, words in FIGURES.items()]
        return [HeatGrid(heats, width, 3 if width > 100 else 1, scale="0 to 1")]

    sheets = {words: all_pairs_sheets(made)[name] for name, words in FIGURES.items()}
    cells = [(i, j) for i in range(len(names)) for j in range(len(names))]
    columns: dict[str, Sequence[object]] = {
        "from": [names[i] for i, _ in cells],
        "to": [names[j] for _, j in cells],
    }
    columns |= {name: [float(made.figures[name][cell]) for cell in cells] for name in FIGURES}
    arrays = {name: made.figures[name] for name in FIGURES}
    return Content(all_pairs_caption(made), arrays, columns, parts, sheets)


MEASURED = Kind(
    words="Similarity metrics of two encoders, as a table",
    page="compare",
    of=measured,
    tasks=_metric_tasks,
    content=_metric_content,
    options={"papers_count": False},
)
RETRIEVAL = Kind(
    words="The papers' retrieval table",
    page="bootstrap",
    of=matched,
    tasks=_retrieval_tasks,
    content=_retrieval_content,
    options={"anchors": 300, "seeds": [15, 5], "methods": ["annealed"], "draws": 5, "papers_count": False},
)
TRANSLATION = Kind(
    words="Translation by every method, as a table",
    page="stitch",
    part="translate",
    of=stitched,
    tasks=_translation_tasks,
    content=_translation_content,
)
PAIRS = Kind(
    words="All pairs of the loaded embeddings",
    page="shelf",
    of=shelved,
    tasks=_pairs_tasks,
    content=_pairs_content,
    shelf=True,
)
