"""Runs of anchor optimization whose truth is known: pairs of the demos, and pairs made to mislead."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

import relviz
from relviz.bootstrapping.inputs import without
from relviz.bootstrapping.split import split
from tests.benchmarks.bootstrap_failing import UNRELATED, spoilt
from tests.benchmarks.bootstrap_pairs import SUBJECTS

HELD_OUT = 0.2
CLUSTERS = 12
TWIN_NOISE = 0.05
"""Noise of a near-duplicate, in parts of the length of its row."""

SEEDS = (0, 1, 2, 5, 15, 50)
NAMES = tuple(SUBJECTS)
SOME = (
    "glosses-minilm-e5",
    "glosses-minilm-wordllama",
    "emoji-images",
    "emoji-names-minilm-wordllama",
    "words",
)
ROTATED = {
    "glosses-minilm-e5": ("emoji", "text_en_minilm"),
    "glosses-wordllama-e5": ("emoji", "text_en_wordllama"),
    "emoji-names-en-es": ("glosses", "minilm"),
    "emoji-names-wordllama-es": ("glosses", "wordllama"),
}
"""For the first space of a pair, other items in the same encoder."""
SIZES = {"three times as many rows in y": (3, 1), "three times as many rows in x": (1, 3)}
"""Into how many parts the rows are cut of which either space gets the first."""
LIES = ("known pairs permuted", "known pairs at random", "known pairs permuted in clusters")


@dataclass(frozen=True)
class Case:
    """One run: what is done to a pair of the demos, how many rows of it are drawn, and known pairs."""

    kind: str
    pair: str
    rows: int
    seeds: int
    draw: int = 0

    @property
    def group(self) -> str:
        return "partial overlap" if self.kind.startswith("overlap") else self.kind


@dataclass(frozen=True, eq=False)
class Made:
    """The spaces of a case.

    Attributes
    ----------
    x, y
        ``(n, dx)`` and ``(m, dy)``, all rows.
    fit_x, fit_y
        The rows that a run is given; those of y in the order in which it gets them.
    truth
        ``(n,)``, the row of y that belongs to each row of x, −1 where none does.
    group
        ``(m,)``, the same number for rows of y that are near-duplicates.
    anchors, known
        ``(k,)`` rows of x, the first of which the run is told the counterparts of: ``(s,)`` rows of y.
    queries
        Rows to measure retrieval with, which the run is not given; none where not all rows have counterparts.
    """

    x: Tensor
    y: Tensor
    fit_x: Tensor
    fit_y: Tensor
    truth: Tensor
    group: Tensor
    anchors: Tensor
    known: Tensor
    queries: Tensor


def cases() -> list[Case]:
    """All runs, small ones first, in an order in which any beginning has a share of each kind."""
    made = [*_demo_cases(), *_partial_cases(), *_misleading_cases()]
    order = np.random.default_rng(0).permutation(len(made))
    return sorted((made[at] for at in order), key=lambda case: case.rows > 1000)


def _demo_cases() -> Iterator[Case]:
    for name in NAMES:
        for seeds in SEEDS:
            yield Case("demo pair", name, 800, seeds)
        for seeds in (5, 15):
            yield Case("demo pair", name, 800, seeds, 1)
        for seeds in (0, 15):
            yield Case("demo pair", name, 1500, seeds)
            yield Case("demo pair", name, 500, seeds)
        for seeds in (0, 5, 50):
            yield Case("demo pair", name, 250, seeds)
    for rows in (2000, 4000):
        for seeds in (0, 2, 15):
            yield Case("demo pair", "words", rows, seeds)
    for seeds in (0, 15):
        yield Case("demo pair", "words", 20_000, seeds)


def _partial_cases() -> Iterator[Case]:
    for name in SOME:
        for share in (90, 75, 50):
            for seeds in (0, 5, 15, 50):
                yield Case(f"overlap {share}%", name, 1000, seeds)
        for kind in SIZES:
            for seeds in (0, 15):
                yield Case(kind, name, 1200, seeds)
        for seeds in (0, 15, 50):
            yield Case("no row in common", name, 500, seeds)
        for seeds in (0, 5, 15, 50):
            yield Case("near-duplicates", name, 800, seeds)


def _misleading_cases() -> Iterator[Case]:
    for name in SOME:
        for kind in UNRELATED:
            for seeds in (0, 2, 15, 50):
                yield Case(kind, name, 250, seeds)
            yield Case(kind, name, 500, 15, 1)
        for seeds in (0, 5, 15, 50):
            yield Case("columns shuffled in clusters", name, 400, seeds)
        for kind in LIES:
            for seeds in (5, 15, 50):
                yield Case(kind, name, 300, seeds)
    for name in ROTATED:
        for rows in (250, 500, 1000):
            for seeds in (0, 15):
                yield Case("other items, same encoder, rotated", name, rows, seeds)


def make(case: Case) -> Made:
    """The spaces of a case; the same each time."""
    pair = SUBJECTS[case.pair].pair()
    rng = np.random.default_rng([case.draw, case.rows])
    # Words are in order of frequency, and the most frequent ones are asked for.
    every = len(pair) if case.pair != "words" else case.rows
    rows = torch.from_numpy(rng.permutation(every)[: case.rows])
    x, y = pair.a.vectors[rows], pair.b.vectors[rows]
    if case.kind.startswith("overlap") or case.kind == "no row in common" or case.kind in SIZES:
        return _partial(case, x, y, rng)
    truth = torch.arange(len(x))
    group = truth.clone()
    if case.kind == "near-duplicates":
        x, y = (_twice(side[: len(side) // 2], rng) for side in (x, y))
        group = truth % (len(x) // 2)
    elif case.kind == "columns shuffled in clusters":
        y, truth = shuffled_in_clusters(y, rng), torch.full_like(truth, -1)
    elif case.kind == "other items, same encoder, rotated":
        demo, space = ROTATED[case.pair]
        other = relviz.load_demo(demo).spaces[space].vectors
        other = other[torch.from_numpy(rng.permutation(len(other))[: case.rows])]
        turn = np.linalg.qr(rng.normal(size=(other.shape[1], other.shape[1])))[0]
        y, truth = other @ torch.from_numpy(turn.astype(np.float32)), torch.full_like(truth, -1)
    elif case.kind in UNRELATED:
        y, truth = spoilt(case.kind, y, case.draw), torch.full_like(truth, -1)
    anchors = torch.from_numpy(rng.permutation(len(x))[: _anchors(len(x))])
    parts = split(len(x), anchors, HELD_OUT, case.draw, 2000)
    fit_y = parts.fit[torch.from_numpy(rng.permutation(len(parts.fit)))]
    known = _counterparts(case, anchors[: case.seeds], y, fit_y, rng)
    parallel = bool((truth >= 0).all()) and len(parts.held) > 0
    queries = parts.queries if parallel else anchors[:0]
    return Made(x, y, parts.fit, fit_y, truth, group, anchors, known, queries)


def _partial(case: Case, x: Tensor, y: Tensor, rng: np.random.Generator) -> Made:
    """Parts of the rows in either space, some of which both have; known pairs are among these."""
    n = len(x)
    fit_x, in_y = _parts(case, n)
    fit_y = in_y[torch.from_numpy(rng.permutation(len(in_y)))]
    truth = torch.arange(n)
    truth[~torch.isin(truth, in_y)] = -1
    both = fit_x[torch.isin(fit_x, in_y)]
    seeds = both[torch.from_numpy(rng.permutation(len(both)))][: case.seeds]
    known = seeds
    if not len(both):
        seeds, known = fit_x[: case.seeds], fit_y[: case.seeds]
    others = fit_x[without(len(fit_x), seeds)]
    others = others[torch.from_numpy(rng.permutation(len(others)))]
    anchors = torch.cat([seeds, others])[: _anchors(len(fit_x))]
    return Made(x, y, fit_x, fit_y, truth, torch.arange(n), anchors, known, fit_x[:0])


def _parts(case: Case, n: int) -> tuple[Tensor, Tensor]:
    """The rows of either space, of n."""
    if case.kind in SIZES:
        x, y = (torch.arange(n // parts) for parts in SIZES[case.kind])
        return x, y
    share = 0.0 if case.kind == "no row in common" else int(case.kind[-3:-1]) / 100
    each = int(n / (2 - share))
    return torch.arange(each), torch.arange(n - each, n)


def _anchors(n: int) -> int:
    return min(300, n // 3)


def _counterparts(case: Case, seeds: Tensor, y: Tensor, fit: Tensor, rng: np.random.Generator) -> Tensor:
    """Rows of y that the run is told are the counterparts of the seeds."""
    if case.kind == "known pairs permuted":
        return seeds.roll(1)
    if case.kind == "known pairs at random":
        return fit[torch.from_numpy(rng.choice(len(fit), len(seeds), replace=False))]
    if case.kind == "known pairs permuted in clusters":
        false, cluster = seeds.clone(), _clusters(y, CLUSTERS // 3)
        for one in cluster[seeds].unique():
            there = cluster[seeds] == one
            false[there] = seeds[there].roll(1)
        return false
    return seeds


def _clusters(y: Tensor, clusters: int) -> Tensor:
    from sklearn.cluster import KMeans

    found = KMeans(clusters, n_init=1, random_state=0).fit_predict(relviz.prepare(y).numpy())
    return torch.from_numpy(found).to(torch.int64)


def shuffled_in_clusters(y: Tensor, rng: np.random.Generator) -> Tensor:
    """Each column shuffled among the rows of a cluster: clusters stay where they are, rows do not."""
    shuffled, cluster = y.clone(), _clusters(y, CLUSTERS)
    for one in range(CLUSTERS):
        there = (cluster == one).nonzero()[:, 0]
        shuffled[there] = torch.from_numpy(rng.permuted(y[there].numpy(), axis=0))
    return shuffled


def _twice(rows: Tensor, rng: np.random.Generator) -> Tensor:
    twice = torch.cat([rows, rows])
    noise = torch.from_numpy(rng.normal(size=tuple(twice.shape)).astype(np.float32))
    return twice + TWIN_NOISE * twice.norm(dim=1, keepdim=True) * noise / twice.shape[1] ** 0.5
