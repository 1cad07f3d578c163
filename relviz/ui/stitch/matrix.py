"""The stitching matrix on screen: accuracy of every encoder with every head, and what is confused."""

from collections.abc import Mapping
from string import ascii_uppercase
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from plotly.subplots import make_subplots

import relviz
from relviz.ui import controls
from relviz.ui.cells import add_cells, cells_chart, short, square
from relviz.ui.figure_button import figure_button
from relviz.ui.job_view import result_or_progress
from relviz.ui.stitch.confusion import choose_cell, show_confusion
from relviz.ui.verbatim import verbatim
from relviz.ui.wording import HEADS, HEADS_HELP, PARTNERS, PARTNERS_HELP
from relviz.view import View
from relviz.view.sheet import latex, markdown
from relviz.view.stitching import RUNS, WORDS, matrix_csv, matrix_sheet, matrix_task, matrix_values, others_of
from relviz.view.tested import tested_said

ACROSS = 4
"""How many matrices stand side by side."""


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
    cell = show_confusion(made.meta, made.arrays["confusion"])
    figure_button(view, {"matrix": {}, "confusion": cell}, "matrix")
    _show_table(made.meta)


def _choose(view: View, pair: relviz.Pair) -> None:
    left, middle, right = st.columns(3, vertical_alignment="bottom")
    with left:
        controls.choice(view, "head", "Kind of head", HEADS, HEADS_HELP)
    with middle:
        controls.choice(view, "partners", "Partners of the anchors", PARTNERS, PARTNERS_HELP)
    others = others_of(view, pair)
    if others:
        with right:
            controls.toggle(view, "wide", "All encoders with the same rows", ", ".join(others))


def _show_all(made: Mapping[str, Any]) -> None:
    st.subheader("Encoder × head")
    cells_chart(
        matrices(made),
        "stitching_matrices",
        "Accuracy of every encoder with every head by each method; the table below says the same",
        choose_cell,
    )
    st.caption(
        "Rows are encoders, columns heads in the same order; on the diagonal each head with its own encoder. "
        f"{tested_said(made['records'])} Click a cell for its confusion matrix."
    )


def matrices(made: Mapping[str, Any]) -> go.Figure:
    """A heat map for each method; cells carry (method, encoder, head)."""
    names = made["encoders"]
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
    rows = [f"{short(name)} · {letter}" for name, letter in zip(names, letters, strict=True)]
    for at, method in enumerate(methods):
        values = found[method]
        told = {
            (e, h): (method if e != h else "native", names[e], names[h])
            for e, h in np.argwhere(~np.isnan(values)).tolist()
        }
        hover = f"{WORDS[method]}<br>encoder %{{y}}<br>head %{{x}}<extra></extra>"
        place = {"row": at // ACROSS + 1, "col": at % ACROSS + 1}
        add_cells(figure, values, letters, rows, told, hover, **place)
    square(figure, len(names), down, "accuracy")
    return figure


def _show_table(made: Mapping[str, Any]) -> None:
    sheet = matrix_sheet(made)
    texts = {
        ("csv", "stitching.csv", "text/csv"): matrix_csv(made),
        ("Markdown", "stitching.md", "text/markdown"): markdown(sheet),
        ("LaTeX", "stitching.tex", "text/x-tex"): latex(sheet),
    }
    with st.expander("As a table", expanded=len(made["encoders"]) <= 2, icon=":material/table:"):
        st.table(sheet.dicts(), hide_index=True)
        st.caption(verbatim(sheet.caption))
        with st.container(horizontal=True):
            for (words, name, kind), text in texts.items():
                st.download_button(words, text, name, kind, on_click="ignore", icon=":material/download:")
