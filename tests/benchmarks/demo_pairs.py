"""Retrieval through anchors on every demo pair, as a Markdown table (some minutes on two cores).

python -m tests.benchmarks.demo_pairs
"""

import time
from collections.abc import Iterator

import relviz
from relviz.measure import Runs

ANCHORS = 300
DRAWS = 5
METRICS = ("jaccard", "mrr_at_k", "cosine", "top1")


def directions() -> Iterator[tuple[str, relviz.Pair, bool]]:
    """Every demo pair both ways, in words: the pair, and whether the way is back."""
    for name in relviz.demo_names():
        demo = relviz.load_demo(name)
        for a, b in demo.pairs:
            pair = demo.pair(a, b)
            for back in (False, True):
                source, target = (pair.b, pair.a) if back else (pair.a, pair.b)
                yield f"{demo.title}: {source.name} → {target.name}", pair, back


def main() -> None:
    """Print one row for each pair and direction: mean ± sd over the seeds, chance, null and control."""
    began = time.perf_counter()
    head = ["pair", "queries", "Jaccard", "MRR", "cosine", "top-1", "MRR by chance", "MRR, pairing shuffled"]
    print("| " + " | ".join([*head, "MRR, absolute"]) + " |")
    print("|---|---|---|---|---|---|---|---|---|")
    kept: dict[int, relviz.RetrievalTable] = {}
    for words, pair, back in directions():
        if id(pair) not in kept:
            kept = {id(pair): relviz.anchor_retrieval(pair.a.vectors, pair.b.vectors, ANCHORS, n_draws=DRAWS)}
        table = kept[id(pair)]
        runs = table.y_to_x if back else table.x_to_y
        control = table.absolute_y_to_x if back else table.absolute_x_to_y
        cells = [
            words,
            f"{runs.queries} of {len(pair)}",
            *(f"{runs.mean[name]:.3f} ± {spread(runs)[name]:.3f}" for name in METRICS),
            f"{runs.chance['mrr_at_k']:.4f}",
            f"{(runs.null or {})['mrr_at_k']:.4f} ± {(runs.null_sd or {})['mrr_at_k']:.4f}",
            "–" if control is None else f"{control.mean['mrr_at_k']:.3f}",
        ]
        print("| " + " | ".join(cells) + " |", flush=True)
    print(
        f"\n{ANCHORS} uniform anchors, seeds 0-4, k = 10; queries are the items that are not anchors, "
        f"candidates all items; {time.perf_counter() - began:.0f} s."
    )


def spread(runs: Runs) -> dict[str, float]:
    """Standard deviation of each metric over the seeds."""
    return runs.sd or dict.fromkeys(METRICS, 0.0)


if __name__ == "__main__":
    main()
