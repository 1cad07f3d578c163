"""Memory that a long-lived process gives back to the system."""

import ctypes
import gc
from contextlib import suppress


def give_back_memory() -> None:
    """Collect what is unreachable, and give memory that is free back to the system."""
    gc.collect()
    with suppress(AttributeError, OSError, TypeError):  # of glibc alone
        ctypes.CDLL(None).malloc_trim(0)
