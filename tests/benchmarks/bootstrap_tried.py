"""What was tried in place of the defaults of ``annealed``, and what it gave, as a Markdown table.

``python -m tests.benchmarks.bootstrap_tried [--parts seeded search …] [--runs 2] [--only WORDS ...]``

Figures are the share of rows matched with their counterpart, means over anchor samples; each line changes
one thing. ``seeded`` starts from known pairs: defaults were chosen on the first two pairs, nothing on the
last three. ``search`` has no known pairs, and two populations of rotations look for a start. ``half`` has
none either, and only half of the rows of each space are in both; the share is of these. ``purified`` is
what becomes of matches that are believed.
"""

import argparse
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any
from unittest import mock

import torch

import relviz
from relviz.bootstrapping import (
    AnnealedOptions,
    annealed,
    annealed_starts,
    cross_fitting,
    population,
    purification,
    refinement,
    run,
    start,
)
from relviz.bootstrapping.mirror_images import MirrorImages
from relviz.bootstrapping.null import Null
from relviz.bootstrapping.population import PATIENT, QUICK, Selection
from relviz.bootstrapping.procrustes import nuclear
from relviz.bootstrapping.purification import Purification
from relviz.bootstrapping.refinement import Refinement
from relviz.bootstrapping.search import Search
from relviz.wording import plural
from tests.benchmarks import bootstrap_partial
from tests.benchmarks.bootstrap_pairs import ANCHORS, SUBJECTS

PAIRS = (
    ("glosses-minilm-wordllama", 15),
    ("emoji-names-en-es", 15),
    ("glosses-wordllama-e5", 15),
    ("emoji-names-minilm-wordllama", 15),
    ("emoji-names-wordllama-es", 15),
)
ONE = AnnealedOptions(rounds=1)
Change = tuple[Any, str, Any]
"""What is put in the place of a name of a module or class, where it is no option."""
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
INSIDE: dict[str, list[Change]] = {
    "one round, rank 64 at most": [
        (room, "MOST_DIMENSIONS", 64) for room in (annealed_starts, refinement, cross_fitting, run)
    ],
    "one round, directions not evened out at the end": [(refinement, "evened", lambda rows, *_: rows)],
    "no round from what two have in common": [(annealed, "BY_CHANCE", 2.0)],
}
WITHOUT_PAIRS = (
    ("glosses-minilm-e5", 0),
    ("glosses-minilm-wordllama", 0),
    ("emoji-names-en-es", 0),
    ("emoji-names-minilm-wordllama", 0),
)
SEARCH = {
    "the defaults of the search": AnnealedOptions(),
    "one search": ONE,
    "one search, 12 members": replace(ONE, members=12),
    "one search, 48 members": replace(ONE, members=48),
    "one search, starts alone": replace(ONE, generations=1),
}
INSIDE_SEARCH: dict[str, list[Change]] = {
    "one search, no densities": [(start, "_WEIGHTS", (0.0, 1.0, 1.0))],
    "one search, no profiles": [(start, "_WEIGHTS", (1.0, 0.0, 1.0))],
    "one search, no walks and no heat": [(start, "_WEIGHTS", (1.0, 1.0, 0.0))],
    "one search, no clusters": [(start, "_CLUSTERS", 0.0)],
    "one search, children of two": [(annealed_starts, "QUICK", Selection(1 / 3, 2))],
    "one search, children of eight": [(annealed_starts, "QUICK", Selection(1 / 3, 8))],
    "one search, 256 rows in a step": [(population, "_ROWS", 256)],
    "one search, 24 steps of a child": [(population, "CHILD_STEPS", 24)],
    "one search, 24 axes": [(annealed_starts, "LEADING", 24)],
    "one search, 96 axes": [(annealed_starts, "LEADING", 96)],
    "two searches, nothing from what both have in common": [
        (annealed, "BY_CHANCE", 2.0),
        (annealed, "_HALF_RIGHT", 2.0),
    ],
    "two searches where half of the matches are right, too": [(annealed, "_HALF_RIGHT", 0.6)],
}
HALF = (
    ("glosses-minilm-e5", 0),
    ("glosses-minilm-wordllama", 0),
    ("glosses-wordllama-e5", 0),
    ("emoji-images", 0),
)
FOUND_IN_HALF = {
    "the defaults, half": AnnealedOptions(),
    "one search": ONE,
    "one search, 48 members": replace(ONE, members=48),
}
INSIDE_HALF: dict[str, list[Change]] = {
    "one search, no union": [(Search, "_joined", lambda search: search.rotation)],
    "a second search like the first": [(annealed_starts, "PATIENT", QUICK)],
    "a patient search at once": [(annealed_starts, "QUICK", PATIENT)],
    "a patient search, children of four": [(annealed_starts, "PATIENT", replace(PATIENT, parents=4))],
    "a patient search, a third of the steps, more members": [
        (annealed_starts, "PATIENT", replace(PATIENT, steps=1, members=3))
    ],
    "two searches, nothing from what both have in common": [(annealed, "BY_CHANCE", 2.0)],
}
PURIFIED = (
    ("emoji-names-en-es", 15),
    ("emoji-names-en-es", 0),
    ("emoji-names-minilm-wordllama", 15),
    ("emoji-names-minilm-wordllama", 0),
)


