"""The figures of a comparison on screen: the verdict, the table, the curve over the number of anchors."""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
import streamlit as st

import relviz
from relviz.ui.colours import OKABE_ITO
from relviz.ui.job_view import result_or_progress
from relviz.ui.wording import MEASURES, MEASURES_HELP
from relviz.view import View
from relviz.view.results import curve_task, measure_task

Record = Mapping[str, Any]
STRIP = ("top1", "mrr", "jaccard", "cosine")


def measures_of(view: View, pair: relviz.Pair) -> Mapping[str, Any] | None:
    """The measured figures; until they are there, their progress is shown and None given."""
    try:
        result = result_or_progress("measures", measure_task(view, pair))
    except relviz.Error as reason:
        st.info(str(reason), icon=":material/anchor:")
        return None
    return None if result is None else result.meta


def show_verdict(measured: Mapping[str, Any] | None) -> None:
    """The figures that prove it, in a strip: relative, with chance and the absolute control beside each."""
    if measured is None:
        return
    for name, column in zip(STRIP, st.columns(len(STRIP)), strict=True):
        both = [r for r in measured["records"] if r["metric"] == name and r["representation"] == "relative"]
        control = [
            r for r in measured["records"] if r["metric"] == name and r["representation"] == "absolute"
        ]
        mean = sum(r["mean"] for r in both) / len(both)
        chance = sum(r["null"] for r in both) / len(both)
        beside = f"chance {chance:.3f}"
        if control:
            beside += f", absolute {sum(r['mean'] for r in control) / len(control):.3f}"
        column.metric(
            f"{MEASURES[name]}, relative",
            f"{mean:.3f}",
            beside,
            delta_color="off",
            delta_arrow="off",
            help=MEASURES_HELP[name] + " Mean of both directions.",
        )


def show_measures(view: View, pair: relviz.Pair, measured: Mapping[str, Any] | None) -> None:
    """The table of the papers: each measure in both directions, with its spread, chance and control."""
    st.subheader("How alike are they?")
    if measured is None:
        st.caption("The figures appear here when they are measured.")
        return
    records = {(r["representation"], r["direction"], r["metric"]): r for r in measured["records"]}
    table = [
        {
            "measure": words,
            "relative A → B": _spread(records["relative", "x→y", name]),
            "relative B → A": _spread(records["relative", "y→x", name]),
            "chance": f"{records['relative', 'x→y', name]['null']:.4f}",
            "absolute A → B": _spread(records.get(("absolute", "x→y", name))),
            "absolute B → A": _spread(records.get(("absolute", "y→x", name))),
        }
        for name, words in MEASURES.items()
    ]
    st.table(table, hide_index=True)
    runs = f"mean ± sd over anchor seeds {view.seed}-{view.seed + view.runs - 1}"
    parts = [
        f"{measured['anchors']:,} anchors ({measured['method']})",
        "one run" if measured["method"] == "given" else runs,
        f"k = {measured['k']}",
        f"{measured['queries']:,} of {measured['rows']:,} rows as queries, searched among all",
        "the row itself counted among its neighbours, as in the papers",
    ]
    if ("absolute", "x→y", "mrr") not in records:
        parts.append(f"no absolute control: the dimensions are {pair.a.dimension} and {pair.b.dimension}")
    st.caption(" · ".join(parts))


def show_curve(view: View, pair: relviz.Pair) -> None:
    """Retrieval against the number of anchors, both directions."""
    st.subheader("How many anchors does it take?")
    if view.method == "hand":
        st.caption("Anchors chosen by hand have no number to vary; choose another method to see the curve.")
        return
    try:
        result = result_or_progress("curve", curve_task(view, pair))
    except relviz.Error as reason:
        st.info(str(reason), icon=":material/anchor:")
        return
    if result is None:
        return
    figure = curve_figure(result.meta["counts"], result.meta["tables"])
    st.plotly_chart(
        figure, key="curve", config={"displaylogo": False}, alt="Retrieval over number of anchors"
    )
    st.caption(
        f"mean ± sd over {len(result.meta['seeds'])} draws, in each of which more anchors include fewer"
    )


def curve_figure(counts: Sequence[int], tables: Sequence[Sequence[Record]]) -> go.Figure:
    """Top-1 and MRR over the number of anchors, one line for each direction, with error bars."""
    figure = go.Figure()
    lines = [(m, d) for m in ("top1", "mrr") for d in ("x→y", "y→x")]
    for place, (metric, direction) in enumerate(lines):
        points = [
            next(
                r
                for r in table
                if (r["representation"], r["direction"], r["metric"]) == ("relative", direction, metric)
            )
            for table in tables
        ]
        figure.add_scatter(
            x=list(counts),
            y=[r["mean"] for r in points],
            error_y={"array": [r["sd"] or 0 for r in points], "thickness": 1},
            mode="lines+markers",
            name=f"{MEASURES[metric]} {direction.replace('x', 'A').replace('y', 'B').replace('→', ' → ')}",
            line={"color": OKABE_ITO[place // 2], "dash": "dot" if place % 2 else "solid"},
        )
    figure.update_layout(
        height=330,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        xaxis={"type": "log", "title": "anchors", "dtick": 1},
        yaxis={"range": [0, 1.02]},
        legend={"orientation": "h", "y": 1.12},
    )
    return figure


def _spread(record: Record | None) -> str:
    if record is None:
        return "–"
    return f"{record['mean']:.3f}" + ("" if record["sd"] is None else f" ± {record['sd']:.3f}")
