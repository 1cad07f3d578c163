"""How long a slider takes while the server computes for others: from the move to the answer on the page.

Run as a program: ``python -m tests.benchmarks.busy_server``. It moves the number of anchors of a demo on
Compare, alone, then beside another visitor's anchor optimization on 20,000 rows: in a thread of the server,
and in a worker. A known answer is drawn, a new one is measured first. The page is drawn by the server's code
without a browser.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import torch
from streamlit.testing.v1 import AppTest

import relviz
from relviz.compute.jobs import jobs
from relviz.compute.key import kind_of
from relviz.compute.owner import acting_for
from relviz.compute.workers import Workers, use_workers
from relviz.results.bootstrap import bootstrap_task
from relviz.results.run import KIND
from relviz.state.view import Run
from tests.ui.screen import opened, said, went

ROWS, DIMENSION, NOISE = 20_000, 300, 0.5
PATIENCE = 300.0


def main() -> None:
    """Print the median and the 95% quantile of the answers in each state."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--moves", type=int, default=8, help="New answers in each state; four times as many known."
    )
    moves = parser.parse_args().moves
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder, acting_for("b2" * 32):
        os.environ["RELVIZ_CACHE"] = folder
        at = opened("compare", {"count": "100"})
        moved(at, 101)
        count = 101
        for state, beside in (
            ("alone", nullcontext()),
            ("beside a thread", running(0)),
            ("alone again", nullcontext()),
            ("beside a worker", running(1)),
        ):
            with beside:
                known = [moved(at, 100 + turn % 2) for turn in range(4 * moves)]
                new = [moved(at, count := count + 1) for _ in range(moves)]
            for what, seconds in (("known", known), ("new", new)):
                late = sorted(seconds)[int(0.95 * len(seconds))]
                middle = statistics.median(seconds)
                print(f"{state:16} {what:6} median {middle:.2f} s, 95% within {late:.2f} s", flush=True)


@contextmanager
def running(workers: int) -> Iterator[None]:
    """A run of another visitor goes on meanwhile, and is canceled at the end."""
    pool = Workers() if workers else None
    use_workers(pool)
    with acting_for("another"):
        job = bootstrap_task(Run(anchors=300, seeds=15, draw=workers), pair()).result_or_job()
    try:
        while job.fraction is None or job.fraction == 0:
            assert job.alive, job.error
            time.sleep(0.1)
        yield
        assert job.alive, "The run ended before the slider had been moved often enough."
    finally:
        began = time.perf_counter()
        with acting_for("another"):
            job.cancel()
        job.wait(PATIENCE)
        print(f"  the run had taken {job.fraction or 0:.0%}; canceled in {time.perf_counter() - began:.2f} s")
        use_workers(None)
        if pool is not None:
            pool.end()


def pair() -> relviz.Pair:
    """Random rows, and the same turned and with noise."""
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(ROWS, DIMENSION, generator=generator)
    turn = torch.linalg.qr(torch.randn(DIMENSION, DIMENSION, generator=generator))[0]
    y = x @ turn + NOISE * torch.randn(ROWS, DIMENSION, generator=generator)
    return relviz.Pair(relviz.Space(x, name="left"), relviz.Space(y, name="right"))


def moved(at: AppTest, count: int) -> float:
    """Seconds until the page says what so many anchors give."""
    began = time.perf_counter()
    at.number_input(key="choice_count").set_value(count)
    went(at)
    while f"Relative to {count} anchors" not in said(at).replace("*", ""):
        assert time.perf_counter() - began < PATIENCE
        for job in jobs().alive():
            if kind_of(job.key) != KIND:
                job.wait(PATIENCE)
        went(at)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
