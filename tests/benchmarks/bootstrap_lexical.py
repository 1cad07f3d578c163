"""Anchor optimization between encoders that count words or characters, and those that were trained.

``python -m tests.benchmarks.bootstrap_lexical [--seeds 30 15 8 0] [--draws 1] [--out FILE]
[--report-only]``

Glosses by TF-IDF of words (latent semantic analysis) or of runs of three to five characters, 300 leading
directions each, which spread over far more directions than those of language models. "right" is the share of
right matches. A run is added to the file as it ends; begun again, those of the same solver are not repeated.
"""

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from itertools import product
from unittest import mock

import numpy as np
import torch
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from torch import Tensor

import relviz
from relviz.bootstrapping import annealed
from tests.benchmarks.bootstrap_runs import Kept, add_kept_options
from tests.benchmarks.calibration import table

ANCHORS, DIRECTIONS = 300, 300
COUNTED: Mapping[str, TfidfVectorizer] = {
    "words": TfidfVectorizer(sublinear_tf=True, min_df=2),
    "characters": TfidfVectorizer(sublinear_tf=True, min_df=2, analyzer="char_wb", ngram_range=(3, 5)),
}
TRAINED = ("minilm", "wordllama", "e5")
HEAD = ("spaces", "known pairs", "right, each run", "accepted", "CPU s", "without self-training")


@dataclass(frozen=True)
class Asked:
    """One run: two encoders, how many pairs it is told, and whether rejected rounds are trained."""

    a: str
    b: str
    seeds: int
    draw: int
    trained: bool


@dataclass(frozen=True)
class Ended:
    """What a run came to."""

    right: float
    converged: bool
    seconds: float


@cache
def encoded(name: str) -> Tensor:
    """Glosses ``(n, d)`` by one of the encoders."""
    spaces = relviz.load_demo("glosses").spaces
    if name in spaces:
        return spaces[name].vectors
    items = next(space.items for space in spaces.values())
    counts = COUNTED[name].fit_transform(list(items))
    reduced = TruncatedSVD(DIRECTIONS, random_state=0).fit_transform(counts)
    return torch.from_numpy(reduced.astype(np.float32))


def ran(asked: Asked) -> Ended:
    """Make one of them."""
    x, y = encoded(asked.a), encoded(asked.b)
    rng = np.random.default_rng(asked.draw)
    truth, anchors = (torch.from_numpy(rng.permutation(len(x))) for _ in range(2))
    told = anchors[: asked.seeds]
    untrained = mock.patch.object(annealed.Rounds, "trained", return_value=None)
    began = time.process_time()
    args = x, y[truth.argsort()], anchors[:ANCHORS], (told, truth[told])
    with nullcontext() if asked.trained else untrained:
        found = relviz.bootstrap(*args, seed=asked.draw)
    seconds = time.process_time() - began
    others = ~torch.isin(torch.arange(len(x)), told)
    right = float((found.matches == truth)[others].double().mean())
    return Ended(right, found.converged, seconds)


def asked_for(counts: Sequence[int], draws: int) -> Iterator[Asked]:
    """All runs, each with self-training and without."""
    for (a, b), seeds, draw, trained in product(
        product(COUNTED, TRAINED), counts, range(draws), (True, False)
    ):
        yield Asked(a, b, seeds, draw, trained)


def report(runs: Mapping[Asked, Ended]) -> None:
    """A line for each pair of encoders and number of known pairs."""
    lines: dict[tuple[str, str, int], dict[bool, list[Ended]]] = {}
    for asked, ended in runs.items():
        lines.setdefault((asked.a, asked.b, asked.seeds), {True: [], False: []})[asked.trained].append(ended)
    table(HEAD, [_line(*line, some[True], some[False]) for line, some in lines.items()])


def _line(a: str, b: str, seeds: int, some: Sequence[Ended], without: Sequence[Ended]) -> list[str]:
    accepted = f"{sum(one.converged for one in some)} of {len(some)}"
    seconds = sum(one.seconds for one in some) / max(1, len(some))
    return [f"{a} / {b}", str(seeds), _right(some), accepted, f"{seconds:.0f}", _right(without)]


def _right(some: Sequence[Ended]) -> str:
    return " ".join(f"{one.right:.3f}" for one in some)


def main() -> None:
    """Make the runs that are missing, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", nargs="+", type=int, default=[30, 15, 8, 0])
    parser.add_argument("--draws", type=int, default=1)
    add_kept_options(parser)
    chosen = parser.parse_args()
    wanted = list(asked_for(chosen.seeds, chosen.draws))
    report(Kept(chosen.out, Asked, Ended).of(wanted, None if chosen.report_only else ran))


if __name__ == "__main__":
    main()
