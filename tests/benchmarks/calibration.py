"""Verdicts of anchor optimization, and its estimate of the share of right matches, held against the truth.

``python -m tests.benchmarks.calibration --out runs.jsonl [--kinds KIND ...] [--seeds 0 15 ...]
[--report-only]``

A run is added to the file as it ends; begun again, those of the same solver are not repeated. Then tables of
all of them are printed.

A run is good if the anchors it found retrieve held-out rows at least as well as the true ones, or if it
matches most rows that have a counterpart with it, near-duplicates counted as one. The second alone counts
where no row is held out, which is where some rows have no counterpart. A verdict is right if ``converged``
says whether the run is good.
"""

import argparse
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil

import torch
from torch import Tensor

import relviz
from relviz.bootstrapping.principal_axes import principal
from relviz.bootstrapping.right_share import CONFIDENCE, HALF_WIDTH, angle, estimated_share, interval, wider
from relviz.frame import Frame
from relviz.measure import retrieval
from relviz.relative_projection import prepare, relative
from tests.benchmarks.bootstrap_runs import Kept, add_kept_options
from tests.benchmarks.calibration_cases import Case, Made, cases, make

Axes = tuple[Tensor, Tensor]


@dataclass(frozen=True)
class Ended:
    """What a run came to: its verdict and what that rests on, what is true of it, and CPU seconds.

    ``found`` and ``true`` are the MRR of rows held out through the anchors found and the true ones, None
    where no row is. ``right`` is the share of right matches among all rows of x, ``attainable`` among those
    that have a counterpart and are not known. ``estimate`` is what the first is estimated to be, and
    ``wider`` by how much its interval is; None where the run is rejected.
    """

    converged: bool
    halves: float
    margin: float | None
    shared: float | None
    found: float | None
    true: float | None
    right: float
    attainable: float
    estimate: float | None
    wider: float | None
    seconds: float

    @property
    def good(self) -> bool:
        """Whether the run is to be believed."""
        retrieves = self.found is not None and self.true is not None and self.found >= self.true
        return retrieves or self.attainable > 0.5


Runs = Sequence[tuple[Case, Ended]]


def ran(case: Case) -> Ended:
    """Run a case."""
    made = make(case)
    place = torch.full((len(made.y),), -1)
    place[made.fit_y] = torch.arange(len(made.fit_y))
    in_fit = torch.searchsorted(made.fit_x, made.anchors)
    known = in_fit[: case.seeds], place[made.known]
    began = time.process_time()
    result = relviz.bootstrap(*(made.x[made.fit_x], made.y[made.fit_y]), in_fit, known, "annealed", case.draw)
    seconds = time.process_time() - began
    evidence, matches = result.evidence, result.matches
    x, y = _judged(made)
    of_rows = (estimated_share(x, y, matches), wider(len(x), len(y))) if result.converged else (None, None)
    return Ended(
        result.converged,
        evidence.halves,
        evidence.margin,
        evidence.shared,
        *_mrr(made, result.anchors),
        *_right(case, made, matches),
        *of_rows,
        seconds,
    )


def _right(case: Case, made: Made, matches: Tensor) -> tuple[float, float]:
    """Share of right matches: of all rows of x; of those that have a counterpart and are not known."""
    wanted, got = made.truth[made.fit_x], made.fit_y[matches]
    has = wanted >= 0
    near = has & (made.group[got] == made.group[wanted.clamp_min(0)])
    asked = has & ~torch.isin(made.fit_x, made.anchors[: case.seeds])
    return float(near.double().mean()), int((near & asked).sum()) / max(1, int(asked.sum()))


def _mrr(made: Made, points: Tensor) -> tuple[float, float] | tuple[None, None]:
    """Retrieval of the rows held out through what was found, and through the true anchors."""
    if not len(made.queries):
        return None, None
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


