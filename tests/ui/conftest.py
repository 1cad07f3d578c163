"""What every test of the screen has."""

from tests.ui.fixtures import *  # noqa: F403
