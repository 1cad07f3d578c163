"""A worker: a process beside the server that computes heavy results, one after the other.

``relviz.compute.workers`` starts it, and it ends with the server: when its input is closed. It keeps what
it has imported and loaded for the next work.
"""

import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from relviz.compute.job import Canceled, Job, Notes, Ticket
from relviz.compute.key import checkpoint_key
from relviz.compute.memory import give_back_memory, share_heaps
from relviz.compute.owner import acting_for
from relviz.compute.store import Store, StoreError, default_store, use_store
from relviz.compute.wire import Wire, portable

REPORT_SECONDS = 0.05
"""Reports without data are passed on no more often."""


@dataclass(frozen=True)
class Work:
    """What a worker is given: ``compute`` makes what the store in ``folder`` is to keep under ``key``."""

    key: str
    compute: Callable[[Ticket], Any]
    who: str | None
    folder: str
    cap_bytes: int
    threads: int

    @property
    def store(self) -> Store:
        """Where the result is kept."""
        return Store(self.folder, self.cap_bytes)

    @property
    def resumed(self) -> bool:
        """Whether it goes on from a checkpoint."""
        return self.store.has(checkpoint_key(self.key))


class Outlet(Protocol):
    """Where a work is told of."""

    def send(self, message: object) -> None:
        """Send a message; arguments and errors as those of ``Wire``."""


class Worker:
    """The end of a wire at which the work is done."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._job: Relayed | None = None
        self._given: list[Work | Callable[[], object]] = []
        self._arrived = threading.Condition()

    def serve(self) -> None:
        """Do what is given until the server is gone: work first, then what is to be made ready."""
        threading.Thread(target=self._listen, name="worker's ear", daemon=True).start()
        while True:
            with self._arrived:
                self._arrived.wait_for(lambda: self._given)
                given = next((one for one in self._given if isinstance(one, Work)), self._given[0])
                self._given.remove(given)
            if isinstance(given, Work):
                self._do(given)
                del given  # and with it what it was given
                give_back_memory()
            else:
                with suppress(Exception):  # what could not be made ready is made when it is needed
                    given()

    def _listen(self) -> None:
        try:
            while True:
                self._hear(*self._wire.receive())
        except (EOFError, OSError):
            os._exit(0)  # the server is gone, and with it whoever waits

    def _hear(self, what: str, *rest: Any) -> None:
        if what in ("work", "prepare"):
            with self._arrived:
                if what == "work":
                    self._job = Relayed(self._wire, rest[0].key)
                self._given.append(rest[0])
                self._arrived.notify()
        elif what == "partial":
            self._wire.send(("partial", None if self._job is None else self._job.partial_or_none))
        elif self._job is not None:
            self._job.hear(what, *rest)

    def _do(self, work: Work) -> None:
        job = self._job
        assert job is not None
        self._wire.send(done(work, job))
        with self._arrived:
            if self._job is job:  # the next work may have come
                self._job = None


def done(work: Work, job: "Relayed") -> tuple[object, ...]:
    """Do a work here, and say how it ended, as the server is told."""
    use_store(work.store)
    _use_threads(work.threads)
    try:
        with acting_for(work.who):
            made = work.compute(Ticket(job, None))
            try:
                default_store().put(work.key, *made)
            except StoreError:
                return "made", made  # the server holds it in memory
    except Canceled:
        return "canceled", job.partial_or_none
    except BaseException as error:  # the server is told, and goes on
        return "failed", portable(error), traceback.format_exc(), job.partial_or_none
    return ("kept",)


class Relayed(Job[object]):
    """The job of the server, as its worker has it."""

    def __init__(self, wire: Outlet, key: str) -> None:
        super().__init__(key)
        self._wire = wire
        self._reported = -1.0
        self._may_go = threading.Event()
        self.should_rest = threading.Event()

    def note(self, fraction: float | None, message: str, data: Notes) -> None:
        now = time.monotonic()
        if data or (message and message != self.message) or now - self._reported >= REPORT_SECONDS:
            self._reported, self.message = now, message or self.message
            self._wire.send(("note", fraction, message, dict(data)))

    def show(self, partial: Callable[[], object] | None) -> None:
        super().show(partial)
        self._wire.send(("shows",))

    def rest(self, device: object, check: Callable[[], None]) -> None:  # noqa: ARG002  # the server has it
        if self.should_rest.is_set():
            self.should_rest.clear()
            self._may_go.clear()
            self._wire.send(("rests",))
            while not self._may_go.wait(0.1):
                check()

    def hear(self, what: str, *rest: Any) -> None:
        """What the server says of it."""
        if what == "cancel":
            self.cancel()
        elif what == "rest":
            self.should_rest.set()
        elif what == "go":
            if rest[0]:  # rest again after the next step
                self.should_rest.set()
            self._may_go.set()

    @property
    def partial_or_none(self) -> object:
        """What there is of its result."""
        with suppress(Exception):  # it may change while it is read
            return self.partial
        return None


def _use_threads(count: int) -> None:
    import torch

    if torch.get_num_threads() != count:
        torch.set_num_threads(count)


def main() -> None:
    """Take work from the standard input until it is closed."""
    share_heaps()
    with suppress(OSError, AttributeError):
        os.nice(10)  # the pages go first
    read, write = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what a library prints goes to the log
    sys.stdout = sys.stderr
    Worker(Wire(read, write)).serve()
