"""Server time until the pictures of Home and of every demo view are there, beyond an empty page.

python -m tests.benchmarks.demo_views [--projections pca tsne umap] [--demos emoji glosses words]

Nothing is kept in the store before a visit, so what is not packed is computed while the visitor waits.
"""

import argparse
import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]
EMPTY = "import streamlit as st\nst.write('empty')"
RUNS = 5
PATIENCE = 1200.0


def visit(params: dict[str, str]) -> float:
    """Seconds until all pictures of the page are there: Home, or Compare with these choices."""
    from relviz.compute.jobs import jobs
    from relviz.compute.key import kind_of

    at_rest()
    cache = Path(os.environ["RELVIZ_CACHE"])
    shutil.rmtree(cache)
    cache.mkdir()
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE)
    page.query_params.update(params)
    began = time.perf_counter()
    page.run()
    while awaited := [job for job in jobs().running() if kind_of(job.key) in ("maps", "home")]:
        awaited[0].wait(PATIENCE)
        page.run()
    assert not page.exception, page.exception
    assert page.get("bidi_component"), "There is no picture."
    return time.perf_counter() - began


def at_rest() -> None:
    """End what the view before has left running."""
    from relviz.compute.jobs import jobs

    for job in jobs().running():
        job.cancel()
        job.wait()


def empty() -> float:
    """Median seconds of a page with one word on it."""

    def once() -> float:
        page, began = AppTest.from_string(EMPTY), time.perf_counter()
        page.run()
        return time.perf_counter() - began

    once()
    return statistics.median(once() for _ in range(RUNS))


def main() -> None:
    """Print one line a view."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--projections", nargs="*", default=["pca", "tsne", "umap"])
    parser.add_argument("--demos", nargs="*", default=["emoji", "glosses", "words"])
    asked = parser.parse_args()
    os.environ["RELVIZ_CACHE"] = tempfile.mkdtemp()
    from relviz.demos import load_demo

    nothing = empty()
    print(f"{'an empty page':66}{nothing:7.2f} s", flush=True)

    def told(words: str, params: dict[str, str]) -> None:
        print(f"{words:66}{visit(params) - nothing:7.2f} s beyond it", flush=True)

    told("Home, the first visit of a process", {})
    told("Home", {})
    for name in asked.demos:
        for a, b in load_demo(name).pairs:
            for projection in asked.projections:
                given = {"a": f"{name}.{a}", "b": f"{name}.{b}", "projection": projection}
                told(f"{name}: {a}, {b}, {projection}", given)
    at_rest()


if __name__ == "__main__":
    main()
