"""The runs of the Bootstrap page: one or two beside each other, what starts them, and what else goes on."""

from collections.abc import Mapping

import streamlit as st

import relviz
from relviz.compute.jobs import jobs
from relviz.compute.key import kind_of
from relviz.compute.task import Task
from relviz.results.bootstrap import bootstrap_task, rows_of
from relviz.results.comparison import Comparison
from relviz.results.run import KIND, RunRecord, record_of
from relviz.state import View
from relviz.state.solver_options import chosen_options
from relviz.state.view import MapChoices, Run
from relviz.ui import state
from relviz.ui.bootstrap.before import show_before
from relviz.ui.bootstrap.outcome import show_outcome
from relviz.ui.bootstrap.panel import show_panel
from relviz.ui.verbatim import verbatim

ABOUT = (
    "**Anchor optimization** discovers the anchors of A in B without knowing which rows correspond. It "
    "moves candidate anchors in B until both relative spaces match; matching rows are the correspondences "
    "it found. A **known pair** is an item whose counterpart in B is given. A handful is enough, and the "
    "annealed method needs none."
)


def show_runs(chosen: Run, comparison: Comparison, choices: MapChoices) -> None:
    """The chosen run, and the one beside it; what cannot be run says why."""
    runs = [run for run in (chosen, chosen.second()) if run is not None]
    tasks = [_task_or_reason(run, comparison.pair, comparison.sources) for run in runs]
    ready = [task for task in tasks if task is not None]
    _offer([task for task in ready if not _started(task)], len(ready))
    if not any(_started(task) for task in ready):
        show_before(chosen, comparison, choices)
        return
    columns = st.columns(len(tasks), gap="medium") if len(tasks) > 1 else [st.container()]
    for place, (run, task, column) in enumerate(zip(runs, tasks, columns, strict=True)):
        with column:
            if task is not None and _started(task):
                if len(tasks) > 1:
                    st.markdown(f"**{verbatim(task.title)}**")
                show_outcome(run, comparison, task, place)
                show_panel(run, comparison, choices, task, place, wide=len(tasks) == 1)


def has_started(run: Run, pair: relviz.Pair) -> bool:
    """Whether there is something to see of a run."""
    try:
        return _started(bootstrap_task(run, pair))
    except relviz.Error:
        return False


def show_others(run: Run, pair: relviz.Pair) -> None:
    """The visitor's own runs that go on while this page shows another; each can be opened."""
    shown = {bootstrap_task(one, pair).key for one in (run, run.second()) if one is not None}
    for job in jobs().running():
        link = job.link
        if job.key in shown or kind_of(job.key) != KIND or link is None:
            continue
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"Also running: {verbatim(link.words)} ({job.message})")
            st.button("Open", key=f"open {job.key}", on_click=_open, args=(link.params,))


def _open(params: Mapping[str, str]) -> None:
    there, _ = View.from_params(params)
    here = state.current()
    if (there.a, there.b) != (here.a, here.b):
        state.change(a=there.a, b=there.b, picks=(), method="uniform", run="")
    state.change(ao=there.ao)


def _task_or_reason(run: Run, pair: relviz.Pair, sources: tuple[str, str]) -> Task[RunRecord] | None:
    try:
        rows_of(run, pair.a.vectors, pair.labels)
        chosen_options(run.method, run.options)
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return None
    return bootstrap_task(run, pair, sources)


def _started(task: Task[RunRecord]) -> bool:
    """Whether there is something to see: it waits, runs, is kept, or broke off."""
    job = task.job()
    return (job is not None and job.state != "done") or record_of(task) is not None


def _offer(idle: list[Task[RunRecord]], many: int) -> None:
    if not idle:
        return
    if state.is_guest():
        st.caption("This run has not been computed.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        words = "Run" if len(idle) == 1 else "Run both"
        st.button(words, type="primary", icon=":material/play_arrow:", on_click=_start, args=(idle,))
        titles = " · ".join(task.title for task in idle)
        st.caption(titles if many == len(idle) else f"not run yet: {titles}", width="content")
        with st.popover("How it works", icon=":material/school:", type="tertiary"):
            st.markdown(ABOUT)


def _start(idle: list[Task[RunRecord]]) -> None:
    for task in idle:
        task.result_or_job()
