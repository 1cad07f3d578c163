"""Anchor optimization between English names of emoji and those in other languages, as a Markdown table.

``python -m tests.benchmarks.bootstrap_languages --packages FOLDER [--languages fr de ru ja]
[--encoders minilm wordllama] [--seeds 15 0] [--draws 1]``

Nothing of the solver was chosen on these languages, but for one threshold on French
(``relviz.bootstrapping.verdict``). Names and keywords are those of CLDR, encoded by multilingual-e5-small;
the English ones are those of the demo. The packages of both are fetched into the folder, as by
``python -m relviz.demos.build emoji``, and what was encoded is kept there.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

import relviz
from relviz.bootstrapping.evaluation import Draw, Pairing
from relviz.demos.sources.e5 import e5
from relviz.demos.sources.emoji import annotations, described, glyph
from tests.benchmarks.bootstrap_pairs import ANCHORS

HEADS = (
    *("English names by", "language", "known pairs", "true anchors", "found", "Procrustes, all pairs"),
    *("matches right", "accepted", "CPU s"),
)
LANGUAGES = ("fr", "de", "ru", "ja")
ENCODERS = ("minilm", "wordllama")


def names(language: str, ids: Sequence[str], packages: Path) -> Tensor:
    """Names and keywords of these emoji in a language, encoded: ``(n, 384)``."""
    kept = packages / f"names-{language}.npy"
    if not kept.exists():
        texts = described([glyph(one) for one in ids], annotations(language, packages))
        np.save(kept, e5(texts, packages).numpy())
    return torch.from_numpy(np.load(kept))


def lines(pairing: Pairing, counts: Sequence[int], draws: int) -> Iterator[list[str]]:
    """Cells of two spaces, for each number of known pairs."""
    drawn = [pairing.draw(ANCHORS, draw) for draw in range(draws)]
    for seeds in counts:
        found, right, accepted, seconds = zip(*(solved(draw, seeds) for draw in drawn), strict=True)
        given = (np.mean([mrr(draw, points(draw)) for draw in drawn]) for points in (true, Draw.rotated))
        before, best = (f"{mean:.3f}" for mean in given)
        shares, times = " ".join(f"{one:.1%}" for one in right), f"{np.mean(seconds):.0f}"
        told = " ".join(f"{one:.3f}" for one in found)
        yield [str(seeds), before, told, best, shares, f"{sum(accepted)} of {draws}", times]


def solved(draw: Draw, seeds: int) -> tuple[float, float, bool, float]:
    """MRR through what was found, the share of right matches, the verdict, and CPU seconds."""
    began = time.process_time()
    found = draw.solve(seeds, "annealed")
    return mrr(draw, found.anchors), found.right, found.converged, time.process_time() - began


def true(draw: Draw) -> Tensor:
    """The true counterparts of the anchors."""
    return draw.y[draw.rows]


def mrr(draw: Draw, points: Tensor) -> float:
    """MRR of the rows held out through anchors ``(k, dy)``."""
    return draw.through(points)[0].mrr


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--packages", type=Path, metavar="FOLDER", required=True)
    parser.add_argument("--languages", nargs="+", choices=LANGUAGES, default=LANGUAGES)
    parser.add_argument("--encoders", nargs="+", choices=ENCODERS, default=ENCODERS)
    parser.add_argument("--seeds", nargs="+", type=int, default=[15, 0])
    parser.add_argument("--draws", type=int, default=1)
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    print(f"| {' | '.join(HEADS)} |\n|{'---|' * len(HEADS)}", flush=True)
    spaces = relviz.load_demo("emoji").spaces
    for encoder in chosen.encoders:
        english = spaces[f"text_en_{encoder}"]
        for language in chosen.languages:
            others = names(language, english.ids or (), chosen.packages)
            pairing = Pairing(english.vectors, others, held_out=0.2)
            for cells in lines(pairing, chosen.seeds, chosen.draws):
                print(f"| {' | '.join([encoder, language, *cells])} |", flush=True)
    print(f"\n{ANCHORS} anchors, draws 0-{chosen.draws - 1}, one thread.")


if __name__ == "__main__":
    main()
