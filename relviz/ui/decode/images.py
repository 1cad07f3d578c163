"""The images of the Decode page, and the training of the autoencoders they go through."""

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st
import torch

import relviz
from relviz.autoencoders import SIDES, Weights, check_enough
from relviz.compute.jobs import Job, jobs
from relviz.compute.task import Task
from relviz.items import Pictures
from relviz.results.autoencoders import Two, missing_tasks, two_of
from relviz.state.image_sets import DIGITS, ImageSet, image_set, images_task
from relviz.state.owners import claim
from relviz.state.stored import check_left
from relviz.state.view import Decoding
from relviz.ui import state
from relviz.ui.decode.swap import show_strip
from relviz.ui.encode.items import choose_items
from relviz.ui.job_view import POLL_SECONDS, poll_seconds, result_or_progress, show_job, start
from relviz.ui.verbatim import verbatim
from relviz.wording import count, plural

OWN = "own"
_SEEN, _MAKING, _SLOT = "relviz_image_sets", "relviz_images_making", "decode_images"
COLORS = {None: "Color, if any", False: "Gray"}


def choose_images(chosen: Decoding) -> None:
    """The sets of images that this session has seen, and the way to others; a list for the sidebar."""
    seen: dict[str, str] = st.session_state.setdefault(_SEEN, {})
    sources = list(dict.fromkeys([DIGITS, *seen, chosen.data, OWN]))
    names = {DIGITS: "Handwritten digits", OWN: "Your own images…"} | seen
    st.session_state["choice_de_data"] = chosen.data
    choice = Decoding.choice("data")
    st.selectbox(
        choice.label,
        sources,
        format_func=lambda source: names.get(source, "Images from the link"),
        help=choice.help,
        key="choice_de_data",
        on_change=lambda: _use(st.session_state["choice_de_data"]),
    )


def images_or_form(chosen: Decoding) -> ImageSet | None:
    """The images that are chosen; where none are, what it takes to have them, and None."""
    if chosen.data == OWN:
        _ask()
        return None
    try:
        found = image_set(chosen.data)
    except relviz.Error as reason:
        st.info(verbatim(reason), icon=":material/image_search:")
        st.button("Use the handwritten digits", on_click=_use, args=(DIGITS,))
        return None
    if not found.is_digits:
        st.session_state[_SEEN][found.source] = found.title
        channels = "in color" if found.train.shape[1] > 1 else "in gray"
        side = found.train.shape[-1]
        st.caption(
            f"{verbatim(found.title)}: {count(len(found.train))} training images, {count(len(found.test))} "
            f"test images; {side} × {side} pixels {channels}."
        )
        for note in found.notes:
            st.caption(verbatim(note))
    return found


def _use(source: str) -> None:
    st.session_state.pop(_MAKING, None)
    state.change_decoding(data=source, images=(), image=0, end=1)


def _ask() -> None:
    st.markdown("#### Your own images")
    st.caption(
        "At least 200 images of any size, as similar as possible: faces, letters, icons. They are resized "
        "to small squares; 80% train. Folders in a zip become classes."
    )
    items = choose_items("Source", ("pictures", "folder", "demo"), "image")
    if not isinstance(items, Pictures):
        return
    left, right, _ = st.columns([1, 1, 3])
    side = left.selectbox("Side in pixels", SIDES, key="decode_side")
    color = right.selectbox("Colors", list(COLORS), format_func=COLORS.__getitem__, key="decode_color")
    try:
        check_enough(len(items))
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return
    task = images_task(items, side, color)
    if st.session_state.get(_MAKING) == task.key:
        if result_or_progress(_SLOT, task) is not None:
            _use(task.key)
            st.rerun()
        return

    def begin() -> None:
        try:
            check_left("these images")
        except relviz.Error as reason:
            state.toast(verbatim(reason), icon=":material/error:")
            return
        st.session_state[_SEEN][task.key] = items.name or "Images"
        st.session_state[_MAKING] = task.key
        claim(task.key)
        start(task)

    st.button("Use these images", type="primary", icon=":material/check:", on_click=begin)


def models_or_training(chosen: Decoding, images: ImageSet) -> Two | None:
    """The autoencoders that are chosen; while they are not there, what it takes to have them, and None."""
    two = two_of(chosen, images)
    if two is not None:
        return two
    tasks = missing_tasks(chosen, images)
    begun = [task for task in tasks if (job := task.job()) is not None and job.state != "done"]
    if not begun:
        st.info(
            f"{plural(len(tasks), 'autoencoder')} of this kind must be trained first: absolute and relative "
            "codes, two seeds. Each takes about half a minute on one core.",
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


def _start(tasks: list[Task[Weights]]) -> None:
    for task in tasks:
        start(task)


def watch_training(key: str) -> None:
    """The error so far, and the current reconstructions of the watched images."""
    st.fragment(_watch_training, run_every=poll_seconds(2 * POLL_SECONDS))(key)


def _watch_training(key: str) -> None:
    job: Job[str] | None = jobs().find(key)
    if job is None:
        return
    reports = job.history
    errors = [report.data["mse"] for report in reports if "mse" in report.data]
    pictures = [report.data["pictures"] for report in reports if "pictures" in report.data]
    if errors:
        st.plotly_chart(error_figure(errors), key=f"errors {key}", alt="Training error so far")
    if pictures:
        show_strip(torch.from_numpy(pictures[-1]), "Current reconstructions of test images")


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
