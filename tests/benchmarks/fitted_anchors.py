"""Fitted anchors against the rotation they lean on, on rows that took no part in either fit.

python -m tests.benchmarks.fitted_anchors
"""

import torch

import relviz
from relviz.bootstrapping.fitted_anchors import fitted_anchors
from relviz.bootstrapping.inputs import check_given
from relviz.bootstrapping.procrustes import align

PAIRS = (
    ("glosses", "minilm", "e5"),
    ("glosses", "minilm", "wordllama"),
    ("glosses", "wordllama", "e5"),
    ("emoji", "image_lite0", "image_lite1"),
    ("emoji", "text_en_minilm", "text_es_e5"),
    ("emoji", "text_en_minilm", "text_en_wordllama"),
)
ANCHORS = 300
SEED = 0


def main() -> None:
    """MRR among the rows of one half, of anchors fitted on the true counterparts of the other."""
    print("| pair | true anchors | rotation (Procrustes) | fitted |")
    print("|---|---|---|---|")
    for name, a, b in PAIRS:
        pair = relviz.load_demo(name).pair(a, b)
        n, generator = len(pair), torch.Generator().manual_seed(SEED)
        anchors = torch.randperm(n, generator=generator)[:ANCHORS]
        seen = torch.zeros(n, dtype=torch.bool)
        seen[torch.randperm(n, generator=generator)[: n // 2]] = True
        given = check_given(pair.a.vectors, pair.b.vectors, anchors, ([], []))
        x, y = given.x, given.y
        rotation = align(x[seen].T @ y[seen], min(x.shape[1], y.shape[1])).apply(x[anchors])
        found = [y[anchors], rotation, fitted_anchors(given, torch.arange(n, device=x.device), seen)]
        rows = relviz.relative(x[~seen], x[anchors])
        mrr = [relviz.retrieval(rows, relviz.relative(y[~seen], one), k=len(rows)).mrr for one in found]
        print(f"| {name} {a} / {b} | " + " | ".join(f"{value:.3f}" for value in mrr) + " |", flush=True)
    print(
        f"\n{ANCHORS} anchors, one draw (seed {SEED}), half of the rows fitted to, the other half measured."
    )


if __name__ == "__main__":
    main()
