"""Anchor optimization on the demo pairs: the table, how far its verdicts can be trusted, and its cost.

``python -m tests.benchmarks.bootstrap [--parts table failing speed] [--pairs NAME ...] [--seeds 15 5 2 1 0]
[--runs 5] [--methods annealed] [--held-out 0.2] [--as-the-papers-count] [--markdown]``

Figures are MRR over the full ranking, x → y, of items held out of every fit; GT is retrieval through the
true anchors. Procrustes: the anchors translated by the rotation fitted on all true pairs of the fit. Fitted:
fitted to these as ``annealed`` fits them to its matches, which has more freedom than a rotation. With
``--as-the-papers-count`` all items are in the fit, and all are queries.

A verdict is right if ``converged`` says what is so: that the found anchors retrieve at least as well as the
true ones. Rivals' figures are quoted from trials on the same data, and were not run here. Of more than 5,000
rows, 2,000 queries at most are drawn at random. Ends with the verdicts of the runs of the table and of as
many that were made to fail.
"""

import argparse
import sys
import time
from collections import Counter
from itertools import product
from typing import Any

import torch

import relviz
from relviz.compute.device import device, device_name
from tests.benchmarks.bootstrap_failing import failing_runs
from tests.benchmarks.bootstrap_pairs import ANCHORS, SUBJECTS, Subject
from tests.benchmarks.timing import Cost, in_fresh_process, measure, report

PARTS = ("table", "failing", "speed")
HEAD = {
    "pair": 28,
    "method": 9,
    "seeds": 5,
    "queries": 7,
    "GT": 5,
    "known pairs only": 10,
    "found": 5,
    "asked": 6,
    "each run": 29,
    "y → x": 5,
    "nearest rows": 12,
    "Procrustes": 10,
    "fitted": 7,
    "right": 6,
    "converged": 9,
    "verdicts right": 14,
    "s": 4,
    "rivals, quoted": 0,
}
Verdicts = Counter[tuple[bool, bool]]
"""How many runs (said that they converged, were right)."""


