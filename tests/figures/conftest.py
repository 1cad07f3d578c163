"""A small pair in a store of its own, with classes, and texts that people and attackers write."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from relviz.state import View


@pytest.fixture(autouse=True)
def _own_store(fresh_store: None) -> None:
    """Every test of figures has one."""


@pytest.fixture(scope="module", autouse=True)
def _quick_runs(few_clusterings: None) -> None:
    """What runs find is not looked at here."""


@pytest.fixture
def made() -> "View":
    """A view of the small pair."""
    from relviz.state import View
    from relviz.state.sources import keep_space
    from tests.ui.made import spaces

    a, b = map(keep_space, spaces())
    return View(a=a, b=b, count=12, k=3, runs=2, queries=20)
