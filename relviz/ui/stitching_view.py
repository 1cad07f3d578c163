"""The stitching matrix on screen: accuracy of every encoder with every head, and what is confused."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from plotly.subplots import make_subplots

import relviz
from relviz.stitch import METHODS
from relviz.ui import controls
from relviz.ui.job_view import result_or_progress
from relviz.ui.verbatim import in_figure, verbatim
from relviz.ui.wording import HEADS, HEADS_HELP, PARTNERS, PARTNERS_HELP
from relviz.view import View
from relviz.view.baselines import TITLES
from relviz.view.sheet import latex, markdown
from relviz.view.stitching import RUNS, matrix_sheet, matrix_task, others_of
from relviz.wording import plural

WORDS = {"native": "Native", "relative": "Relative"} | TITLES
CELL, ACROSS = 46, 4
"""Height of a cell in pixels at least, and how many matrices stand side by side."""
MOST_WRITTEN = 15
"""Classes up to which a confusion matrix has its counts written into it."""


def show_matrix(view: View, pair: relviz.Pair) -> None:
    """What is stitched, the matrices, and the confusion of the cell chosen."""
    _choose(view, pair)
    try:
        task = matrix_task(view, pair)
    except relviz.Error as reason:
        st.info(verbatim(reason), icon=":material/category:")
        return
    made = result_or_progress("stitching", task)
    if made is None:
        st.caption(
            f"Every head meets every encoder by every method, in {RUNS} draws of split and anchors; none is "
            "ever tuned to what it is applied to."
        )
        return
    _show_all(made.meta)
    _show_confusion(made.meta, made.arrays["confusion"])
    _show_table(made.meta)


def _choose(view: View, pair: relviz.Pair) -> None:
    left, middle, right = st.columns(3, vertical_alignment="bottom")
    with left:
        controls.choice(view, "head", "Head", HEADS, HEADS_HELP)
    with middle:
        controls.choice(view, "partners", "Partners of the anchors", PARTNERS, PARTNERS_HELP)
    others = others_of(view.with_changes(wide=True), pair)
    if others:
        with right:
            controls.toggle(view, "wide", "All encoders of this demo", ", ".join(others))


def _show_all(made: Mapping[str, Any]) -> None:
    st.subheader("Encoder × head")
    figure = matrices(made)
    event = st.plotly_chart(
        figure,
        key="stitching_matrices",
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False},
        alt="Accuracy of every encoder with every head by each method; the table below says the same",
    )
    points = event["selection"]["points"] if event else []
    if points:
        chosen = dict(zip(("method", "encoder", "head"), points[0]["customdata"], strict=False))
        if chosen != st.session_state.get("stitching_clicked"):
            st.session_state["stitching_clicked"] = chosen
            for name, value in chosen.items():
                st.session_state[f"stitching_{name}"] = value
    st.caption(
        "Rows are encoders, columns heads; on the diagonal each head with its own encoder. Click a cell for "
        "what it confuses."
    )


def matrices(made: Mapping[str, Any]) -> go.Figure:
    """A heat map for each method; cells carry (method, encoder, head)."""
    names = made["encoders"]
    cells = {(r["method"], r["encoder"], r["head"]): r["accuracy"] for r in made["records"]}
    methods = [method for method in METHODS if method != "native"]
    down = -(-len(methods) // ACROSS)
    figure = make_subplots(
        down,
        ACROSS,
        subplot_titles=[WORDS[method] for method in methods],
        shared_xaxes=True,
        shared_yaxes=True,
        horizontal_spacing=0.02,
        vertical_spacing=0.12 / down,
    )
    short = [in_figure(_short(name, names)) for name in names]
    for at, method in enumerate(methods):
        place = {"row": at // ACROSS + 1, "col": at % ACROSS + 1}
        values = [[cells.get((method if e != h else "native", e, h), np.nan) for h in names] for e in names]
        figure.add_heatmap(
            z=values,
            x=short,
            y=short,
            zmin=0,
            zmax=1,
            coloraxis="coloraxis",
            texttemplate="%{z:.2f}",
            hoverinfo="skip",
            **place,
        )
        there = [(e, h) for e in range(len(names)) for h in range(len(names)) if not np.isnan(values[e][h])]
        figure.add_scatter(  # a heat map tells no clicks; marks that nobody sees lie over its cells
            x=[short[h] for _, h in there],
            y=[short[e] for e, _ in there],
            customdata=[(method if e != h else "native", names[e], names[h]) for e, h in there],
            mode="markers",
            marker={"symbol": "square", "size": CELL, "opacity": 0},
            selected={"marker": {"opacity": 0}},
            unselected={"marker": {"opacity": 0}},
            hovertemplate=f"{WORDS[method]}<br>encoder %{{y}}<br>head %{{x}}<extra></extra>",
            showlegend=False,
            **place,
        )
    figure.update_yaxes(autorange="reversed")
    figure.update_layout(
        height=60 + down * (50 + max(2, len(names)) * CELL),
        margin={"t": 30, "b": 10, "l": 10, "r": 10},
        coloraxis={"colorscale": "Viridis", "cmin": 0, "cmax": 1, "colorbar": {"title": "accuracy"}},
        clickmode="event+select",
        dragmode=False,
    )
    return figure


def _short(name: str, names: list[str]) -> str:
    """A name that fits beside a cell and is no other's."""
    cut = name if len(name) <= 18 else f"{name[:17]}…"
    return (
        cut if sum(other[:17] == name[:17] for other in names) == 1 else f"{names.index(name) + 1} {cut[:15]}"
    )


