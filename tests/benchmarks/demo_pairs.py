"""Retrieval through anchors on every demo pair, as a Markdown table (about five minutes on two cores).

python -m tests.benchmarks.demo_pairs
"""

import time

import relviz

ANCHORS = 300
SEEDS = range(5)


def main() -> None:
    """Print one row for each pair and direction: mean ± sd over the seeds, chance and control."""
    began = time.perf_counter()
    print("| pair | rows | Jaccard | MRR | cosine | top-1 | MRR by chance | MRR, absolute |")
    print("|---|---|---|---|---|---|---|---|")
    for name in relviz.demo_names():
        demo = relviz.load_demo(name)
        for a, b in demo.pairs:
            pair = demo.pair(a, b)
            table = relviz.anchor_retrieval(pair.a.vectors, pair.b.vectors, ANCHORS, seeds=SEEDS)
            forward = (pair.a.name, pair.b.name, table.x_to_y, table.absolute_x_to_y)
            backward = (pair.b.name, pair.a.name, table.y_to_x, table.absolute_y_to_x)
            for source, target, runs, control in (forward, backward):
                figures = [
                    f"{runs.mean[m]:.3f} ± {(runs.sd or {})[m]:.3f}"
                    for m in ("jaccard", "mrr", "cosine", "top1")
                ]
                absolute = "–" if control is None else f"{control.mean['mrr']:.3f}"
                cells = [
                    f"{demo.title}: {source} → {target}",
                    f"{len(pair)}",
                    *figures,
                    f"{(runs.null or {})['mrr']:.4f}",
                    absolute,
                ]
                print("| " + " | ".join(cells) + " |", flush=True)
    print(f"\n{ANCHORS} uniform anchors, seeds 0-4, k = 10, all rows, {time.perf_counter() - began:.0f} s.")


if __name__ == "__main__":
    main()
