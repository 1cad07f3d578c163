"""One run on screen, live or from the store: its state, its controls, its map, its curves, its matches."""

import time
from typing import Any

import streamlit as st

import relviz
from relviz.compute.jobs import Job
from relviz.compute.task import Task
from relviz.ui.job_view import run_again
from relviz.ui.run.curves import show_curves
from relviz.ui.run.map import show_run_map
from relviz.ui.run.matches import show_matches
from relviz.ui.verbatim import verbatim
from relviz.view import View
from relviz.view.found import reel_of
from relviz.view.reel import Reel
from relviz.view.run import Run

POLL_SECONDS = 0.4
REPLAY_SECONDS = 12.0
"""How long a replay takes, whatever the number of steps."""


def show_panel(view: View, run: Run, pair: relviz.Pair, task: Task, place: int, wide: bool) -> None:
    """Draw a run; while it goes on or is replayed, this part of the page is drawn again and again."""
    job = task.job()
    alive = job is not None and job.alive
    moving = alive or _replay_began(place, task.key) is not None
    st.fragment(_panel, run_every=POLL_SECONDS if moving else None)(view, run, pair, task, place, wide, alive)


def _panel(
    view: View, run: Run, pair: relviz.Pair, task: Task, place: int, wide: bool, was_alive: bool
) -> None:
    job, reel = task.job(), reel_of(task)
    alive = job is not None and job.alive
    if was_alive and not alive:
        st.rerun()
    _show_state(job, reel)
    _show_controls(job, task, reel, place)
    if reel is None or not reel.frames:
        st.caption("The first step has not been taken yet." if alive else "No step was taken.")
        return
    step = _show_scrubber(reel, place, task.key, alive)
    frame = reel.frame_at(step)
    assert frame is not None
    event = show_run_map(view, run, pair, reel, frame, place, wide)
    if wide:
        curves, matches = st.columns([3, 2], gap="large")
        with curves:
            show_curves(run, reel, step, place)
        with matches:
            show_matches(run, pair, reel, frame, event, place)
    else:
        show_curves(run, reel, step, place)
        show_matches(run, pair, reel, frame, event, place)


def _show_state(job: Job[Any] | None, reel: Reel | None) -> None:
    """How it stands, in a line with a bar; why it failed, if it did."""
    taken = "" if reel is None else f"step {reel.steps} of {reel.of}"
    if job is None or job.state == "done":
        return
    if job.state == "failed":
        st.error(f"It did not work: {verbatim(job.error)}", icon=":material/error:")
    elif job.state == "cancelled":
        st.info(f"Cancelled after {taken or 'no step'}.", icon=":material/cancel:")
    else:
        st.progress(job.fraction or 0.0, text=_words(job))


def _words(job: Job[Any]) -> str:
    spent = f"{job.seconds:.0f} s"
    if job.cancelling:
        return "Stopping"
    if job.state == "paused" and job.pausing:
        return f"Paused after {job.message} ({spent})"
    if job.pausing:
        return f"Pausing: {job.message}"
    if job.started is None:
        return "Waiting for the device, which another run is using"
    left = "" if job.seconds_left is None else f", about {job.seconds_left:.0f} s left"
    return f"{job.message.capitalize()} ({spent}{left})"


def _show_controls(job: Job[Any] | None, task: Task, reel: Reel | None, place: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if job is not None and job.alive:
            _show_live_controls(job, place)
            return
        if job is not None and job.state != "done":
            again, icon = f"ao_again_{place}", ":material/restart_alt:"
            if st.button("Run again", key=again, icon=icon, on_click=run_again, args=(task,)):
                st.rerun()
        if reel is None or not reel.frames:
            return
        if _replay_began(place, task.key) is None:
            words, icon, act = "Replay", ":material/replay:", lambda: _replay(place, task.key)
        else:
            words, icon, act = "Stop the replay", ":material/stop:", lambda: _end_replay(place)
        if st.button(words, key=f"ao_replay_{place}", icon=icon, on_click=act):
            st.rerun()  # drawn alone, this part of the page does not change how often it is drawn


def _show_live_controls(job: Job[Any], place: int) -> None:
    if job.pausing:
        st.button(
            "Resume",
            key=f"ao_resume_{place}",
            icon=":material/play_arrow:",
            on_click=job.resume,
            type="primary",
        )
        st.button("Step", key=f"ao_one_{place}", icon=":material/skip_next:", on_click=job.step)
    else:
        st.button(
            "Pause",
            key=f"ao_pause_{place}",
            icon=":material/pause:",
            on_click=job.pause,
            disabled=job.shared,
            help="Another visitor waits for this run too, so it goes on." if job.shared else None,
        )
    st.button(
        "Cancel",
        key=f"ao_cancel_{place}",
        icon=":material/close:",
        on_click=job.cancel,
        disabled=job.cancelling,
    )


def _show_scrubber(reel: Reel, place: int, key: str, alive: bool) -> int:
    """The step to show: the newest while that is followed, where the replay is, else the one chosen."""
    slider, follow = f"ao_step_{place}", f"ao_follow_{place}"
    followed, of_run = f"ao_followed_{place}", f"ao_of_{place}"
    state = st.session_state
    last = reel.steps
    if state.get(of_run) != key:  # another run than before: from its newest step on
        state[of_run], state[slider], state[follow] = key, last, True
    replayed = _replay_began(place, key)
    if replayed is not None:
        passed = (time.monotonic() - replayed) / min(REPLAY_SECONDS, POLL_SECONDS * last + 1)
        state[slider] = min(last, 1 + int(passed * last))
        if passed >= 1:
            _end_replay(place)
            st.rerun()
    following = alive and bool(state.get(follow, True))
    if following or (state.get(followed) and replayed is None):
        state[slider] = last  # also once more when it has ended: steps may have come since
    state[followed] = following
    state[slider] = min(state.get(slider, last), last)
    most = max(reel.of if alive else last, 2)
    with st.container(horizontal=True, vertical_alignment="center"):
        # What moves by itself cannot be dragged: a browser a moment behind would seem to drag it back.
        st.slider("Step", 1, most, key=slider, disabled=following or replayed is not None)
        if alive:
            state[follow] = following
            st.toggle(
                "Follow", key=follow, help="Show the newest step. Off: look back while the run goes on."
            )
    return int(min(state[slider], last)) - 1


def _replay_began(place: int, key: str) -> float | None:
    """When the replay of a run began; None if it is not replayed."""
    of, began = st.session_state.get(f"ao_replayed_{place}", (None, 0.0))
    return began if of == key else None


def _replay(place: int, key: str) -> None:
    st.session_state[f"ao_replayed_{place}"] = (key, time.monotonic())


def _end_replay(place: int) -> None:
    st.session_state.pop(f"ao_replayed_{place}", None)
