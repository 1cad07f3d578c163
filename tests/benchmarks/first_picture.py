"""Server time from a visit to the Compare page's first PCA picture, against an empty Streamlit page.

python -m tests.benchmarks.first_picture
"""

import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]
RUNS = 7
EMPTY = "import streamlit as st\nst.write('empty')"


def compare() -> AppTest:
    """A new session of the app that opens Compare with the emoji pair."""
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).switch_page("pages/compare.py")


def empty() -> AppTest:
    """A new session of a page with one word on it."""
    return AppTest.from_string(EMPTY, default_timeout=120)


def visit(make: Callable[[], AppTest]) -> float:
    """Seconds of a new session's first run."""
    page = make()
    began = time.perf_counter()
    page.run()
    taken = time.perf_counter() - began
    assert not page.exception, page.exception
    assert make is empty or page.get("bidi_component"), "There is no picture."
    return taken


def main() -> None:
    """Print the median times, with nothing kept in the store and with everything kept."""
    cache = Path(os.environ.setdefault("RELVIZ_CACHE", tempfile.mkdtemp()))
    from relviz.compute.jobs import jobs

    def at_rest() -> None:
        for job in jobs().running():
            job.wait()

    def visit_with_nothing_kept() -> float:
        at_rest()
        shutil.rmtree(cache)
        cache.mkdir()
        taken = visit(compare)
        for job in jobs().running():
            job.cancel()
        return taken

    first = visit(compare)
    unkept = statistics.median(visit_with_nothing_kept() for _ in range(RUNS))
    visit(compare)
    at_rest()
    kept, nothing = (
        statistics.median(visit(compare) for _ in range(RUNS)),
        statistics.median(visit(empty) for _ in range(RUNS)),
    )
    for words, seconds in {
        "the first visit of a process": first,
        "Compare, nothing in the store": unkept,
        "Compare, everything in the store": kept,
        "an empty page": nothing,
        "Compare beyond Streamlit's own, nothing in the store": unkept - nothing,
        "Compare beyond Streamlit's own, everything in the store": kept - nothing,
    }.items():
        print(f"{words:58}{seconds:6.2f} s")


if __name__ == "__main__":
    main()
