"""What tests of several kinds of runs need."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from relviz.bootstrapping import Checkpoint


@pytest.fixture
def checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], "Checkpoint"]:
    """Gives a checkpoint that saves every stage, however long that takes, and has what those before saved."""
    from relviz.bootstrapping import Checkpoint
    from relviz.compute.store import Store
    from tests.bootstrapping.test_checkpoint import KEY

    monkeypatch.setattr("relviz.bootstrapping.checkpoint._SHARE", 1e9)
    store = Store(tmp_path)
    return lambda: Checkpoint(lambda arrays, meta: store.put(KEY, arrays, meta), store.get(KEY), 0.0)
