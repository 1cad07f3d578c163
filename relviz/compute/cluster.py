"""A Dask cluster in place of workers on this machine: the same works, on whatever machines it has.

Needs ``relviz[cluster]``. Dask starts the works, moves those of a worker that ended to another, and carries
reports, cancels and pauses. Results go to the store, whose folder all machines share.
"""

import logging
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from relviz.compute.job import Ticket
from relviz.compute.owner import owner
from relviz.compute.queue import Limits, Queue
from relviz.compute.store import Store
from relviz.compute.version import code_version
from relviz.compute.wire import as_bytes, of_bytes
from relviz.compute.worker import Relayed, Work, done
from relviz.compute.workers import Process, Relay, WorkerError
from relviz.errors import ParameterError

if TYPE_CHECKING:
    from distributed import Client, Future
    from distributed.worker import Worker

REACH_SECONDS = 10.0
"""How long a server that starts looks for its scheduler."""
SEEN_SECONDS = 5.0
"""How long a result that a worker has kept may take to be seen here: a shared folder can be late."""

logger = logging.getLogger(__name__)


class Cluster:
    """The workers of a Dask cluster, used as ``relviz.compute.workers.Workers``.

    A work keeps its thread of a worker until it ends, paused or not; so works do not take turns.

    Parameters
    ----------
    address
        Of the scheduler: ``"tcp://scheduler:8786"``.
    limits
        Of the queue; how many begin and compute at once is as many as the cluster has threads.
    threads
        Of torch in each work.

    Raises
    ------
    ParameterError
        If Dask is not installed, or the scheduler cannot be reached.
    """

    def __init__(self, address: str, limits: Limits | None = None, threads: int = 1) -> None:
        self.queue = Queue(limits)
        self._threads = threads
        self._client = _client(address)
        self._topic = f"relviz-{uuid.uuid4().hex}"
        self._runs: dict[str, _Run] = {}
        self._client.subscribe_topic(self._topic, self._hear)
        self._count_threads()

    def warm(self) -> None:
        """Dask's workers are there already."""

    def end(self) -> None:
        """Cancel what is at work, and leave the cluster, which goes on."""
        for run in list(self._runs.values()):
            run.end()
        self._client.close()

    def processes(self) -> list[int]:
        """None of them is a process of this server."""
        return []

    @property
    def size(self) -> int:
        """How many workers the cluster has now."""
        return len(self._client.nthreads())

    def keep(self, store: Store, key: str, compute: Callable[[Ticket], object], ticket: Ticket) -> None:
        """Have a worker compute what the store then keeps under a key; as that of ``Workers``."""
        self._count_threads()
        folder = str(store.root.resolve())
        work = Work(key, compute, owner(), folder, store.cap_bytes, self._threads)
        run = _Run(self._client, self._topic)
        self._runs[run.name] = run
        try:
            made = Relay(ticket.job, self.queue, run).done(work)
        finally:
            run.end()
            del self._runs[run.name]
        if isinstance(made, BaseException):
            raise made
        if made is not None:
            store.keep(key, *made)
        elif not _seen(store, key):
            raise WorkerError(
                f"A worker of the cluster has kept the result, and it is not in {folder}. Share this folder "
                "with all machines of the cluster, under the same path."
            )

    def _hear(self, event: tuple[float, Any]) -> None:
        name, raw = event[1]
        run = self._runs.get(name)
        if run is not None:
            run.heard(of_bytes(raw))

    def _count_threads(self) -> None:
        threads = max(1, sum(self._client.nthreads().values()))
        self.queue.limits = replace(self.queue.limits, at_once=threads, begun=threads)


def _client(address: str) -> "Client":
    try:
        import dask
        from distributed import Client
    except ImportError as reason:
        raise ParameterError(
            f"The settings name a Dask cluster ({address}), and Dask is not installed. Install "
            "relviz[cluster]."
        ) from reason
    # The vectors of a pair travel with the work.
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"})
    try:
        return Client(address, timeout=REACH_SECONDS, set_as_default=False)
    except (OSError, ValueError) as reason:
        raise ParameterError(
            f"No Dask scheduler answers at {address}. Start one with `dask scheduler`, or correct the "
            "address."
        ) from reason


