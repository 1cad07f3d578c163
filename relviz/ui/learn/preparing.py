"""Prepare a lecture: which stories are ready, and a button that computes what is missing."""

import time
from collections.abc import Sequence

import streamlit as st

from relviz.results.stories.prepare import missing_of, prepare, tasks_of_stories
from relviz.stories import Story
from relviz.ui.job_view import leave, result_or_progress
from relviz.ui.learn.place import Place
from relviz.ui.verbatim import verbatim
from relviz.wording import plural

SLOT, BEGUN, CHOSEN = "learn_prepare", "learn_prepare_begun", "learn_prepare_stories"


def show_prepare(every: Sequence[Story]) -> None:
    """Show what is ready, and compute the rest when asked to."""
    st.button("All stories", icon=":material/arrow_back:", on_click=_back)
    st.title("Prepare a lecture")
    st.caption("Computes all that the stories will show, so that every step opens at once. Leave it open.")
    names = {one.name: f"{at}. {one.title}" for at, one in enumerate(every, 1)}
    chosen = st.multiselect(
        "Stories", list(names), list(names), format_func=lambda name: verbatim(names[name]), key=CHOSEN
    )
    wanted = [one for one in every if one.name in chosen]
    missing = missing_of(tasks_of_stories(wanted))
    if not wanted:
        leave(SLOT)
        return
    if not missing:
        leave(SLOT)
        steps = sum(len(one.steps) for one in wanted)
        st.success(f"Ready: {plural(steps, 'step')} will open at once.", icon=":material/check:")
        return
    st.write(f"{plural(len(missing), 'picture')} to compute: {', '.join(one.title for one in missing)}.")
    begun = st.session_state.get(BEGUN)
    if begun is None or st.session_state.get("learn_prepare_of") != chosen:
        leave(SLOT)
        st.button("Prepare", type="primary", icon=":material/play_arrow:", on_click=_begin)
        return
    result_or_progress(SLOT, prepare(tasks_of_stories(wanted), begun=begun))


def _begin() -> None:
    st.session_state[BEGUN] = time.time_ns()
    st.session_state["learn_prepare_of"] = list(st.session_state[CHOSEN])


def _back() -> None:
    leave(SLOT)
    st.query_params.from_dict(Place().params())
