"""The anchors on screen: how they are chosen, and their quality."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
import streamlit as st
import torch

import relviz
from relviz.figures.panes import alone
from relviz.figures.pictures import pictures_of
from relviz.results.comparison import Comparison, drawn_count
from relviz.state.view import MOST_PICKS, AnchorChoices, MapChoices, View
from relviz.ui import controls, state
from relviz.ui.cells import apart
from relviz.ui.figure_button import figure_button
from relviz.ui.item_rows import drawn_at_once, items, show_lines
from relviz.ui.maps import row_panes, show_map
from relviz.ui.names import labels_shown, name_of
from relviz.ui.selection import offer_rows
from relviz.ui.verbatim import verbatim
from relviz.wording import count, plural


def anchor_controls(choices: AnchorChoices, rows: int) -> None:
    """What there is to choose about anchors of the chosen method, of a pair of so many rows."""
    view = state.current()
    if choices.method == "run":
        controls.choose(view, "rows")
    if not choices.is_given:
        controls.choose(view, "count", drawn_count(rows, rows))
        controls.choose(view, "seed")


COUNTS = (2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 5000)


def anchor_slider(choices: AnchorChoices, pair: relviz.Pair) -> None:
    """The number of anchors as a slider under the maps; nothing where they are given, and none are drawn."""
    if choices.is_given:
        return
    most = drawn_count(len(pair), len(pair))
    now = min(choices.count, most)
    # Other options are another widget: of the old one the browser may still send what it had.
    key = "anchor_slider" if now in COUNTS else f"anchor_slider {now}"
    st.session_state[key] = now

    def take() -> None:
        value = st.session_state[key]
        if value != now:  # a browser may send back what it was given
            state.change(count=value)

    st.select_slider(
        "Anchors, from few to many",
        sorted({now, *(one for one in COUNTS if one <= most)}),
        format_func=lambda one: f"{one:,} anchors",
        key=key,
        label_visibility="collapsed",
        on_change=take,
    )


def pick_anchors(picks: Sequence[int], pair: relviz.Pair) -> None:
    """Choose anchors by hand: by text here, or as points of the map below."""
    items = pair.items
    st.session_state["choice_picks"] = [row for row in picks if row < len(pair)]
    choice = View.choice("picks")
    st.multiselect(
        choice.label,
        range(len(pair)),
        format_func=lambda row: items[row],
        help=choice.help,
        key="choice_picks",
        max_selections=MOST_PICKS,
        placeholder="Type to find an item, or select points on the map",
        on_change=lambda: state.change(picks=tuple(st.session_state["choice_picks"])),
    )


def anchors_or_reason(comparison: Comparison) -> np.ndarray:
    """Rows of the anchors, ``(k,)``; empty, with the reason on screen, if there are none."""
    asked, pair = comparison.choices.count, comparison.pair
    try:
        anchors = comparison.anchors
    except relviz.Error as reason:
        st.info(verbatim(reason), icon=":material/anchor:")
        return np.empty(0, dtype=np.int64)
    if not comparison.choices.is_given and asked > len(anchors):
        st.warning(
            f"{count(asked)} anchors requested, but the pair has only {plural(len(pair), 'row')}. "
            f"{count(len(anchors))} are anchors; {count(len(pair) - len(anchors))} remain as queries."
        )
    return anchors.numpy()


BELOW = 200
"""Pixels of the first screen under the maps: their number, and how good they are."""


def show_anchor_map(comparison: Comparison, choices: MapChoices, anchors: np.ndarray) -> None:
    """Where the anchors lie in both absolute spaces; points selected there can be made anchors.

    What can be done with them stands above, in a row that is there before: nothing moves.
    """
    picks = comparison.choices.picks
    tools = st.container(horizontal=True, vertical_alignment="center")
    panes, _ = row_panes(comparison, alone(choices), "absolute")
    known, found = comparison.stars(anchors)
    event = show_map(
        comparison.pair,
        panes,
        known,
        "anchor_map",
        pictures_of(*comparison.sources),
        anchors_shown=True,
        height=620,
        discovered=found,
        below=BELOW,
    )
    rows = tuple(event.selected[:MOST_PICKS].tolist())
    with tools:
        if len(anchors):
            figure_button({"anchors": {}}, "anchors", "anchor_map")
        words, icon = "Compare relative to these anchors", ":material/compare:"
        st.page_link("pages/compare.py", label=words, icon=icon, width="content")
        if not rows:
            st.caption("Click an item, or draw a box or lasso, to choose anchors by hand.", width="content")
            return
        offer_rows(
            rows,
            picks,
            lambda picks: state.change(method="hand", picks=picks),
            (
                f"Make {plural(len(rows), 'item')} the anchors",
                f"Add to the {count(len(picks))} chosen by hand",
            ),
            addable=comparison.choices.method == "hand",
        )


def show_anchor_items(comparison: Comparison, anchors: np.ndarray) -> None:
    """Some of the anchors themselves."""
    if not len(anchors):
        return
    some = anchors[: drawn_at_once(comparison.sources)]
    words = f"{len(some)} of {plural(len(anchors), 'anchor')}"
    show_lines(comparison.pair, comparison.sources, [items(words, some)], "Anchors")


def show_classes(pair: relviz.Pair, anchors: np.ndarray) -> None:
    """How many anchors each class has, against its share of the rows."""
    if pair.labels is None or not len(anchors):
        return
    st.subheader("Class coverage")
    labels = pair.labels
    every, chosen = Counter(labels), Counter(labels[row] for row in anchors)
    missing = [name for name in every if not chosen[name]]
    if missing:
        named = verbatim(", ".join(map(name_of, missing[:8]))) + (" …" if len(missing) > 8 else "")
        st.warning(f"{len(missing)} of {len(every)} classes have no anchor: {named}.")
    names = [name for name, _ in every.most_common(40)]
    shown = apart(labels_shown(names))
    figure = go.Figure(
        [
            go.Bar(x=[chosen[name] for name in names], y=shown, orientation="h", name="anchors"),
            go.Scatter(
                x=[every[name] * len(anchors) / len(pair) for name in names],
                y=shown,
                mode="markers",
                marker={"symbol": "line-ns-open", "size": 16, "line": {"width": 2}},
                name="expected if proportional",
            ),
        ]
    )
    figure.update_layout(
        height=120 + 24 * len(names),
        yaxis={"autorange": "reversed", "type": "category"},
        margin={"t": 8, "b": 8},
    )
    st.plotly_chart(figure, key="anchor_classes", config={"displaylogo": False}, alt="Anchors of each class")
    if len(every) > len(names):
        st.caption(f"The {len(names)} most frequent of {count(len(every))} classes.")


NEARLY_COLLINEAR = 0.98
ILL_CONDITIONED = 1e4
FEW_ANCHORS = 50

HELP = {
    "condition": "Condition number: largest over smallest singular value of the centered unit anchors. 1 "
    "is best. Inverting the matrix amplifies noise by up to this factor.",
    "rank": "Effective rank: effective number of directions that the anchors span (Roy and Vetterli 2007).",
    "cosine": "The largest |cosine| between two anchors. Near 1, they are nearly collinear.",
    "share": "The largest share of items that have the same nearest anchor.",
}


def show_quality(comparison: Comparison, anchors: np.ndarray) -> None:
    """Figures and warnings for the anchors, encoder by encoder."""
    if not len(anchors):
        return
    pair = comparison.pair
    sides = zip((pair.a, pair.b), comparison.frames, st.columns(2, gap="large"), strict=True)
    chosen = torch.from_numpy(anchors)
    for rows, (space, frame, column) in zip((chosen, comparison.rows_in_b), sides, strict=True):
        report = relviz.anchor_report(frame, rows)
        with column:
            st.markdown(f"Anchor quality · **{verbatim(space.name)}**")
            _show_figures(report)
            for warning in warnings_of(report, space.dimension, pair.items):
                st.warning(warning, icon=":material/warning:")


def warnings_of(report: relviz.AnchorReport, dimension: int, items: tuple[str, ...]) -> list[str]:
    """What is wrong with a set of anchors, each with a remedy; nothing if all is well."""
    k, warnings = len(report.coverage), []
    full = min(k, dimension)
    if k < FEW_ANCHORS and k < dimension:
        warnings.append(
            f"{k} anchors are few for {dimension} dimensions. Directions they do not span are lost. Try "
            f"{min(FEW_ANCHORS, len(items))} or more."
        )
    if report.closest is not None and report.largest_cosine > NEARLY_COLLINEAR:
        one, other = (verbatim(items[row][:60]) for row in report.closest)
        warnings.append(
            f"“{one}” and “{other}” are nearly collinear (|cosine| {report.largest_cosine:.3f}). "
            "Farthest-point selection avoids this."
        )
    if report.rank_deficit:
        warnings.append(
            f"The anchors span {report.rank} of {full} dimensions: some are redundant. Inverse projection "
            "will prune them."
        )
    elif report.condition_number > ILL_CONDITIONED:
        warnings.append(
            f"The anchors' matrix is ill-conditioned ({report.condition_number:,.3g}). Inverting it, as "
            "stitching does, amplifies noise. It is worst with as many anchors as dimensions "
            f"({dimension}): use fewer, or many more."
        )
    return warnings


def _show_figures(report: relviz.AnchorReport) -> None:
    figures = {
        "Condition": (f"{report.condition_number:,.3g}", HELP["condition"]),
        "Rank": (f"{report.effective_rank:,.0f}", HELP["rank"]),
        "Cosine": (f"{report.largest_cosine:.3f}", HELP["cosine"]),
        "Share": (f"{float(report.coverage.max()):.1%}", HELP["share"]),
    }
    for column, (label, (value, help)) in zip(st.columns(4), figures.items(), strict=True):
        column.metric(label, value, help=help)
