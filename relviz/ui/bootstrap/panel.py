"""One run on screen, live or from the store: its state, map, controls, and what is told of it below."""

import time
from typing import TypeVar

import streamlit as st

from relviz.compute.jobs import Job
from relviz.compute.task import Task
from relviz.figures.panes import match_colors
from relviz.figures.pictures import pictures_of
from relviz.results.comparison import Comparison
from relviz.results.replay import Replay, Snapshot
from relviz.results.run import RunRecord, record_of
from relviz.state.view import MapChoices, Run
from relviz.ui.bootstrap.before import show_before, show_run_examples
from relviz.ui.bootstrap.curves import show_curves
from relviz.ui.bootstrap.matches import show_matches
from relviz.ui.bootstrap.outcome import offer_files, show_evaluation
from relviz.ui.job_view import offer_to_keep, poll_seconds, queue_words, run_again
from relviz.ui.linked_map import MapEvent, Pane
from relviz.ui.maps import show_map
from relviz.ui.verbatim import verbatim
from relviz.wording import count

T = TypeVar("T")

MOVE_MS = 350
"""Shorter than the time between two looks at a run, so that points arrive before they move on."""
BELOW = 272
"""Pixels of the first screen under the map: the steps, and the first of what is below."""
MOST_STARS = 60
"""Of more anchors, some are drawn: stars must not cover the map."""


def show_run_map(
    comparison: Comparison, record: RunRecord, shown: Snapshot, place: int, wide: bool, right: bool
) -> MapEvent:
    """Two panes in the same axes: A, and B as of a step. Seeds are stars, discovered anchors hollow ones.

    Items are colored by class, or by whether their match is ``right``.
    """
    pair = comparison.pair
    n = len(pair)
    subtitles = f"{count(n)} rows", f"relative to {count(len(record.anchors))} anchors"
    panes = [
        Pane(
            f"A · {pair.a.name}",
            record.places,
            [(*subtitles, f"PCA of A, {record.explained:.0%} of variance")],
            group=0,
        ),
        Pane(
            f"B · {pair.b.name}",
            shown.places,
            [(*subtitles, "axes of A", f"step {shown.step + 1} of {record.replay.planned}")],
            group=0,
        ),
    ]
    most = MOST_STARS if wide else MOST_STARS // 3
    return show_map(
        pair,
        panes,
        record.seeds.numpy(),
        f"ao_map_{place}",
        pictures_of(*comparison.sources),
        match_colors(shown.matches) if right else None,
        anchors_shown=True,
        height=560 if wide else 520,
        star_name="known pairs",
        below=BELOW,
        discovered=record.discovered_at(shown, most),
        discovered_in_all=len(record.anchors) - len(record.seeds),
        move_ms=MOVE_MS,
    )


TABS = ("Examples", "Matches", "Curves", "Retrieval")
CLASS, RIGHT_OR_WRONG = "Class", "Right or wrong"
POLL_SECONDS = 0.4
REPLAY_SECONDS = 12.0
"""How long a replay takes, whatever the number of steps."""


def show_panel(
    run: Run, comparison: Comparison, choices: MapChoices, task: Task[RunRecord], place: int, wide: bool
) -> None:
    """Draw a run; while it goes on or is replayed, this part of the page is drawn again and again."""
    job = task.job()
    alive = job is not None and job.alive
    moving = alive or _replay_began(place, task.key) is not None
    panel = st.fragment(_panel, run_every=poll_seconds(POLL_SECONDS) if moving else None)
    panel(run, comparison, choices, task, place, wide, alive)


def _panel(
    run: Run,
    comparison: Comparison,
    choices: MapChoices,
    task: Task[RunRecord],
    place: int,
    wide: bool,
    was_alive: bool,
) -> None:
    job, record = task.job(), record_of(task)
    alive = job is not None and job.alive
    if was_alive and not alive:
        st.rerun()
    _show_state(job, task, record, place)
    if record is None or not record.replay.steps:
        if alive:
            show_before(run, comparison, choices, place)
        else:
            st.caption("No step was computed.")
        return
    map_above = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        if not alive:
            _offer_replay(task, place)
        step = _show_scrubber(record.replay, place, task.key, alive)
        right = run.known and _choose_color(place) == RIGHT_OR_WRONG
        if not alive and record.result is not None:
            offer_files(run, comparison.pair, record, place)
    shown = record.replay.at(step)
    assert shown is not None
    with map_above:
        event = show_run_map(comparison, record, shown, place, wide, right)
    for name, tab in zip(TABS, st.tabs(TABS, key=f"ao_tab_{place}", on_change="rerun"), strict=True):
        if not tab.open:
            continue
        with tab:
            match name:
                case "Examples":
                    steps = record.replay.steps if record.result is not None else 0
                    show_run_examples(run, comparison, len(record.seeds), shown, steps, place)
                case "Matches":
                    show_matches(record, comparison, shown, event, place, run.known)
                case "Curves":
                    show_curves(record, step, place, run.known)
                case "Retrieval":
                    show_evaluation(run, record)


