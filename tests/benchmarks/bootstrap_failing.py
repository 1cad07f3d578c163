"""Runs of anchor optimization that are made to fail, to see whether their verdict says so."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

import relviz
from relviz.bootstrapping.evaluation import Pairing, Solution
from tests.benchmarks.bootstrap_pairs import ANCHORS, Subject

UNRELATED = ("gaussian", "columns shuffled", "other items")
LIES = ("seeds permuted", "seeds at random")


def spoilt(kind: str, y: Tensor, seed: int) -> Tensor:
    """A space of as many rows as y that has nothing to do with x; other items are handwritten digits."""
    rng = np.random.default_rng(seed)
    if kind == "gaussian":
        return torch.from_numpy(rng.normal(size=y.shape).astype(np.float32))
    if kind == "columns shuffled":
        return torch.from_numpy(rng.permuted(y.numpy(), axis=1))
    digits = relviz.load_demo("digits").spaces["pixels"].vectors
    return digits[torch.from_numpy(rng.choice(len(digits), len(y), replace=len(y) > len(digits)))]


def told(kind: str, seeds: Tensor, n: int, seed: int) -> Tensor:
    """False counterparts of the seeds: each other's, or any rows."""
    if kind == "seeds permuted":
        return seeds.roll(1)
    return torch.from_numpy(np.random.default_rng(seed).choice(n, len(seeds), replace=False))


@dataclass(frozen=True, eq=False)
class Failing:
    """A run that was made to fail, and whether it found good anchors all the same."""

    kind: str
    seeds: int
    draw: int
    found: Solution
    good: bool


def failing_runs(subject: Subject, counts: list[int], draws: int, method: str) -> Iterator[Failing]:
    """As many runs as the table has.

    Where y is unrelated nothing can be right; where seeds are false, a run that finds anchors as good as
    the true ones all the same is right to say so.
    """
    pair = subject.pair()
    x, y = pair.a.vectors, pair.b.vectors
    known = Pairing(x, y, queries=2000 if len(x) > 5000 else None)
    for count in counts:
        kinds = (*UNRELATED, *LIES) if count > 1 else UNRELATED
        for draw in range(draws):
            kind = kinds[draw % len(kinds)]
            if kind in UNRELATED:
                drawn = Pairing(x, spoilt(kind, y, draw)).draw(ANCHORS, draw)
                yield Failing(kind, count, draw, drawn.solve(count, method), False)
                continue
            drawn = known.draw(ANCHORS, draw)
            counterparts = told(kind, drawn.rows[:count], len(x), draw)
            found = drawn.solve(count, method, counterparts=counterparts)
            through, truth = (drawn.through(points)[0].mrr for points in (found.anchors, drawn.y[drawn.rows]))
            yield Failing(kind, count, draw, found, through >= truth)
