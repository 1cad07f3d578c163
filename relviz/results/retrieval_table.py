"""The papers' retrieval table for a pair: the task that computes it, and how it reads."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isnan
from typing import Any

from relviz.bootstrapping.table import Outcome, bootstrap_table
from relviz.compute.jobs import Ticket
from relviz.compute.key import result_key
from relviz.compute.task import Made, Task
from relviz.pair import Pair
from relviz.results.bootstrap import most_anchors
from relviz.sheet import Sheet, records_csv
from relviz.wording import count, plural

Figures = tuple[float, float, float]
"""Jaccard, MRR and cosine, at k = 10."""


@dataclass(frozen=True)
class Quoted:
    """A line of a table in a paper; ``y_to_x`` is None where one direction is quoted."""

    source: str
    spaces: str
    anchors: str
    x_to_y: Figures
    y_to_x: Figures | None = None


_WORDS = "FastText / Word2Vec, 20,000 words"
_IMAGES = "ViT-B / ViT-S, CIFAR-10"
RR_1, AO_4, AO_7 = "RR table 1", "AO table 4", "AO table 7"

QUOTED = (
    Quoted(RR_1, _WORDS, "absolute", (0.00, 0.00, 0.01)),
    Quoted(RR_1, _WORDS, "true anchors", (0.34, 0.94, 0.86), (0.39, 0.98, 0.86)),
    Quoted(AO_4, _WORDS, "15 known pairs only", (0.06, 0.11, 0.85)),
    Quoted(AO_4, _WORDS, "AO, 15 known pairs", (0.52, 0.99, 0.94), (0.50, 0.99, 0.94)),
    Quoted(AO_7, _IMAGES, "true anchors", (0.11, 0.27, 0.97)),
    Quoted(AO_7, _IMAGES, "15 known pairs only", (0.03, 0.03, 0.97)),
    Quoted(AO_7, _IMAGES, "AO, 15 known pairs", (0.10, 0.23, 0.97)),
)
"""RR: Moschella et al. 2023 (arXiv 2209.15430). AO: Cannistraci et al. 2023 (arXiv 2303.00721)."""

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

METRICS = {"jaccard": "Jaccard", "mrr": "MRR", "cosine": "cosine", "mrr_full": "MRR, full"}
PAPERS_METRICS = ("Jaccard", "MRR", "cosine")
WAYS = {"x→y": "A→B", "y→x": "B→A"}
SOLVERS = {"annealed": "annealed", "adam": "Adam (Cannistraci et al. 2023)", "adam_warm": "Adam, warm start"}


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


def table_task(trials: Trials, pair: Pair) -> Task:
    """The task that computes the table; its result says ``records``, ``outcomes`` and the conditions."""
    n = len(pair)
    options: dict[str, Any] = {
        "anchors": min(trials.anchors, most_anchors(n)),
        "seed_counts": list(trials.seed_counts),
        "methods": list(trials.methods),
        "draws": list(range(trials.draws)),
        "k": min(NEIGHBORS, n),
        "queries": MOST_QUERIES if n > EVERY_ROW_UP_TO else None,
        "include_anchors": trials.include_anchors,
    }

    def compute(ticket: Ticket) -> Made:
        def on_progress(fraction: float) -> None:
            ticket.report(fraction)
            ticket.rest()

        table = bootstrap_table(pair.a.vectors, pair.b.vectors, **options, on_progress=on_progress)
        outcomes = [_outcome(run) for run in table.outcomes]
        said = {"anchors": table.anchors, "draws": len(table.draws), "k": options["k"]}
        said |= {name: getattr(table, name) for name in ("rows", "queries", "held_out", "include_anchors")}
        return {}, {"records": table.records(), "outcomes": outcomes, **said}

    return Task(result_key("table", [pair.digest], options, 0), "The retrieval table", compute)


def our_sheet(made: Mapping[str, Any], pair: Pair) -> Sheet:
    """The computed table, a line for each kind of anchors; ``made`` is what the task's result says."""
    figures: dict[tuple[Any, ...], dict[tuple[str, str], str]] = {}
    for record in made["records"]:
        line = figures.setdefault((record["anchors"], record["method"], record["seeds"]), {})
        line[record["direction"], record["metric"]] = _spread(record["mean"], record["sd"])
    columns = [(way, metric) for way in WAYS for metric in METRICS]
    head = ["anchors", *(f"{METRICS[metric]} {WAYS[way]}" for way, metric in columns)]
    rows = [
        (_words(*line), *(cells[column] for column in columns), *_verdict(line, made["outcomes"]))
        for line, cells in figures.items()
    ]
    by_chance = {(r["direction"], r["metric"]): r["chance"] for r in made["records"]}
    # The cosine of a random pair is another one for each kind of anchors.
    cells = ("–" if metric == "cosine" else f"{by_chance[way, metric]:.4f}" for way, metric in columns)
    rows.append(("chance", *cells, "–", "–"))
    return Sheet((*head, "matches right", "converged"), tuple(rows), _caption(made, pair))


