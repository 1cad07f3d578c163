"""Work spread over processes and threads: how many there are, and how many each part may use."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any, TypeVar

import torch

SMALL = 10_000_000
"""Numbers in a matrix on which one thread is enough: 10,000 rows of 1,000 dimensions."""

_turn = Lock()
_inside = 0
_before: dict[str, tuple[Any, int]] = {}


@contextmanager
def one_thread(small: bool = True) -> Iterator[None]:
    """Within it torch, BLAS and OpenMP use one thread; afterward as many as before.

    Torch and OpenMP count by thread: other threads keep theirs, but one that first uses torch meanwhile stays
    with one. BLAS of numpy and scipy counts by process: it gets its threads back when the last thread has
    left. Where torch has one thread already it is left alone.

    Parameters
    ----------
    small
        Nothing is done without it.
    """
    if not small:
        yield
        return
    from threadpoolctl import ThreadpoolController

    libraries = ThreadpoolController().lib_controllers
    own = [(one, one.get_num_threads()) for one in libraries if one.user_api == "openmp"]
    threads = torch.get_num_threads()
    _enter([one for one in libraries if one.user_api == "blas"])
    try:
        if threads > 1:
            torch.set_num_threads(1)
        for one, _ in own:
            one.set_num_threads(1)
        yield
    finally:
        if threads > 1:
            torch.set_num_threads(threads)
        for one, count in own:
            one.set_num_threads(count)
        _leave()


def _enter(libraries: list[Any]) -> None:
    global _inside
    with _turn:
        _inside += 1
        for one in libraries:
            _before.setdefault(one.filepath, (one, one.get_num_threads()))
            _limit(one, 1)


def _leave() -> None:
    global _inside
    with _turn:
        _inside -= 1
        if not _inside:
            for one, count in _before.values():
                _limit(one, count)
            _before.clear()


def _limit(library: Any, count: int) -> None:
    library.set_num_threads(count)
    # OpenBLAS listens to the thread that set it first, until that thread says that it is done.
    getattr(library, "clear_controlling_thread", lambda: None)()


T = TypeVar("T")


@contextmanager
def spread(
    work: Callable[..., T], arguments: Sequence[tuple[object, ...]], small: bool = False
) -> Iterator[Iterator[T]]:
    """Results of ``work(*one)`` for each of the arguments, in their order; leaving drops the rest.

    Pieces that are ``small`` have one thread each, see ``relviz.compute.parallel``.

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


def _worked(work: Callable[..., object], small: bool, one: tuple[object, ...]) -> object:
    with one_thread(small):
        return work(*one)
