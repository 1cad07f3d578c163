"""Runs of anchor optimization that are made to fail: does their verdict say so, and how soon do they end?

``python -m tests.benchmarks.bootstrap_failing [--pairs NAME ...] [--seeds 15 5 0] [--draws 5] [--out FILE]
[--report-only]``

Where B is unrelated nothing can be right; where known pairs are false, a run that comes to anchors as good as
the true ones all the same is right to say so. Prints a table by what makes a run fail, then each wrong
verdict. A run is added to the file as it ends; begun again, those of the same solver are not repeated.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

import relviz
from relviz.bootstrapping.evaluation import Draw, Pairing
from tests.benchmarks.bootstrap_pairs import ANCHORS, SUBJECTS
from tests.benchmarks.bootstrap_runs import MOST_QUERIES, Kept, add_kept_options

UNRELATED = ("gaussian", "columns shuffled", "other items")
LIES = ("seeds permuted", "seeds at random")
HEAD = ("made to fail by", "runs", "rejected", "accepted rightly", "accepted wrongly", "CPU s", "at most")


@dataclass(frozen=True)
class Asked:
    """One run: a pair, what makes it fail, how many known pairs it is told, and the draw of rows."""

    pair: str
    kind: str
    seeds: int
    draw: int


@dataclass(frozen=True)
class Ended:
    """The verdict, whether the anchors are as good as the true ones all the same, and CPU seconds."""

    converged: bool
    good: bool
    reason: str
    seconds: float


def spoilt(kind: str, y: Tensor, seed: int) -> Tensor:
    """A space of as many rows as y that has nothing to do with x; other items are handwritten digits."""
    rng = np.random.default_rng(seed)
    if kind == "gaussian":
        return torch.from_numpy(rng.normal(size=y.shape).astype(np.float32))
    if kind == "columns shuffled":
        return torch.from_numpy(rng.permuted(y.numpy(), axis=1))
    digits = relviz.load_demo("digits").spaces["pixels"].vectors
    return digits[torch.from_numpy(rng.choice(len(digits), len(y), replace=len(y) > len(digits)))]


def false_counterparts(kind: str, seeds: Tensor, n: int, seed: int) -> Tensor:
    """False counterparts of the seeds: each other's, or any rows."""
    if kind == "seeds permuted":
        return seeds.roll(1)
    return torch.from_numpy(np.random.default_rng(seed).choice(n, len(seeds), replace=False))


def asked_for(pairs: Sequence[str], counts: Sequence[int], draws: int) -> Iterator[Asked]:
    """Each draw is made to fail in another way."""
    for pair in pairs:
        for seeds in counts:
            kinds = (*UNRELATED, *LIES) if seeds > 1 else UNRELATED
            for draw in range(draws):
                yield Asked(pair, kinds[draw % len(kinds)], seeds, draw)


def ran(asked: Asked) -> Ended:
    """Make one of them."""
    pair = SUBJECTS[asked.pair].pair()
    x, y = pair.a.vectors, pair.b.vectors
    unrelated = asked.kind in UNRELATED
    other = spoilt(asked.kind, y, asked.draw) if unrelated else y
    draw = Pairing(x, other, queries=MOST_QUERIES if len(x) > 5000 else None).draw(ANCHORS, asked.draw)
    seeds = draw.rows[: asked.seeds]
    counterparts = None if unrelated else false_counterparts(asked.kind, seeds, len(x), asked.draw)
    began = time.process_time()
    found = draw.solve(asked.seeds, "annealed", counterparts=counterparts)
    seconds = time.process_time() - began
    return Ended(found.converged, not unrelated and _as_good(draw, found.anchors), found.reason, seconds)


def _as_good(draw: Draw, anchors: Tensor) -> bool:
    found, true = (draw.through(points)[0].mrr for points in (anchors, draw.y[draw.rows]))
    return found >= true


def report(made: dict[Asked, Ended]) -> None:
    """The table, and each wrong verdict."""
    print("| " + " | ".join(HEAD) + " |\n" + "|---" * len(HEAD) + "|")
    for kind in dict.fromkeys(asked.kind for asked in made):
        print(_cells(kind, [ended for asked, ended in made.items() if asked.kind == kind]))
    if made:
        print(_cells("all", list(made.values())))
    for asked, ended in made.items():
        if ended.converged != ended.good:
            said = "accepted" if ended.converged else "rejected"
            what = f"{asked.pair}, {asked.kind}, {asked.seeds} known pairs, draw {asked.draw}"
            print(f"wrong: {what}: {said}: {ended.reason}")


def _cells(name: str, some: Sequence[Ended]) -> str:
    seconds = [one.seconds for one in some]
    rejected = sum(not one.converged for one in some)
    rightly = sum(one.converged and one.good for one in some)
    wrongly = len(some) - rejected - rightly
    counts = (len(some), rejected, rightly, wrongly, round(sum(seconds) / len(some)), round(max(seconds)))
    return "| " + " | ".join([name, *map(str, counts)]) + " |"


def main() -> None:
    """Make the runs that are missing, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    issue = list(SUBJECTS)[:5]
    parser.add_argument("--pairs", nargs="+", choices=SUBJECTS, default=issue)
    parser.add_argument("--seeds", nargs="+", type=int, default=[15, 5, 0])
    parser.add_argument("--draws", type=int, default=5)
    add_kept_options(parser)
    chosen = parser.parse_args()
    wanted = list(asked_for(chosen.pairs, chosen.seeds, chosen.draws))
    report(Kept(chosen.out, Asked, Ended).of(wanted, None if chosen.report_only else ran))


if __name__ == "__main__":
    main()