def _seen(store: Store, key: str) -> bool:
    until = time.monotonic() + SEEN_SECONDS
    while not store.has(key):
        if time.monotonic() > until:
            return False
        time.sleep(0.1)
    return True


class _Run(Process):
    """A work on the cluster, as the server has it."""

    def __init__(self, client: "Client", topic: str) -> None:
        super().__init__()
        self.name = f"relviz-{uuid.uuid4().hex}"
        self._client, self._topic = client, topic
        self._where: str | None = None
        self._sent: list[tuple[object, ...]] = []
        self._future: Future[object] | None = None

    def send(self, *message: object) -> None:
        """Give it a work, or tell the worker that is at it something."""
        if message[0] == "work":
            work = message[1]
            self._future = self._client.submit(
                work_here, work, code_version(), self._topic, self.name, key=self.name, pure=False
            )
            self._future.add_done_callback(self._over)
        else:
            self._sent.append(message)
            self._tell(message)

    def heard(self, message: tuple[Any, ...]) -> None:
        """Take what the worker that is at it says."""
        if message[0] == "at":
            self._where = message[1]
            for one in self._sent[-1:]:  # another worker had been told
                threading.Thread(target=self._tell, args=(one,), daemon=True).start()
        else:
            super().heard(message)

    def lost(self, work: Work) -> WorkerError:
        """Why it is gone."""
        again = ", and it goes on from its last checkpoint" if work.resumed else ""
        return WorkerError(
            "The cluster has lost the run, as it does when its workers end again and again. Run it "
            f"again{again}."
        )

    def end(self) -> None:
        """Have it stop at its next report, if it has not ended."""
        self.busy = False
        if self._future is not None:
            if not self._future.done():
                self._tell(("cancel",))
            self._future.release()

    def _partial_result(self) -> object:
        return self._tell(("partial",))

    def _over(self, future: "Future[Any]") -> None:
        if future.status == "finished":
            with suppress(Exception):
                self.messages.put(future.result())
                return
        logger.error("The cluster has lost %s (%s)", self.name, future.status)
        self.messages.put(None)

    def _tell(self, message: tuple[object, ...]) -> object:
        where = self._where
        if where is None:
            return None
        try:
            answers = self._client.run(hear, self.name, message, workers=[where], on_error="ignore")
        except Exception as reason:  # whatever its comms raise: that worker is gone, and Dask finds another
            logger.warning("The worker %s does not answer (%s)", where, type(reason).__name__)
            return None
        return answers.get(where)


_HERE: dict[str, Relayed] = {}
"""In a worker of the cluster: the works that it is at."""


def hear(name: str, message: tuple[Any, ...]) -> object:
    """In a worker of the cluster: what the server says of a work; it is asked for what there is so far."""
    job = _HERE.get(name)
    if job is None:
        return None
    if message[0] == "partial":
        return job.partial_or_none
    job.hear(*message)
    return None


def work_here(work: Work, version: str, topic: str, name: str) -> tuple[object, ...]:
    """In a worker of the cluster: do a work, and say how it ended."""
    from distributed import get_worker

    here = get_worker()
    if version != code_version():
        return (
            "failed",
            WorkerError(
                "A worker of the cluster has another version of relviz, or of a library that it computes "
                f"with ({here.address}). Install the same on all machines."
            ),
            "",
            None,
        )
    outlet = _Outlet(here, topic, name)
    job = _HERE[name] = Relayed(outlet, work.key)
    try:
        outlet.send(("at", here.address))
        return done(work, job)
    finally:
        del _HERE[name]


@dataclass(frozen=True)
class _Outlet:
    """Messages to the server that listens to the topic."""

    worker: "Worker"
    topic: str
    name: str

    def send(self, message: object) -> None:
        """Send a message."""
        self.worker.log_event(self.topic, (self.name, as_bytes(message)))
