"""A job as a person sees it: how far it is, how long it may take, a cancel that cancels."""

import threading
import uuid
from collections.abc import Callable
from typing import TypeVar
from weakref import WeakSet

import streamlit as st

import relviz
from relviz.compute.device import device_name, leave_a_core
from relviz.compute.job import AnyJob
from relviz.compute.jobs import Job, jobs
from relviz.compute.owner import owner
from relviz.compute.task import Task
from relviz.compute.workers import workers
from relviz.ui.operations.settings import settings
from relviz.ui.verbatim import verbatim
from relviz.wording import plural

T = TypeVar("T")
P = TypeVar("P")
"""What there is of a result so far."""

_LOCK = threading.Lock()
_WAITING: dict[tuple[str | None, str], set[str]] = {}
"""Sessions, by their visitor and the key of the job."""
_ABANDONED: WeakSet[Job[object]] = WeakSet()


def follow(slot: str, key: str) -> bool:
    """Wait for the job of that key, and no longer for the one that this session had in the slot.

    Gives whether it was another one.
    """
    session, slots = _mine()
    is_new = slots.get(slot) != key
    if is_new:
        leave(slot)
    slots[slot] = key
    with _LOCK:
        _WAITING.setdefault((owner(), key), set()).add(session)
    return is_new


def leave(slot: str) -> None:
    """Wait no longer for the job that this session has in the slot, if any."""
    session, slots = _mine()
    key = slots.pop(slot, None)
    if key is None:
        return
    place = owner(), key
    with _LOCK:
        waiting = _WAITING.get(place, set())
        waiting.discard(session)
        if waiting:
            return
        _WAITING.pop(place, None)
        job = jobs().find(key)
        if job is not None and job.alive:
            job.cancel()
            if job.canceling:
                _ABANDONED.add(job)


def _mine() -> tuple[str, dict[str, str]]:
    session = st.session_state.setdefault("relviz_session", uuid.uuid4().hex)
    return session, st.session_state.setdefault("relviz_slots", {})


def was_abandoned(job: Job[T]) -> bool:
    """Whether the job was stopped because nobody waited, and not by a person."""
    with _LOCK:
        return job in _ABANDONED


PATIENCE_SECONDS = 0.5
"""Within these a result is waited for without a word: a page that is drawn twice costs more."""
END_SECONDS = 10.0
"""Within these a job that was asked to stop has; one that is wanted again is begun anew then."""
POLL_SECONDS = 0.5
_POLLS = 16.0
"""A second, of all pages together, at most about: each takes some ten milliseconds of the server."""
_LEFT = "relviz_left"
"""Jobs that this session has canceled, and that go on for another visitor."""


def result_or_progress(slot: str, task: Task[T], show: Callable[[T], None] | None = None) -> T | None:
    """The result of a task, else its progress on screen; the page is drawn again when it is there.

    ``show`` draws what there is of the result so far, where its job tells.

    A session has one task a slot: the job of the one before is canceled, unless another session
    waits for it too.
    """
    is_new = follow(slot, task.key)
    if task.key in _left() and task.stored() is None:
        _show_canceled(task.title, task)
        return None
    found = task.result_or_job()
    if isinstance(found, Job) and is_new and not task.heavy and found.wait(PATIENCE_SECONDS):
        found = task.result_or_job()
    if isinstance(found, Job) and was_abandoned(found) and found.wait(END_SECONDS):
        jobs().forget(task.key)
        found = task.result_or_job()
    if not isinstance(found, Job):
        return found
    show_job(found, task, show=show)
    return None