def _show_confusion(made: Mapping[str, Any], confusion: np.ndarray) -> None:
    st.subheader("What is confused")
    records = {(r["method"], r["encoder"], r["head"]): at for at, r in enumerate(made["records"])}
    columns = st.columns(3)
    encoder = _pick(columns[0], "encoder", "Encoder", made["encoders"], made["encoders"][0])
    head = _pick(columns[1], "head", "Head", made["encoders"], made["encoders"][-1])
    methods = [method for method in WORDS if (method, encoder, head) in records]
    method = _pick(
        columns[2], "method", "Method", methods, "relative" if "relative" in methods else methods[0]
    )
    at = records[method, encoder, head]
    counts, classes = confusion[at], made["classes"]
    st.plotly_chart(
        confusion_figure(counts, classes), key="stitching_confusion", alt="Classes true and said, as counts"
    )
    record = made["records"][at]
    said = f"Accuracy {record['accuracy']:.3f}, weighted F1 {record['f1']:.3f}"
    if record["mae"] is not None:
        said += f", mean absolute error {record['mae']:.3f}"
    wrong = counts - np.diag(counts.diagonal())
    if wrong.any():
        true, taken = np.unravel_index(wrong.argmax(), wrong.shape)
        said += (
            f". Most often {verbatim(classes[true])} is taken for {verbatim(classes[taken])}: "
            f"{plural(int(wrong[true, taken]), 'time')} of {int(counts[true].sum())}"
        )
    st.caption(f"{said}. Counts of all {plural(made['runs'], 'draw')} together.")


def _pick(column: Any, name: str, label: str, options: list[str], default: str) -> str:
    key = f"stitching_{name}"
    if st.session_state.get(key) not in options:
        st.session_state[key] = default
    words = WORDS.__getitem__ if name == "method" else str
    chosen: str = column.selectbox(label, options, format_func=words, key=key)
    return chosen


def confusion_figure(counts: np.ndarray, classes: list[str]) -> go.Figure:
    """Rows are true classes, columns what the head said; colour is the share of the row."""
    share = counts / np.maximum(counts.sum(1, keepdims=True), 1)
    figure = go.Figure(
        go.Heatmap(
            z=share,
            x=[in_figure(name[:30]) for name in classes],
            y=[in_figure(name[:30]) for name in classes],
            customdata=counts,
            zmin=0,
            zmax=1,
            colorscale="Viridis",
            text=counts if len(classes) <= MOST_WRITTEN else None,
            texttemplate="%{text}" if len(classes) <= MOST_WRITTEN else None,
            hovertemplate="true %{y}<br>said %{x}<br>%{customdata} (%{z:.0%})<extra></extra>",
            colorbar={"title": "share", "tickformat": ".0%"},
        )
    )
    figure.update_layout(
        height=140 + 26 * min(len(classes), 30),
        margin={"t": 10, "b": 10, "l": 10, "r": 10},
        xaxis={"title": "what the head said", "type": "category"},
        yaxis={"title": "true class", "type": "category", "autorange": "reversed"},
    )
    return figure


def _show_table(made: Mapping[str, Any]) -> None:
    sheet = matrix_sheet(made)
    st.subheader("As a table")
    st.table(sheet.dicts(), hide_index=True)
    st.caption(verbatim(sheet.caption))
    with st.container(horizontal=True):
        for words, name, kind, text in (
            ("Markdown", "stitching.md", "text/markdown", markdown(sheet)),
            ("LaTeX", "stitching.tex", "text/x-tex", latex(sheet)),
        ):
            st.download_button(words, text, name, kind, on_click="ignore", icon=":material/download:")