def show(cells: list[str], markdown: bool) -> None:
    if markdown:
        print("| " + " | ".join(cells) + " |", flush=True)
    else:
        widths = HEAD.values()
        print("  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)), flush=True)


def table(
    subject: Subject, counts: list[int], draws: int, methods: list[str], markdown: bool, **counted: Any
) -> Verdicts:
    """Print the lines of one pair; the verdicts of its runs. ``counted`` says what is held out."""
    pair = subject.pair()
    queries = 2000 if len(pair) > 5000 else None
    verdicts: Verdicts = Counter()
    for method in methods:
        usable = [count for count in counts if count or method != "adam_warm"]
        if not usable:
            continue
        made = relviz.bootstrap_table(
            *(pair.a.vectors, pair.b.vectors, ANCHORS, usable, (method,)),
            n_draws=draws,
            queries=queries,
            **counted,
        )
        truth = made.line("true").x_to_y
        for count in usable:
            found, rows = (made.line(what, method, count) for what in ("found", "rows"))
            alone = made.line("seeds", None, count).x_to_y.mean["mrr"] if count else None
            runs = [run for run in made.outcomes if run.seeds == count]
            each = [run.mrr for run in found.x_to_y.runs]
            good = [got >= gt.mrr for got, gt in zip(each, truth.runs, strict=True)]
            here = Counter(zip([run.converged for run in runs], good, strict=True))
            verdicts += here
            asked = subject.asked.get(count)
            cells = [
                subject.name,
                method,
                str(count),
                str(made.queries),
                f"{truth.mean['mrr']:.3f}",
                "–" if alone is None else f"{alone:.3f}",
                f"{found.x_to_y.mean['mrr']:.3f}",
                "" if asked is None or method != "annealed" else f"≥ {asked:.2f}",
                " ".join(f"{mrr:.3f}" for mrr in each),
                f"{found.y_to_x.mean['mrr']:.3f}",
                f"{rows.x_to_y.mean['mrr']:.3f}",
                f"{made.line('procrustes').x_to_y.mean['mrr']:.3f}",
                f"{made.line('fitted').x_to_y.mean['mrr']:.3f}",
                f"{sum(run.right for run in runs) / len(runs):.1%}",
                f"{sum(run.converged for run in runs)} of {len(runs)}",
                f"{_right(here)} of {len(runs)}",
                f"{sum(run.seconds for run in runs) / len(runs):.0f}",
                subject.rivals.get(count, "") if method == "annealed" else "",
            ]
            show(cells, markdown)
    return verdicts


def failing(subject: Subject, counts: list[int], draws: int, method: str) -> Verdicts:
    """Run what is made to fail; wrong verdicts are printed one by one."""
    verdicts: Verdicts = Counter()
    for run in failing_runs(subject, counts, draws, method):
        verdicts[run.found.converged, run.good] += 1
        if run.found.converged != run.good:
            word = "converged" if run.found.converged else "not converged"
            what = f"{subject.name}, {run.kind}, {run.seeds} seeds, draw {run.draw}"
            print(f"wrong: {what}: said {word}: {run.found.reason}", flush=True)
    return verdicts


def summary(what: str, verdicts: Verdicts) -> None:
    total = verdicts.total()
    if total:
        print(
            f"{what}: {_right(verdicts)} of {total} verdicts right ({_right(verdicts) / total:.1%}); "
            f"{verdicts[True, False]} said converged wrongly, {verdicts[False, True]} did not say it wrongly"
        )


def _right(verdicts: Verdicts) -> int:
    return verdicts[True, True] + verdicts[False, False]


def whole_run(method: str, count: int) -> Cost:
    """One whole run on the words, and what it needs beyond the two spaces."""
    pair = SUBJECTS["words"].pair()
    x, y = pair.a.vectors, pair.b.vectors
    order = torch.randperm(len(y), generator=torch.Generator().manual_seed(1))
    place, rows = order.argsort(), relviz.select_anchors(x, ANCHORS, seed=0)
    relviz.bootstrap(x[:400], y[:400], range(50), (range(15), range(15)), method)
    seeds = rows[:count], place[rows[:count]]

    def call() -> list[float]:
        found = relviz.bootstrap(x, y[order], rows, seeds, method)
        return [float((order[found.matches] == torch.arange(len(x))).double().mean()), float(found.converged)]

    if device().type != "cuda":
        return measure(call)
    torch.cuda.reset_peak_memory_stats()
    before, began = torch.cuda.memory_allocated(), time.perf_counter()
    result = call()
    grown = (torch.cuda.max_memory_allocated() - before) / 2**20
    return Cost(time.perf_counter() - began, grown, result)


def speed(counts: list[int], methods: list[str]) -> None:
    print(f"whole runs, 20,000 words, {ANCHORS} anchors, {device_name()}")
    for method, count in product(methods, counts):
        if count or method != "adam_warm":
            cost = in_fresh_process("tests.benchmarks.bootstrap", "whole_run", method, count)
            print(
                f"{method}, {count} seeds: {cost.seconds:6.1f} s, {cost.megabytes:5.0f} MB beyond the "
                f"spaces, {cost.result[0]:.1%} of the matches right, converged {bool(cost.result[1])}",
                flush=True,
            )


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--pairs", nargs="+", choices=SUBJECTS, default=list(SUBJECTS))
    parser.add_argument("--seeds", nargs="+", type=int, default=[15, 5, 2, 1, 0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--methods", nargs="+", default=["annealed"])
    parser.add_argument("--held-out", type=float, default=0.2)
    parser.add_argument("--as-the-papers-count", action="store_true")
    parser.add_argument("--markdown", action="store_true")
    chosen = parser.parse_args(arguments)
    subjects, began = [SUBJECTS[name] for name in chosen.pairs], time.perf_counter()
    counted = {"held_out": chosen.held_out, "include_anchors": chosen.as_the_papers_count}
    honest: Verdicts = Counter()
    made_to_fail: Verdicts = Counter()
    if "table" in chosen.parts:
        show(list(HEAD), chosen.markdown)
        if chosen.markdown:
            show(["---"] * len(HEAD), True)
        for subject in subjects:
            honest += table(subject, chosen.seeds, chosen.runs, chosen.methods, chosen.markdown, **counted)
        print(f"\n{ANCHORS} anchors, draws 0-{chosen.runs - 1}, {time.perf_counter() - began:.0f} s")
    if "failing" in chosen.parts:
        for subject, method in product(subjects, chosen.methods):
            counts = [count for count in chosen.seeds if count or method != "adam_warm"]
            made_to_fail += failing(subject, counts, chosen.runs, method)
    summary("runs of the table", honest)
    summary("runs made to fail", made_to_fail)
    summary("together", honest + made_to_fail)
    if "speed" in chosen.parts:
        speed(chosen.seeds, chosen.methods)


if __name__ == "__main__":
    if sys.argv[1:2] == ["whole_run"]:
        report(whole_run(sys.argv[2], int(sys.argv[3])))
    else:
        main(sys.argv[1:])
