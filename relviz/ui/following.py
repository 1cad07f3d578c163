"""Which sessions wait for which job: work that nobody waits for any more is stopped.

A session that ends without another word, a closed browser, leaves its jobs to finish.
"""

import threading
import uuid
from typing import Any
from weakref import WeakSet

import streamlit as st

from relviz.compute.jobs import Job, jobs

_LOCK = threading.Lock()
_WAITING: dict[str, set[str]] = {}
_ABANDONED: WeakSet[Job[Any]] = WeakSet()


def follow(slot: str, key: str) -> None:
    """Wait for the job of that key, and no longer for the one that this session had in the slot."""
    session, slots = _mine()
    if slots.get(slot) != key:
        leave(slot)
    slots[slot] = key
    with _LOCK:
        _WAITING.setdefault(key, set()).add(session)


def leave(slot: str) -> None:
    """Wait no longer for the job that this session has in the slot, if any."""
    session, slots = _mine()
    key = slots.pop(slot, None)
    if key is None:
        return
    with _LOCK:
        waiting = _WAITING.get(key, set())
        waiting.discard(session)
        if waiting:
            return
        _WAITING.pop(key, None)
        job = jobs().find(key)
        if job is not None and job.alive:
            _ABANDONED.add(job)
            job.cancel()


def _mine() -> tuple[str, dict[str, str]]:
    session = st.session_state.setdefault("relviz_session", uuid.uuid4().hex)
    return session, st.session_state.setdefault("relviz_slots", {})


def was_abandoned(job: Job[Any]) -> bool:
    """Whether the job was stopped because nobody waited, and not by a person."""
    with _LOCK:
        return job in _ABANDONED
