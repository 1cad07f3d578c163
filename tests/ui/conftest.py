"""A store for the tests of pages, and no job left over from one test to the next."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from relviz.compute.jobs import jobs
from relviz.view.sources import open_pair, open_space


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(autouse=True)
def _store(shared_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results are named by what they were made from, so tests may share them."""
    monkeypatch.setenv("RELVIZ_CACHE", str(shared_cache))
    open_space.cache_clear()
    open_pair.cache_clear()


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store in which nothing has been computed yet."""
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path))
    return tmp_path


@pytest.fixture(autouse=True)
def _nothing_is_warmed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What runs beside the tests would only slow them."""
    monkeypatch.setattr("relviz.ui.warming._begun", True)


@pytest.fixture(autouse=True)
def _no_jobs_left(_store: None) -> Iterator[None]:
    yield
    while running := jobs().running():
        for job in running:
            job.cancel()
        for job in running:
            assert job.wait(60)
            jobs().forget(job.key)
