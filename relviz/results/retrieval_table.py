"""The papers' retrieval table for a pair: the task that computes it, and how it reads."""

from dataclasses import dataclass, replace
from math import isnan, nan

from relviz.bootstrapping.table import BootstrapTable, Line, bootstrap_table
from relviz.compute.jobs import Ticket
from relviz.compute.task import task
from relviz.measure import Runs
from relviz.names import BOOTSTRAPS, known_name
from relviz.pair import Pair
from relviz.papers import place_of
from relviz.results.bootstrap import most_anchors
from relviz.results.checkpoint import RESUMED, checkpoint_of
from relviz.sheet import Sheet, records_csv
from relviz.state.option_labels import SOLVERS
from relviz.wording import count, plural

QUOTED = (
    ("RR table 1", "absolute", "absolute"),
    ("RR table 1", "relative", "true anchors"),
    ("AO table 4", "seeds only", "15 known pairs only"),
    ("AO table 4", "AO", "AO, 15 known pairs, Word2Vec optimized"),
    ("AO table 5", "AO", "AO, 15 known pairs, FastText optimized"),
    ("RR table 8", "uniform", "true anchors, 500"),
    ("AO table 7", "true anchors", "true anchors"),
    ("AO table 7", "seeds only", "15 known pairs only"),
    ("AO table 7", "AO", "AO, 15 known pairs"),
)
"""Lines of the papers' tables: place, row, and how the line reads here."""

DIFFERENT = (
    "Other data and encoders: the papers compare FastText with Word2Vec on 20,000 words, and ViT-B with "
    "ViT-S on CIFAR-10. Their results show what to expect of the method, not of this pair.",
    "The papers count all items as queries, anchors included. Here queries are held-out items, unless "
    "“As the papers count” is on.",
    "Here both spaces are centered first.",
    "The paper finally replaces each optimized anchor by its nearest row. Here the free points are "
    "measured, and the nearest rows on a separate line.",
    "The papers have no Procrustes, fit to all true pairs, full ranking, matches or verdict.",
)
"""Differences between our table and theirs."""


NEIGHBORS = 10
MOST_QUERIES = 2000
EVERY_ROW_UP_TO = 5000
"""Of more rows, ``MOST_QUERIES`` at most, drawn at random, are searched with."""

METRICS = {"jaccard": "Jaccard", "mrr_at_k": "MRR@k", "cosine": "cosine", "mrr": "MRR"}
PAPERS_METRICS = ("Jaccard", "MRR@k", "cosine")
MOST_DRAWS = 20
WAYS = {"x→y": "A→B", "y→x": "B→A"}
_SOLVERS = {**SOLVERS, "annealed": "annealed"}
"""Within a sentence."""


@dataclass(frozen=True)
class Trials:
    """What is tried on a pair: how many anchors, how many of them seeds, by which methods, how often.

    ``include_anchors`` counts as the papers do: all rows are in the fit, and all are queries.
    """

    anchors: int = 300
    seed_counts: tuple[int, ...] = (15, 5)
    methods: tuple[str, ...] = ("annealed",)
    draws: int = 5
    include_anchors: bool = False


@task("table", "The retrieval table", heavy=True)
def table_task(ticket: Ticket, trials: Trials, pair: Pair) -> BootstrapTable:
    """The task that computes the table; its runs have no seconds, which are not the same twice."""
    checkpoint, saved = checkpoint_of(table_task(trials, pair).key)
    if saved is not None:
        ticket.report(0.0, RESUMED)

    def on_progress(fraction: float) -> None:
        ticket.report(fraction)
        ticket.rest()

    n = len(pair)
    table = bootstrap_table(
        pair.a.vectors,
        pair.b.vectors,
        anchors=min(trials.anchors, most_anchors(n)),
        known_counts=trials.seed_counts,
        methods=[known_name(method, BOOTSTRAPS) for method in trials.methods],
        n_draws=trials.draws,
        k=min(NEIGHBORS, n),
        queries=MOST_QUERIES if n > EVERY_ROW_UP_TO else None,
        include_anchors=trials.include_anchors,
        on_progress=on_progress,
        checkpoint=checkpoint,
    )
    return replace(table, outcomes=tuple(replace(run, seconds=nan) for run in table.outcomes))


