"""Hints in place of known pairs, as a Markdown table.

python -m tests.benchmarks.bootstrap_hints [--runs 2] [--only WORDS ...]

No pair is known. "right" is the share of the rows matched with their counterpart. A hint is given for a share
of the rows, drawn at random in either space by itself; of names, three in ten are another row's.
"""

import argparse
from collections.abc import Sequence

import torch

import relviz
from relviz.compute.parallel import one_thread
from tests.benchmarks.bootstrap_pairs import ANCHORS, SUBJECTS

PAIRS = ("emoji-names-wordllama-es", "emoji-names-en-es")
WRONG = 0.3
HINTS = {
    "none": ("", 0.0),
    "classes of a fifth of the rows": ("labels", 0.2),
    "classes of all rows": ("labels", 1.0),
    "names of a twentieth of the rows": ("names", 0.05),
    "names of a fifth of the rows": ("names", 0.2),
}


def hints(
    pair: relviz.Pair, order: torch.Tensor, kind: str, share: float, generator: torch.Generator
) -> relviz.Hints | None:
    """The hint for a pair whose second space has its rows in another order."""
    n = len(pair)
    told = [(torch.rand(n, generator=generator) < share).tolist() for _ in "xy"]
    if kind == "labels":
        labels: Sequence[str] = pair.labels or ()
        x = [labels[row] if told[0][row] else None for row in range(n)]
        return relviz.Hints(labels=(x, [labels[row] if told[1][row] else None for row in order.tolist()]))
    if kind == "names":
        named = torch.randperm(n, generator=generator)[: int(share * n)]
        wrong = torch.rand(len(named), generator=generator) < WRONG
        other = torch.where(wrong, named[torch.randperm(len(named), generator=generator)], named)
        x_names: list[str | None] = [None] * n
        y_names: list[str | None] = [None] * n
        places = order.argsort()
        for at, (row, to) in enumerate(zip(named.tolist(), other.tolist(), strict=True)):
            x_names[row], y_names[int(places[to])] = str(at), str(at)
        return relviz.Hints(names=(x_names, y_names))
    return None


def run(name: str, kind: str, share: float, draw: int) -> tuple[float, bool]:
    """Share of right matches, and whether they are believed."""
    pair = SUBJECTS[name].pair()
    generator = torch.Generator().manual_seed(draw)
    order = torch.randperm(len(pair), generator=generator)
    anchors = torch.randperm(len(pair), generator=generator)[:ANCHORS]
    given = hints(pair, order, kind, share, generator)
    found = relviz.bootstrap(pair.a.vectors, pair.b.vectors[order], anchors, seed=draw, hints=given)
    return float((found.matches == order.argsort()).double().mean()), found.converged


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--only", nargs="+", default=[""], metavar="WORDS", help="hints whose name has these")
    chosen = parser.parse_args()
    print("| hint | " + " | ".join(f"{name}, right | converged" for name in PAIRS) + " |")
    print("|---" * (1 + 2 * len(PAIRS)) + "|")
    with one_thread():
        for words, (kind, share) in HINTS.items():
            if not any(one in words for one in chosen.only):
                continue
            cells = []
            for name in PAIRS:
                runs = [run(name, kind, share, draw) for draw in range(chosen.runs)]
                cells.append(" ".join(f"{right:.3f}" for right, _ in runs))
                cells.append(f"{sum(believed for _, believed in runs)} of {len(runs)}")
            print("| " + " | ".join([words, *cells]) + " |", flush=True)
    print(f"\n{ANCHORS} anchors, draws 0-{chosen.runs - 1}, no known pairs.")


if __name__ == "__main__":
    main()
