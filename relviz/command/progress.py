"""A bar on the terminal while something is computed; nothing where there is no terminal."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from relviz.compute.ticket import Ticket, here_and_now

EVERY = 0.1
"""Seconds between two looks of the bar."""
WIDTH, LONGEST = 28, 44


@contextmanager
def bar(title: str) -> Iterator[Ticket | None]:
    """The ticket that a task reports to; the bar is gone when it ends."""
    if not sys.stderr.isatty():
        yield None
        return
    drawn = [0.0]

    def report(fraction: float | None, message: str) -> None:
        now = time.monotonic()
        if now - drawn[0] >= EVERY:
            drawn[0] = now
            _write(looks(title, fraction, message))

    try:
        yield here_and_now(report)
    finally:
        _write("")


def looks(title: str, fraction: float | None, message: str) -> str:
    """The bar as a line.

    >>> looks("Measuring", 0.5, "")
    'Measuring [##############..............]  50%'
    """
    done = min(max(fraction or 0.0, 0.0), 1.0)
    full = round(done * WIDTH)
    share = f"{done:4.0%}" if fraction is not None else ""
    return f"{title[:LONGEST]} [{'#' * full}{'.' * (WIDTH - full)}] {share} {message[:LONGEST]}".rstrip()


def _write(line: str) -> None:
    sys.stderr.write(f"\r\x1b[2K{line}")
    sys.stderr.flush()
