"""Every pair of the shelf as heat maps: how alike, how well retrieved, how well stitched."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from plotly.subplots import make_subplots

from relviz.ui.cells import cells_chart
from relviz.ui.job_view import show_job, start
from relviz.ui.pair_view import choose_pair
from relviz.ui.verbatim import in_figure, verbatim
from relviz.view import View
from relviz.view.all_pairs import FIGURES, all_pairs_sheets, all_pairs_task
from relviz.view.sheet import latex, markdown, sheet_csv
from relviz.wording import plural

CELL = 52
LONGEST = 34
"""Letters of a space's name."""


def show_every_pair(view: View) -> None:
    """A button that measures every pair, its progress, and the maps; a click on a cell chooses a pair."""
    task = all_pairs_task(view)
    kept = task.kept()
    if kept is None:
        job = task.job()
        if job is not None:
            show_job(job, task)
            return
        st.button(
            "Measure every pair", type="primary", on_click=start, args=(task,), icon=":material/grid_on:"
        )
        st.caption(
            "CKA, retrieval through the anchors of this view, and heads of each space on every other. What "
            "was measured before is not measured again."
        )
        return
    made = kept.meta
    if len(made["sources"]) < 2:
        st.info("There is one space on the shelf; a pair needs two.", icon=":material/info:")
        return
    _show_maps(kept.arrays, made)
    _show_reasons(made)
    _show_tables(kept.arrays, made)


def _show_maps(arrays: Mapping[str, np.ndarray], made: Mapping[str, Any]) -> None:
    cells_chart(
        pair_maps(arrays, made),
        "every_pair",
        "CKA, MRR and stitched accuracy from every space to every other; the tables below say the same",
        choose_pair,
    )
    st.caption(
        "From the space of the row to that of the column. Click a cell to make its two spaces A and B."
    )


def pair_maps(arrays: Mapping[str, np.ndarray], made: Mapping[str, Any]) -> go.Figure:
    """A heat map of each figure; cells carry the sources of the row and of the column."""
    sources, names = made["sources"], made["names"]
    numbers = [str(at) for at in range(1, len(names) + 1)]
    rows = [f"{in_figure(_cut(name))} · {number}" for name, number in zip(names, numbers, strict=True)]
    figure = make_subplots(
        1, len(FIGURES), subplot_titles=list(FIGURES.values()), shared_yaxes=True, horizontal_spacing=0.02
    )
    there = [(i, j) for i in range(len(names)) for j in range(len(names)) if i != j]
    for column, (name, words) in enumerate(FIGURES.items(), 1):
        figure.add_heatmap(
            z=arrays[name],
            x=numbers,
            y=rows,
            coloraxis="coloraxis",
            texttemplate="%{z:.2f}",
            hoverinfo="skip",
            row=1,
            col=column,
        )
        figure.add_scatter(
            x=[numbers[j] for _, j in there],
            y=[rows[i] for i, _ in there],
            customdata=[(sources[i], sources[j]) for i, j in there],
            mode="markers",
            marker={"symbol": "square", "size": CELL, "opacity": 0},
            selected={"marker": {"opacity": 0}},
            unselected={"marker": {"opacity": 0}},
            hovertemplate=f"{words}<br>from %{{y}}<br>to %{{x}}<extra></extra>",
            showlegend=False,
            row=1,
            col=column,
        )
    last = len(names) - 0.5
    figure.update_xaxes(type="category", range=[-0.5, last], showgrid=False)
    figure.update_yaxes(range=[last, -0.5], showgrid=False)
    figure.update_layout(
        height=110 + max(2, len(names)) * CELL,
        margin={"t": 30, "b": 10, "l": 10, "r": 10},
        coloraxis={"colorscale": "Viridis", "cmin": 0, "cmax": 1},
    )
    return figure


def _show_reasons(made: Mapping[str, Any]) -> None:
    if not made["reasons"]:
        return
    with st.expander(f"{plural(len(made['reasons']), 'pair')} left blank: their rows cannot be matched"):
        for place, reason in made["reasons"].items():
            one, other = (verbatim(made["names"][int(at)]) for at in place.split())
            st.caption(f"**{one}** and **{other}**: {verbatim(reason)}")


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _show_tables(arrays: Mapping[str, np.ndarray], made: Mapping[str, Any]) -> None:
    with st.expander("As tables", icon=":material/table:"):
        for name, sheet in all_pairs_sheets(arrays, made).items():
            st.markdown(f"**{FIGURES[name]}**")
            st.table(sheet.dicts(), hide_index=True)
            texts = {
                ("csv", f"{name}.csv", "text/csv"): sheet_csv(sheet),
                ("Markdown", f"{name}.md", "text/markdown"): markdown(sheet),
                ("LaTeX", f"{name}.tex", "text/x-tex"): latex(sheet),
            }
            with st.container(horizontal=True):
                for (words, file, kind), text in texts.items():
                    st.download_button(
                        words, text, file, kind, on_click="ignore", icon=":material/download:", key=file
                    )
        st.caption(verbatim(sheet.caption.partition(". ")[2]))
