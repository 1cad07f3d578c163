"""Spaces here are small: waiting for a second thread would cost more than it gives."""

import pytest


@pytest.fixture(autouse=True)
def _one_thread(one_thread):
    """For every test of this folder."""
