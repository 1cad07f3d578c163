"""The maps of the comparison, and the projections that have to be run for them."""

import numpy as np
import streamlit as st

import relviz
from relviz.compute.task import Task
from relviz.ui.job_view import show_job
from relviz.ui.maps import map_figure
from relviz.ui.panes import row_panes
from relviz.ui.wording import PROJECTIONS
from relviz.view import View
from relviz.view.results import anchors_of

CHART = {"scrollZoom": True, "displaylogo": False, "toImageButtonOptions": {"format": "svg"}}


def show_maps(view: View, pair: relviz.Pair) -> None:
    """Absolute spaces over relative ones, A beside B; slow projections on demand."""
    rows = [row_panes(view, pair, row) for row in ("absolute", "relative")]
    _offer([task for _, task in rows if task], PROJECTIONS[view.projection])
    try:
        anchors = anchors_of(view, pair).numpy()
    except relviz.Error:
        anchors = np.empty(0, dtype=np.int64)
    figure = map_figure([pane for panes, _ in rows for pane in panes], pair.items, pair.labels, anchors)
    st.plotly_chart(figure, key="maps", config=CHART, alt="Maps of both spaces, absolute above relative")
    if pair.labels is None:
        st.caption(
            "There are no classes, so colour is the place along the first axis of the first map: "
            "follow it from map to map."
        )
    if view.projection in ("tsne", "umap"):
        st.caption(
            f"{PROJECTIONS[view.projection]} keeps neighbours together; how far apart clusters lie, "
            "and how large they are, means little."
        )


def _offer(tasks: list[Task], name: str) -> None:
    """Progress of the tasks that run, and the button for those that do not."""
    jobs = [(task, task.job()) for task in tasks]
    if any(job is not None and job.state == "done" and task.kept() for task, job in jobs):
        st.rerun()  # it ended after the maps above were looked for
    idle = [task for task, job in jobs if job is None or job.state == "done"]
    for task, job in jobs:
        if job is not None and job.state != "done":
            show_job(job, task)
    if idle:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.info(f"PCA is shown: {name} of these spaces has not been run yet.", icon=":material/schedule:")
            st.button(f"Run {name}", type="primary", on_click=_start, args=(idle,))


def _start(tasks: list[Task]) -> None:
    for task in tasks:
        task.result_or_job()
