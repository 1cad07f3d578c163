"""One correspondence step against the paper's recipe in KeOps and against the bare matrix product.

``python -m tests.benchmarks.correspondence [n ...]``

Our step is the fused pass that ``adam`` takes at the paper's settings: corrected matches of all rows of y
and nearest rows of all rows of x. The recipe is one log-domain Sinkhorn iteration on euclidean costs at
eps 1e-4 by KeOps, compiled beforehand. The bare product is ``x @ y.T`` alone, written into memory that is
there already. All on the same data, on the compute device; memory is what a step adds to the two spaces,
measured in a process of its own. On a CPU step and product run on one thread as well: with more, a machine
that is busy otherwise makes the many short operations of a step wait for each other, the one product not.
"""

import sys
import time
from collections.abc import Callable

import torch
from torch import Tensor

from relviz.bootstrapping import keops
from relviz.bootstrapping.correspondence import hard, sinkhorn
from relviz.compute.device import device, device_name
from relviz.wording import plural
from tests.benchmarks.timing import Cost, in_fresh_process, measure, report

D, EPS = 300, 1e-4


def spaces(n: int) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(n, D, generator=generator)
    return x.to(device()), (x + torch.randn(n, D, generator=generator)).to(device())


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    if device().type == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - start


def step_and_product(n: int, repeats: int) -> tuple[float, float]:
    """Best seconds of our step and of the bare product, taken in turns so that both meet the same load."""
    x, y = spaces(n)
    out = torch.empty(n, n, device=x.device)
    times = [
        (seconds(lambda: hard(x, y, both=False)), seconds(lambda: torch.mm(x, y.T, out=out)))
        for _ in range(repeats + 1)
    ]
    ours, bare = zip(*times[1:], strict=True)
    return min(ours), min(bare)


def recipe(n: int) -> float:
    """One iteration, and the largest entry of each column of its plan."""
    from pykeops.torch import LazyTensor

    def iteration(x: Tensor, y: Tensor) -> Tensor:
        f, _ = sinkhorn(x, y, EPS, 1, "euclidean", backend="keops")
        cost = ((LazyTensor(x[:, None]) - LazyTensor(y[None])) ** 2).sum(-1).sqrt()
        return (LazyTensor(f[:, None, None]) - cost).argmax(dim=0)

    x, y = spaces(n)
    iteration(x[:50], y[:50])
    return seconds(lambda: iteration(x, y))


def memory(n: int) -> Cost:
    x, y = spaces(n)
    hard(x[:100], y[:100], both=False)
    if device().type != "cuda":
        return measure(lambda: [hard(x, y, both=False).agreement])
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    found = hard(x, y, both=False).agreement
    return Cost(0.0, (torch.cuda.max_memory_allocated() - before) / 2**20, [found])


def main(sizes: list[int]) -> None:
    n = 5_000
    print(f"{n} × {n} × {D}, {device_name()}")
    threads = torch.get_num_threads()
    for used in (1, threads) if device().type == "cpu" else (threads,):
        torch.set_num_threads(used)
        ours, bare = step_and_product(n, 20)
        print(f"our step              {ours * 1e3:9.1f} ms   on {plural(used, 'thread')}")
        print(f"bare matrix product   {bare * 1e3:9.1f} ms   our step has {bare / ours:4.0%} of its rate")
    if why := keops.unavailable():
        print(f"KeOps cannot be used here: {why}")
    else:
        theirs = recipe(n)
        print(f"KeOps, one iteration  {theirs * 1e3:9.1f} ms   {theirs / ours:4.0f} × our time")
    if device().type == "cpu":
        torch.set_num_threads(1)
    print(f"growth with n, {plural(torch.get_num_threads(), 'thread')}")
    for n in sizes:
        ours, bare = step_and_product(n, 3 if n > 5_000 else 10)
        grown = in_fresh_process(__spec__.name, "memory", n).megabytes
        print(
            f"n {n:6}: {ours:7.3f} s, {ours / n**2 * 1e9:5.2f} ns a pair, {bare / ours:4.0%} of the rate "
            f"of the product, {grown:5.0f} MB beyond the spaces (all costs: {n * n * 4 / 2**20:5.0f} MB)"
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["memory"]:
        report(memory(int(sys.argv[2])))
    else:
        main([int(n) for n in sys.argv[1:]] or [2_500, 5_000, 10_000, 20_000])
