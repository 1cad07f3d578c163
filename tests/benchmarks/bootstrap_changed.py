"""Anchor optimization where one space is smaller, has near-duplicates, or is warped, as a Markdown table.

python -m tests.benchmarks.bootstrap_changed [--runs 2] [--seeds 15 0] [--pairs NAME] [--changes CHANGE]

``half`` and ``fifth``: x has this share of the rows, y all of them. ``twins``: each row of either space
appears twice, with noise of 5% of its norm; a match with either twin is right. ``power``: y is
rotated at random, and each coordinate v, in units of their standard deviation, becomes sign(v)·|v|^p.
``mlp``: y passes through a random layer of as many tanh units; a larger gain makes it less linear.
"""

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import torch
from torch import Tensor

import relviz
from relviz.compute.parallel import one_thread
from relviz.wording import plural
from tests.benchmarks.bootstrap_pairs import ANCHORS, SUBJECTS

PAIRS = ("glosses-minilm-e5", "emoji-names-minilm-wordllama", "emoji-images")
TWIN_NOISE = 0.05

Spaces = tuple[Tensor, Tensor, Tensor]
"""x, y, and what row of both each row of y is; those of x are in order."""
Change = Callable[[Tensor, Tensor, torch.Generator], Spaces]


def smaller(share: float) -> Change:
    """X has a share of the rows."""

    def change(x: Tensor, y: Tensor, generator: torch.Generator) -> Spaces:
        order = torch.randperm(len(x), generator=generator)
        return x[order[: round(share * len(x))]], y[order], torch.arange(len(y))

    return change


def twins(x: Tensor, y: Tensor, generator: torch.Generator) -> Spaces:
    """Each row of either space twice."""
    n = len(x)

    def twice(rows: Tensor) -> Tensor:
        both = torch.cat([rows, rows])
        noise = torch.randn(both.shape, generator=generator) / both.shape[1] ** 0.5
        return both + TWIN_NOISE * both.norm(dim=1, keepdim=True) * noise

    return twice(x), twice(y), torch.arange(2 * n)


def turned(y: Tensor, generator: torch.Generator) -> Tensor:
    """Y turned at random, its coordinates of standard deviation one in the mean."""
    rotation = torch.linalg.qr(torch.randn(y.shape[1], y.shape[1], generator=generator))[0]
    moved = (y - y.mean(0)) @ rotation
    return moved / moved.std()


def power(exponent: float) -> Change:
    """Each coordinate to a power, its sign kept."""

    def change(x: Tensor, y: Tensor, generator: torch.Generator) -> Spaces:
        moved = turned(y, generator)
        return x, moved.sign() * moved.abs() ** exponent, torch.arange(len(y))

    return change


def layer(gain: float) -> Change:
    """A random layer of tanh units; the larger what goes in, the less linear it is."""

    def change(x: Tensor, y: Tensor, generator: torch.Generator) -> Spaces:
        moved = turned(y, generator)
        weights = torch.randn(y.shape[1], y.shape[1], generator=generator) / y.shape[1] ** 0.5
        return x, torch.tanh(gain * moved @ weights), torch.arange(len(y))

    return change


CHANGES: dict[str, Change] = {
    "none": lambda x, y, _: (x, y, torch.arange(len(y))),
    "half": smaller(0.5),
    "fifth": smaller(0.2),
    "twins": twins,
    "power 0.5": power(0.5),
    "power 2": power(2.0),
    "power 3": power(3.0),
    "mlp, gain 1": layer(1.0),
    "mlp, gain 4": layer(4.0),
}


@dataclass(frozen=True)
class Ran:
    """The share of the rows of x that a run matched right, its verdict, and its CPU seconds."""

    right: float
    accepted: bool
    seconds: float


def run(name: str, change: str, seeds: int, draw: int) -> Ran:
    """Anchor optimization between a space and another that is changed."""
    pair = SUBJECTS[name].pair()
    generator = torch.Generator().manual_seed(draw)
    x, y, item = CHANGES[change](pair.a.vectors, pair.b.vectors, generator)
    order = torch.randperm(len(y), generator=generator)
    y, item = y[order], item[order]
    counterpart = item.argsort()[: len(x)]
    anchors = torch.randperm(len(x), generator=generator)[: min(ANCHORS, len(x) // 2)]
    known = anchors[:seeds], counterpart[anchors[:seeds]]
    began = time.process_time()
    found = relviz.bootstrap(x, y, anchors, known, seed=draw)
    seconds = time.process_time() - began
    same = len(pair) if change == "twins" else len(y)
    right = item[found.matches] % same == torch.arange(len(x)) % same
    return Ran(float(right.double().mean()), found.converged, seconds)


def line(change: str, runs: Mapping[tuple[str, int], Sequence[Ran]]) -> str:
    """One of the table: of each pair the mean share for each number of known pairs."""
    of_pair: dict[str, list[str]] = {}
    for (name, _), some in runs.items():
        of_pair.setdefault(name, []).append(f"{sum(one.right for one in some) / len(some):.3f}")
    every = [one for some in runs.values() for one in some]
    seconds = [one.seconds for one in every]
    cells = (
        *(change, *map(" ".join, of_pair.values())),
        f"{sum(one.accepted for one in every)} of {len(every)}",
        f"{sum(seconds) / len(seconds):.0f}",
        f"{max(seconds):.0f}",
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--seeds", type=int, nargs="+", default=[15, 0])
    parser.add_argument("--pairs", nargs="+", choices=SUBJECTS, default=PAIRS)
    parser.add_argument("--changes", nargs="+", choices=CHANGES, default=list(CHANGES))
    chosen = parser.parse_args()
    print(f"Known pairs: {' '.join(map(str, chosen.seeds))}\n")
    head = ("change", *chosen.pairs, "accepted", "CPU s", "at most")
    print(f"| {' | '.join(head)} |\n{'|---' * len(head)}|")
    with one_thread():
        for change in chosen.changes:
            runs = {
                (name, seeds): [run(name, change, seeds, draw) for draw in range(chosen.runs)]
                for name, seeds in product(chosen.pairs, chosen.seeds)
            }
            print(line(change, runs), flush=True)
    print(f"\n{ANCHORS} anchors, {plural(chosen.runs, 'draw')}.")


if __name__ == "__main__":
    main()
