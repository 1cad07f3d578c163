"""Which sessions wait for which job: work that no session of its visitor waits for any more is left.

What several visitors wait for goes on for the others. A session that ends without another word, a closed
browser, leaves its jobs to finish.
"""

import threading
import uuid
from typing import Any
from weakref import WeakSet

import streamlit as st

from relviz.compute.jobs import Job, jobs
from relviz.compute.owner import owner

_LOCK = threading.Lock()
_WAITING: dict[tuple[str | None, str], set[str]] = {}
"""Sessions, by their visitor and the key of the job."""
_ABANDONED: WeakSet[Job[Any]] = WeakSet()


def follow(slot: str, key: str) -> None:
    """Wait for the job of that key, and no longer for the one that this session had in the slot."""
    session, slots = _mine()
    if slots.get(slot) != key:
        leave(slot)
    slots[slot] = key
    with _LOCK:
        _WAITING.setdefault((owner(), key), set()).add(session)


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
            if job.cancelling:
                _ABANDONED.add(job)


def _mine() -> tuple[str, dict[str, str]]:
    session = st.session_state.setdefault("relviz_session", uuid.uuid4().hex)
    return session, st.session_state.setdefault("relviz_slots", {})


def was_abandoned(job: Job[Any]) -> bool:
    """Whether the job was stopped because nobody waited, and not by a person."""
    with _LOCK:
        return job in _ABANDONED
