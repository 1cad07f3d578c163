"""Which device the numbers are computed on, and the one lock around it."""

import os
import threading
from collections import deque
from collections.abc import Callable
from functools import cache
from types import TracebackType

import torch

from relviz.errors import ParameterError

_POLL_SECONDS = 0.1


class Turns:
    """A re-entrant lock: who waits longest is next, and who gives it back and asks again goes last."""

    def __init__(self) -> None:
        self._free = threading.Condition()
        self._waiting: deque[object] = deque()
        self._owner: int | None = None
        self._depth = 0

    @property
    def wanted(self) -> bool:
        """Whether a thread waits for it."""
        return bool(self._waiting)

    @property
    def mine(self) -> bool:
        """Whether the thread that asks has it."""
        return self._owner == threading.get_ident()

    def acquire(
        self, blocking: bool = True, timeout: float = -1, check: Callable[[], None] | None = None
    ) -> bool:
        """Take the lock, waiting at most ``timeout`` seconds; returns whether it was taken.

        With ``check`` it waits for as long as that does not raise: it is called now and then, and the
        place in the line is kept between calls.
        """
        me, place = threading.get_ident(), object()
        with self._free:
            if self._owner == me:
                self._depth += 1
                return True
            self._waiting.append(place)
            try:
                taken = self._wait(place, _patience(blocking, timeout), check)
            finally:
                self._waiting.remove(place)
                self._free.notify_all()
            if taken:
                self._owner, self._depth = me, 1
            return taken

    def release(self) -> None:
        """Give the lock back, once for each time it was taken."""
        with self._free:
            if not self.mine:
                raise RuntimeError("The lock is not held by this thread.")
            self._depth -= 1
            if not self._depth:
                self._owner = None
                self._free.notify_all()

    def leave(self) -> None:
        """Nothing: a thread without a turn has no place in the line."""

    def _wait(self, place: object, patience: float | None, check: Callable[[], None] | None) -> bool:
        def mine() -> bool:
            return self._owner is None and self._waiting[0] is place

        if check is None:
            return self._free.wait_for(mine, patience)
        while not self._free.wait_for(mine, _POLL_SECONDS):
            check()
        return True

    def __enter__(self) -> "Turns":
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def _patience(blocking: bool, timeout: float) -> float | None:
    if not blocking:
        return 0
    return None if timeout < 0 else timeout


DEVICE_LOCK = Turns()
"""Held by a job while it computes, so that jobs of several sessions do not fight for one device."""


@cache
def device() -> torch.device:
    """The compute device: CUDA where there is one, else MPS, else CPU.

    ``RELVIZ_DEVICE`` in the environment overrides the choice.

    Raises
    ------
    ParameterError
        If ``RELVIZ_DEVICE`` names a device that this machine does not have.
    """
    wanted = os.environ.get("RELVIZ_DEVICE")
    if wanted:
        try:
            torch.ones(1, device=wanted).tolist()
        except (RuntimeError, AssertionError, NotImplementedError) as reason:
            raise ParameterError(
                f"RELVIZ_DEVICE is {wanted!r}, which cannot be used here ({reason}). "
                "Unset it, or set it to 'cpu'."
            ) from reason
        return torch.device(wanted)
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


def device_name() -> str:
    """The device in words, as the app shows it."""
    chosen = device()
    if chosen.type == "cuda":
        return torch.cuda.get_device_name(chosen)
    if chosen.type == "mps":
        return "Apple GPU (MPS)"
    threads = torch.get_num_threads()
    return f"CPU, {threads} thread{'' if threads == 1 else 's'}"


@cache
def leave_a_core() -> None:
    """Keep torch off one core, for the page and the browser; ``OMP_NUM_THREADS`` overrides it.

    Its threads wait for each other many times in a step: one that has to share its core with a browser
    holds up all of them.
    """
    if "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(max(1, torch.get_num_threads() - 1))