_from_stable = Refinement.from_stable
INSIDE_PURIFIED: dict[str, list[Change]] = {
    "not purified": [(Purification, "best", lambda last, believed: last.nearest(believed)[1])],
    "no mirror images": [(MirrorImages, "of", lambda *_: iter(()))],
    "purified once": [(purification, "_TIMES", 1)],
    "purified without cross-fitting": [
        (Refinement, "from_stable", lambda last, matches, **_: _from_stable(last, matches, cross=False))
    ],
    "the best by its own fit": [(Null, "nearness", lambda null, matches: nuclear(null.x, null.y[matches]))],
}

GROWN = (("emoji-names-wordllama-es", 0),)
INSIDE_GROWN: dict[str, list[Change]] = {
    "starts of both sides together": [(MirrorImages, "sides", lambda _, matches: [matches])],
}


def right(name: str, seeds: int, draw: int, options: AnnealedOptions) -> float:
    """Share of the rows of a pair that one run matches with their counterpart."""
    pair = SUBJECTS[name].pair()
    x, y = pair.a.vectors, pair.b.vectors
    order = torch.randperm(len(y), generator=torch.Generator().manual_seed(draw))
    rows = relviz.select_anchors(x, ANCHORS, seed=draw)
    known = rows[:seeds], order.argsort()[rows[:seeds]]
    found = relviz.bootstrap(x, y[order], rows, known, seed=draw, options=options)
    return float((order[found.matches] == torch.arange(len(x))).double().mean())


def right_in_half(name: str, seeds: int, draw: int, options: AnnealedOptions) -> float:
    """The same of the rows in both, where half of the rows of each space are."""
    return bootstrap_partial.run(name, 0.5, seeds, draw, options).right


PARTS = {
    "seeded": (PAIRS, TRIED, INSIDE, right),
    "search": (WITHOUT_PAIRS, SEARCH, INSIDE_SEARCH, right),
    "half": (HALF, FOUND_IN_HALF, INSIDE_HALF, right_in_half),
    "purified": (PURIFIED, {"the defaults": AnnealedOptions()}, INSIDE_PURIFIED, right),
    "grown": (GROWN, {"the defaults": AnnealedOptions()}, INSIDE_GROWN, right),
}


@contextmanager
def changed(changes: list[Change]) -> Iterator[None]:
    """Within it these names stand for something else."""
    with ExitStack() as stack:
        for change in changes:
            stack.enter_context(mock.patch.object(*change))
        yield


def tried(part: str, runs: int, words: list[str] | None) -> None:
    """Print the table of one part, all lines or those that hold one of these words."""
    pairs, options, inside, share_right = PARTS[part]
    print("| " + " | ".join(["tried", *(f"{name}, {seeds} seeds" for name, seeds in pairs)]) + " |")
    print("|---" * (len(pairs) + 1) + "|")
    for what in (*options, *inside):
        if words and not any(word in what for word in words):
            continue
        chosen = options.get(what, ONE if what.startswith("one ") else AnnealedOptions())
        with changed(inside.get(what, [])):
            means = [
                sum(share_right(name, seeds, draw, chosen) for draw in range(runs)) / runs
                for name, seeds in pairs
            ]
        print("| " + " | ".join([what, *(f"{mean:.3f}" for mean in means)]) + " |", flush=True)
    print(f"\n{ANCHORS} anchors, {plural(runs, 'draw')}.\n")


def main() -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--only", nargs="+", help="lines that hold one of these words")
    asked = parser.parse_args()
    for part in asked.parts:
        tried(part, asked.runs, asked.only)


if __name__ == "__main__":
    main()
