"""Anchor optimization by every method, on demo pairs whose rows are shuffled."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor

import relviz
from tests.gpu.case import Case, Tolerance, Work, figures
from tests.gpu.made import demo_pair

ANCHORS, SMALL = 300, 600


@dataclass(frozen=True)
class Run:
    """A method, with how many known pairs it starts, and on what."""

    method: str
    known: int
    demo: str
    spaces: tuple[str, str]
    rows: int
    tolerance: Tolerance


STEADY = Tolerance(
    0.02, 0.02, "a run settles on the same matches; a row with rivals as near as its match may change"
)
HARD = Tolerance(0.05, 0.1, "all matches are hard at every step, so rounding errors may multiply over steps")
WORDS, GLOSSES = ("glove50", "wink100"), ("minilm", "e5")
RUNS = (
    Run("annealed", 15, "words", WORDS, 20_000, STEADY),
    Run("annealed", 0, "words", WORDS, 20_000, STEADY),
    Run("annealed", 15, "glosses", GLOSSES, 1500, STEADY),
    Run("annealed", 0, "glosses", GLOSSES, 1500, STEADY),
    Run("adam", 15, "words", WORDS, 5000, HARD),
    Run("adam_warm", 15, "words", WORDS, 5000, HARD),
)


def cases(small: bool) -> Iterator[Case]:
    """Every method; compared are matches, whether it converged, and the share of right matches."""
    for run in RUNS:
        n = SMALL if small else run.rows
        name = f"{run.method}, {run.demo}, {run.known or 'no'} known pairs"
        size = f"{n:,} × {n:,}, {min(ANCHORS, n // 4)} anchors"
        yield Case(name, size, run.tolerance, partial(_prepare, run, n), slow=True)


def _prepare(run: Run, n: int) -> Work:
    x, y = demo_pair(run.demo, run.spaces, n)
    order = torch.randperm(n, generator=torch.Generator().manual_seed(3))
    truth, anchors = order.argsort(), relviz.select_anchors(x, min(ANCHORS, n // 4))
    known = anchors[: run.known]

    def call() -> dict[str, Tensor]:
        found = relviz.bootstrap(x, y[order], anchors, (known, truth[known]), run.method)
        right = float((found.matches.cpu() == truth).float().mean())
        return {
            "matches": found.matches,
            "converged": torch.tensor([found.converged]).long(),
            **figures({"right": right}),
        }

    return call