def show_job(
    job: AnyJob,
    task: Task[T] | None = None,
    place: str = "",
    show: Callable[[P], None] | None = None,
    before: Callable[[], None] | None = None,
) -> None:
    """Show a job where its result will be: its progress, or how it ended and, of a task, a new try.

    ``show`` draws what there is of the result so far, where its job tells, and ``before`` what the page shows
    until it does. A page that shows a job twice names the second place. Who only watches a job is offered no
    new try.
    """
    task = task if job.mine else None
    if job.alive:
        st.fragment(_watch, run_every=poll_seconds())(job.key, place, show, before)
    elif job.state == "failed":
        st.error(f"{job.title} failed: {verbatim(job.error)}", icon=":material/error:")
        _offer_again(task, place)
    else:
        _show_canceled(job.title, task, place)


def poll_seconds(least: float = POLL_SECONDS) -> float:
    """How long a page waits before it asks for its job again: the longer, the more jobs are waited for."""
    return max(least, len(jobs().alive()) / _POLLS)


def start(task: Task[object]) -> None:
    """Start the job of a task; for callbacks."""
    task.result_or_job()


def run_again(task: Task[object]) -> None:
    """Forget the job of a task that ended without a result, and start it anew."""
    _left().discard(task.key)
    jobs().forget(task.key)
    start(task)


def _show_canceled(title: str, task: Task[object] | None, place: str = "") -> None:
    st.info(f"{title}: canceled.", icon=":material/cancel:")
    _offer_again(task, place)


def _offer_again(task: Task[object] | None, place: str) -> None:
    if task is not None:
        st.button("Run again", key=f"again {place}{task.key}", on_click=run_again, args=(task,))


def _cancel(job: Job[T]) -> None:
    job.cancel()
    if not job.mine:
        _left().add(job.key)


def _left() -> set[str]:
    left: set[str] = st.session_state.setdefault(_LEFT, set())
    return left


def _watch(key: str, place: str, show: Callable[[P], None] | None, before: Callable[[], None] | None) -> None:
    job = jobs().find(key)
    if job is None or not job.alive:
        st.rerun()
    if show is not None and (made := job.partial) is not None:
        show(made)
    elif before is not None:
        before()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(job.fraction or 0.0, text=_words(job))
        if not job.mine:
            return
        st.button("Cancel", key=f"cancel {place}{key}", on_click=_cancel, args=(job,))
    offer_to_keep(job, place)


def offer_to_keep(job: Job[T], place: str = "") -> None:
    """Where runs of those who left are canceled: a tick that this one goes on."""
    minutes = settings().work.orphan_minutes
    if not minutes:
        return
    key = f"keep {place}{job.key}"
    if st.session_state.get(key) != job.keep:  # what is set goes back to a browser that may be further
        st.session_state[key] = job.keep

    def take() -> None:
        job.keep = bool(st.session_state[key])

    help = f"Without it the run is canceled {minutes:g} minutes after you close the page."
    st.checkbox("Keep this run when I leave", key=key, on_change=take, help=help)


def queue_words(job: Job[T]) -> str:
    """That it waits, and how many are before it."""
    before = 0 if (pool := workers()) is None else pool.queue.before(job.key)
    return "queued" + (f", {plural(before, 'run')} before it" if before else "")


def _words(job: Job[T]) -> str:
    if job.canceling:
        return f"{job.title}: stopping"
    if job.state == "queued":
        return f"{job.title}: {queue_words(job)}"
    left = "" if job.seconds_left is None else f", about {job.seconds_left:.0f} s left"
    message = f": {job.message}" if job.message else ""
    return f"{job.title}{message} ({job.seconds:.0f} s{left})"


HELP = "CUDA or an Apple GPU if available, otherwise the CPU. RELVIZ_DEVICE=cpu forces the CPU."


def share_device() -> None:
    """Leave the page and the browser a core to draw with, whatever is computed."""
    leave_a_core()


def show_device() -> None:
    """Name the device; if the one asked for cannot be used, say that."""
    try:
        st.sidebar.caption(f"Computed on: {verbatim(device_name())}", help=HELP)
    except relviz.Error as reason:
        st.sidebar.error(verbatim(reason), icon=":material/error:")
