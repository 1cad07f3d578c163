"""Anchor optimization between spaces of few directions: digits in several networks, and spaces that mislead.

``python -m tests.benchmarks.bootstrap_low [--seeds 0 5] [--draws 2] [--rows 1000] [--kinds KIND ...]
[--out FILE] [--report-only]``

The rows of these spaces spread over 20 to 50 directions. "right" is the share of right matches; a run is good
if most are right. Of unrelated spaces none is, and known pairs are false. A run is added to the file as it
ends; begun again, those of the same solver are not repeated.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import avg_pool2d, conv2d

import relviz
from relviz.autoencoders import bundled_autoencoder, demo_digits
from tests.benchmarks.bootstrap_runs import Kept, add_kept_options
from tests.benchmarks.calibration import table
from tests.benchmarks.calibration_cases import shuffled_in_clusters

ANCHORS = 300
SAME_DIGITS, ODD, BELOW_FIVE = "the same digits", "odd or even", "below 5 or not"
UNLIKE: Mapping[str, Callable[[Tensor], Tensor]] = {
    ODD: lambda digits: digits % 2 == 1,
    BELOW_FIVE: lambda digits: digits < 5,
}
"""Which digits x is of; y is of the others."""
UNRELATED = ("gaussian", "columns shuffled", "columns shuffled in clusters", *UNLIKE)
LIES = ("known pairs permuted", "known pairs at random")
MISLED = (
    ("autoencoder 1", "autoencoder 2"),
    ("pixels", "autoencoder 2"),
    ("pixels", "convolutions 1"),
    ("autoencoder 1", "variational"),
    ("variational", "perceptron"),
)
"""Pairs that are made to mislead."""
HEAD_SAME = ("spaces", "known pairs", "right, each run", "accepted", "CPU s", "at most")
HEAD = (
    "made to fail by",
    "known pairs",
    "runs",
    "rejected",
    "accepted",
    "found all the same",
    "CPU s",
    "at most",
)


def convolutions(images: Tensor, seed: int) -> Tensor:
    """Features ``(n, d)`` of two layers of random convolutions."""
    generator = torch.Generator().manual_seed(seed)
    first = torch.randn(32, 1, 5, 5, generator=generator) / 5
    second = torch.randn(64, 32, 3, 3, generator=generator) / 17
    features = conv2d(conv2d(images, first, stride=2).relu(), second, stride=2).relu()
    return avg_pool2d(features, 2).flatten(1)


def perceptron(images: Tensor, seed: int) -> Tensor:
    """Features ``(n, 128)`` of two random layers."""
    generator = torch.Generator().manual_seed(seed)
    first = torch.randn(images[0].numel(), 256, generator=generator) / 28
    second = torch.randn(256, 128, generator=generator) / 16
    return ((images.flatten(1) @ first).relu() @ second).relu()


def _encoded(kind: str, latent: int, seed: int) -> Callable[[Tensor], Tensor]:
    return lambda images: bundled_autoencoder(kind, "absolute", latent, seed).encode(images)


ENCODERS: Mapping[str, Callable[[Tensor], Tensor]] = {
    "pixels": lambda images: images.flatten(1),
    "autoencoder 1": _encoded("ae", 64, 0),
    "autoencoder 2": _encoded("ae", 64, 1),
    "variational": _encoded("vae", 32, 0),
    "convolutions 1": lambda images: convolutions(images, 0),
    "convolutions 2": lambda images: convolutions(images, 1),
    "perceptron": lambda images: perceptron(images, 0),
}


@dataclass(frozen=True)
class Asked:
    """One run: two encoders, what makes it fail, and how many pairs it is told."""

    kind: str
    a: str
    b: str
    seeds: int
    draw: int
    rows: int


@dataclass(frozen=True)
class Ended:
    """What a run came to; ``right`` is 0 where nothing can be."""

    right: float
    converged: bool
    halves: float
    margin: float | None
    shared: float | None
    seconds: float

    @property
    def good(self) -> bool:
        """Whether most matches are right."""
        return self.right >= 0.5


@cache
def _encode(name: str, training: bool) -> Tensor:
    digits = demo_digits()
    return ENCODERS[name](digits.train if training else digits.test)


def made(asked: Asked) -> tuple[Tensor, Tensor, Tensor]:
    """Rows of both spaces, ``(n, dx)`` and ``(m, dy)``, and the row of y for each row of x, −1 for none.

    They are of test images, or of training images where these are too few for so many rows of unlike digits.
    """
    rng = np.random.default_rng([asked.draw, asked.rows])
    given = demo_digits()
    training = 2 * asked.rows > len(given.test)
    x, y = _encode(asked.a, training), _encode(asked.b, training)
    of_x = of_y = torch.from_numpy(rng.permutation(len(x)))
    if asked.kind in UNLIKE:
        labels = given.train_labels if training else given.test_labels
        first = UNLIKE[asked.kind](torch.tensor([int(label) for label in labels])[of_x])
        of_x, of_y = of_x[first], of_y[~first]
    x, y = x[of_x[: asked.rows]], y[of_y[: asked.rows]]
    none = torch.full((len(x),), -1)
    if asked.kind in UNLIKE:
        return x, y, none
    if asked.kind == "gaussian":
        _, lengths, axes = torch.linalg.svd(y - y.mean(0), full_matrices=False)
        drawn = torch.from_numpy(rng.normal(size=(len(y), len(lengths))).astype(np.float32))
        return x, drawn * lengths @ axes, none
    if asked.kind == "columns shuffled":
        return x, torch.from_numpy(rng.permuted(y.numpy(), axis=0)), none
    if asked.kind == "columns shuffled in clusters":
        return x, shuffled_in_clusters(y, rng), none
    mixed = torch.from_numpy(rng.permutation(len(y)))
    return x, y[mixed], mixed.argsort()


def ran(asked: Asked) -> Ended:
    """Make one of them."""
    x, y, truth = made(asked)
    anchors = torch.arange(min(ANCHORS, len(x) // 3))
    told = anchors[: asked.seeds]
    rng = np.random.default_rng(asked.draw)
    counterparts = truth[told]
    if asked.kind == "known pairs permuted":
        counterparts = counterparts.roll(1)
    elif asked.kind != SAME_DIGITS:
        counterparts = torch.from_numpy(rng.choice(len(y), len(told), replace=False))
    began = time.process_time()
    found = relviz.bootstrap(x, y, anchors, (told, counterparts), seed=asked.draw)
    seconds = time.process_time() - began
    free = torch.ones(len(x), dtype=torch.bool)
    free[told] = False
    right = float((found.matches == truth)[free].double().mean())
    evidence = found.evidence
    return Ended(right, found.converged, evidence.halves, evidence.margin, evidence.shared, seconds)


def asked_for(kinds: Sequence[str], counts: Sequence[int], draws: int, rows: int) -> Iterator[Asked]:
    """All runs of these kinds."""
    for kind in kinds:
        for draw in range(draws):
            for a, b in combinations(ENCODERS, 2) if kind == SAME_DIGITS else MISLED:
                for seeds in counts:
                    if seeds or kind not in LIES:
                        yield Asked(kind, a, b, seeds, draw, rows)


def report(runs: Mapping[Asked, Ended]) -> None:
    """A table of what corresponds, one of what misleads, and each wrong verdict."""
    same = _by_pair(runs)
    if same:
        table(HEAD_SAME, [_true_line(pair, seeds, some) for (pair, seeds), some in same.items()])
    kinds = (*UNRELATED, *LIES)
    lines = {(one.kind, one.seeds) for one in runs if one.kind != SAME_DIGITS}
    if lines:
        table(
            HEAD,
            [_line(*line, runs) for line in sorted(lines, key=lambda one: (kinds.index(one[0]), one[1]))],
        )
    print()
    for asked, ended in runs.items():
        if ended.converged != ended.good:
            said = "accepted" if ended.converged else "rejected"
            what = f"{asked.kind}, {asked.a} / {asked.b}, {asked.seeds} known pairs, draw {asked.draw}"
            margin = f"{ended.margin or 0:.3f}, product {ended.halves * (ended.margin or 0):.3f}"
            print(f"- {what}: {said}; {ended.right:.1%} right, halves {ended.halves:.2f}, margin {margin}")


def _by_pair(runs: Mapping[Asked, Ended]) -> dict[tuple[str, int], list[Ended]]:
    found: dict[tuple[str, int], list[Ended]] = {}
    for one, ended in runs.items():
        if one.kind == SAME_DIGITS:
            found.setdefault((f"{one.a} / {one.b}", one.seeds), []).append(ended)
    return found


def _true_line(pair: str, seeds: int, some: Sequence[Ended]) -> list[str]:
    right = " ".join(f"{one.right:.3f}" for one in some)
    accepted = f"{sum(one.converged for one in some)} of {len(some)}"
    return [pair, str(seeds), right, accepted, *_seconds(some)]


def _line(kind: str, seeds: int, runs: Mapping[Asked, Ended]) -> list[str]:
    some = [ended for one, ended in runs.items() if (one.kind, one.seeds) == (kind, seeds)]
    accepted, good = sum(one.converged for one in some), sum(one.converged and one.good for one in some)
    counts = (seeds, len(some), len(some) - accepted, accepted, good)
    return [kind, *map(str, counts), *_seconds(some)]


def _seconds(some: Sequence[Ended]) -> list[str]:
    seconds = [one.seconds for one in some]
    return [f"{sum(seconds) / len(seconds):.0f}", f"{max(seconds):.0f}"]


def main() -> None:
    """Make the runs that are missing, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kinds", nargs="+", default=[SAME_DIGITS, *UNRELATED, *LIES])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 5])
    parser.add_argument("--draws", type=int, default=2)
    parser.add_argument("--rows", type=int, default=1000)
    add_kept_options(parser)
    chosen = parser.parse_args()
    wanted = list(asked_for(chosen.kinds, chosen.seeds, chosen.draws, chosen.rows))
    report(Kept(chosen.out, Asked, Ended).of(wanted, None if chosen.report_only else ran))


if __name__ == "__main__":
    main()
