"""All jobs of this process by their keys; what one of them computes is declared as a task."""

import logging
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import cache, partial
from typing import TypeVar

import torch

from relviz.compute.blocks import OnBlock
from relviz.compute.device import DEVICE_LOCK, Turns, device
from relviz.compute.entry import Array, Result
from relviz.compute.job import AnyJob, Canceled, Job, Link, Ticket
from relviz.compute.owner import account_of, acting_for, owner
from relviz.compute.queue import Limits, Queue
from relviz.compute.store import Store, default_store
from relviz.compute.workers import workers
from relviz.errors import Error

KEPT_JOBS = 64
"""How many jobs that have ended are remembered. A big result belongs in the store, not in its job."""
KEPT_PARTIAL = 6
"""Of how many jobs that broke off, the newest, it is kept what they had made."""

T = TypeVar("T")

__all__ = ["Canceled", "Job", "Jobs", "Link", "Ticket", "jobs", "result_or_job"]

logger = logging.getLogger(__name__)


class TooManyJobsError(Error):
    """A job that was refused because too many wait."""


class Jobs:
    """Jobs by key; of those that have ended, the newest ``keep``."""

    def __init__(self, keep: int = KEPT_JOBS) -> None:
        self._keep = keep
        self._jobs: dict[str, AnyJob] = {}
        self._lock = threading.Lock()

    def start(
        self,
        key: str,
        work: Callable[[Ticket], T],
        title: str = "",
        exclusive: bool = False,
        link: Link | None = None,
        queue: Queue | None = None,
    ) -> Job[T]:
        """The job under a key: the one that runs or is done, else a new one.

        One that failed, was canceled, or was asked to stop is started anew.

        Parameters
        ----------
        key
            What it is found by: the key of its result, where it has one.
        work
            Called in a thread of its own with the ticket through which it reports.
        title
            What a person sees.
        exclusive
            Whether it waits for the device, and has it for itself, while it works; on a server without one,
            for a core.
        link
            The page that shows it to who asks.
        queue
            Where it waits for its turn, instead of for the device.
        """
        turns = queue or (_device_turns() if exclusive else None)
        with self._lock:
            known = self._jobs.get(key)
            if known is not None and (known.state == "done" or (known.alive and not known.canceling)):
                known.join(link)
                return known
            job: Job[T] = Job(key, title, link)
            refusal = self._refusal()
            if refusal is None:
                given = (job, work, turns, owner())
                threading.Thread(target=self._work, args=given, name=f"job {key}", daemon=True).start()
            else:
                job.end("failed", error=refusal)
            self._jobs[key] = job
            ended = sorted((old for old in self._jobs.values() if not old.alive), key=lambda old: old.ended)
            for old in ended[: max(0, len(ended) - self._keep)]:
                del self._jobs[old.key]
            return job

    def find(self, key: str) -> AnyJob | None:
        """The job under a key that who asks had asked for, or may watch, whatever became of it.

        None if there is none, or it is no longer remembered.
        """
        with self._lock:
            job = self._jobs.get(key)
        return job if job is not None and (job.mine or job.watched) else None

    def running(self) -> list[AnyJob]:
        """Of the jobs of who asks, those that run or wait for the device, the one started first in front."""
        return [job for job in self.alive() if job.mine]

    def join(self, key: str, link: Link | None = None) -> AnyJob | None:
        """The job that runs or waits under a key, whoever asked for it; who asks now waits for it too."""
        with self._lock:
            job = self._jobs.get(key)
            if job is None or not job.alive or (job.canceling and not job.mine):
                return None
            job.join(link)
            return job

    def forget(self, key: str) -> None:
        """Forget a job that has ended; one that has not stays."""
        with self._lock:
            job = self._jobs.get(key)
            if job is not None and not job.alive:
                del self._jobs[key]

    def alive(self) -> list[AnyJob]:
        """Those of all visitors that run or wait, for the operator and for limits."""
        with self._lock:
            return [job for job in self._jobs.values() if job.alive]

    def _refusal(self) -> TooManyJobsError | None:
        pool = workers()
        if pool is None:
            return None
        alive = [job for job in self._jobs.values() if job.alive]
        me, limits = account_of(owner()), pool.queue.limits
        mine = sum(me is None or me in map(account_of, job.owners) for job in alive)
        if mine >= limits.waiting_each:
            return TooManyJobsError(
                f"You have {mine} unfinished runs, as many as this server allows. Cancel one, or wait."
            )
        if len(alive) >= limits.waiting:
            return TooManyJobsError(f"{len(alive):,} runs wait on this server. Try again in a few minutes.")
        return None

    def _work(
        self, job: Job[T], work: Callable[[Ticket], T], turns: Turns | Queue | None, who: str | None
    ) -> None:
        _run(job, work, turns, who)
        with self._lock:
            ended = [old for old in self._jobs.values() if old.shows and not old.alive]
            for old in sorted(ended, key=lambda old: old.ended)[:-KEPT_PARTIAL]:
                old.show(None)


