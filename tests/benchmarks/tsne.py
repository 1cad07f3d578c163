"""t-SNE beside openTSNE as it comes, on the same rows: relative emoji of both encoders, 3,812 × 300.

python -m tests.benchmarks.tsne
"""

import time

import torch

import relviz
from relviz.projection import project

ANCHORS, SEED = 300, 0


def rows() -> torch.Tensor:
    """The relative rows of both sides of the emoji pair, one after the other."""
    pair = relviz.load_demo("emoji").pair()
    anchors = relviz.select_anchors(pair.a.vectors, ANCHORS, "uniform", SEED)
    sides = (relviz.prepare(side.vectors) for side in (pair.a, pair.b))
    return torch.cat([side @ side[anchors].T for side in sides])


def ours(x: torch.Tensor) -> float:
    """Seconds of ``relviz.project``."""
    began = time.perf_counter()
    project([x], "tsne", "independent", seed=SEED)
    return time.perf_counter() - began


def theirs(x: torch.Tensor) -> float:
    """Seconds of openTSNE with its own options, and as many threads."""
    import openTSNE

    began = time.perf_counter()
    openTSNE.TSNE(n_jobs=torch.get_num_threads(), random_state=SEED).fit(x.numpy())
    return time.perf_counter() - began


def main() -> None:
    """Print both times, each the better of two, and their ratio."""
    x = rows()
    mine, other = (min(timed(x) for _ in range(2)) for timed in (ours, theirs))
    print(f"{tuple(x.shape)}, {torch.get_num_threads()} threads")
    print(f"relviz {mine:.1f} s, openTSNE {other:.1f} s, ratio {mine / other:.2f}")


if __name__ == "__main__":
    main()