def _choose_color(place: int) -> str:
    chosen = st.segmented_control(
        "Color",
        [CLASS, RIGHT_OR_WRONG],
        default=CLASS,
        key=f"ao_color_{place}",
        label_visibility="collapsed",
        width="content",
    )
    return chosen or CLASS


def _show_state(job: Job[T] | None, task: Task[RunRecord], record: RunRecord | None, place: int) -> None:
    """How it stands, in a line with a bar and what can be done; why it failed, if it did."""
    taken = "" if record is None else f"step {record.replay.steps} of {record.replay.planned}"
    if job is None or job.state == "done":
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if job.alive:
            st.progress(job.fraction or 0.0, text=_words(job))
            if job.mine:
                _show_live_controls(job, place)
            return
        if job.state == "failed":
            st.error(f"Failed: {verbatim(job.error)}", icon=":material/error:")
        else:
            st.info(f"Canceled after {taken or 'no step'}.", icon=":material/cancel:")
        if not job.mine:
            return
        again, icon = f"ao_again_{place}", ":material/restart_alt:"
        if st.button("Run again", key=again, icon=icon, type="primary", on_click=run_again, args=(task,)):
            st.rerun()


def _words(job: Job[T]) -> str:
    spent = f"{job.seconds:.0f} s"
    if job.canceling:
        return "Stopping"
    if job.state == "paused" and job.pausing:
        return f"Paused after {job.message} ({spent})"
    if job.pausing:
        return f"Pausing: {job.message}"
    if job.started is None:
        return queue_words(job).capitalize()
    left = "" if job.seconds_left is None else f", about {job.seconds_left:.0f} s left"
    return f"{job.message.capitalize() or 'Starting'} ({spent}{left})"


def _offer_replay(task: Task[RunRecord], place: int) -> None:
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
            help="Another visitor is waiting for this run too, so it continues." if job.shared else None,
        )
    st.button(
        "Cancel",
        key=f"ao_cancel_{place}",
        icon=":material/close:",
        on_click=job.cancel,
        disabled=job.canceling,
    )
    offer_to_keep(job, str(place))


def _show_scrubber(replay: Replay, place: int, key: str, alive: bool) -> int:
    """The step to show: the newest while that is followed, where the replay is, else the one chosen.

    The state of a widget is set only where it changes: what is set goes back to the browser, where a reader
    may have moved the widget on since.
    """
    slider, follow = f"ao_step_{place}", f"ao_follow_{place}"
    followed, of_run, drawn = f"ao_followed_{place}", f"ao_of_{place}", f"ao_most_{place}"
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
    most = max(replay.planned if alive else last, 2)
    step = min(state.get(slider, last), last)
    if step != state.get(slider) or most != state.get(drawn):  # with other limits, the slider is another
        state[slider], state[drawn] = step, most
    # What moves by itself cannot be dragged: a browser a moment behind would seem to drag it back.
    st.slider(
        "Step",
        1,
        most,
        key=slider,
        format="step %d",
        disabled=following or replayed is not None,
        label_visibility="collapsed",
    )
    if alive:
        state.setdefault(follow, True)
        st.toggle(
            "Follow", key=follow, help="Show the latest step. Turn off to look back while the run continues."
        )
    return int(step) - 1


def _replay_began(place: int, key: str) -> float | None:
    """When the replay of a run began; None if it is not replayed."""
    of, began = st.session_state.get(f"ao_replayed_{place}", (None, 0.0))
    return began if of == key else None


def _replay(place: int, key: str) -> None:
    st.session_state[f"ao_replayed_{place}"] = (key, time.monotonic())


def _end_replay(place: int) -> None:
    st.session_state.pop(f"ao_replayed_{place}", None)
