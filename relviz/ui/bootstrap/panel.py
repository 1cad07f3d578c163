"""One run on screen, live or from the store: its state, controls, map, curves and matches."""

import html
import time
from collections.abc import Collection
from typing import TypeVar

import numpy as np
import streamlit as st

import relviz
from relviz.compute.jobs import Job
from relviz.compute.task import Task
from relviz.figures.panes import match_colors
from relviz.figures.pictures import pictures_of
from relviz.plotting.colors import OKABE_ITO
from relviz.results.comparison import Comparison
from relviz.results.replay import Replay, Snapshot
from relviz.results.run import RunRecord, record_of
from relviz.state.view import Run
from relviz.ui.bootstrap.curves import show_curves
from relviz.ui.job_view import run_again
from relviz.ui.linked_map import MapEvent, Pane
from relviz.ui.maps import show_map
from relviz.ui.verbatim import verbatim
from relviz.wording import count

T = TypeVar("T")

MOVE_MS = 350
"""Shorter than the time between two looks at a run, so that points arrive before they move on."""
MOST_STARS = 60
"""Of more anchors, some are drawn: stars must not cover the map."""


def show_run_map(
    comparison: Comparison, record: RunRecord, shown: Snapshot, place: int, wide: bool, known: bool
) -> MapEvent:
    """Two panes in the same axes: A, and B as of a step. Seeds are stars, discovered anchors hollow ones."""
    pair = comparison.pair
    n = len(pair)
    said = f"{count(n)} rows", f"relative to {count(len(record.anchors))} anchors", "PCA axes of A"
    panes = [
        Pane(
            f"A · {pair.a.name}",
            record.places,
            [(*said, f"{record.explained:.0%} of variance")],
            group=0,
        ),
        Pane(
            f"B · {pair.b.name}",
            shown.places,
            [(*said, f"step {shown.step + 1} of {record.replay.planned}")],
            group=0,
        ),
    ]
    colors = None
    if known:
        colored = st.segmented_control(
            "Color",
            ["Class", "Right or wrong"],
            default="Class",
            key=f"ao_color_{place}",
            label_visibility="collapsed",
        )
        colors = match_colors(shown.matches) if colored == "Right or wrong" else None
    others = len(record.anchors) - len(record.seeds)
    most = MOST_STARS if wide else MOST_STARS // 3
    event = show_map(
        pair,
        panes,
        record.seeds.numpy(),
        f"ao_map_{place}",
        pictures_of(*comparison.sources),
        colors,
        anchors_shown=True,
        height=560 if wide else 520,
        discovered=record.discovered_at(shown, most),
        move_ms=MOVE_MS,
    )
    some = f"{count(min(most, others))} of the {count(others)} other anchors"
    st.caption(
        f"★ known pairs, ☆ rows of B currently matched with {some}. A is fixed and B moves. Where the maps "
        "agree, so do the spaces."
    )
    return event


SHOWN = 24
LONGEST = 60
RIGHT, WRONG = OKABE_ITO[2], OKABE_ITO[4]
STYLE = (
    "<style>.ao-matches{display:grid;grid-template-columns:1.2em 1fr 1.2em 1fr;gap:.15rem .4rem;"
    "font-size:.875rem;max-height:400px;overflow:auto;align-items:baseline}"
    ".ao-matches span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}"
    f".ao-right{{color:{RIGHT}}}.ao-wrong{{color:{WRONG}}}.ao-arrow{{opacity:.6}}</style>"
)
WHICH = {"some": "A sample", "right": "Right", "wrong": "Wrong"}


def show_matches(
    record: RunRecord, pair: relviz.Pair, shown: Snapshot, event: MapEvent, place: int, known: bool
) -> None:
    """Some of the matches: of the items selected on the map, else of the same sample at every step."""
    right = shown.matches == np.arange(len(shown.matches)) if known else None
    accuracy = record.replay.curve("accuracy")[shown.step]
    measured = (
        f", {accuracy:.1%} right among fitted items, known pairs excluded" if np.isfinite(accuracy) else ""
    )
    st.markdown("**Matches** A ↔ B" + (measured if known else ""))
    which = "some"
    if known and not len(event.selected):
        chosen = st.segmented_control(
            "Which",
            list(WHICH),
            format_func=WHICH.__getitem__,
            default="some",
            key=f"ao_which_{place}",
            label_visibility="collapsed",
        )
        which = chosen or "some"
    rows = shown_rows(np.flatnonzero(shown.matches >= 0), event.selected, right, which)
    held_out = set(record.held_out.tolist())
    st.html(matches_html(pair, rows, shown.matches, record.seeds.numpy(), known, held_out))
    if len(event.selected):
        st.caption(f"{count(len(rows))} of {count(len(event.selected))} items selected on the map")
    elif not len(rows):
        st.caption(f"No match is {which}.")
    else:
        st.caption(f"{count(len(rows))} of {count(len(pair))}. Select items on the map to see their matches")


def shown_rows(matched: np.ndarray, selected: np.ndarray, right: np.ndarray | None, which: str) -> np.ndarray:
    """Rows of A whose match is listed, out of those that have one."""
    if len(selected):
        return selected[np.isin(selected, matched)][:SHOWN]
    order = np.random.default_rng(0).permutation(matched)
    if which != "some" and right is not None:
        order = order[right[order] == (which == "right")]
    return np.sort(order[:SHOWN])


def matches_html(
    pair: relviz.Pair,
    rows: np.ndarray,
    matches: np.ndarray,
    seeds: np.ndarray,
    known: bool,
    held_out: Collection[int] = (),
) -> str:
    """A grid of matches; texts are shown letter by letter, rows held out say so when pointed at."""
    given = set(seeds.tolist())
    lines = "".join(_line(pair, row, matches, given, known, row in held_out) for row in rows)
    return STYLE + f'<div class="ao-matches">{lines}</div>'