_PROCESS_WIDE = Jobs()


def jobs() -> Jobs:
    """The jobs of this process; each visitor finds their own among them."""
    return _PROCESS_WIDE


@cache
def cores() -> Queue:
    """Where the jobs wait that a server computes itself, on a CPU: as many at once as its cores take.

    One that has begun gives way between its parts, so that all who wait see the first soon.
    """
    at_once = max(1, (os.cpu_count() or 1) // torch.get_num_threads())
    return Queue(Limits(at_once=at_once, begun=16 * at_once), slice_seconds=0.0)


def _device_turns() -> Turns | Queue:
    return DEVICE_LOCK if workers() is None or device().type != "cpu" else cores()


def result_or_job(
    key: str,
    compute: Callable[[Ticket], tuple[Mapping[str, Array], Mapping[str, object]]],
    title: str = "",
    store: Store | None = None,
    exclusive: bool = True,
    link: Link | None = None,
    heavy: bool = False,
) -> Result | Job[str]:
    """The result kept under a key, else the job that is making it.

    A page calls this each time it is drawn: the job goes from one call to the next until the
    result is there. A job that failed or was canceled is handed out unchanged, so that drawing the
    page again does not start it again; ``jobs().forget(key)`` clears the way for another try.

    Parameters
    ----------
    key
        Of the result, as ``result_key`` gives it.
    compute
        Gives the arrays and the metadata to keep; called in the job.
    store
        Where the result is kept; the default store if None.
    exclusive
        Whether the job has the device for itself; on a server without one, a core.
    link
        The page that shows the job to who asks.
    heavy
        Whether a worker computes it, where there are workers; see ``relviz.compute.workers``.
    """
    store = store or default_store()
    pool = workers() if heavy else None

    def work(ticket: Ticket) -> str:
        if pool is None:
            store.keep(key, *compute(ticket))
        else:
            pool.keep(store, key, compute, ticket)
        return key

    running = jobs().join(key, link)  # before the store: a job that ends in between has put its result there
    if running is not None:
        return running
    known = jobs().find(key)
    found = store.get(key)
    if found is not None:
        return found
    if known is not None and known.state != "done":
        return known
    jobs().forget(key)  # of a job that was done and whose result has left the store
    return jobs().start(key, work, title, exclusive, link, None if pool is None else pool.queue)


def _run(job: Job[T], work: Callable[[Ticket], T], turns: Turns | Queue | None, who: str | None) -> None:
    ticket = Ticket(job, turns)
    with acting_for(who):
        try:
            with nullcontext() if turns is None else _turn(turns, ticket):
                ticket.check()
                job.begin()
                logger.info("%s: begun", job.title)
                result = work(ticket)
        except Canceled:
            logger.info("%s: canceled after %.1f s", job.title, job.seconds)
            job.end("canceled")
        except BaseException as error:  # whatever it is, the job must not look alive for ever
            logger.exception("The job %s (%s) failed", job.key, job.title)
            _drop_frames(error)
            job.end("failed", error=error)
        else:
            logger.info("%s: done in %.1f s", job.title, job.seconds)
            job.end("done", result=result)


@contextmanager
def _turn(turns: Turns | Queue, ticket: Ticket) -> Iterator[None]:
    try:
        turns.acquire(check=ticket.check)
        yield
    finally:
        if turns.mine:  # a work that was canceled in a pause has given it back
            turns.release()
        turns.leave()


def _drop_frames(error: BaseException) -> None:
    """Cut an error loose from its tracebacks, whose frames hold every array of the work."""
    pending: list[BaseException | None] = [error]
    seen = set()
    while pending:
        one = pending.pop()
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            one.__traceback__ = None
            pending += [one.__cause__, one.__context__]


def parts(weights: Sequence[float], on_progress: OnBlock | None) -> Iterator[OnBlock | None]:
    """One callback for each part of some work, called with the fraction done of that part.

    >>> shares = []
    >>> first, second = parts([1, 3], shares.append)
    >>> first(0.5), first(1.0), second(1.0), shares
    (None, None, None, [0.125, 0.25, 1.0])
    """
    before, total = 0.0, sum(weights)
    for weight in weights:
        yield None if on_progress is None else partial(_report, on_progress, before, weight, total)
        before += weight


def _report(on_progress: OnBlock, before: float, weight: float, total: float, done: float) -> None:
    on_progress((before + weight * done) / total)
