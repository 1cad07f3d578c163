"""Training, where autoencoders are not there yet: a button, the error as it falls, what is seen so far."""

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st
import torch

from relviz.compute.jobs import Job, jobs
from relviz.compute.task import Task
from relviz.ui.decode.strip import show_strip
from relviz.ui.job_view import POLL_SECONDS, show_job, start
from relviz.view import View
from relviz.view.autoencoders import Two, missing_tasks, two_of
from relviz.view.image_sets import ImageSet
from relviz.wording import plural


def models_or_training(view: View, images: ImageSet) -> Two | None:
    """The autoencoders of the view; while they are not there, what it takes to have them, and None."""
    two = two_of(view.de, images)
    if two is not None:
        return two
    tasks = missing_tasks(view.de, images)
    begun = [task for task in tasks if (job := task.job()) is not None and job.state != "done"]
    if not begun:
        st.info(
            f"{plural(len(tasks), 'autoencoder')} of this kind are not trained yet: absolute and relative "
            "codes, two seeds. About half a minute each on one core.",
            icon=":material/model_training:",
        )
        st.button(
            f"Train {plural(len(tasks), 'autoencoder')}",
            type="primary",
            icon=":material/play_arrow:",
            on_click=_start,
            args=(tasks,),
        )
        return None
    for task in begun:
        job = task.job()
        assert job is not None
        show_job(job, task)
    running = next(
        (job for task in begun if (job := task.job()) is not None and job.state == "running"), None
    )
    if running is not None:
        watch_training(running.key)
    return None


def _start(tasks: list[Task]) -> None:
    for task in tasks:
        start(task)


@st.fragment(run_every=2 * POLL_SECONDS)
def watch_training(key: str) -> None:
    """The error so far, and the watched images as they are reconstructed by now."""
    job: Job[str] | None = jobs().find(key)
    if job is None:
        return
    reports = job.history
    errors = [report.data["mse"] for report in reports if "mse" in report.data]
    pictures = [report.data["pictures"] for report in reports if "pictures" in report.data]
    if errors:
        st.plotly_chart(error_figure(errors), key=f"errors {key}", alt="Error over the training so far")
    if pictures:
        show_strip(torch.from_numpy(pictures[-1]), "Test images as they are reconstructed by now")


def error_figure(errors: Sequence[float]) -> go.Figure:
    """Mean squared error over the reports of a training."""
    figure = go.Figure(go.Scatter(y=list(errors), mode="lines", hovertemplate="%{y:.4f}<extra></extra>"))
    figure.update_layout(
        height=200,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        xaxis={"title": "report", "rangemode": "tozero"},
        yaxis={"title": "mean squared error", "type": "log"},
    )
    return figure
