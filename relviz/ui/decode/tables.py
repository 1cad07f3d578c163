"""Tables 2 and 3 and figure 3 of the first paper, on the images of this page, as jobs."""

from typing import TypeVar

import plotly.graph_objects as go
import streamlit as st

from relviz.autoencoders import Curves
from relviz.compute.task import Task
from relviz.plotting.colors import VIRIDIS
from relviz.results.decoder_tables import (
    MOST_SEEDS,
    RUNS,
    SEEDS,
    SimilarityCurves,
    accuracy_sheet,
    accuracy_task,
    curves_task,
    mse_sheet,
    mse_task,
)
from relviz.sheet import Sheet
from relviz.state.image_sets import ImageSet
from relviz.state.view import Decoding
from relviz.ui.decode.images import watch_training
from relviz.ui.figure_button import figure_button
from relviz.ui.job_view import result_or_progress, start
from relviz.ui.verbatim import verbatim
from relviz.wording import count

T = TypeVar("T")


def show_tables(_: Decoding, images: ImageSet) -> None:
    """What the paper measured, each computed when it is asked for."""
    st.subheader("Decoder swap: table 3")
    seeds = _seeds("mse", 2)
    table = _on_request(
        mse_task(images, seeds),
        "mse",
        "Measure",
        "Each model that is not trained yet takes about half a minute.",
    )
    if table is not None:
        _show(mse_sheet(table))
        figure_button({"mse": {"seeds": seeds}}, "mse")
    if images.labels is None:
        st.info(
            "Table 2 and figure 3 need classes. Add images in one folder per class.",
            icon=":material/category:",
        )
        return
    st.subheader("Cost of relative codes: table 2")
    seeds = _seeds("accuracy", 1)
    made = _on_request(
        accuracy_task(images, seeds),
        "accuracy",
        "Train classifiers",
        "About 15 seconds each, for twice as many models.",
    )
    if made is not None:
        _show(accuracy_sheet(made))
        figure_button({"accuracy": {"seeds": seeds}}, "accuracy")
    st.subheader("Similarity predicts accuracy: figure 3")
    alike = _on_request(
        curves_task(images), "similarity_curves", f"Train {RUNS} small models", "About a minute on two cores."
    )
    if alike is not None:
        _show_curves(alike)
        figure_button({"similarity_curves": {"runs": RUNS}}, "similarity_curves")


def _seeds(name: str, least: int) -> int:
    with st.columns(4)[0]:
        return int(st.number_input("Seeds", least, MOST_SEEDS, SEEDS, key=f"decode_{name}_seeds"))


def _on_request(task: Task[T], name: str, words: str, takes: str) -> T | None:
    """The result, once it is asked for."""
    if task.stored() is None and task.job() is None:
        st.button(
            words, key=f"decode_{name}_start", icon=":material/play_arrow:", on_click=start, args=(task,)
        )
        st.caption(takes)
        return None
    made = result_or_progress(f"decode_{name}", task)
    if made is None and task.job() is not None:
        watch_training(task.key)
    return made


def _show(sheet: Sheet) -> None:
    st.table(sheet.dicts(), hide_index=True)
    st.caption(verbatim(sheet.caption))


def _show_curves(made: SimilarityCurves) -> None:
    curves = made.curves
    st.plotly_chart(
        curves_figure(curves),
        key="decode_curves_figure",
        config={"displaylogo": False},
        alt="Accuracy over similarity to a reference model, one point per run and epoch",
    )
    st.caption(
        f"{len(curves.runs)} models of different width, latent size, learning rate and seed on "
        f"{count(made.rows)} images, one point per epoch. x: mean cosine similarity between relative "
        "vectors of test images in the model and in a well-trained reference (accuracy "
        f"{curves.reference:.3f}). Spearman's correlation {made.correlation:.2f}. The paper shows it for "
        "graphs."
    )


def curves_figure(curves: Curves) -> go.Figure:
    """Accuracy over similarity, colored by epoch, the points of a run joined."""
    figure = go.Figure()
    for run in curves.runs:
        about, epochs = run.options, list(range(1, len(run.accuracy) + 1))
        figure.add_scatter(
            x=list(run.similarity),
            y=list(run.accuracy),
            mode="lines+markers",
            line={"color": "rgba(128, 128, 128, 0.35)", "width": 1},
            marker={"color": epochs, "coloraxis": "coloraxis", "size": 8},
            customdata=epochs,
            hovertemplate=(
                f"width {about.width}, {about.latent} latents, rate {about.rate:.1e}<br>after epoch "
                f"%{{customdata}}: similarity %{{x:.3f}}, accuracy %{{y:.3f}}<extra></extra>"
            ),
            showlegend=False,
        )
    figure.update_layout(
        height=420,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        xaxis={"title": "similarity to the reference"},
        yaxis={"title": "accuracy", "range": [0, 1.02]},
        coloraxis={"colorscale": list(VIRIDIS), "colorbar": {"title": "epoch", "dtick": 1}},
    )
    return figure
