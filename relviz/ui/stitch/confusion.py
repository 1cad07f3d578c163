"""The confusion matrix of one cell of the stitching matrix: true classes against predicted ones."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from relviz.ui.verbatim import in_figure, verbatim
from relviz.view.stitching import WORDS
from relviz.wording import plural

LONGEST = 30
"""Letters of a class's name."""
MOST_WRITTEN = 15
"""Classes up to which the counts are written into the matrix."""


def show_confusion(made: Mapping[str, Any], confusion: np.ndarray) -> dict[str, str]:
    """The confusion matrix of one cell, which lists or a click on the matrices choose; gives that cell."""
    st.subheader("Confusion matrix")
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
    said = (
        f"Accuracy {record['accuracy']:.3f} (95% interval {record['accuracy_low']:.3f}–"
        f"{record['accuracy_high']:.3f} for {plural(record['rows'], 'test row')}; the most frequent class is "
        f"{record['chance']:.3f}), weighted F1 {record['f1']:.3f}"
    )
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
    return {"encoder": encoder, "head": head, "method": method}


def choose_cell(method: str, encoder: str, head: str) -> None:
    """Have the lists show a cell; for callbacks."""
    for name, chosen in (("method", method), ("encoder", encoder), ("head", head)):
        st.session_state[f"stitching_{name}"] = chosen


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
    names = [in_figure(name[:LONGEST]) for name in classes]
    if len(set(names)) < len(names):  # plotly would lay classes of one name over each other
        names = [in_figure(f"{number} {name[:LONGEST]}") for number, name in enumerate(classes, 1)]
    figure = go.Figure(
        go.Heatmap(
            z=share,
            x=names,
            y=names,
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
