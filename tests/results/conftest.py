"""Runs of small pairs begin with few clusterings."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def _quick_runs(few_clusterings: None) -> None:
    """How well a run finds its start is not looked at here."""
