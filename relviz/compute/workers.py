"""The workers of a server: processes that compute beside it, kept warm, ended if they hear no cancel."""

import atexit
import logging
import os
import subprocess
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from relviz.compute.job import AnyJob, Canceled, Ticket
from relviz.compute.owner import owner
from relviz.compute.queue import Limits, Queue
from relviz.compute.store import Store
from relviz.compute.version import PACKAGE
from relviz.compute.wire import Wire
from relviz.compute.worker import Work
from relviz.errors import Error

CANCEL_SECONDS = 0.8
"""A work that has not stopped by then after a cancel is ended with its process."""
WORKS = 50
"""A worker ends after so many, and with it whatever libraries have not given back."""
PARTIAL_SECONDS = 2.0
_POLL_SECONDS = 0.1

Prepare = Callable[[], object]

logger = logging.getLogger(__name__)


class WorkerError(Error):
    """A process that ended before its work, or took longer than is allowed."""


class Workers:
    """Processes that compute, and the queue of those that wait for one.

    Parameters
    ----------
    limits
        Of the queue.
    threads
        Of torch in each worker.
    prepare
        Functions of modules, such as imports, called in every worker while it has nothing else to do: a work
        waits for one of them at most.
    """

    def __init__(
        self, limits: Limits | None = None, threads: int = 1, prepare: Sequence[Prepare] = ()
    ) -> None:
        self.queue = Queue(limits)
        self._threads, self._prepare = threads, prepare
        self._idle: list[_Process] = []
        self._all: set[_Process] = set()
        self._lock = threading.Lock()
        atexit.register(self.end)

    def warm(self) -> None:
        """Have a worker that waits for work."""
        with self._lock:
            if self._idle:
                return
        self._give_back(self._started())

    def end(self) -> None:
        """End all of them, whatever they do."""
        with self._lock:
            processes, self._idle = list(self._all), []
        for one in processes:
            one.end()

    def processes(self) -> list[int]:
        """Their process ids."""
        with self._lock:
            return [one.popen.pid for one in self._all if one.popen.poll() is None]

    @property
    def size(self) -> int:
        """How many there are now."""
        return len(self.processes())

    def keep(self, store: Store, key: str, compute: Callable[[Ticket], object], ticket: Ticket) -> None:
        """Have a worker compute what the store then keeps under a key.

        The thread of the job calls it, and has a turn in the queue.

        Raises
        ------
        Canceled
            If someone asked the work to stop.
        WorkerError
            If the process ended, or the time is over.
        """
        process = self._taken()
        try:
            work = Work(key, compute, owner(), str(store.root), store.cap_bytes, self._threads)
            made = Relay(ticket.job, self.queue, process).done(work)
        except BaseException:
            self._drop(process)
            raise
        if process.busy:
            self._drop(process)
        else:
            self._give_back(process)
        if isinstance(made, BaseException):
            raise made
        if made is not None:
            store.keep(key, *made)

    def _taken(self) -> "_Process":
        with self._lock:
            while self._idle:
                one = self._idle.pop()
                if one.popen.poll() is None:
                    return one
                self._all.discard(one)
        return self._started()

    def _started(self) -> "_Process":
        one = _Process()
        with self._lock:
            self._all.add(one)
        for step in self._prepare:
            one.send("prepare", step)
        return one

    def _give_back(self, one: "_Process") -> None:
        one.works += 1
        with self._lock:
            kept = one.works <= WORKS and len(self._idle) < self.queue.limits.at_once
            if kept:
                self._idle.append(one)
        if not kept:
            self._drop(one)

    def _drop(self, one: "_Process") -> None:
        one.end()
        with self._lock:
            self._all.discard(one)


class Process(ABC):
    """Where a work is done, as the server has it.

    Attributes
    ----------
    messages
        What it says, and None if it is gone.
    busy
        Whether it is at a work.
    last_partial
        What there was of its result when it last answered.
    """

    def __init__(self) -> None:
        self.messages: SimpleQueue[tuple[Any, ...] | None] = SimpleQueue()
        self.busy = False
        self.last_partial: object = None
        self._asking = threading.Lock()
        self._fresh = False

    @abstractmethod
    def send(self, *message: object) -> None:
        """Tell it something; one that is gone hears nothing."""

    @abstractmethod
    def lost(self, work: Work) -> WorkerError:
        """Why it is gone."""

    @abstractmethod
    def _partial_result(self) -> object:
        """What there is of its result, None if it has nothing or is gone; Empty if it does not answer."""

    def heard(self, message: tuple[Any, ...]) -> None:
        """Take what it says: with a note, it has more of its result than it was asked for last."""
        self._fresh = self._fresh and message[0] != "note"
        self.messages.put(message)

    def partial(self) -> object:
        """What there is of its result so far, or was when it last answered."""
        with self._asking:
            if self.busy and not self._fresh:
                self._fresh = True
                try:
                    found = self._partial_result()
                    self.last_partial = self.last_partial if found is None else found
                except Empty:
                    self._fresh = False
            return self.last_partial

    def forget_partial(self) -> None:
        """What comes next is another work."""
        with self._asking:
            self.last_partial, self._fresh = None, False


