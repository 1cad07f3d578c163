"""How tests are spread over processes: a file stays together, and so do all that share the one app."""

import os

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

BROWSER = "tests/browser/"
MOST = 6
"""More processes than this wait for the browser's tests, which share one app, and each takes 1 GB."""


def longest_first(items: list[pytest.Item]) -> None:
    """Put the browser's tests first, then files with a slow test: what is begun last must not take long."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: 0 if item.nodeid.startswith(BROWSER) else 1 if item.path in slow else 2)


def workers() -> int:
    """A process for each core, and one more: that of the browser's tests mostly waits."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores + 1, MOST)


class ByFile(LoadScopeScheduling):
    """Files go to processes in the order of the tests; those of the browser all go to one."""

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        return BROWSER if nodeid.startswith(BROWSER) else nodeid.partition("::")[0]