def _line(
    pair: relviz.Pair, row: int, matches: np.ndarray, given: set[int], known: bool, held_out: bool
) -> str:
    match = int(matches[row])
    kind, sign = ("right", "✓") if match == row else ("wrong", "✗")
    color, word = (f" class='ao-{kind}'", kind) if known else ("", "")
    if row in given:
        sign, word = "★", f"known pair {word}".strip()
    elif not known:
        sign = ""
    if held_out:
        word = f"{word} (held out)".strip()
    mark = f'<span{color} title="{word}">{sign}</span>'
    a, b = (_item(pair.items[one]) for one in (row, match))
    return f'{mark}{a}<span class="ao-arrow">↔</span>{b}'


def _item(text: str) -> str:
    short = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return f'<span title="{html.escape(text[:600])}">{html.escape(short)}</span>'


POLL_SECONDS = 0.4
REPLAY_SECONDS = 12.0
"""How long a replay takes, whatever the number of steps."""


def show_panel(run: Run, comparison: Comparison, task: Task[RunRecord], place: int, wide: bool) -> None:
    """Draw a run; while it goes on or is replayed, this part of the page is drawn again and again."""
    job = task.job()
    alive = job is not None and job.alive
    moving = alive or _replay_began(place, task.key) is not None
    panel = st.fragment(_panel, run_every=POLL_SECONDS if moving else None)
    panel(run, comparison, task, place, wide, alive)


def _panel(
    run: Run, comparison: Comparison, task: Task[RunRecord], place: int, wide: bool, was_alive: bool
) -> None:
    job, record = task.job(), record_of(task)
    alive = job is not None and job.alive
    if was_alive and not alive:
        st.rerun()
    _show_state(job, record)
    _show_controls(job, task, record, place)
    if record is None or not record.replay.steps:
        st.caption("Waiting for the first step." if alive else "No step was computed.")
        return
    step = _show_scrubber(record.replay, place, task.key, alive)
    shown = record.replay.at(step)
    assert shown is not None
    pair = comparison.pair
    event = show_run_map(comparison, record, shown, place, wide, run.known)
    if wide:
        curves, matches = st.columns([3, 2], gap="large")
        with curves:
            show_curves(record, step, place, run.known)
        with matches:
            show_matches(record, pair, shown, event, place, run.known)
    else:
        show_curves(record, step, place, run.known)
        show_matches(record, pair, shown, event, place, run.known)


def _show_state(job: Job[T] | None, record: RunRecord | None) -> None:
    """How it stands, in a line with a bar; why it failed, if it did."""
    taken = "" if record is None else f"step {record.replay.steps} of {record.replay.planned}"
    if job is None or job.state == "done":
        return
    if job.state == "failed":
        st.error(f"Failed: {verbatim(job.error)}", icon=":material/error:")
    elif job.state == "canceled":
        st.info(f"Canceled after {taken or 'no step'}.", icon=":material/cancel:")
    else:
        st.progress(job.fraction or 0.0, text=_words(job))


def _words(job: Job[T]) -> str:
    spent = f"{job.seconds:.0f} s"
    if job.canceling:
        return "Stopping"
    if job.state == "paused" and job.pausing:
        return f"Paused after {job.message} ({spent})"
    if job.pausing:
        return f"Pausing: {job.message}"
    if job.started is None:
        return "Queued"
    left = "" if job.seconds_left is None else f", about {job.seconds_left:.0f} s left"
    return f"{job.message.capitalize()} ({spent}{left})"


def _show_controls(job: Job[T] | None, task: Task[RunRecord], record: RunRecord | None, place: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if job is not None and job.alive:
            _show_live_controls(job, place)
            return
        if job is not None and job.state != "done":
            again, icon = f"ao_again_{place}", ":material/restart_alt:"
            if st.button("Run again", key=again, icon=icon, on_click=run_again, args=(task,)):
                st.rerun()
        if record is None or not record.replay.steps:
            return
        if _replay_began(place, task.key) is None:
            words, icon, act = "Replay", ":material/replay:", lambda: _replay(place, task.key)
        else:
            words, icon, act = "Stop replay", ":material/stop:", lambda: _end_replay(place)
        if st.button(words, key=f"ao_replay_{place}", icon=icon, on_click=act):
            st.rerun()  # drawn alone, this part of the page does not change how often it is drawn


def _show_live_controls(job: Job[T], place: int) -> None:
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
            help="Another visitor also waits for this run, so it continues." if job.shared else None,
        )
    st.button(
        "Cancel",
        key=f"ao_cancel_{place}",
        icon=":material/close:",
        on_click=job.cancel,
        disabled=job.canceling,
    )


def _show_scrubber(replay: Replay, place: int, key: str, alive: bool) -> int:
    """The step to show: the newest while that is followed, where the replay is, else the one chosen."""
    slider, follow = f"ao_step_{place}", f"ao_follow_{place}"
    followed, of_run = f"ao_followed_{place}", f"ao_of_{place}"
    state = st.session_state
    last = replay.steps
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
    most = max(replay.planned if alive else last, 2)
    with st.container(horizontal=True, vertical_alignment="center"):
        # What moves by itself cannot be dragged: a browser a moment behind would seem to drag it back.
        st.slider("Step", 1, most, key=slider, disabled=following or replayed is not None)
        if alive:
            state[follow] = following
            st.toggle(
                "Follow", key=follow, help="Show the newest step. Off: look back while the run continues."
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
