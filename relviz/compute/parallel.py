"""Work spread over processes and threads: how many there are, and how many each part may use."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar
from queue import SimpleQueue
from threading import Event, Lock
from typing import Any, TypeVar

import torch

SMALL = 10_000_000
"""Numbers in a matrix on which one thread is enough: 10,000 rows of 1,000 dimensions."""

T = TypeVar("T")
Pulse = Callable[[], object]

_turn = Lock()
_inside = 0
_before: dict[str, tuple[Any, int]] = {}
_pool: ContextVar["_Pool | None"] = ContextVar("_pool", default=None)


@contextmanager
def one_thread(small: bool = True) -> Iterator[None]:
    """Within it torch, BLAS and OpenMP use one thread; afterward as many as before.

    Torch and OpenMP count by thread: other threads keep theirs, but one that first uses torch meanwhile stays
    with one. BLAS of numpy and scipy counts by process: it gets its threads back when the last thread has
    left. Where torch has one thread already it is left alone.

    The threads that torch had are there for ``side_by_side``.

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
    pool = _Pool(threads) if threads > 1 else None
    token = None if pool is None else _pool.set(pool)
    try:
        if threads > 1:
            torch.set_num_threads(1)
        for one, _ in own:
            one.set_num_threads(1)
        yield
    finally:
        if pool is not None and token is not None:
            _pool.reset(token)
            pool.close()
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


class _Pool:
    """Threads that are begun when they are first asked for."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._running: ThreadPoolExecutor | None = None

    @property
    def threads(self) -> ThreadPoolExecutor:
        if self._running is None:
            self._running = ThreadPoolExecutor(self._threads, "side by side", _alone)
        return self._running

    def close(self) -> None:
        if self._running is not None:
            self._running.shutdown()


def _alone() -> None:
    torch.set_num_threads(1)
    _pool.set(None)


class _Left(Exception):
    """Nobody waits for this work any more."""


def side_by_side(
    work: Callable[..., T], arguments: Sequence[tuple[object, ...]], pulse: Pulse | None = None
) -> Iterator[T]:
    """Results of ``work(*one, pulse)`` for each of the arguments, in their order; leaving drops the rest.

    Within ``one_thread`` several are at work at once, each in a thread of its own, in which torch has one;
    without, and within such a thread, one after the other. They have the same results either way. The pulse
    is heard in the thread of the caller, as often as the work gives one; what it raises ends all of them.
    """
    pool = _pool.get()
    if pool is None or len(arguments) < 2:
        for one in arguments:
            yield work(*one, pulse)
        return
    heard: SimpleQueue[bool] = SimpleQueue()
    left = Event()

    def beat() -> None:
        if left.is_set():
            raise _Left
        heard.put(True)

    def ended(_: Future[T]) -> None:
        heard.put(False)

    running = [pool.threads.submit(work, *one, None if pulse is None else beat) for one in arguments]
    for future in running:
        future.add_done_callback(ended)
    waited_for = len(running)
    try:
        for future in running:
            while not future.done():
                waited_for -= _hear(heard, pulse)
            yield future.result()
        while waited_for:
            waited_for -= _hear(heard, pulse)
    finally:
        left.set()
        for future in running:
            future.cancel()
        wait(running)


def _hear(heard: "SimpleQueue[bool]", pulse: Pulse | None) -> bool:
    """Hand on a pulse, or say that a piece of work has ended."""
    beat = heard.get()
    if beat and pulse is not None:
        pulse()
    return not beat


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
