"""Whole runs of anchor optimization over the number of rows, as a Markdown table.

python -m tests.benchmarks.bootstrap_rows [--rows 2500 5000 10000 20000 50000 100000] [--seeds 15 0]
[--unrelated]

Both spaces are made: the same rows in clusters of many sizes, on 60 axes that matter less and less, each
space with a rotation and noise of its own. Unrelated spaces have clusters and rows of their own. Seconds are
those of all processors; "exponent" says by which power of the rows they grew since the line above. Each run
has a process of its own.
"""

import argparse
import math
import sys

import torch
from torch import Tensor

from relviz.compute.device import device_name
from tests.benchmarks.bootstrap import whole_run
from tests.benchmarks.bootstrap_pairs import ANCHORS
from tests.benchmarks.timing import in_fresh_process, report

ROWS = (2500, 5000, 10000, 20000, 50000, 100000)
_CLUSTERS, _AXES, _WIDTHS, _NOISE = 200, 60, (100, 128), 0.1


def spaces(n: int, unrelated: bool = False) -> tuple[Tensor, Tensor]:
    """The same rows in two spaces, or rows that have nothing in common: ``(n, 100)`` and ``(n, 128)``."""
    if unrelated:
        return _spaces(n, 0)[0], _spaces(n, 1)[1]
    return _spaces(n, 0)


def _spaces(n: int, seed: int) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    weights = 1 / torch.arange(1, _AXES + 1).sqrt()
    centers = torch.randn(_CLUSTERS, _AXES, generator=generator)
    shares = torch.rand(_CLUSTERS, generator=generator)
    at = torch.multinomial(shares, n, replacement=True, generator=generator)
    rows = (centers[at] + torch.randn(n, _AXES, generator=generator)) * weights
    made = []
    for width in _WIDTHS:
        turn = torch.linalg.qr(torch.randn(width, _AXES, generator=generator))[0]
        made.append(rows @ turn.T + _NOISE * torch.randn(n, width, generator=generator) / math.sqrt(width))
    return made[0], made[1]


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", nargs="+", type=int, default=ROWS)
    parser.add_argument("--seeds", nargs="+", type=int, default=[15, 0])
    parser.add_argument("--unrelated", action="store_true", help="between spaces with nothing in common")
    chosen = parser.parse_args(arguments)
    head = ("rows", "known pairs", "CPU s", "exponent", "s", "MB beyond the spaces", "right", "accepted")
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    for seeds in chosen.seeds:
        before: tuple[int, float] | None = None
        for n in chosen.rows:
            args = "whole_run", n, seeds, *(["unrelated"] if chosen.unrelated else [])
            cost = in_fresh_process("tests.benchmarks.bootstrap_rows", *args)
            right, accepted, seconds = cost.result
            power = ""
            if before is not None:
                power = f"{math.log(seconds / before[1]) / math.log(n / before[0]):.1f}"
            cells = (f"{n:,}", seeds, f"{seconds:.1f}", power, f"{cost.seconds:.1f}", f"{cost.megabytes:.0f}")
            said = "yes" if accepted else "no"
            print("| " + " | ".join(map(str, (*cells, f"{right:.1%}", said))) + " |", flush=True)
            before = n, seconds
    print(f"\n{ANCHORS} anchors, {device_name()}.")


if __name__ == "__main__":
    if sys.argv[1:2] == ["whole_run"]:
        rows, seeds, *unrelated = sys.argv[2:]
        report(whole_run(*spaces(int(rows), bool(unrelated)), "annealed", int(seeds)))
    else:
        main(sys.argv[1:])
