"""Fixtures of tests that open pages: one store for all of them, and no job left over from one to the next.

What is heavy is imported by the fixtures: the process that starts the others needs none of it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from relviz.figures.make import PrintFigure

__all__ = [
    "_errors_in_full",
    "_no_jobs_left",
    "_nothing_is_warmed",
    "_one_visitor",
    "_packages_are_searched_once",
    "_pages_are_compiled_once",
    "_quick_heads",
    "_quick_runs",
    "_store",
    "made",
    "own_cache",
    "shared_cache",
]


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="session", autouse=True)
def _packages_are_searched_once() -> Iterator[None]:
    """For components of others, in all installed packages: each session of a test would take a second."""
    from streamlit.components.v2 import manifest_scanner

    found = manifest_scanner.scan_component_manifests()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(manifest_scanner, "scan_component_manifests", lambda: found)
        yield


@pytest.fixture(scope="session", autouse=True)
def _pages_are_compiled_once() -> Iterator[None]:
    """As by a server: each session of a test would compile all it draws."""
    from streamlit.runtime.scriptrunner.script_cache import ScriptCache
    from streamlit.testing.v1 import local_script_runner

    compiled = ScriptCache()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(local_script_runner, "ScriptCache", lambda: compiled)
        yield


@pytest.fixture(autouse=True)
def _store(shared_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results are named by what they were made from, so tests may share them."""
    from relviz.state.sources import forget_opened

    monkeypatch.setenv("RELVIZ_CACHE", str(shared_cache))
    forget_opened()


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store in which nothing has been computed yet."""
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path))
    return tmp_path


@pytest.fixture(scope="module", autouse=True)
def _quick_runs(few_clusterings: None) -> None:
    """How well a page's run finds its start is not looked at here."""


@pytest.fixture(scope="session", autouse=True)
def _quick_heads() -> Iterator[None]:
    """Nor how the mean of several heads comes out."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("relviz.results.rescaling.RUNS", 2)
        yield


@pytest.fixture(autouse=True)
def _one_visitor(_no_visitors: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The sessions of a test, and what it keeps itself, are of one visitor, unless it says otherwise."""
    from relviz.compute.owner import acting_for
    from tests.ui.made import VISITOR

    monkeypatch.setattr("relviz.ui.visitor.new_secret", lambda: VISITOR)
    with acting_for(VISITOR):
        yield


@pytest.fixture(autouse=True)
def _errors_in_full() -> Iterator[None]:
    """For whoever reads why a test failed; visitors are told nothing of them."""
    from streamlit import config

    before = config.get_option("client.showErrorDetails")
    config.set_option("client.showErrorDetails", "full")
    yield
    config.set_option("client.showErrorDetails", before)


@pytest.fixture(autouse=True)
def _nothing_is_warmed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What runs beside the tests would only slow them."""
    monkeypatch.setattr("relviz.ui.warming._begun", True)


@pytest.fixture(autouse=True)
def _no_jobs_left(_store: None) -> Iterator[None]:
    from relviz.compute.jobs import jobs
    from relviz.compute.owner import acting_for

    yield
    with acting_for(None):
        while running := jobs().running():
            for job in running:
                job.cancel()
            for job in running:
                assert job.wait(60)
                jobs().forget(job.key)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list["PrintFigure"]]:
    """Every figure that a button made."""
    from relviz.ui import figure_button

    seen: list[PrintFigure] = []
    real = figure_button._figure
    monkeypatch.setattr(figure_button, "_figure", lambda recipe: seen.append(real(recipe)) or seen[-1])
    yield seen
    real.cache_clear()
