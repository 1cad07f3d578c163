"""What a page shows while a file is read: a bar, and how to stop."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from relviz.ui.verbatim import verbatim

_SOON = 0.4
"""Seconds; a file that takes no longer shows no bar."""


@contextmanager
def reading_bar(name: str, remedy: str = "remove the file to stop") -> Iterator[Callable[[float], object]]:
    """What is to be told of the progress. Where a rerun is asked for meanwhile, it ends the reading."""
    begun, place = time.monotonic(), st.empty()

    def show(share: float) -> None:
        if time.monotonic() - begun > _SOON:
            place.progress(share, f"Reading {verbatim(name)} ({share:.0%}); {remedy}.")

    try:
        yield show
    finally:
        place.empty()
