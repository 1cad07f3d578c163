"""The methods of translation compared: cosine, rank of the true counterpart, accuracy of a head."""

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go
import streamlit as st

import relviz
from relviz.figures.colours import OKABE_ITO
from relviz.ui.job_view import result_or_progress
from relviz.ui.verbatim import verbatim
from relviz.view import View
from relviz.view.baselines import TITLES, baselines_task
from relviz.view.heads import NOT_SAID, Said
from relviz.view.translation import Translation
from relviz.wording import count, plural

FIGURES = {
    "cosine": "cosine similarity to the target",
    "mrr": "MRR of the true counterpart",
    "accuracy": "accuracy of the target's head",
}


def show_bars(view: View, pair: relviz.Pair, made: Translation, said: Said | None) -> None:
    """Every method with the anchors of the view; IRP with its δ and ω, if that is what the page shows."""
    st.subheader("Method comparison")
    result = result_or_progress("baselines", baselines_task(view, pair))
    if result is None:
        return
    found: dict[str, Mapping[str, Any]] = dict(result.meta["found"])
    if view.translate == "irp":
        told = NOT_SAID if said is None else said.record()
        found = {"irp": made.scores.record() | told} | found
    native = said.native if said is not None and said.rows else None
    st.plotly_chart(bars(found, native), key="stitch_bars", alt="Cosine, MRR and accuracy of every method")
    for method, one in found.items():
        if "reason" in one:
            st.caption(f"{TITLES[method]}: {verbatim(one['reason'])}")
    irp = "" if view.translate == "irp" else " IRP is left out: choose it as the translator to see it."
    tested = ""
    if said is not None and said.rows:
        low, high = said.interval
        tested = (
            f" Accuracy: {plural(said.rows, 'test row')} that are no anchors and trained no head; the 95% "
            f"interval of the method above is {low:.3f}–{high:.3f}. The most frequent class is "
            f"{said.chance:.3f} of them. Dashed: the target's head on its own vectors."
        )
    scores = made.scores
    st.caption(
        f"Cosine after centering on the anchors, and MRR, over the same {plural(scores.queries, 'item')} "
        f"that are no anchors; candidates: all {count(scores.candidates)} items. Chance of the MRR: "
        f"{scores.chance['mrr']:.4f}.{tested}{irp}"
    )


def bars(found: Mapping[str, Mapping[str, Any]], native: float | None) -> go.Figure:
    """A group of bars for each method; ``native`` is a line to reach."""
    fine = {method: one for method, one in found.items() if "reason" not in one}
    figure = go.Figure()
    for (name, words), colour in zip(FIGURES.items(), OKABE_ITO, strict=False):
        values = [one[name] for one in fine.values()]
        if any(value is not None for value in values):
            figure.add_bar(
                name=words,
                x=[TITLES[method] for method in fine],
                y=values,
                texttemplate="%{y:.2f}",
                marker_color=colour,
            )
    if native is not None:
        figure.add_hline(native, line_dash="dash", line_color=OKABE_ITO[2])
    lowest = min(0, *(one["cosine"] for one in fine.values()))  # below it there is room for its number
    figure.update_layout(
        height=340,
        margin={"t": 10, "b": 10, "l": 10, "r": 10},
        yaxis_range=[lowest and lowest - 0.08, 1],
        legend={"orientation": "h", "y": 1.12},
    )
    return figure
