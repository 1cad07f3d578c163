"""Who is here: the visitors whose pages are open, and the runs of those who left."""

import logging
import threading
import time

import anyio
from streamlit.runtime import exists, get_instance

from relviz.compute.jobs import jobs
from relviz.compute.memory import give_back_memory
from relviz.compute.owner import account_of, acting_for
from relviz.state.sources import forget_opened
from relviz.ui.operations.log import shown_visitor

WATCH_SECONDS = 5.0
LET_GO_SECONDS = 15.0

logger = logging.getLogger(__name__)

_lock = threading.Lock()
_sessions: dict[str, str] = {}
"""Visitors by the session whose page was drawn."""
_last_seen: dict[str, float] = {}


def seen(session: str, who: str) -> None:
    """A page of a session was drawn for a visitor."""
    with _lock:
        _sessions[session] = who
        _last_seen[who] = time.monotonic()


def sessions() -> int:
    """How many pages are open."""
    return len(_open())


def visitor_in(session: str) -> str | None:
    """Whose page a session is; None where none was drawn yet."""
    return account_of(_sessions.get(session))


def sessions_of(who: str | None) -> set[str]:
    """The sessions of a visitor, also those that show what another shares."""
    with _lock:
        return {one for one, whose in _sessions.items() if account_of(whose) == who}


def watch(grace_seconds: float, ended: threading.Event) -> None:
    """Until the server ends, cancel the runs of those who left longer ago than the grace time."""
    while not ended.wait(WATCH_SECONDS):
        cancel_orphans(grace_seconds, _open())


def cancel_orphans(grace_seconds: float, sessions: set[str]) -> None:
    """Cancel runs all of whose visitors have had no session for that long, but those that are to be kept."""
    now = time.monotonic()
    waited_for = {who for job in jobs().alive() for who in job.owners}
    with _lock:  # asks nobody else: who looks for a job, and has those locked, says here who they are
        for one in [one for one in _sessions if one not in sessions]:
            del _sessions[one]
        for who in _sessions.values():
            _last_seen[who] = now
        for who in _last_seen.keys() - {*_sessions.values(), *waited_for}:
            del _last_seen[who]
        left = {who: now - at for who, at in _last_seen.items() if now - at > grace_seconds}
    for job in jobs().alive():
        gone = [left[who] for who in job.owners if who in left]
        if job.keep or job.canceling or len(gone) < len(job.owners):
            continue
        logger.info(
            "The run %s (%s) is canceled: visitor %s left %.0f s ago",
            *(job.key, job.title, ", ".join(map(shown_visitor, job.owners)), min(gone)),
        )
        with acting_for(None):
            job.cancel()


async def let_go() -> None:
    """Now and then, give back what sessions held whose tab was closed two minutes ago.

    Streamlit lets go of such a session only when another tab is closed, and Python of its uploads, spaces and
    descriptors when it looks for cycles. When nobody is left, opened spaces wait for no one and are closed.
    """
    held: set[str] = set()
    while True:
        await anyio.sleep(LET_GO_SECONDS)
        if not exists():
            continue
        manager = get_instance()._session_mgr
        manager._session_storage._cache.expire()  # type: ignore[attr-defined]  # of the one in memory
        now = {one.session.id for one in manager.list_sessions()}
        if gone := held - now:
            if not now:
                forget_opened()
            await anyio.to_thread.run_sync(give_back_memory)
            logger.info("%d closed session(s) let go, %d open", len(gone), len(_open()))
        held = now


def _open() -> set[str]:
    return (
        {one.session.id for one in get_instance()._session_mgr.list_active_sessions()} if exists() else set()
    )
