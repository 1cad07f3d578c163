"""A store for one test alone."""

from pathlib import Path

import pytest

from relviz.view.sources import forget_opened


@pytest.fixture
def fresh_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store in which nothing is kept, and no space of another is open."""
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path / "cache"))
    forget_opened()
