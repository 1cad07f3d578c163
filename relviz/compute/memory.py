"""Memory that a long-lived process gives back to the system."""

import ctypes
import gc
from contextlib import suppress

_ARENA_MAX, _HEAPS = -8, 2
"""``M_ARENA_MAX`` of glibc's malloc.h, and how many."""


def give_back_memory() -> None:
    """Collect what is unreachable, and give memory that is free back to the system."""
    gc.collect()
    with suppress(AttributeError, OSError, TypeError):  # of glibc alone
        ctypes.CDLL(None).malloc_trim(0)


def share_heaps() -> None:
    """Have all threads take memory from two heaps; called before there are many threads.

    glibc gives threads up to eight heaps a core, and pages of each stay that hold a few bytes still in use:
    after a class of twelve, a third of a server's memory.
    """
    with suppress(AttributeError, OSError, TypeError):  # of glibc alone
        ctypes.CDLL(None).mallopt(_ARENA_MAX, _HEAPS)
