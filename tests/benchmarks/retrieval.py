"""Retrieval against scikit-learn's brute-force neighbors: ``python -m tests.benchmarks.retrieval [n ...]``.

The rival does what the papers' authors do: two cosine searches in the target space, then sets and
ranks within k. It gives no full ranks and no null; ours gives both. Each runs in a process of its own.
"""

import sys

import numpy as np
import torch

from tests.benchmarks.timing import Cost, in_fresh_process, measure, report

D, K = 300, 10


def spaces(n: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(n, D, generator=generator)
    return x, x + 4 * torch.randn(n, D, generator=generator)


def ours(n: int) -> Cost:
    from relviz.measure.retrieval import retrieval

    x, y = spaces(n)
    retrieval(x[:100], y[:100], k=K)

    def call() -> list[float]:
        found = retrieval(x, y, k=K, null=1)
        return [found.jaccard, found.mrr_at_k]

    return measure(call)


def theirs(n: int) -> Cost:
    from sklearn.neighbors import NearestNeighbors

    x, y = (side.numpy() for side in spaces(n))

    def call(x: np.ndarray, y: np.ndarray) -> list[float]:
        search = NearestNeighbors(n_neighbors=K, metric="cosine", algorithm="brute").fit(y)
        found, own = (search.kneighbors(queries, return_distance=False) for queries in (x, y))
        overlap = [len({*a} & {*b}) / len({*a} | {*b}) for a, b in zip(found, own, strict=True)]
        hits = found == np.arange(len(x))[:, None]
        return [float(np.mean(overlap)), float((hits / np.arange(1, K + 1)).sum(1).mean())]

    call(x[:100], y[:100])
    return measure(lambda: call(x, y))


def main(sizes: list[int]) -> None:
    print(f"d {D}, k {K}, {torch.get_num_threads()} threads; peak memory beyond the two spaces")
    for n in sizes:
        mine, rival = (in_fresh_process(__spec__.name, who, n) for who in ("ours", "theirs"))
        time, memory = rival.seconds / mine.seconds, rival.megabytes / mine.megabytes
        print(
            f"n {n:6}: relviz {mine.seconds:6.2f} s {mine.megabytes:6.0f} MB, "
            f"sklearn {rival.seconds:6.2f} s {rival.megabytes:6.0f} MB: "
            f"{time:.1f} × the time, {memory:.1f} × the memory"
        )
        print(
            f"          Jaccard {mine.result[0]:.4f} and {rival.result[0]:.4f}, "
            f"MRR {mine.result[1]:.4f} and {rival.result[1]:.4f}"
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["ours"]:
        report(ours(int(sys.argv[2])))
    elif sys.argv[1:2] == ["theirs"]:
        report(theirs(int(sys.argv[2])))
    else:
        main([int(n) for n in sys.argv[1:]] or [5_000, 10_000, 20_000])
