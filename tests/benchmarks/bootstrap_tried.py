"""What was tried in place of the defaults of ``annealed``, and what it gave, as a Markdown table.

``python -m tests.benchmarks.bootstrap_tried [--runs 2] [--only WORDS ...]``

Figures are the share of rows matched with their counterpart, means over anchor samples; each line changes
one thing. The defaults were chosen on the first pairs; on the last three nothing was chosen.
"""

import argparse
from contextlib import nullcontext
from dataclasses import replace
from typing import Any
from unittest import mock

import torch

import relviz
from relviz.bootstrapping import AnnealedOptions, annealed, consensus
from tests.benchmarks.bootstrap_pairs import ANCHORS, SUBJECTS

PAIRS = (
    ("glosses-minilm-wordllama", 5),
    ("emoji-names-en-es", 15),
    ("emoji-names-en-es", 5),
    ("glosses-wordllama-e5", 5),
    ("emoji-names-minilm-wordllama", 5),
    ("emoji-names-wordllama-es", 15),
)
ONE = AnnealedOptions(rounds=1)
TRIED = {
    "the defaults": AnnealedOptions(),
    "one round": ONE,
    "one round, all rows in every step": replace(ONE, left_out=0.0),
    "one round, three quarters left out": replace(ONE, left_out=0.75),
    "one round, 40 steps": replace(ONE, steps=40),
    "one round, 250 steps": replace(ONE, steps=250),
    "one round, eps down to 0.003": replace(ONE, eps_last=0.003),
    "one round, eps down to 0.03": replace(ONE, eps_last=0.03),
    "one round, eps 0.01 from the start": replace(ONE, eps_first=0.01),
    "one round, one refining step": replace(ONE, refining=1),
}
INSIDE: dict[str, tuple[Any, dict[str, Any]]] = {
    "one round, rank 64 at most": (annealed, {"MOST_DIMENSIONS": 64}),
    "one round, directions not evened out at the end": (annealed, {"evened": lambda rows: rows}),
    "pairs that 4 of 8 agree on": (consensus, {"_AGREED": 4}),
    "pairs that all of 8 agree on": (consensus, {"_AGREED": 8}),
    "generations of 4, agreed by 3": (consensus, {"RESTARTS": 4, "_AGREED": 3}),
}
"""Changes that are no options: what is put in the place of names of a module."""


def right(name: str, seeds: int, draw: int, options: AnnealedOptions) -> float:
    """Share of the rows of a pair that one run matches with their counterpart."""
    pair = SUBJECTS[name].pair()
    x, y = pair.a.vectors, pair.b.vectors
    order = torch.randperm(len(y), generator=torch.Generator().manual_seed(draw))
    rows = relviz.select_anchors(x, ANCHORS, seed=draw)
    known = rows[:seeds], order.argsort()[rows[:seeds]]
    found = relviz.bootstrap(x, y[order], rows, known, seed=draw, options=options)
    return float((order[found.matches] == torch.arange(len(x))).double().mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--only", nargs="+", help="lines that hold one of these words")
    chosen = parser.parse_args()
    print("| " + " | ".join(["tried", *(f"{name}, {seeds} seeds" for name, seeds in PAIRS)]) + " |")
    print("|---" * (len(PAIRS) + 1) + "|")
    for what in (*TRIED, *INSIDE):
        if chosen.only and not any(word in what for word in chosen.only):
            continue
        room, changes = INSIDE.get(what, (annealed, {}))
        options = TRIED.get(what, ONE if what.startswith("one round") else AnnealedOptions())
        with mock.patch.multiple(room, **changes) if changes else nullcontext():
            means = [
                sum(right(name, seeds, draw, options) for draw in range(chosen.runs)) / chosen.runs
                for name, seeds in PAIRS
            ]
        print("| " + " | ".join([what, *(f"{mean:.3f}" for mean in means)]) + " |", flush=True)
    print(f"\n{ANCHORS} anchors, draws 0-{chosen.runs - 1}.")


if __name__ == "__main__":
    main()
