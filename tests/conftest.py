"""No test reaches the network, writes to the user's cache, or takes more than one core.

``-n auto`` runs them in as many processes as there are cores (see ``spread``).
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling

from tests import spread

# Set while this file is imported: some libraries read their environment when they are first imported.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["RELVIZ_CACHE"] = tempfile.mkdtemp(prefix="relviz-tests-")


def pytest_configure() -> None:
    import torch

    torch.set_num_threads(1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    spread.longest_first(items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    return spread.workers()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config) -> LoadScopeScheduling:
    return spread.ByFile(config)


def pytest_unconfigure() -> None:
    shutil.rmtree(os.environ["RELVIZ_CACHE"], ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def _no_visitors() -> Iterator[None]:
    """As on the command line, whatever the tests before have imported."""
    from relviz.compute.owner import acting_for

    with acting_for(None):
        yield


@pytest.fixture
def one_thread() -> Iterator[None]:
    """For small matrices: waiting for a second thread would cost more than it gives."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def fresh_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store for one test alone, in which nothing is kept, and no space of another is open."""
    from relviz.state.sources import forget_opened

    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path / "cache"))
    forget_opened()
