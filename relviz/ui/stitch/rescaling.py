"""Scale on screen: vector norms of an encoder, and sensitivity to scale."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
import streamlit as st

import relviz
from relviz.compute.task import Task
from relviz.plotting.colors import CLASSES
from relviz.results.heads import describe_splits
from relviz.results.rescaling import layers_task, lengths_of, rescale_task
from relviz.results.translation import TranslationProblem
from relviz.space import Space
from relviz.stitching import LayerScale, Lengths, Rescaled
from relviz.ui.figure_button import figure_button
from relviz.ui.job_view import result_or_progress, start
from relviz.ui.verbatim import in_figure, verbatim
from relviz.wording import plural

ACTIVATIONS = {"relu": "ReLU", "tanh": "tanh", "cosine": "cosine"}


def show_scale(problem: TranslationProblem) -> None:
    """Vector norms of both encoders, and accuracy of heads on other norms than they were trained on."""
    st.markdown(
        "Relative vectors carry no norm, so a translation must choose one. This section shows whether that "
        "matters: the vector norms of each encoder, and how heads respond to other norms (arXiv "
        "2406.15057, section 4.2)."
    )
    st.subheader("Vector norms")
    found = lengths_of(problem.pair)
    st.plotly_chart(
        lengths_figure(found), key="scale_lengths", alt="Density of the vector norms of both encoders"
    )
    for name, one in found.items():
        st.caption(
            f"{verbatim(name)}: mean {one.mean:.3g}, standard deviation {one.sd:.3g} "
            f"({one.sd / one.mean:.0%} of the mean), skew {one.skew:+.2f}. After centering."
        )
    try:
        heads, layers = rescale_task(problem), layers_task(problem)
    except relviz.Error as reason:
        st.info(verbatim(reason), icon=":material/category:")
        return
    _show_heads(problem.source, heads)
    _show_layers(problem.source, layers)
    kinds = ["scale"] if layers is None else ["scale", "layers"]
    figure_button({kind: {} for kind in kinds}, "scale")


def _show_heads(source: Space, task: Task[Rescaled]) -> None:
    st.subheader("Sensitivity to scale")
    made = result_or_progress("rescale", task)
    if made is None:
        return
    st.plotly_chart(rescale_figure(made), key="scale_rescale", alt="Accuracy over the vector norm")
    st.caption(
        f"Heads with two hidden layers on {verbatim(source.name)}, trained on vectors of norm √d, tested "
        f"on vectors scaled by α; mean ± sd over {plural(len(made.seeds), 'seed')}. "
        f"{describe_splits(made.rows, made.chance)}"
    )


def _show_layers(source: Space, task: Task[LayerScale] | None) -> None:
    st.subheader("Sensitivity to scale in a transformer")
    if task is None:
        st.caption(
            f"{verbatim(source.name)} has no layers to inspect here. Choose the glosses with MiniLM as the "
            "source, or encode your own labeled texts with MiniLM."
        )
        return
    if task.stored() is None and task.job() is None:
        st.button("Rescale all layers", icon=":material/layers:", on_click=start, args=(task,))
        st.caption("About a minute on two cores: every layer of MiniLM, seven scales.")
        return
    made = result_or_progress("layers", task)
    if made is None:
        return
    st.plotly_chart(
        layers_figure(made), key="scale_layers", alt="Accuracy over layer and scale; rows are layers"
    )
    st.caption(
        "Hidden states after one layer are multiplied by α, then passed through the remaining layers. The "
        f"head was trained at α = 1 (accuracy {made.unscaled:.3f}). Layer 0 is the embedding output. "
        "Vectors are normalized after the last layer, so there α has no effect. "
        f"{describe_splits(made.rows, made.chance)}"
    )


def layers_figure(made: LayerScale) -> go.Figure:
    """Accuracy by layer and α."""
    figure = go.Figure(
        go.Heatmap(
            z=made.accuracy,
            x=[f"{alpha:g}" for alpha in made.alphas],
            y=[str(layer) for layer in made.layers],
            zmin=0,
            zmax=1,
            colorscale="Viridis",
            texttemplate="%{z:.2f}",
            colorbar={"title": "accuracy"},
            hovertemplate="after layer %{y}, α %{x}: %{z:.3f}<extra></extra>",
        )
    )
    figure.update_layout(
        height=100 + 36 * len(made.layers),
        margin={"t": 10, "b": 10, "l": 10, "r": 10},
        xaxis={"title": "α", "type": "category"},
        yaxis={"title": "after layer", "type": "category"},
    )
    return figure


def lengths_figure(found: Mapping[str, Lengths]) -> go.Figure:
    """Densities, each over lengths in units of its mean."""
    figure = go.Figure()
    for (name, one), color in zip(found.items(), CLASSES, strict=False):
        middles = [(low + high) / 2 / one.mean for low, high in zip(one.edges, one.edges[1:], strict=False)]
        figure.add_scatter(
            x=middles,
            y=[value * one.mean for value in one.density],
            name=in_figure(name),
            line={"shape": "hvh", "color": color},
            fill="tozeroy",
        )
    figure.update_layout(
        height=300,
        margin={"t": 10, "b": 10, "l": 10, "r": 10},
        xaxis_title="norm, relative to the mean",
        yaxis_title="density",
        legend={"orientation": "h", "y": 1.15},
    )
    return figure


def rescale_figure(made: Rescaled) -> go.Figure:
    """Accuracy over α, a line for each activation."""
    figure = go.Figure()
    for activation, runs, color in zip(made.activations, made.accuracy, CLASSES, strict=False):
        figure.add_scatter(
            x=made.alphas,
            y=runs.mean(0),
            error_y={"array": np.std(runs, 0, ddof=1), "thickness": 1},
            name=ACTIVATIONS[activation],
            mode="lines+markers",
            line={"color": color},
        )
    figure.add_vline(1, line_dash="dash", line_color=CLASSES[7])
    figure.update_layout(
        height=360,
        margin={"t": 10, "b": 10, "l": 10, "r": 10},
        xaxis={"type": "log", "title": "α, scale of the test vectors"},
        yaxis={"range": [0, 1.02], "title": "accuracy"},
        legend={"orientation": "h", "y": 1.12},
    )
    return figure