def our_sheet(table: BootstrapTable, pair: Pair) -> Sheet:
    """The computed table, a line for each kind of anchors."""
    columns = [(way, metric) for way in WAYS for metric in METRICS]
    head = ["anchors", *(f"{METRICS[metric]} {WAYS[way]}" for way, metric in columns)]
    rows = [
        (
            _words(line),
            *(_spread(_both(line)[way], metric) for way, metric in columns),
            *_verdict(line, table),
        )
        for line in table.lines
    ]
    last = _both(table.lines[-1])
    # The cosine of a random pair is another one for each kind of anchors.
    cells = ("–" if metric == "cosine" else f"{last[way].chance[metric]:.4f}" for way, metric in columns)
    rows.append(("chance", *cells, "–", "–"))
    return Sheet((*head, "matches right", "converged"), tuple(rows), _caption(table, pair))


def papers_sheet() -> Sheet:
    """The papers' own figures as they print them, in the columns of ours where they have them."""
    head = [f"{metric} {way}" for way in WAYS.values() for metric in PAPERS_METRICS]
    rows = [
        (f"{place}: {words}", *(cell or "–" for cell in place_of(place).rows[row]), _spaces(place))
        for place, row, words in QUOTED
    ]
    caption = "The papers' numbers, k = 10, mean ± sd."
    return Sheet(("anchors", *head, "spaces"), tuple(rows), caption)


def _spaces(place: str) -> str:
    """The two spaces that a place compares, by the words of its first column."""
    ways, _, _ = place_of(place).columns[0].partition(", ")
    return ways.replace(" → ", " / ")


def table_csv(table: BootstrapTable) -> str:
    """Every figure unrounded: a line for each kind of anchors, direction and metric."""
    return records_csv(table.records())


def _both(line: Line) -> dict[str, Runs]:
    """The two directions by what ``WAYS`` calls them."""
    return {"x→y": line.x_to_y, "y→x": line.y_to_x}


def _words(line: Line) -> str:
    words = {
        "none": "none (absolute)",
        "true": "true anchors (GT)",
        "procrustes": "Procrustes on all true pairs of the fit",
        "fitted": "fitted on all true pairs of the fit",
    }
    if line.method is None:
        return words.get(line.anchors) or f"{plural(line.seeds or 0, 'known pair')} only"
    form = ", nearest items" if line.anchors == "rows" else ", free points"
    known = plural(line.seeds, "known pair") if line.seeds else "no known pairs"
    return f"AO {_SOLVERS[line.method]}, {known}{form}"


def _verdict(line: Line, table: BootstrapTable) -> tuple[str, str]:
    runs = [run for run in table.outcomes if (run.method, run.seeds) == (line.method, line.seeds)]
    if line.anchors != "found" or not runs:
        return "–", "–"
    right = [run.right for run in runs if not isnan(run.right)]
    share = f"{sum(right) / len(right):.1%}" if right else "–"
    return share, f"{sum(run.converged for run in runs)} of {len(runs)}"


def _caption(table: BootstrapTable, pair: Pair) -> str:
    draws, k = len(table.draws), table.lines[0].x_to_y.runs[0].k
    drawn = f"mean ± sd over seeds 0–{draws - 1}" if draws > 1 else "draw 0"
    return (
        f"A {pair.a.name}, B {pair.b.name}; {count(table.anchors)} uniform anchors of A, {drawn}; k = {k}; "
        f"{_queries_and_candidates(table)}; both spaces centered; the solver is given the rows of B in "
        "random order. Matches right: among fitted rows, known pairs excluded."
    )


def _queries_and_candidates(table: BootstrapTable) -> str:
    """What is searched with, and among what."""
    queries, rows = count(table.queries), count(table.rows)
    if table.include_anchors:
        return f"as the papers count: {queries} queries among {rows} candidates, all fitted"
    if not table.held_out:
        return f"{queries} queries that are not anchors, too few for a held-out set; {rows} candidates"
    return f"{queries} queries out of {count(table.held_out)} held-out items; {rows} candidates"


def _spread(runs: Runs, metric: str) -> str:
    return f"{runs.mean[metric]:.3f}" + ("" if runs.sd is None else f" ± {runs.sd[metric]:.3f}")
