"""Encoding: the button, the jobs while they run, and what can be done with the spaces they make."""

from collections.abc import Iterable

import streamlit as st

import relviz
from relviz.compute.jobs import jobs
from relviz.compute.task import Task
from relviz.items import Items
from relviz.results.encoding import Chosen, encoding_task
from relviz.state.owners import claim
from relviz.state.shelf import shelf_of, shelf_with
from relviz.state.sources import KeptSpace, open_pair, open_space
from relviz.state.stored import check_left
from relviz.ui import state
from relviz.ui.job_view import show_job, start
from relviz.ui.names import space_shown
from relviz.ui.pair_view import choose_pair
from relviz.ui.verbatim import verbatim
from relviz.wording import count, plural


def encode(items: Items, chosen: list[Chosen], sides: tuple[str, str]) -> list[str]:
    """Encode the items by every encoder chosen, and show how far it is; gives what is shown of it.

    ``sides`` are the sources that are A and B by now.
    """
    try:
        tasks = [encoding_task(items, one) for one in chosen]
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return []
    if len(items) < 2:
        st.info("There is one item. A space needs at least two.", icon=":material/info:")
        return []
    idle = [task for task in tasks if not _started(task)]
    if idle:
        words = f"Encode with {plural(len(idle), 'encoder')}"
        st.button(words, type="primary", icon=":material/play_arrow:", on_click=_start, args=(idle,))
    shown = [task for task in tasks if _started(task)]
    for task in shown:
        job = task.job()
        if not _is_stored(task) and job is not None:
            show_job(job, task)
    _offer(sides, [task.key for task in shown if _is_stored(task)])
    return [task.key for task in shown]


def show_others(shelf: Iterable[str], shown: list[str]) -> None:
    """Spaces of the shelf that are still being made, and are not shown above."""
    for one in shelf_of(shelf):
        job = jobs().find(one.source) if one.problem and one.source not in shown else None
        if job is not None and job.alive:
            show_job(job)


def _started(task: Task[KeptSpace]) -> bool:
    job = task.job()
    return _is_stored(task) or (job is not None and job.state != "done")  # done, and thrown out since: idle


def _is_stored(task: Task[KeptSpace]) -> bool:
    try:
        open_space(task.key)
    except relviz.Error:
        return False
    return True


def _start(tasks: list[Task[KeptSpace]]) -> None:
    try:
        shelf = shelf_with(state.current().shelf, *(task.key for task in tasks))
        check_left(plural(len(tasks), "embedding"))
    except relviz.Error as reason:
        state.toast(verbatim(reason), icon=":material/error:")
        return
    for task in tasks:
        claim(task.key)
        start(task)
    state.change(shelf=shelf)


def _offer(sides: tuple[str, str], made: list[str]) -> None:
    """What was made, and the next step."""
    for source in made:
        space = space_shown(source)
        st.success(
            f"{verbatim(space.name)}: {count(len(space))} rows, dimension {space.dimension}, on the shelf.",
            icon=":material/check_circle:",
        )
    with st.container(horizontal=True):
        if len(made) > 1:
            _offer_pair(sides, made[0], made[1])
        for source in made if len(made) == 1 else ():
            for side, pair in (("A", (source, sides[1])), ("B", (sides[0], source))):
                st.button(f"Make it {side}", on_click=choose_pair, args=pair, disabled=pair[0] == pair[1])
    if made:
        st.page_link("pages/shelf.py", label="All spaces on the shelf", icon=":material/shelves:")


def _offer_pair(sides: tuple[str, str], a: str, b: str) -> None:
    if sides == (a, b):
        st.page_link("pages/compare.py", label="Compare these two", icon=":material/compare:")
        return
    if st.button("Compare these two", type="primary", icon=":material/compare:"):
        open_pair(a, b)
        choose_pair(a, b)
        st.switch_page("pages/compare.py")
