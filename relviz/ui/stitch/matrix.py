"""The stitching matrix on screen: accuracy of every encoder with every head, and confusion matrices."""

from collections.abc import Mapping, Sequence
from string import ascii_uppercase

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from plotly.subplots import make_subplots
from streamlit.delta_generator import DeltaGenerator

import relviz
from relviz.figures.latex_table import latex_as_formed
from relviz.results.stitching import (
    RUNS,
    WORDS,
    StitchingMatrix,
    describe_test_rows,
    matrix_csv,
    matrix_sheet,
    matrix_task,
    matrix_values,
    others_of,
    shown_method,
)
from relviz.sheet import markdown
from relviz.space import Space
from relviz.state.sources import open_pair
from relviz.state.view import Names, StitchingChoices
from relviz.ui import controls, state
from relviz.ui.cells import add_cells, apart, cells_chart, short, square
from relviz.ui.figure_button import figure_button
from relviz.ui.job_view import result_or_progress
from relviz.ui.names import labels_shown, name_of, sheet_shown
from relviz.ui.verbatim import verbatim
from relviz.wording import plural

LONGEST = 30
"""Letters of a class's name."""
MOST_WRITTEN = 15
"""Classes up to which the counts are written into the matrix."""


def show_confusion(made: StitchingMatrix) -> dict[str, str]:
    """The confusion matrix of one cell, which lists or a click on the matrices choose; gives that cell."""
    st.subheader("Confusion matrix")
    columns, encoders, classes = st.columns(3), made.encoders, made.classes
    encoder = _pick(columns[0], "encoder", "Encoder", encoders, encoders[0])
    head = _pick(columns[1], "head", "Head", encoders, encoders[-1])
    methods = [method for method in WORDS if made.find(encoder, head, method) is not None]
    method = _pick(columns[2], "method", "Method", methods, "native" if encoder == head else "relative")
    found = made.find(encoder, head, method)
    assert found is not None
    cell, counts = found
    st.plotly_chart(
        confusion_figure(counts, labels_shown(classes)),
        key="stitching_confusion",
        alt="Confusion matrix: true and predicted classes, as counts",
    )
    caption = (
        f"Accuracy {cell.accuracy:.3f} (95% interval {cell.accuracy_low:.3f}–{cell.accuracy_high:.3f} for "
        f"{plural(cell.rows, 'test row')}; the most frequent class is {cell.chance:.3f}), weighted F1 "
        f"{cell.f1:.3f}"
    )
    if cell.mae is not None:
        caption += f", mean absolute error {cell.mae:.3f}"
    wrong = counts - np.diag(counts.diagonal())
    if wrong.any():
        true, taken = np.unravel_index(wrong.argmax(), wrong.shape)
        caption += (
            f". Most common error: {verbatim(name_of(classes[true]))} classified as "
            f"{verbatim(name_of(classes[taken]))}, "
            f"{int(wrong[true, taken])} of {int(counts[true].sum())} times"
        )
    st.caption(f"{caption}. Counts are summed over {plural(made.conditions.n_draws, 'sample')}.")
    return {"encoder": encoder, "head": head, "method": method}


def choose_cell(method: str, encoder: str, head: str) -> None:
    """Have the lists show a cell; for callbacks."""
    for name, chosen in (("method", method), ("encoder", encoder), ("head", head)):
        st.session_state[f"stitching_{name}"] = chosen


def _pick(column: DeltaGenerator, name: str, label: str, options: Sequence[str], default: str) -> str:
    key = f"stitching_{name}"
    if st.session_state.get(key) not in options:
        st.session_state[key] = default
    words = WORDS.__getitem__ if name == "method" else name_of
    chosen: str = column.selectbox(label, options, format_func=words, key=key)
    return chosen


def confusion_figure(counts: np.ndarray, classes: Sequence[str]) -> go.Figure:
    """Rows are true classes, columns the predicted class; color is the share of the row."""
    share = counts / np.maximum(counts.sum(1, keepdims=True), 1)
    names = apart([name[:LONGEST] for name in classes])
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
            hovertemplate="true %{y}<br>predicted %{x}<br>%{customdata} (%{z:.0%})<extra></extra>",
            colorbar={"title": "share", "tickformat": ".0%"},
        )
    )
    figure.update_layout(
        height=140 + 26 * min(len(classes), 30),
        margin={"t": 10, "b": 10, "l": 10, "r": 10},
        xaxis={"title": "predicted class", "type": "category"},
        yaxis={"title": "true class", "type": "category", "autorange": "reversed"},
    )
    return figure


