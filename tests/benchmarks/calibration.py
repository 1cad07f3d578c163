"""Verdicts of anchor optimization, and its estimate of the share of right matches, held against the truth.

``python -m tests.benchmarks.calibration --out runs.jsonl [--kinds KIND ...] [--seeds 0 15 ...]
[--report-only]``

Each run is added to the file as it ends; begun again, the command goes on with those that are missing. Then
it prints Markdown tables of all runs in the file.

A run is good if the anchors it found retrieve held-out rows at least as well as the true ones, or if it
matches most rows that have a counterpart with it, near-duplicates counted as one. The second alone counts
where no row is held out, which is where some rows have no counterpart. A verdict is right if ``converged``
says whether the run is good.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from math import ceil
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

import relviz
from relviz.bootstrapping.principal_axes import principal
from relviz.bootstrapping.right_share import CONFIDENCE, HALF_WIDTH, angle, estimated_share, interval, wider
from relviz.compute.parallel import one_thread
from relviz.frame import Frame
from relviz.measure import retrieval
from relviz.relative_projection import prepare, relative
from tests.benchmarks.calibration_cases import Case, Made, cases, make

Line = dict[str, Any]
"""A run in the file: its case, its verdict, its matches, and what is true of them."""
Axes = tuple[Tensor, Tensor]


def ran(case: Case) -> Line:
    """Run a case."""
    made = make(case)
    place = torch.full((len(made.y),), -1)
    place[made.fit_y] = torch.arange(len(made.fit_y))
    in_fit = torch.searchsorted(made.fit_x, made.anchors)
    known = in_fit[: case.seeds], place[made.known]
    began = time.process_time()
    found = relviz.bootstrap(*(made.x[made.fit_x], made.y[made.fit_y]), in_fit, known, "annealed", case.draw)
    seconds = time.process_time() - began
    evidence = found.evidence
    line = {
        **vars(case),
        "converged": found.converged,
        "agreement": evidence.agreement,
        "halves": evidence.halves,
        "margin": evidence.margin,
        "shared": evidence.shared,
        "matches": found.matches.tolist(),
        "mrr": _mrr(made, found.anchors),
        "seconds": seconds,
        **truth(case, made, found.matches),
    }
    return line | _estimate(line, _judged(made))


def truth(case: Case, made: Made, matches: Tensor) -> Line:
    """Shares of right matches, of all rows of x; and of those that have a counterpart and are not known."""
    wanted, got = made.truth[made.fit_x], made.fit_y[matches]
    has = wanted >= 0
    near = has & (made.group[got] == made.group[wanted.clamp_min(0)])
    asked = has & ~torch.isin(made.fit_x, made.anchors[: case.seeds])
    return {
        "right_by_row": float((has & (got == wanted)).double().mean()),
        "right": float(near.double().mean()),
        "right_of_attainable": int((near & asked).sum()) / max(1, int(asked.sum())),
    }


def _estimate(line: Line, axes: Axes) -> Line:
    """What is estimated for the matches that a run found, if it is believed, and how wide the interval is."""
    if not line["converged"]:
        return {"estimate": None, "wider": None}
    x, y = axes
    return {
        "estimate": estimated_share(x, y, torch.tensor(line["matches"])),
        "wider": wider(len(x), len(y)),
    }


def good(line: Line) -> bool:
    """Whether a run is to be believed."""
    retrieves = line["mrr"] is not None and line["mrr"][0] >= line["mrr"][1]
    return bool(retrieves or line["right_of_attainable"] > 0.5)


def _mrr(made: Made, points: Tensor) -> tuple[float, float] | None:
    """Retrieval of the rows held out through what was found, and through the true anchors."""
    if not len(made.queries):
        return None
    x, y = (
        Frame().fit(side[fit]).transform(side)
        for side, fit in ((made.x, made.fit_x), (made.y, made.fit_y.sort().values))
    )
    by = relative(x, x[made.anchors])
    found, true = (
        retrieval(by, relative(y, through), queries=made.queries).mrr
        for through in (points, y[made.truth[made.anchors]])
    )
    return found, true


def case_of(line: Line) -> Case:
    return Case(**{field.name: line[field.name] for field in fields(Case)})


def lines(out: Path) -> list[Line]:
    return [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []


def run_missing(out: Path, chosen: list[Case]) -> None:
    """Run those that are missing in the file."""
    done = {case_of(line).key for line in lines(out)}
    with one_thread(), out.open("a") as file:
        for case in chosen:
            if case.key not in done:
                file.write(json.dumps(ran(case)) + "\n")
                file.flush()


def _judged(made: Made) -> Axes:
    """The principal axes of both spaces that a run is judged on."""
    sides = ((made.x, made.fit_x), (made.y, made.fit_y))
    x, y = (principal(prepare(side[fit]))[0] for side, fit in sides)
    return x, y


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a Markdown table, after an empty line."""
    print("\n| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def verdicts(runs: list[Line]) -> None:
    """Verdict and truth, by kind; then the runs whose verdict is wrong."""

    def cells(name: str, some: list[Line]) -> list[str]:
        counts = [
            sum(line["converged"] is said and good(line) is so for line in some)
            for said, so in ((True, True), (False, False), (True, False), (False, True))
        ]
        return [name, str(len(some)), *map(str, counts), f"{(counts[0] + counts[1]) / len(some):.1%}"]

    head = ("kind", "runs", "good, converged", "bad, rejected", "bad, converged", "good, rejected", "right")
    table(head, _grouped(runs, lambda line: case_of(line).group, cells))
    print("\nWrong verdicts:")
    for line in runs:
        if line["converged"] != good(line):
            said = "converged" if line["converged"] else "rejected"
            mrr = "" if line["mrr"] is None else f", MRR {line['mrr'][0]:.3f} (true {line['mrr'][1]:.3f})"
            margin = "not measured" if line["margin"] is None else f"{line['margin']:.2f}"
            print(
                f"- {line['kind']}, {line['pair']}, {line['rows']} rows, "
                f"{line['seeds']} known pairs: {said}; "
                f"{line['right_of_attainable']:.1%} of those with a counterpart right{mrr}; "
                f"halves {line['halves']:.2f}, margin {margin}"
            )


def coverage(runs: list[Line]) -> None:
    """How often the interval holds the true share; the library's, and one that has not seen the pair."""
    believed = [line for line in runs if line["converged"]]
    errors = {
        case_of(line).key: abs(angle(line["estimate"]) - angle(line["right"])) / line["wider"]
        for line in believed
    }

    def half_width(left_out: str | None) -> float:
        seen = sorted(errors[case_of(line).key] for line in believed if line["pair"] != left_out)
        return seen[min(len(seen), ceil(CONFIDENCE * (len(seen) + 1))) - 1] if seen else float("nan")

    unseen = {name: half_width(name) for name in {line["pair"] for line in believed}}

    def cells(name: str, some: list[Line]) -> list[str]:
        widths, held, held_unseen = [], [], []
        for line in some:
            ours, other = (
                interval(line["estimate"], half * line["wider"])
                for half in (HALF_WIDTH, unseen[line["pair"]])
            )
            held.append(ours.low <= line["right"] <= ours.high)
            held_unseen.append(other.low <= line["right"] <= other.high)
            widths.append(ours.high - ours.low)
        off = [abs(line["estimate"] - line["right"]) for line in some]
        means = (sum(line[name] for line in some) / len(some) for name in ("right", "estimate"))
        return [
            name,
            str(len(some)),
            *(f"{mean:.1%}" for mean in means),
            f"{sum(off) / len(off):.3f}",
            f"{max(off):.3f}",
            f"{sum(held)} of {len(held)}",
            f"{sum(held_unseen)} of {len(held_unseen)}",
            f"{sum(widths) / len(widths):.3f}",
        ]

    head = (
        *("runs that converged", "runs", "right", "estimate", "mean error", "largest error"),
        *("in the interval", "in one that has not seen the pair", "width"),
    )
    if believed:
        table(head, _grouped(believed, lambda line: case_of(line).group, cells))
        table(head, _grouped(believed, lambda line: line["pair"], cells))
        print(f"\nHalf width from all {len(believed)} runs: {half_width(None):.3f} in asin(sqrt(share)).")


def _grouped(
    runs: list[Line], name: Callable[[Line], str], cells: Callable[[str, list[Line]], list[str]]
) -> list[list[str]]:
    names = sorted({name(line) for line in runs})
    rows = [cells(one, [line for line in runs if name(line) == one]) for one in names]
    return [*rows, cells("all", runs)] if runs else []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--kinds", nargs="+", choices=sorted({case.group for case in cases()}))
    parser.add_argument("--seeds", nargs="+", type=int)
    parser.add_argument("--report-only", action="store_true")
    chosen = parser.parse_args()
    wanted = [case for case in cases() if chosen.kinds is None or case.group in chosen.kinds]
    if not chosen.report_only:
        run_missing(chosen.out, [one for one in wanted if chosen.seeds is None or one.seeds in chosen.seeds])
    listed = {case.key for case in cases()}
    runs = [line for line in lines(chosen.out) if case_of(line).key in listed]
    seconds = sum(line["seconds"] for line in runs)
    print(f"{len(runs)} of {len(listed)} runs, {seconds / 60:.0f} CPU minutes.")
    verdicts(runs)
    coverage(runs)


if __name__ == "__main__":
    main()
