"""The papers' retrieval table for the pair on screen, beside the papers' own figures."""

from dataclasses import replace

import streamlit as st

import relviz
from relviz.bootstrapping.table import BootstrapTable
from relviz.compute.task import Task
from relviz.figures.kinds.tables import options_of
from relviz.figures.latex_table import latex_as_formed
from relviz.results.retrieval_table import (
    DIFFERENT,
    MOST_DRAWS,
    Trials,
    our_sheet,
    papers_sheet,
    table_csv,
    table_task,
)
from relviz.sheet import markdown
from relviz.state.option_labels import SOLVERS
from relviz.ui.figure_button import figure_button
from relviz.ui.job_view import result_or_progress, start
from relviz.ui.verbatim import verbatim

SEED_COUNTS = (100, 50, 15, 10, 5, 3, 0)
SEED_COUNTS_HELP = "Number of anchors whose counterpart is known. The warm start needs at least one."
METHODS_HELP = "Adam takes many steps: on 20,000 rows, minutes per run."
PAPERS_HELP = """All items, anchors included, are fitted and used as queries. Only these numbers
are comparable with the papers'. Off: queries are held-out items."""


def show_retrieval_table(pair: relviz.Pair) -> None:
    """What to try, the table once it is computed, the papers' own figures, and what differs."""
    trials = _choose(pair)
    task = table_task(trials, pair) if trials.methods and trials.seed_counts else None
    if task is None:
        st.info("Choose at least one method and one number of known pairs.", icon=":material/table:")
    elif task.job() is None and task.stored() is None:
        st.button(
            "Compute table",
            icon=":material/table:",
            on_click=start,
            args=(task,),
            key="ao_table_compute",
        )
        runs = len(trials.methods) * len(trials.seed_counts) * trials.draws
        st.caption(f"{runs} runs of the solver, each measured in both directions.")
    else:
        _show(trials, task, pair)
    st.markdown("**In the papers**")
    st.table(papers_sheet().dicts(), hide_index=True)
    st.caption(" ".join(DIFFERENT))


def _choose(pair: relviz.Pair) -> Trials:
    default = Trials()
    fits = [seeds for seeds in SEED_COUNTS if seeds <= min(default.anchors, len(pair))]
    at_first = {"seeds": [s for s in default.seed_counts if s in fits], "methods": list(default.methods)}
    for name, value in (at_first | {"draws": default.draws}).items():
        st.session_state.setdefault(f"ao_table_{name}", value)
    st.session_state["ao_table_seeds"] = [s for s in st.session_state["ao_table_seeds"] if s in fits]
    left, middle, right = st.columns([3, 3, 1])
    seeds = left.multiselect(
        "Numbers of known pairs",
        fits,
        help=SEED_COUNTS_HELP,
        key="ao_table_seeds",
    )
    methods = middle.multiselect(
        "Methods",
        list(SOLVERS),
        format_func=SOLVERS.__getitem__,
        help=METHODS_HELP,
        key="ao_table_methods",
    )
    draws = right.number_input("Draws", 1, MOST_DRAWS, key="ao_table_draws")
    papers = st.toggle("As the papers count", key="ao_table_papers", help=PAPERS_HELP)
    counts = tuple(sorted(seeds, reverse=True))
    trials = Trials(default.anchors, counts, tuple(methods), int(draws), include_anchors=papers)
    return _without_impossible(trials)


def _without_impossible(trials: Trials) -> Trials:
    """No warm start without seeds: the line is left out, and that is said."""
    if 0 not in trials.seed_counts or "adam_warm" not in trials.methods:
        return trials
    others = tuple(method for method in trials.methods if method != "adam_warm")
    st.caption("The warm start needs known pairs, so it is skipped for 0.")
    return replace(trials, methods=others)


def _show(trials: Trials, task: Task[BootstrapTable], pair: relviz.Pair) -> None:
    table = result_or_progress("ao_table", task)
    if table is None:
        return
    sheet = our_sheet(table, pair)
    st.table(sheet.dicts(), hide_index=True)
    st.caption(verbatim(sheet.caption))
    texts = {
        ("csv", "retrieval.csv", "text/csv"): table_csv(table),
        ("Markdown", "retrieval.md", "text/markdown"): markdown(sheet),
        ("LaTeX", "retrieval.tex", "text/x-tex"): latex_as_formed(sheet),
    }
    with st.container(horizontal=True):
        for (words, name, kind), text in texts.items():
            st.download_button(words, text, name, kind, on_click="ignore", icon=":material/download:")
        figure_button({"retrieval": options_of(trials)}, "retrieval")
