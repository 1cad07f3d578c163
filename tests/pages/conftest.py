"""What every test of a page has: as the tests of what pages are made of."""

from tests.ui.fixtures import *  # noqa: F403