def papers_sheet() -> Sheet:
    """The papers' own figures, in the same columns where they have them."""
    head = [f"{metric} {way}" for way in WAYS.values() for metric in PAPERS_METRICS]
    rows = [
        (f"{line.source}: {line.anchors}", *_quoted(line.x_to_y), *_quoted(line.y_to_x), line.spaces)
        for line in QUOTED
    ]
    caption = "Figures of the papers, k = 10; where one direction stands alone, one is quoted."
    return Sheet(("anchors", *head, "spaces"), tuple(rows), caption)


def table_csv(made: Mapping[str, Any]) -> str:
    """Every figure unrounded: a line for each kind of anchors, direction and metric."""
    return records_csv(made["records"])


def _outcome(run: Outcome) -> dict[str, Any]:
    """A run without its seconds, which are not the same twice."""
    return {name: value for name, value in asdict(run).items() if name != "seconds"}


def _words(anchors: str, method: str | None, seeds: int | None) -> str:
    known = {
        "none": "none (absolute)",
        "true": "true anchors (GT)",
        "procrustes": "Procrustes on all true pairs of the fit",
        "fitted": "fitted on all true pairs of the fit",
    }
    if method is None:
        return known.get(anchors) or f"{plural(seeds or 0, 'known pair')} only"
    form = ", nearest items" if anchors == "rows" else ", free points"
    return f"AO {SOLVERS[method]}, {plural(seeds, 'known pair') if seeds else 'no known pairs'}{form}"


def _verdict(line: tuple[Any, ...], outcomes: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    anchors, method, seeds = line
    runs = [run for run in outcomes if (run["method"], run["seeds"]) == (method, seeds)]
    if anchors != "found" or not runs:
        return "–", "–"
    right = [run["right"] for run in runs if not isnan(run["right"])]
    share = f"{sum(right) / len(right):.1%}" if right else "–"
    return share, f"{sum(run['converged'] for run in runs)} of {len(runs)}"


def _caption(made: Mapping[str, Any], pair: Pair) -> str:
    drawn = f"mean ± sd over seeds 0–{made['draws'] - 1}" if made["draws"] > 1 else "draw 0"
    return (
        f"A {pair.a.name}, B {pair.b.name}; {count(made['anchors'])} uniform anchors of A, {drawn}; k = "
        f"{made['k']}; {_asked(made)}; both spaces centered; the solver is given the rows of B in random "
        "order. Matches right: among fitted rows, known pairs excluded."
    )


def _asked(made: Mapping[str, Any]) -> str:
    """What is searched with, and among what."""
    queries, rows = count(made["queries"]), count(made["rows"])
    if made["include_anchors"]:
        return f"as the papers count: {queries} queries among {rows} candidates, all fitted"
    if not made["held_out"]:
        return f"{queries} queries that are no anchors, too few for a held-out set; {rows} candidates"
    return f"{queries} queries out of {count(made['held_out'])} held-out items; {rows} candidates"


def _spread(mean: float, sd: float | None) -> str:
    return f"{mean:.3f}" + ("" if sd is None else f" ± {sd:.3f}")


def _quoted(figures: Figures | None) -> tuple[str, ...]:
    return ("–",) * 3 if figures is None else tuple(f"{figure:.2f}" for figure in figures)