ACROSS = 4
"""How many matrices stand side by side."""


def show_matrix(choices: StitchingChoices, wide: bool, a: str, b: str, shelf: Names) -> None:
    """What is stitched, the matrices, and the confusion of the cell chosen.

    In a ``wide`` one further spaces have the same rows as those of the sources ``a`` and ``b``: of the
    ``shelf``, or of a demo.
    """
    pair = open_pair(a, b)  # results know encoders by their own names
    others = others_of(pair, a, b, shelf)
    _choose(others)
    try:
        task = matrix_task(pair, choices, others if wide else {})
    except relviz.Error as reason:
        st.info(verbatim(reason), icon=":material/category:")
        return
    made = result_or_progress("stitching", task)
    if made is None:
        st.caption(
            f"Every head is applied to every encoder with every method, over {RUNS} random splits and "
            "anchor samples. No head is fine-tuned on its target."
        )
        return
    _show_all(made)
    cell = show_confusion(made)
    figure_button({"matrix": {}, "confusion": cell, "heads": {}, "heads_by_anchors": {}}, "matrix")
    _show_table(made)


def _choose(others: Mapping[str, Space]) -> None:
    view = state.current()
    left, middle, right = st.columns(3, vertical_alignment="bottom")
    with left:
        controls.choose(view, "head")
    with middle:
        controls.choose(view, "counterparts")
    if others:
        with right:
            controls.choose(
                view, "wide", note=f"Here: {', '.join(verbatim(name_of(one)) for one in others)}."
            )


def _show_all(made: StitchingMatrix) -> None:
    st.subheader("Encoder × head")
    cells_chart(
        matrices(made),
        "stitching_matrices",
        "Accuracy of every encoder with every head for each method; the table below has the same numbers",
        choose_cell,
    )
    st.caption(
        "Rows are encoders, columns heads, in the same order. On the diagonal: each head with its own "
        f"encoder (for relative vectors, the relative head). {describe_test_rows(made.cells)} Click a cell "
        "for its confusion matrix."
    )


def matrices(made: StitchingMatrix) -> go.Figure:
    """A heat map for each method; cells carry (method, encoder, head)."""
    names = made.encoders
    found = matrix_values(made)
    methods = list(found)
    down = -(-len(methods) // ACROSS)
    figure = make_subplots(
        down,
        ACROSS,
        subplot_titles=[WORDS[method] for method in methods],
        shared_xaxes=True,
        shared_yaxes=True,
        horizontal_spacing=0.02,
        vertical_spacing=0.24 / down,
    )
    letters = list(ascii_uppercase[: len(names)])
    rows = [f"{short(name_of(name))} · {letter}" for name, letter in zip(names, letters, strict=True)]
    for at, method in enumerate(methods):
        values = found[method]
        cells = {
            (e, h): (shown_method(method, names[e], names[h]), names[e], names[h])
            for e, h in np.argwhere(~np.isnan(values)).tolist()
        }
        hover = f"{WORDS[method]}<br>encoder %{{y}}<br>head %{{x}}<extra></extra>"
        place = {"row": at // ACROSS + 1, "col": at % ACROSS + 1}
        add_cells(figure, values, letters, rows, cells, hover, **place)
    square(figure, len(names), down, "accuracy")
    return figure


def _show_table(made: StitchingMatrix) -> None:
    sheet = sheet_shown(matrix_sheet(made))
    texts = {
        ("csv", "stitching.csv", "text/csv"): matrix_csv(made),
        ("Markdown", "stitching.md", "text/markdown"): markdown(sheet),
        ("LaTeX", "stitching.tex", "text/x-tex"): latex_as_formed(sheet),
    }
    with st.expander("As a table", expanded=len(made.encoders) <= 2, icon=":material/table:"):
        st.table(sheet.dicts(), hide_index=True)
        st.caption(verbatim(sheet.caption))
        with st.container(horizontal=True):
            for (words, name, kind), text in texts.items():
                st.download_button(words, text, name, kind, on_click="ignore", icon=":material/download:")
