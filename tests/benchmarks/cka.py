"""CKA in feature space against the n × n kernel formula: ``python -m tests.benchmarks.cka [n] [d]``.

Two rivals, computed in the same run on the same data, in float32 on one thread (so that the ratios do
not depend on how many cores happen to be free): the formula as it is written, with products by the
centering matrix H; and the same kernels centered by subtracting means, which is as far as the n × n way
can be taken.
"""

import sys
import time
from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from relviz.measure.cka import cka


def aligned(k: Tensor, m: Tensor) -> float:
    # Not Tensor.norm: over 25 million float32 numbers it is wrong in the third digit.
    return float((k * m).sum() / ((k * k).sum() * (m * m).sum()).sqrt())


def with_h_products(x: Tensor, y: Tensor) -> float:
    n = len(x)
    h = torch.eye(n) - 1 / n
    k, m = h @ (x @ x.T) @ h, h @ (y @ y.T) @ h
    return aligned(k, m)


def with_means_subtracted(x: Tensor, y: Tensor) -> float:
    k, m = x @ x.T, y @ y.T
    for kernel in (k, m):
        kernel -= kernel.mean(0)
        kernel -= kernel.mean(1, keepdim=True)
    return aligned(k, m)


def seconds(call: Callable[[], float], repeats: int) -> tuple[float, float]:
    """Best time of several, after one call to warm up, and the value."""
    value, best = call(), float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best, value


def main(n: int = 5_000, d: int = 300) -> None:
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(n, d, generator=generator)
    y = x @ torch.randn(d, d, generator=generator) / d**0.5 + torch.randn(n, d, generator=generator)
    ours, value = seconds(lambda: cka(x, y), 20)
    print(f"n {n}, d {d}, one thread")
    print(f"feature space          {ours * 1e3:9.1f} ms          CKA {value:.6f}")
    for name, rival, repeats in (
        ("n × n, H products", with_h_products, 1),
        ("n × n, means taken off", with_means_subtracted, 5),
    ):
        theirs, value = seconds(partial(rival, x, y), repeats)
        print(f"{name:22} {theirs * 1e3:9.1f} ms  {theirs / ours:6.0f} ×  CKA {value:.6f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
