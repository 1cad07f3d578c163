"""Progress of work in several parts, told as the fraction of the whole."""

from collections.abc import Iterator, Sequence
from functools import partial

from relviz.compute.blocks import OnBlock


def parts(weights: Sequence[float], on_progress: OnBlock | None) -> Iterator[OnBlock | None]:
    """One callback for each part of some work, called with the fraction done of that part.

    >>> told = []
    >>> first, second = parts([1, 3], told.append)
    >>> first(0.5), first(1.0), second(1.0), told
    (None, None, None, [0.125, 0.25, 1.0])
    """
    before, total = 0.0, sum(weights)
    for weight in weights:
        yield None if on_progress is None else partial(_report, on_progress, before, weight, total)
        before += weight


def _report(on_progress: OnBlock, before: float, weight: float, total: float, done: float) -> None:
    on_progress((before + weight * done) / total)
