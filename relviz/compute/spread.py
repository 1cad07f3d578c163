"""Independent pieces of work, wherever ``joblib.parallel_config`` says: here, in processes, on a cluster."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from relviz.compute.threads import one_thread

T = TypeVar("T")


@contextmanager
def spread(work: Callable[..., T], arguments: Sequence[tuple], small: bool = False) -> Iterator[Iterator[T]]:
    """Results of ``work(*one)`` for each of the arguments, in their order; leaving drops the rest.

    Pieces that are ``small`` have one thread each, see ``relviz.compute.threads``.

    >>> with spread(pow, [(2, 3), (3, 2)]) as results:
    ...     list(results)
    [8, 9]
    """
    from joblib import Parallel, delayed

    running = Parallel(return_as="generator")(delayed(_worked)(work, small, one) for one in arguments)
    try:
        yield running
    finally:
        with warnings.catch_warnings():
            # Stopping early is meant; joblib would advise against it.
            warnings.filterwarnings("ignore", ".*tasks", UserWarning)
            running.close()


def _worked(work: Callable[..., Any], small: bool, one: tuple) -> Any:
    with one_thread(small):
        return work(*one)
