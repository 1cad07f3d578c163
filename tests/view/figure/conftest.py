"""A small pair in a store of its own, with classes, and texts that people and attackers write."""

from pathlib import Path

import pytest

from relviz.view import View
from relviz.view.sources import keep_space, open_pair, open_space
from tests.ui.made import spaces


@pytest.fixture(autouse=True)
def _own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path / "cache"))
    open_space.cache_clear()
    open_pair.cache_clear()


@pytest.fixture
def made() -> View:
    """A view of the small pair."""
    a, b = map(keep_space, spaces())
    return View(a=a, b=b, count=12, k=3, runs=2, queries=20)