class _Process(Process):
    """A worker as the server has it."""

    def __init__(self) -> None:
        super().__init__()
        self.popen = subprocess.Popen(
            [sys.executable, "-P", "-c", "from relviz.compute.worker import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join([str(PACKAGE.parent), *_paths()])},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            # Ctrl-C is for the server, which ends its workers. In a session of their own their lower priority
            # would not count: Linux schedules sessions as groups of the same weight (autogroup).
            process_group=0,
        )
        assert self.popen.stdin is not None
        assert self.popen.stdout is not None
        self._wire = Wire(self.popen.stdout, self.popen.stdin)
        self.works = 0
        self._partials: SimpleQueue[object] = SimpleQueue()
        threading.Thread(target=self._listen, name=f"worker {self.popen.pid}", daemon=True).start()

    def send(self, *message: object) -> None:
        """Tell it something; one that is gone hears nothing."""
        try:
            self._wire.send(message)
        except OSError:
            self.messages.put(None)

    def lost(self, work: Work) -> WorkerError:
        """Why it is gone."""
        return _lost(self.popen.wait(), work.resumed)

    def _partial_result(self) -> object:
        self.send("partial")
        return self._partials.get(timeout=PARTIAL_SECONDS)

    def end(self) -> None:
        """End it now."""
        self.busy = False
        if self.popen.poll() is None:
            self.popen.kill()
        self.popen.wait()
        self._wire.close()

    def _listen(self) -> None:
        try:
            while True:
                message = self._wire.receive()
                if message[0] == "partial":
                    self._partials.put(message[1])
                else:
                    self.heard(message)
        except Exception:  # whatever it sent last, it is gone
            self.messages.put(None)
            self._partials.put(None)


@dataclass
class Relay:
    """Between a job and the worker that does it: reports go one way, cancel and pause the other."""

    job: AnyJob
    turns: Queue
    process: Process

    def done(self, work: Work) -> Any:
        """What the work ended with: None if it is kept, else what it made, or an error."""
        process, job = self.process, self.job
        process.forget_partial()
        process.busy = True
        process.send("work", work)
        asked_to_rest, give_up = False, float("inf")
        while True:
            if job.canceling and give_up == float("inf"):
                process.send("cancel")
                give_up = time.monotonic() + CANCEL_SECONDS
            elif not job.canceling and not asked_to_rest and (job.pausing or self.turns.wanted):
                process.send("rest")
                asked_to_rest = True
            if time.monotonic() > give_up:
                return self._broken_off(Canceled(work.key), process.last_partial)
            self._check_time()
            try:
                message = process.messages.get(timeout=_POLL_SECONDS)
            except Empty:
                continue
            if message is None:
                return self._broken_off(process.lost(work), process.last_partial)
            what, *rest = message
            if what == "note":
                job.note(*rest)
            elif what == "shows":
                job.show(process.partial)
            elif what == "rests":
                asked_to_rest = False
                self._rest()
            else:
                process.busy = False
                return self._end(what, *rest)

    def _rest(self) -> None:
        def check() -> None:
            if self.job.canceling:
                raise Canceled(self.job.key)

        try:
            self.job.rest(self.turns, check)
        except Canceled:
            return  # the worker is told next
        self.process.send("go", self.job.pausing)

    def _check_time(self) -> None:
        most = self.turns.limits.seconds
        if most is not None and self.job.seconds > most:
            raise WorkerError(
                f"It took longer than the {most / 60:,.0f} minutes that this server allows. "
                "Use fewer rows or steps."
            )

    def _end(self, what: str, *rest: Any) -> object:
        if what == "kept":
            return None
        if what == "made":
            return rest[0]
        if what == "canceled":
            return self._broken_off(Canceled(self.job.key), rest[0])
        error, trace, partial = rest
        logger.error("In the worker of %s:\n%s", self.job.key, trace)
        return self._broken_off(error, partial)

    def _broken_off(self, error: BaseException, partial: object) -> BaseException:
        self.job.show(None if partial is None else lambda: partial)
        return error


def _lost(code: int, begun: bool) -> WorkerError:
    status = f"signal {-code}" if code < 0 else f"code {code}"
    again = "Run it again, and it goes on from its last checkpoint" if begun else "Run it again"
    return WorkerError(
        f"Its process ended unexpectedly ({status}), as it does when memory runs out. {again}; if "
        "that repeats, use fewer rows."
    )


def _paths() -> list[str]:
    return [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]


class Pool(Protocol):
    """What computes heavy work beside the server: its own processes, or those of a cluster."""

    queue: Queue

    def keep(self, store: Store, key: str, compute: Callable[[Ticket], object], ticket: Ticket) -> None:
        """Have the store keep under a key what is computed."""

    def warm(self) -> None:
        """Make ready for the first work."""

    def end(self) -> None:
        """End what is at work."""

    def processes(self) -> list[int]:
        """Process ids of workers on this machine."""

    @property
    def size(self) -> int:
        """How many workers there are now, on whatever machine."""


_CHOSEN: list[Pool] = []


def workers() -> Pool | None:
    """Those of this process; None where heavy work is done in a thread, as in scripts."""
    return _CHOSEN[-1] if _CHOSEN else None


def use_workers(chosen: Pool | None) -> None:
    """From now on heavy work is done by these; None: in threads."""
    _CHOSEN[:] = [] if chosen is None else [chosen]
