"""What rounds have in common, how it grows turn by turn, and what matches are purified to.

Shares that are right, which no run sees, and how near and mutual purified matches are.

``python -m tests.benchmarks.bootstrap_grown [--pairs NAME ...] [--seeds 0 15] [--draw 0]``

The runs are those of ``tests.benchmarks.bootstrap``.
"""

import argparse
import time
from collections.abc import Iterator
from contextlib import ExitStack
from unittest import mock

import numpy as np
import torch
from torch import Tensor

from relviz.bootstrapping import annealed, mirror_images
from relviz.bootstrapping.annealed_starts import AnnealedStarts
from relviz.bootstrapping.correspondence import Correspondence
from relviz.bootstrapping.evaluation import _ORDER, Pairing
from relviz.bootstrapping.growth import Growth
from relviz.bootstrapping.refinement import Refinement
from relviz.bootstrapping.rounds import Found, Round, Source, in_common
from relviz.bootstrapping.stable_pairs import Agreed, StablePairs
from tests.benchmarks.bootstrap_pairs import ANCHORS, SUBJECTS

PAIRS = ("emoji-names-wordllama-es", "emoji-names-en-es")


def trace(name: str, seeds: int, draw: int) -> None:
    """Run once, and print a line for each round, their common pairs, and each turn."""
    pair = SUBJECTS[name].pair()
    drawn = Pairing(pair.a.vectors, pair.b.vectors, held_out=0.2).draw(ANCHORS, draw)
    truth = torch.from_numpy(
        np.random.default_rng([_ORDER, draw]).permutation(len(drawn.split.fit))
    ).argsort()
    made_round, made_itself = annealed.Rounds.from_start, AnnealedStarts.matches_from
    made_purified, made_grown = Refinement.from_stable, Growth.grown
    made_common, made_turns = in_common, StablePairs.turns
    every = torch.arange(len(truth))

    def right(x: Tensor, y: Tensor) -> str:
        return f"{float((truth[x] == y).double().mean()):.1%} right"

    def round_(rounds: annealed.Rounds, source: Source) -> Round:
        one = made_round(rounds, source)
        fit = rounds.run.fit(one.matches)
        print(
            f"round: {right(every, one.matches)}, fit {fit:.4f}, believed by itself: {one.converged}",
            flush=True,
        )
        return one

    def purified(refinement: Refinement, matches: Tensor, cross: bool) -> Found:
        found = made_purified(refinement, matches, cross)
        near = refinement._run.null.nearness(found.matches)
        how = f"mutual {found.agreement:.4f}, near {near:.4f}"
        print(f"from the stable ones: {right(every, found.matches)}, {how}", flush=True)
        return found

    def grown(growth: Growth, matches: list[Tensor]) -> Round | None:
        one = made_grown(growth, matches)
        if one is not None:
            kappa = one.evidence.confirmed
            print(
                f"grown: {right(every, one.matches)}, kappa of halves {kappa:.2f}, believed: {one.converged}",
                flush=True,
            )
        return one

    def by_itself(starts: AnnealedStarts, rotation: Tensor) -> Tensor:
        matches = made_itself(starts, rotation)
        print(f"population: {right(every, matches)}", flush=True)
        return matches

    def common(matches: list[Tensor]) -> tuple[Tensor, Tensor]:
        pairs = made_common(matches)
        print(f"in common: {len(pairs[0])} pairs, {right(*pairs)}", flush=True)
        return pairs

    def turns(stable: StablePairs, at: Agreed) -> Iterator[tuple[Agreed, Correspondence]]:
        def say(at: Agreed) -> None:
            x, y = (rows[places] for rows, places in zip(stable.fits.rows, at.pairs, strict=True))
            print(f"turn {at.turn}: {len(x)} pairs, {right(x, y)}", flush=True)

        say(at)
        for reached, found in made_turns(stable, at):
            say(reached)
            yield reached, found

    patches = (
        mock.patch.object(annealed.Rounds, "from_start", round_),
        mock.patch.object(AnnealedStarts, "matches_from", by_itself),
        mock.patch.object(Refinement, "from_stable", purified),
        mock.patch.object(Growth, "grown", grown),
        mock.patch.object(annealed, "in_common", common),
        mock.patch.object(mirror_images, "in_common", common),
        mock.patch.object(StablePairs, "turns", turns),
    )
    print(f"{name}, {seeds} known pairs, draw {draw}")
    began = time.process_time()
    with ExitStack() as stack:
        for patch in patches:
            stack.enter_context(patch)
        found = drawn.solve(seeds, "annealed")
    took = time.process_time() - began
    print(f"result: {found.right:.1%} right, converged: {found.converged}, {took:.0f} CPU s", flush=True)
    print(found.reason, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pairs", nargs="+", choices=SUBJECTS, default=PAIRS)
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 15])
    parser.add_argument("--draw", type=int, default=0)
    chosen = parser.parse_args()
    for name in chosen.pairs:
        for seeds in chosen.seeds:
            trace(name, seeds, chosen.draw)


if __name__ == "__main__":
    main()
