"""Anchor optimization between English names of emoji and those in other languages, as a Markdown table.

``python -m tests.benchmarks.bootstrap_languages --packages FOLDER [--languages fr de ru ja]
[--encoders minilm wordllama] [--seeds 15 0] [--draws 1]``

Nothing of the solver was chosen on these languages, but for one threshold on French
(``relviz.bootstrapping.verdict``). Names and keywords are those of CLDR, encoded by multilingual-e5-small;
the English ones are those of the demo. The packages of both are fetched into the folder, as by
``python -m relviz.demos.build emoji``, and what was encoded is kept there.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

import relviz
from relviz.bootstrapping.evaluation import Pairing
from relviz.demos.sources.e5 import e5
from relviz.demos.sources.emoji import annotations, described, glyph
from tests.benchmarks.bootstrap_pairs import ANCHORS
from tests.benchmarks.bootstrap_runs import compared, run

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
    known = [compared(draw) for draw in drawn]
    true, rotated = (f"{np.mean([one[name] for one in known]):.3f}" for name in ("true", "procrustes"))
    for seeds in counts:
        made = [run(draw, of, seeds) for draw, of in zip(drawn, known, strict=True)]
        yield [
            *(str(seeds), true, " ".join(f"{one.found:.3f}" for one in made), rotated),
            " ".join(f"{one.right:.1%}" for one in made),
            f"{sum(one.converged for one in made)} of {draws}",
            f"{np.mean([one.seconds for one in made]):.0f}",
        ]


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
