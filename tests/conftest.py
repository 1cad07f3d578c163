"""No test reaches the network, writes to the user's cache, or takes more than one core.

``-n auto`` runs them in as many processes as ``spread.workers`` says.
"""

import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests import spread
from tests.stories import shared

# Set while this file is imported: some libraries read their environment when they are first imported.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["NUMBA_NUM_THREADS"] = "1"  # else it gives OpenMP as many threads as cores, torch's too
os.environ["OMP_WAIT_POLICY"] = "passive"  # threads that a test asks for itself do not spin while they wait
os.environ["RELVIZ_CACHE"] = tempfile.mkdtemp(prefix="relviz-tests-")
_STARTS = shared.VARIABLE not in os.environ
if _STARTS:  # not one of the processes that the session starts
    os.environ[shared.VARIABLE] = tempfile.mkdtemp(prefix="relviz-stories-")

_SHOWN = 3000
"""Letters of what a test that was run again had failed by."""

# No test is timed: a busy machine takes as long as it takes.
settings.register_profile(
    "relviz", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("relviz")


def pytest_configure(config: pytest.Config) -> None:
    whole = {Path(given).name for given in config.args} == set(config.getini("testpaths"))
    if whole and (worker := os.environ.get("PYTEST_XDIST_WORKER")):
        spread.import_in_turn(int(worker.removeprefix("gw")), config)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    spread.longest_first(items)


def pytest_collection_finish() -> None:
    """All modules and tests stay to the end: the collector need not look through them again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 5, 5)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    return spread.workers(config.args)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    return spread.ByFile(config, log)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say why tests were run again, which nobody sees where they passed in the end."""
    for report in terminalreporter.getreports("rerun"):
        terminalreporter.section(f"Run again: {report.nodeid}")
        terminalreporter.write_line(report.longreprtext[-_SHOWN:])


def pytest_unconfigure() -> None:
    shutil.rmtree(os.environ["RELVIZ_CACHE"], ignore_errors=True)
    if _STARTS:
        shutil.rmtree(os.environ[shared.VARIABLE], ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def _no_visitors() -> Iterator[None]:
    """As on the command line, whatever the tests before have imported."""
    from relviz.compute.owner import acting_for

    with acting_for(None):
        yield


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Matrices here are small: waiting for a second thread costs up to thirty times what it gives."""
    import torch

    torch.set_num_threads(1)
    yield
    left = torch.get_num_threads()
    assert left == 1, f"This test leaves torch with {left} threads, for all tests after it."


@pytest.fixture
def fresh_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store for one test alone, in which nothing is kept, and no space of another is open."""
    from relviz.state.sources import forget_opened

    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path / "cache"))
    forget_opened()


@pytest.fixture(scope="module")
def few_clusterings() -> Iterator[None]:
    """Runs of a module draw 8 matched clusterings, not 60, where these do not decide what is found.

    They take half of a run without known pairs, however few its rows are.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("relviz.bootstrapping.cluster_matching._POOL", 8)
        yield
