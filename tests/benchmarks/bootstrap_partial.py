"""Anchor optimization where only some rows of either space have a counterpart, as a Markdown table.

python -m tests.benchmarks.bootstrap_partial [--runs 2] [--shares 0.9 0.75 0.5] [--seeds 15 5]

x and y are different parts of the rows of a demo; a share of the rows of each is in both. Seeds are among
these, the other anchors are any rows of x. "right" is the share of the rows in common that are matched with
their counterpart; the others have none, and whatever they are matched with is wrong.
"""

import argparse

import torch
from torch import Tensor

import relviz
from tests.benchmarks.bootstrap_pairs import ANCHORS, SUBJECTS

PAIRS = ("glosses-minilm-e5", "glosses-minilm-wordllama", "emoji-images", "emoji-names-en-es")


def parts(n: int, share: float, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Rows of x and rows of y, as many of each; ``share`` of them are in both."""
    order = torch.randperm(n, generator=generator)
    each = int(n / (2 - share))
    y = order[n - each :]
    return order[:each], y[torch.randperm(each, generator=generator)]


def run(name: str, share: float, seeds: int, draw: int) -> tuple[int, float, bool]:
    """Rows of either side, share of the rows in common that are matched right, and whether it is believed."""
    pair = SUBJECTS[name].pair()
    generator = torch.Generator().manual_seed(draw)
    in_x, in_y = parts(len(pair), share, generator)
    x, y = torch.isin(in_x, in_y).nonzero()[:, 0], in_y.argsort()
    counterpart = y[torch.searchsorted(in_y[y], in_x[x])]
    mixed = torch.randperm(len(x), generator=generator)
    x, counterpart = x[mixed], counterpart[mixed]
    others = torch.randperm(len(in_x), generator=generator)
    others = others[~torch.isin(others, x[:seeds])][: ANCHORS - seeds]
    found = relviz.bootstrap(
        *(pair.a.vectors[in_x], pair.b.vectors[in_y]),
        anchors=torch.cat([x[:seeds], others]),
        known=(x[:seeds], counterpart[:seeds]),
        seed=draw,
    )
    return len(in_x), float((found.matches[x] == counterpart).double().mean()), found.converged


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--shares", type=float, nargs="+", default=[0.9, 0.75, 0.5])
    parser.add_argument("--seeds", type=int, nargs="+", default=[15, 5])
    chosen = parser.parse_args()
    head = ("pair", "rows of either", "in common", "seeds", "right, each run", "converged")
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    for name in PAIRS:
        for share in chosen.shares:
            for seeds in chosen.seeds:
                runs = [run(name, share, seeds, draw) for draw in range(chosen.runs)]
                right = " ".join(f"{one[1]:.3f}" for one in runs)
                said = f"{sum(one[2] for one in runs)} of {len(runs)}"
                print(f"| {name} | {runs[0][0]} | {share:.0%} | {seeds} | {right} | {said} |", flush=True)
    print(f"\n{ANCHORS} anchors, draws 0-{chosen.runs - 1}.")


if __name__ == "__main__":
    main()
