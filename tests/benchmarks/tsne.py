"""t-SNE and UMAP beside openTSNE and umap-learn as they come: the same rows, the same threads.

python -m tests.benchmarks.tsne [--demos emoji] [--repeats 2]

The rows are the relative representations of both sides of the first pair of a demo, one after the other. Each
time is the best of the repeats; what is compiled at first is compiled before.
"""

import argparse
import time
from collections.abc import Callable, Iterator

import torch

import relviz
from relviz.names import ProjectionMethod
from relviz.projection import project

ANCHORS, SEED = 300, 0
WARMING = 400
"""Rows that each method has had before it is timed."""


def rows(demo: str) -> torch.Tensor:
    """The relative rows of both sides of the first pair of a demo."""
    pair = relviz.load_demo(demo).pair()
    anchors = relviz.select_anchors(pair.a.vectors, ANCHORS, "uniform", SEED)
    sides = (relviz.prepare(side.vectors) for side in (pair.a, pair.b))
    return torch.cat([side @ side[anchors].T for side in sides])


def ours(method: ProjectionMethod) -> Callable[[torch.Tensor], object]:
    """``relviz.project``."""
    return lambda x: project([x], method, "independent", seed=SEED)


def open_tsne(x: torch.Tensor) -> object:
    """openTSNE with its own options, and as many threads."""
    import openTSNE

    return openTSNE.TSNE(n_jobs=torch.get_num_threads(), random_state=SEED).fit(x.numpy())


def umap_learn(x: torch.Tensor) -> object:
    """umap-learn with its own options, without a seed: with one it would use one thread."""
    import umap

    return umap.UMAP(n_jobs=torch.get_num_threads()).fit_transform(x.numpy())


COMPARED: dict[str, tuple[Callable[[torch.Tensor], object], Callable[[torch.Tensor], object]]] = {
    "t-SNE, openTSNE": (ours("tsne"), open_tsne),
    "UMAP, umap-learn": (ours("umap"), umap_learn),
}


def best(fit: Callable[[torch.Tensor], object], x: torch.Tensor, repeats: int) -> float:
    """Seconds of the fastest of some fits."""
    fit(x[:WARMING])
    taken = []
    for _ in range(repeats):
        began = time.perf_counter()
        fit(x)
        taken.append(time.perf_counter() - began)
    return min(taken)


def table(demos: list[str], repeats: int) -> Iterator[str]:
    """Lines of Markdown."""
    yield "| demo | rows | method, library | relviz, s | library, s | ratio |"
    yield "|---|---:|---|---:|---:|---:|"
    for demo in demos:
        x = rows(demo)
        for words, fits in COMPARED.items():
            mine, other = (best(fit, x, repeats) for fit in fits)
            yield f"| {demo} | {len(x):,} | {words} | {mine:.1f} | {other:.1f} | {mine / other:.2f} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--demos", nargs="+", default=["emoji", "glosses"])
    parser.add_argument("--repeats", type=int, default=2)
    args = parser.parse_args()
    print(f"{torch.get_num_threads()} threads")
    for line in table(args.demos, args.repeats):
        print(line, flush=True)


if __name__ == "__main__":
    main()
