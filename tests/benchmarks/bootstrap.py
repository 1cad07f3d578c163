"""Anchor optimization on the demo pairs: the table, how far its verdicts can be trusted, and its cost.

``python -m tests.benchmarks.bootstrap [--parts table speed] [--pairs NAME ...] [--seeds 15 5 2 1 0]
[--runs 5] [--methods annealed] [--held-out 0.2] [--as-the-papers-count] [--markdown]
[--out FILE [--adopt] [--report-only]]``

Figures are MRR over the full ranking, x → y, of items held out of every fit; GT is retrieval through the
true anchors. Procrustes: the anchors translated by the rotation fitted on all true pairs of the fit. Fitted:
fitted to these as ``annealed`` fits them to its matches, which has more freedom than a rotation. With
``--as-the-papers-count`` all items are in the fit, and all are queries.

A verdict is right if ``converged`` says what is so: that the found anchors retrieve at least as well as the
true ones. Rivals' figures are quoted from trials on the same data, and were not run here. Of more than 5,000
rows, 2,000 queries at most are drawn at random. ``--out tests/benchmarks/bootstrap_table.jsonl`` goes on from
the runs that were made so far, of 450 with ``--runs 10``; ``--report-only`` prints what these give. Ends with
the verdicts of the runs of the table; ``tests.benchmarks.bootstrap_failing`` has runs that are made to fail.
"""

import argparse
import sys
import time
from itertools import product

import torch
from torch import Tensor

import relviz
from relviz.compute.device import device, device_name
from tests.benchmarks.bootstrap_pairs import ANCHORS, SUBJECTS
from tests.benchmarks.bootstrap_runs import (
    Asked,
    Runs,
    Verdicts,
    add_kept_options,
    lines,
    right,
    show,
    verdicts,
)
from tests.benchmarks.timing import Cost, in_fresh_process, measure, report

PARTS = ("table", "speed")


def summary(counted: Verdicts) -> None:
    total = counted.total()
    if total:
        print(
            f"{right(counted)} of {total} verdicts right ({right(counted) / total:.1%}); "
            f"{counted[True, False]} said converged wrongly, {counted[False, True]} did not say it wrongly"
        )


def whole_run(x: Tensor, y: Tensor, method: str, count: int) -> Cost:
    """One whole run between parallel spaces, and what it needs beyond them.

    The result is the share of right matches, the verdict, and seconds of all processors.
    """
    order = torch.randperm(len(y), generator=torch.Generator().manual_seed(1))
    place, rows = order.argsort(), relviz.select_anchors(x, ANCHORS, seed=0)
    relviz.bootstrap(x[:400], y[:400], range(50), (range(15), range(15)), method)
    seeds = rows[:count], place[rows[:count]]

    def call() -> list[float]:
        began = time.process_time()
        found = relviz.bootstrap(x, y[order], rows, seeds, method)
        seconds = time.process_time() - began
        right = (order[found.matches] == torch.arange(len(x))).double().mean()
        return [float(right), float(found.converged), seconds]

    if device().type != "cuda":
        return measure(call)
    torch.cuda.reset_peak_memory_stats()
    before, began = torch.cuda.memory_allocated(), time.perf_counter()
    result = call()
    grown = (torch.cuda.max_memory_allocated() - before) / 2**20
    return Cost(time.perf_counter() - began, grown, result)


def speed(pairs: list[str], counts: list[int], methods: list[str]) -> None:
    """A Markdown table of whole runs with nothing else going on: what each takes, and what it comes to."""
    head = ("pair", "rows", "method", "known pairs", "s", "CPU s", "MB", "right", "accepted")
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    for name, method, count in product(pairs, methods, counts):
        if count or method != "adam_warm":
            cost = in_fresh_process("tests.benchmarks.bootstrap", "whole_run", name, method, count)
            share, converged, cpu = cost.result
            what = name, f"{len(SUBJECTS[name].pair()):,}", method, str(count)
            came = f"{share:.1%}", "yes" if converged else "no"
            took = f"{cost.seconds:.1f}", f"{cpu:.0f}", f"{cost.megabytes:.0f}"
            print("| " + " | ".join((*what, *took, *came)) + " |", flush=True)
    print(f"\n{ANCHORS} anchors, {device_name()}; MB beyond the spaces.")


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
    add_kept_options(parser)
    parser.add_argument(
        "--adopt", action="store_true", help="Take over runs of another solver, some made again."
    )
    chosen = parser.parse_args(arguments)
    if "table" in chosen.parts:
        runs = Runs(chosen.out)
        wanted = [
            Asked(pair, method, count, draw, chosen.held_out, chosen.as_the_papers_count)
            for pair, method, count, draw in product(
                chosen.pairs, chosen.methods, chosen.seeds, range(chosen.runs)
            )
            if count or method != "adam_warm"
        ]
        if chosen.adopt:
            runs.adopt(wanted)
        if not chosen.report_only:
            runs.make(sorted(wanted, key=lambda one: one.draw))
        show(list(lines(runs, wanted)), chosen.markdown)
        made = [runs.made[one] for one in wanted if one in runs.made]
        print(f"\n{ANCHORS} anchors, draws 0-{chosen.runs - 1}, {len(made)} of {len(wanted)} runs")
        summary(verdicts(made))
    if "speed" in chosen.parts:
        speed(chosen.pairs, chosen.seeds, chosen.methods)


if __name__ == "__main__":
    if sys.argv[1:2] == ["whole_run"]:
        name, method, count = sys.argv[2:]
        pair = SUBJECTS[name].pair()
        report(whole_run(pair.a.vectors, pair.b.vectors, method, int(count)))
    else:
        main(sys.argv[1:])
