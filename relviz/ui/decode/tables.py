"""Tables 2 and 3 and figure 3 of the first paper, on the images of this page, as jobs."""

from collections.abc import Callable, Mapping
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from relviz.compute.task import Task
from relviz.ui.decode.trained import watch_training
from relviz.ui.job_view import result_or_progress, start
from relviz.ui.verbatim import verbatim
from relviz.view import View
from relviz.view.decode_tables import (
    RUNS,
    accuracy_sheet,
    accuracy_task,
    curves_task,
    mse_sheet,
    mse_task,
)
from relviz.view.image_sets import ImageSet
from relviz.view.sheet import Sheet, latex, markdown, records_csv

SEEDS, MOST_SEEDS = 5, 10
Made = Mapping[str, Any]


def show_tables(_: View, images: ImageSet) -> None:
    """What the paper measured, each computed when it is asked for."""
    st.subheader("Decoders swapped: table 3")
    task = mse_task(images, _seeds("mse", 2))
    _show(task, "decode_mse", "Measure", "What is not trained yet takes about half a minute each.", mse_sheet)
    if images.labels is None:
        st.info(
            "Table 2 and figure 3 need classes: give pictures in one folder for each class.",
            icon=":material/category:",
        )
        return
    st.subheader("What relative codes cost: table 2")
    task = accuracy_task(images, _seeds("accuracy", 1))
    _show(task, "decode_accuracy", "Train classifiers", "About 15 seconds each.", accuracy_sheet)
    st.subheader("Likeness tells how well a model does: figure 3")
    _show_curves(curves_task(images))


def _seeds(name: str, least: int) -> int:
    with st.columns(4)[0]:
        return int(st.number_input("Seeds", least, MOST_SEEDS, SEEDS, key=f"decode_{name}_seeds"))


def _asked_for(task: Task, slot: str, words: str, takes: str) -> Any:
    """The result, once it is asked for."""
    if task.kept() is None and task.job() is None:
        st.button(words, key=f"{slot}_start", icon=":material/play_arrow:", on_click=start, args=(task,))
        st.caption(takes)
        return None
    made = result_or_progress(slot, task)
    if made is None and task.job() is not None:
        watch_training(task.key)
    return made


def _show(task: Task, slot: str, words: str, takes: str, sheet_of: Callable[[Any], Sheet]) -> None:
    made = _asked_for(task, slot, words, takes)
    if made is None:
        return
    sheet = sheet_of(made.meta)
    st.table(sheet.dicts(), hide_index=True)
    st.caption(verbatim(sheet.caption))
    texts = {
        ("csv", "csv", "text/csv"): records_csv(made.meta["records"]),
        ("Markdown", "md", "text/markdown"): markdown(sheet),
        ("LaTeX", "tex", "text/x-tex"): latex(sheet),
    }
    with st.container(horizontal=True):
        for (label, ending, kind), text in texts.items():
            st.download_button(
                label,
                text,
                f"{slot}.{ending}",
                kind,
                key=f"{slot} {ending}",
                on_click="ignore",
                icon=":material/download:",
            )


def _show_curves(task: Task) -> None:
    made = _asked_for(task, "decode_curves", f"Train {RUNS} small models", "About a minute on two cores.")
    if made is None:
        return
    st.plotly_chart(
        curves_figure(made.meta),
        key="decode_curves_figure",
        config={"displaylogo": False},
        alt="Accuracy over likeness to a reference model, a point for each run and epoch",
    )
    st.caption(
        f"{made.meta['runs']} models of different width, latent size, rate and seed on {made.meta['rows']} "
        "images, a point after each epoch. Across: mean cosine between the relative vectors of unseen images "
        f"in the model and in one that was trained well (accuracy {made.meta['reference']:.3f}). Spearman's "
        f"correlation {made.meta['correlation']:.2f}. The paper shows it for graphs."
    )
    st.download_button(
        "csv",
        records_csv(made.meta["records"]),
        "decode_curves.csv",
        "text/csv",
        on_click="ignore",
        icon=":material/download:",
    )


def curves_figure(made: Made) -> go.Figure:
    """Accuracy against likeness, coloured by epoch, the points of a run joined."""
    figure = go.Figure()
    records = made["records"]
    for run in range(made["runs"]):
        points = [told for told in records if told["run"] == run]
        about = points[0]
        figure.add_scatter(
            x=[told["similarity"] for told in points],
            y=[told["accuracy"] for told in points],
            mode="lines+markers",
            line={"color": "rgba(128, 128, 128, 0.35)", "width": 1},
            marker={"color": [told["epoch"] + 1 for told in points], "coloraxis": "coloraxis", "size": 8},
            customdata=[told["epoch"] + 1 for told in points],
            hovertemplate=(
                f"width {about['width']}, {about['latent']} latents, rate {about['rate']:.1e}<br>"
                "after epoch %{customdata}: likeness %{x:.3f}, accuracy %{y:.3f}<extra></extra>"
            ),
            showlegend=False,
        )
    figure.update_layout(
        height=420,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        xaxis={"title": "likeness to the reference"},
        yaxis={"title": "accuracy", "range": [0, 1.02]},
        coloraxis={"colorscale": "Viridis", "colorbar": {"title": "epoch", "dtick": 1}},
    )
    return figure
