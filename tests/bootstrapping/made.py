"""Spaces whose correspondence is known in closed form: one is the other, moved, rescaled and shuffled."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from relviz.bootstrapping import AnnealedOptions
from relviz.bootstrapping.annealed import Rounds
from relviz.bootstrapping.inputs import check_given
from relviz.bootstrapping.record import Record
from relviz.bootstrapping.rounds import Round
from relviz.bootstrapping.run import Run
from relviz.bootstrapping.verdict import Evidence
from relviz.relative_projection import prepare

QUICK = AnnealedOptions(steps=4, refining=2, rounds=1, members=4, generations=1)


@dataclass(frozen=True, eq=False)
class Case:
    """Two spaces; row i of x belongs to row ``truth[i]`` of y. The seeds are the first anchors."""

    x: Tensor
    y: Tensor
    truth: Tensor
    anchors: Tensor
    seeds: tuple[Tensor, Tensor]


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Within it torch has so many threads, and afterward as many as before."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def case(
    n: int = 120,
    d: int = 5,
    k: int = 20,
    seeds: int = 12,
    determinant: int = 1,
    scale: float = 3.0,
    noise: float = 0.0,
    further: int = 0,
    dimensions: int = 0,
    seed: int = 0,
) -> Case:
    """Y is a shuffled rotation (or reflection) of x, rescaled, shifted, with noise.

    ``further`` rows of y belong to no row of x; ``dimensions`` more than x has are filled by rotating
    zeros.
    """
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    q = np.linalg.qr(rng.normal(size=(d + dimensions, d + dimensions)))[0]
    q[:, 0] *= determinant * np.sign(np.linalg.det(q))
    wide = np.concatenate([x, np.zeros((n, dimensions))], 1)
    moved = scale * wide @ q + 1 + noise * scale * rng.normal(size=(n, d + dimensions))
    extra = scale * rng.normal(size=(further, d + dimensions)) + 1
    order = rng.permutation(n + further)
    y = np.concatenate([moved, extra])[order]
    truth = torch.from_numpy(np.argsort(order)[:n])
    anchors = torch.from_numpy(rng.permutation(n)[:k])
    sx = anchors[:seeds]
    a, b = (torch.from_numpy(rows.astype(np.float32)) for rows in (x, y))
    return Case(a, b, truth, anchors, (sx, truth[sx]))


def right(matches: Tensor, truth: Tensor) -> float:
    """Share of the matches that are true."""
    return float((matches == truth).double().mean())


def lopsided(n=400, seed=0):
    """A space with shape enough to be recognized, a shuffled rotation of it, and where each row went."""
    made = case(n=n, d=6, seeds=0, seed=seed)
    spread = torch.tensor([3.0, 2.0, 1.5, 1.0, 0.7, 0.5])
    x = made.x.exp() * spread
    q = torch.linalg.qr(torch.randn(6, 6, generator=torch.Generator().manual_seed(9)))[0]
    y = (x @ q)[made.truth.argsort()]
    return prepare(x), prepare(y), made.truth


def started(made: Case) -> tuple[Rounds, Callable[[Tensor], Round]]:
    """The rounds of a run that has not begun, and what one with these matches would come to."""
    given = check_given(made.x, made.y, made.anchors, made.seeds)
    rejected = Evidence(0.9, 0.3, 0.1, "")

    def ended(matches: Tensor) -> Round:
        return Round(matches, torch.ones_like(matches, dtype=torch.bool), False, rejected)

    return Rounds(Run(given, QUICK, 0, Record())), ended


def mixed(truth: Tensor, wrong: int, seed: int) -> Tensor:
    """Matches of which some are drawn at random, the known ones not."""
    generator = torch.Generator().manual_seed(seed)
    rows = 5 + torch.randperm(len(truth) - 5, generator=generator)[:wrong]
    matches = truth.clone()
    matches[rows] = torch.randint(len(truth), (wrong,), generator=generator)
    return matches
