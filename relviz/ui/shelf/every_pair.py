"""All pairs of the shelf as heat maps: how alike, how well retrieved, how well stitched."""

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st
from plotly.subplots import make_subplots

from relviz.figures.latex_table import latex_as_formed
from relviz.results.all_pairs import FIGURES, AllPairs, all_pairs_caption, all_pairs_sheets, all_pairs_task
from relviz.sheet import markdown, sheet_csv
from relviz.ui.cells import add_cells, cells_chart, short, square
from relviz.ui.figure_button import figure_button
from relviz.ui.job_view import show_job, start
from relviz.ui.names import name_of, sheet_shown, with_names
from relviz.ui.pair_view import choose_pair
from relviz.ui.verbatim import verbatim
from relviz.wording import plural


def show_every_pair(sources: Sequence[str], anchors: int, seed: int) -> None:
    """A button that measures every pair, its progress, and the maps; a click on a cell chooses a pair."""
    task = all_pairs_task(sources, anchors, seed)
    made = task.stored()
    if made is None:
        job = task.job()
        if job is not None:
            show_job(job, task)
            return
        st.button(
            "Measure all pairs", type="primary", on_click=start, args=(task,), icon=":material/grid_on:"
        )
        st.caption(
            "CKA, retrieval relative to this view's anchors, and heads trained on each space and applied to "
            "every other. Results are cached."
        )
        return
    if len(made.sources) < 2:
        st.info("There is one space on the shelf. A pair needs two.", icon=":material/info:")
        return
    _show_maps(made)
    figure_button({"pairs": {}}, "pairs")
    _show_reasons(made)
    _show_tables(made)


def _show_maps(made: AllPairs) -> None:
    cells_chart(
        pair_maps(made),
        "every_pair",
        "CKA, MRR@k and stitched accuracy from every space to every other; the tables below hold the same "
        "numbers",
        choose_pair,
    )
    st.caption("From the row's space to the column's. Click a cell to make its two spaces A and B.")


def pair_maps(made: AllPairs) -> go.Figure:
    """A heat map of each figure; cells carry the sources of the row and of the column."""
    sources, names = made.sources, [name_of(name) for name in made.names]
    numbers = [str(at) for at in range(1, len(names) + 1)]
    rows = [f"{short(name)} · {number}" for name, number in zip(names, numbers, strict=True)]
    figure = make_subplots(
        1, len(FIGURES), subplot_titles=list(FIGURES.values()), shared_yaxes=True, horizontal_spacing=0.02
    )
    places = range(len(names))
    cells = {(i, j): (sources[i], sources[j]) for i in places for j in places if i != j}
    for column, (name, words) in enumerate(FIGURES.items(), 1):
        hover = f"{words}<br>from %{{y}}<br>to %{{x}}<extra></extra>"
        add_cells(figure, made.figures[name], numbers, rows, cells, hover, row=1, col=column)
    square(figure, len(names), 1)
    return figure


def _show_reasons(made: AllPairs) -> None:
    if not made.unmatched:
        return
    with st.expander(
        f"{plural(len(made.unmatched), 'pair')} left blank because their rows cannot be matched"
    ):
        for pair in made.unmatched:
            one, other = (verbatim(name_of(made.names[at])) for at in (pair.one, pair.other))
            st.caption(f"**{one}** and **{other}**: {verbatim(pair.reason)}")


def _show_tables(made: AllPairs) -> None:
    with st.expander("As tables", icon=":material/table:"):
        for name, own in all_pairs_sheets(made).items():
            sheet = sheet_shown(own)
            st.markdown(f"**{FIGURES[name]}**")
            st.table(sheet.dicts(), hide_index=True)
            texts = {
                ("csv", f"{name}.csv", "text/csv"): sheet_csv(own),
                ("Markdown", f"{name}.md", "text/markdown"): markdown(sheet),
                ("LaTeX", f"{name}.tex", "text/x-tex"): latex_as_formed(sheet),
            }
            with st.container(horizontal=True):
                for (words, file, kind), text in texts.items():
                    st.download_button(
                        words, text, file, kind, on_click="ignore", icon=":material/download:", key=file
                    )
        st.caption(verbatim(with_names(all_pairs_caption(made))))
