"""Which sessions wait for which job: work that nobody waits for any more is stopped.

A session that ends without another word, a closed browser, leaves its jobs to finish.
"""

import threading
import uuid

import streamlit as st

from relviz.compute.jobs import jobs

_LOCK = threading.Lock()
_WAITING: dict[str, set[str]] = {}
_ABANDONED: set[str] = set()


def follow(slot: str, key: str) -> None:
    """Wait for the job of that key, and no longer for the one that this session had in the slot."""
    session = st.session_state.setdefault("relviz_session", uuid.uuid4().hex)
    slots: dict[str, str] = st.session_state.setdefault("relviz_slots", {})
    before = slots.get(slot)
    slots[slot] = key
    with _LOCK:
        _WAITING.setdefault(key, set()).add(session)
        if before is None or before == key:
            return
        waiting = _WAITING.get(before, set())
        waiting.discard(session)
        if waiting:
            return
        _WAITING.pop(before, None)
        job = jobs().find(before)
        if job is not None and job.alive:
            _ABANDONED.add(before)
            job.cancel()


def was_abandoned(key: str) -> bool:
    """Whether the job was stopped because nobody waited, and not by a person; asking clears it."""
    with _LOCK:
        known = key in _ABANDONED
        _ABANDONED.discard(key)
        return known
