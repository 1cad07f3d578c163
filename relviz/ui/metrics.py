"""The figures of a comparison on screen: the verdict, the table, the curve over the number of anchors."""

from functools import partial

import plotly.graph_objects as go
import streamlit as st

import relviz
from relviz.figures.panes import HEAD, curves_of, metric_rows
from relviz.results.comparison import Comparison
from relviz.results.metrics import Curve, Metrics, curve, metrics
from relviz.state.option_labels import MEASURES, MEASURES_HELP, METHODS
from relviz.state.view import MetricChoices
from relviz.ui.job_view import result_or_progress
from relviz.ui.verbatim import verbatim
from relviz.wording import count, plural

STRIP = ("top1", "mrr_at_k", "jaccard", "cosine")


def metrics_or_progress(comparison: Comparison, choices: MetricChoices) -> Metrics | None:
    """The metrics, said in a sentence; until they are there, None, and what the first anchor samples say."""
    show = partial(show_verdict, comparison.pair, runs=choices.runs)
    try:
        measured = result_or_progress("measures", metrics(comparison, choices), show)
    except relviz.Error as reason:
        st.info(verbatim(reason), icon=":material/anchor:")
        return None
    if measured is not None:
        show(measured, runs=measured.draws)
    return measured


def show_verdict(pair: relviz.Pair, measured: Metrics, runs: int) -> None:
    """What was found, in one sentence, and whether more anchor samples are to come."""
    found, chance, control = (
        _both_ways(measured, "top1", what) for what in ("relative", "chance", "absolute")
    )
    through = f"elative to {count(measured.anchors)} anchors, **{found:.1%}**"
    items = plural(measured.queries, "held-out item")
    so_far = "" if measured.draws == runs else f" Based on {measured.draws} of {runs} anchor samples so far."
    if control is None:
        st.markdown(
            f"The original spaces have {pair.a.dimension} and {pair.b.dimension} dimensions, so they cannot "
            f"be compared directly. R{through} of {items} retrieve their counterpart "
            f"(chance {chance:.2%}).{so_far}"
        )
    else:
        st.markdown(
            f"In the original spaces, **{control:.1%}** of {items} retrieve their counterpart. "
            f"R{through} do (chance {chance:.2%}).{so_far}"
        )


def show_strip(measured: Metrics | None) -> None:
    """Four metrics side by side, each beside chance and the control; nothing until they are there."""
    if measured is None:
        return
    for name, column in zip(STRIP, st.columns(len(STRIP)), strict=True):
        value, chance, absolute = (
            _both_ways(measured, name, what) for what in ("relative", "chance", "absolute")
        )
        references = f"chance {chance:z.4f}" + ("" if absolute is None else f", absolute {absolute:.3f}")
        column.metric(
            f"{MEASURES[name]}, relative",
            f"{value:.3f}",
            references,
            delta_color="off",
            delta_arrow="off",
            help=MEASURES_HELP[name] + " Mean of both directions.",
        )


def show_metrics(comparison: Comparison, runs: int, measured: Metrics | None) -> None:
    """The table of the papers: each metric in both directions, with its spread, chance, null and control."""
    if measured is None:
        st.caption("Metrics appear here when they are computed.")
        return
    st.table([dict(zip(HEAD, row, strict=True)) for row in metric_rows(measured)], hide_index=True)
    st.caption(" · ".join(_conditions(comparison, runs, measured)))


def show_curve(comparison: Comparison, choices: MetricChoices) -> None:
    """Retrieval against the number of anchors, both directions."""
    if comparison.choices.is_given:
        st.caption(
            "These anchors are fixed, so their number cannot vary. Choose another selection method to see "
            "the curve."
        )
        return
    try:
        made = result_or_progress("curve", curve(comparison, choices))
    except relviz.Error as reason:
        st.info(verbatim(reason), icon=":material/anchor:")
        return
    if made is None:
        return
    st.plotly_chart(
        curve_figure(made), key="curve", config={"displaylogo": False}, alt="Retrieval over number of anchors"
    )
    st.caption(
        f"Mean ± sd over {len(made.seeds)} nested anchor sets. Queries are the non-anchor items, so their "
        "number falls as anchors are added."
    )


def curve_figure(made: Curve) -> go.Figure:
    """Top-1 and MRR@k over the number of anchors, one line for each direction, with error bars."""
    figure = go.Figure()
    for line in curves_of(made.tables):
        figure.add_scatter(
            x=made.counts,
            y=line.mean,
            error_y={"array": line.sd, "thickness": 1},
            mode="lines+markers",
            name=line.words,
            line={"color": line.color, "dash": "dot" if line.back else "solid"},
        )
    figure.update_layout(
        height=340,
        margin={"l": 12, "r": 12, "t": 8, "b": 8},
        xaxis={
            "type": "log",
            "title": "anchors",
            "tickvals": made.counts,
            "ticktext": list(map(count, made.counts)),
        },
        yaxis={"range": [0, 1.02]},
        legend={"orientation": "h", "y": -0.25},
    )
    return figure


def _both_ways(measured: Metrics, metric: str, what: str) -> float | None:
    """The mean of a metric over both directions: relative, absolute, or by chance."""
    kind = "relative" if what == "chance" else what
    found = [one for one in measured.metrics if (one.metric, one.representation) == (metric, kind)]
    values = [one.chance if what == "chance" else one.mean for one in found]
    return sum(values) / len(values) if values else None


def _describe_rows(measured: Metrics) -> str:
    return (
        f"{count(measured.queries)} queries, none of them an anchor; {count(measured.rows)} "
        "candidates, anchors included"
    )


def _conditions(comparison: Comparison, runs: int, measured: Metrics) -> list[str]:
    pair, choices = comparison.pair, comparison.choices
    given = measured.method == "given"
    by = "from a bootstrapped run" if choices.method == "run" else "chosen by hand"
    method = by if given else METHODS[measured.method].lower()
    last = choices.seed + runs - 1
    drawn = f"mean ± sd over anchor seeds {choices.seed}–{last}" if runs > 1 else f"anchor seed {last}"
    conditions = [
        f"{count(measured.anchors)} anchors, {method}",
        "one run" if given else drawn,
        f"k = {measured.k}",
        _describe_rows(measured),
        "chance: random lists and counterparts among the candidates",
        "shuffled pairing: mean ± sd over all shuffles of the queries, anchors unchanged",
        "self-matches included, as in the papers",
    ]
    biased = " (biased upward: few rows for so many dimensions)"
    few = len(pair) < 2 * min(pair.a.dimension, pair.b.dimension)
    conditions.append(f"linear CKA of the original spaces: {measured.cka:.3f}{biased if few else ''}")
    if measured.find("top1", "absolute") is None:
        conditions.append(f"no absolute baseline: {pair.a.dimension} and {pair.b.dimension} dimensions")
    return conditions
