"""The anchors on screen: chosen by hand, where they lie, which classes they cover, whether they serve."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

import relviz
from relviz.anchors import AnchorReport, anchor_report
from relviz.ui import state
from relviz.ui.comparison import CHART
from relviz.ui.maps import map_figure
from relviz.ui.panes import row_panes
from relviz.view import View
from relviz.view.choices import MOST_PICKS
from relviz.view.results import anchors_of, frames_of

NEARLY_COLLINEAR = 0.98
ILL_CONDITIONED = 1e4
FEW_ANCHORS = 50

CONDITION_HELP = """Largest over smallest singular value of the anchors' matrix, after centring and
scaling rows to unit length. 1 is best; inverting the matrix amplifies noise by up to this much."""
RANK_HELP = "How many directions the anchors really span, small ones counting less (Roy and Vetterli 2007)."
SHARE_HELP = (
    "The share of all items that have the same anchor as their nearest. Even would be 1 / number of anchors."
)


def pick_anchors(view: View, pair: relviz.Pair) -> None:
    """Choose anchors by hand: by text here, or as points of the map below."""
    st.session_state["choice_picks"] = [row for row in view.picks if row < len(pair)]
    items = pair.items
    st.multiselect(
        "Anchors",
        range(len(pair)),
        format_func=lambda row: items[row],
        key="choice_picks",
        max_selections=MOST_PICKS,
        placeholder="Type to find an item, or select points on the map",
        on_change=lambda: state.change(picks=tuple(st.session_state["choice_picks"])),
    )


def show_anchors(view: View, pair: relviz.Pair) -> np.ndarray:
    """Say how good the anchors are in each encoder; gives their rows, ``(k,)``, empty if there are none."""
    try:
        anchors = anchors_of(view, pair)
    except relviz.Error as reason:
        st.info(str(reason), icon=":material/anchor:")
        return np.empty(0, dtype=np.int64)
    if view.method != "hand" and view.count > len(pair):
        st.warning(
            f"{view.count:,} anchors were asked for; the pair has {len(pair):,} rows, so all are used."
        )
    for side, space, frame in zip(("A", "B"), (pair.a, pair.b), frames_of(view, pair), strict=True):
        _show_report(side, space, anchor_report(frame, anchors), pair)
    return anchors.numpy()


def show_anchor_map(view: View, pair: relviz.Pair, anchors: np.ndarray) -> None:
    """Where the anchors lie in both absolute spaces; points selected there can be made anchors."""
    st.subheader("Where they lie")
    panes, _ = row_panes(view.with_changes(projection="pca"), pair, "absolute")
    figure = map_figure(panes, pair.items, pair.labels, anchors, height=520, anchors_shown=True)
    figure.update_layout(dragmode="lasso")
    chosen = st.plotly_chart(
        figure,
        config=CHART,
        key="anchor_map",
        on_select="rerun",
        selection_mode=("points", "box", "lasso"),
        alt="Both absolute spaces with the anchors as stars",
    )
    rows = selected_rows(chosen)
    if not rows:
        st.caption("Draw a lasso or a box, or click a point, to choose anchors by hand.")
        return
    added = tuple(dict.fromkeys((*(view.picks if view.method == "hand" else ()), *rows)))[:MOST_PICKS]
    use, add = st.columns(2)
    use.button(
        f"Make the {len(rows):,} selected items the anchors",
        on_click=lambda: state.change(method="hand", picks=rows[:MOST_PICKS]),
        width="stretch",
    )
    add.button(
        f"Add them to the {len(view.picks):,} chosen by hand",
        on_click=lambda: state.change(method="hand", picks=added),
        disabled=view.method != "hand",
        width="stretch",
    )


def selected_rows(event: Mapping[str, Any]) -> tuple[int, ...]:
    """Rows of the points that a chart event says are selected, each once."""
    points = event.get("selection", {}).get("points", [])
    return tuple(sorted({int(point["customdata"][0]) for point in points if point.get("customdata")}))


def show_classes(pair: relviz.Pair, anchors: np.ndarray) -> None:
    """How many anchors each class has, against its share of the rows."""
    if pair.labels is None or not len(anchors):
        return
    st.subheader("Which classes they cover")
    every, chosen = Counter(pair.labels), Counter(pair.labels[row] for row in anchors)
    names = [name for name, _ in every.most_common(40)]
    expected = [every[name] * len(anchors) / len(pair) for name in names]
    figure = go.Figure(
        [
            go.Bar(x=[chosen[name] for name in names], y=names, orientation="h", name="anchors"),
            go.Scatter(
                x=expected,
                y=names,
                mode="markers",
                marker={"symbol": "line-ns-open", "size": 16},
                name="in proportion to rows",
            ),
        ]
    )
    figure.update_layout(
        height=120 + 24 * len(names), yaxis={"autorange": "reversed"}, margin={"t": 8, "b": 8}
    )
    st.plotly_chart(figure, key="anchor_classes")
    missing = [name for name in every if not chosen[name]]
    if missing:
        st.warning(f"{len(missing)} of {len(every)} classes have no anchor: {', '.join(missing[:8])}.")


def _show_report(side: str, space: relviz.Space, report: AnchorReport, pair: relviz.Pair) -> None:
    st.markdown(f"**{side} · {space.name}**")
    figures = st.columns(4)
    figures[0].metric("Condition number", f"{report.condition_number:,.3g}", help=CONDITION_HELP)
    figures[1].metric("Effective rank", f"{report.effective_rank:,.0f}", help=RANK_HELP)
    figures[2].metric("Largest |cosine|", f"{report.largest_cosine:.3f}", help="Between two of the anchors.")
    figures[3].metric("Largest share", f"{float(report.coverage.max()):.1%}", help=SHARE_HELP)
    for warning in _warnings(space, report, pair):
        st.warning(warning, icon=":material/warning:")


def _warnings(space: relviz.Space, report: AnchorReport, pair: relviz.Pair) -> list[str]:
    k, said = len(report.coverage), []
    if k < space.dimension and k < FEW_ANCHORS:
        said.append(
            f"{k} anchors are few for {space.dimension} dimensions: whatever they do not span is lost. "
            f"Try {min(FEW_ANCHORS, len(pair))} or more."
        )
    if report.largest_cosine > NEARLY_COLLINEAR and report.closest is not None:
        one, other = (pair.items[row] for row in report.closest)
        said.append(
            f"“{one[:60]}” and “{other[:60]}” point nearly the same way (|cosine| "
            f"{report.largest_cosine:.3f}): one of them adds little. Farthest point avoids this."
        )
    full = min(k, space.dimension)
    if report.rank_deficit:
        said.append(
            f"The anchors span {report.rank} of {full} directions, so some of them say the same: "
            "their matrix cannot be inverted without leaving some out."
        )
    elif report.condition_number > ILL_CONDITIONED:
        said.append(
            f"The anchors' matrix is badly conditioned ({report.condition_number:,.3g}): inverting it, as "
            f"stitching does, amplifies noise. It is worst near as many anchors as dimensions "
            f"({space.dimension}); use fewer, or many more."
        )
    return said