def verdicts(runs: Runs) -> None:
    """Verdict and truth, by kind; then the runs whose verdict is wrong."""

    def cells(name: str, some: Runs) -> list[str]:
        counts = [
            sum(run.converged is said and run.good is so for _, run in some)
            for said, so in ((True, True), (False, False), (True, False), (False, True))
        ]
        return [name, str(len(some)), *map(str, counts), f"{(counts[0] + counts[1]) / len(some):.1%}"]

    head = ("kind", "runs", "good, converged", "bad, rejected", "bad, converged", "good, rejected", "right")
    table(head, _grouped(runs, lambda case: case.group, cells))
    print("\nWrong verdicts:")
    for case, run in runs:
        if run.converged != run.good:
            said = "converged" if run.converged else "rejected"
            mrr = "" if run.found is None else f", MRR {run.found:.3f} (true {run.true:.3f})"
            margin = "not measured" if run.margin is None else f"{run.margin:.2f}"
            print(
                f"- {case.kind}, {case.pair}, {case.rows} rows, {case.seeds} known pairs: {said}; "
                f"{run.attainable:.1%} of those with a counterpart right{mrr}; "
                f"halves {run.halves:.2f}, margin {margin}"
            )


def coverage(runs: Runs) -> None:
    """How often the interval holds the true share; the library's, and one that has not seen the pair."""
    known = {
        case: (run, run.estimate, run.wider)
        for case, run in runs
        if run.estimate is not None and run.wider is not None
    }
    errors = {
        case: abs(angle(estimate) - angle(run.right)) / width
        for case, (run, estimate, width) in known.items()
    }

    def half_width(left_out: str | None) -> float:
        seen = sorted(error for case, error in errors.items() if case.pair != left_out)
        return seen[min(len(seen), ceil(CONFIDENCE * (len(seen) + 1))) - 1] if seen else float("nan")

    unseen = {name: half_width(name) for name in {case.pair for case in known}}

    def cells(name: str, some: Runs) -> list[str]:
        widths, held, held_unseen, estimates = [], [], [], []
        for case, run in some:
            _, estimate, width = known[case]
            ours, other = (interval(estimate, half * width) for half in (HALF_WIDTH, unseen[case.pair]))
            held.append(ours.low <= run.right <= ours.high)
            held_unseen.append(other.low <= run.right <= other.high)
            widths.append(ours.high - ours.low)
            estimates.append(estimate)
        right = [run.right for _, run in some]
        off = [abs(one - other) for one, other in zip(estimates, right, strict=True)]
        return [
            name,
            str(len(some)),
            *(f"{sum(shares) / len(some):.1%}" for shares in (right, estimates)),
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
    believed = [(case, run) for case, (run, *_) in known.items()]
    if believed:
        table(head, _grouped(believed, lambda case: case.group, cells))
        table(head, _grouped(believed, lambda case: case.pair, cells))
        print(f"\nHalf width from all {len(believed)} runs: {half_width(None):.3f} in asin(sqrt(share)).")


def _grouped(
    runs: Runs, name: Callable[[Case], str], cells: Callable[[str, Runs], list[str]]
) -> list[list[str]]:
    names = sorted({name(case) for case, _ in runs})
    rows = [cells(one, [(case, run) for case, run in runs if name(case) == one]) for one in names]
    return [*rows, cells("all", runs)] if runs else []


def main() -> None:
    """Make the runs that are missing, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    add_kept_options(parser, required=True)
    parser.add_argument("--kinds", nargs="+", choices=sorted({case.group for case in cases()}))
    parser.add_argument("--seeds", nargs="+", type=int)
    chosen = parser.parse_args()
    listed = cases()
    wanted = [
        case
        for case in listed
        if (chosen.kinds is None or case.group in chosen.kinds)
        and (chosen.seeds is None or case.seeds in chosen.seeds)
    ]
    kept: Kept[Case, Ended] = Kept(chosen.out, Case, Ended)
    kept.of(wanted, None if chosen.report_only else ran)
    runs = list(kept.of(listed, None).items())
    seconds = sum(run.seconds for _, run in runs)
    print(f"{len(runs)} of {len(listed)} runs, {seconds / 60:.0f} CPU minutes.")
    verdicts(runs)
    coverage(runs)


if __name__ == "__main__":
    main()
