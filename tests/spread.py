"""How tests are spread over processes: a file stays together, and so do those that share an app."""

import os
import warnings
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from _pytest.config import apply_warning_filters
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

TESTS = Path(__file__).resolve().parent
BROWSER = "tests/browser/"
PROJECT = "tests/test_"
"""Tests of no room: the wheel, the notebook, the journeys."""
MIDDLE = f"{BROWSER}test_l"
"""Before it in the alphabet is half of the browser's time."""
ENCODERS = (
    *("tests/encoders/", "tests/results/test_asked.py", "tests/figures/test_probe.py"),
    *("tests/pages/test_encode.py", "tests/test_journeys.py"),
)
"""Tests that load bundled encoders."""
MOST = 6
"""More processes than this wait for the browser's tests, and each takes 1 GB."""

HEAVY = (
    ("torch", "transformers"),
    ("scipy.stats", "sklearn.linear_model"),
    ("streamlit", "matplotlib.figure"),
)
"""What every process imports before the first of all tests."""


def import_in_turn(turn: int, config: pytest.Config) -> None:
    """Import what is heavy, then all tests, each process another part first: in a new clone each compiles it.

    Side by side, three processes would compile all of it three times, and pytest rewrites each assertion of
    a test before. A test that cannot be imported is told when it is collected.
    """
    first = turn % len(HEAVY)
    for part in HEAVY[first:] + HEAVY[:first]:
        for name in part:
            import_module(name)
    tests = sorted(TESTS.glob("*/test_*.py")) + sorted(TESTS.glob("test_*.py"))
    first = turn * len(tests) // workers(config.args)
    with warnings.catch_warnings():
        apply_warning_filters(config.getini("filterwarnings"), [])
        for file in tests[first:] + tests[:first]:
            with suppress(Exception, pytest.skip.Exception):
                import_module(".".join(file.relative_to(TESTS.parent).with_suffix("").parts))


def longest_first(items: list[pytest.Item]) -> None:
    """Put the browser's tests first, then files with a slow test, then those of the whole project.

    What is begun last must not take long.
    """
    slow = {item.path for item in items if item.get_closest_marker("slow")}

    def turn(item: pytest.Item) -> int:
        if item.nodeid.startswith(BROWSER):
            return 0
        return 1 if item.path in slow else 2 if item.nodeid.startswith(PROJECT) else 3

    items.sort(key=turn)


def workers(given: Sequence[str]) -> int:
    """A process for each core, and one more if the browser's tests are asked for: those mostly wait."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    paths = [Path(one.partition("::")[0]).resolve() for one in given]
    browser = TESTS / "browser"
    waits = any(browser.is_relative_to(path) or path.is_relative_to(browser) for path in paths)
    return min(cores + waits, MOST)


class ByFile(LoadScopeScheduling):
    """Files go to processes in the order of the tests; the browser's to one of two, each with its app.

    Those that load encoders go to one process, which imports their libraries and loads each once.
    """

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(BROWSER):
            return f"{BROWSER}{'first' if nodeid < MIDDLE else 'second'} half"
        return "encoders" if nodeid.startswith(ENCODERS) else nodeid.partition("::")[0]
