"""Where two encoders disagree: per item, class, pair and cluster; a press marks any of them on the maps."""

import html
from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go
import streamlit as st

import relviz
from relviz.figures.kinds.disagreement import agreement_columns, shared_by_chance, shared_of
from relviz.plotting.colors import CLASSES
from relviz.results.comparison import Comparison
from relviz.results.disagreement import (
    ClusterSplit,
    Disagreements,
    by_class,
    contrasts,
    disagreements,
    splits,
)
from relviz.results.neighborhoods import Agreement, clusters_of, neighborhood_agreement
from relviz.sheet import columns_csv
from relviz.ui.item_rows import (
    STYLE,
    TEXTS,
    Cell,
    cell,
    drawn_seed,
    have_pictures,
    pictured,
    say_and_draw_others,
)
from relviz.ui.job_view import result_or_progress
from relviz.ui.linked_map import mark_on
from relviz.ui.names import name_of
from relviz.ui.verbatim import verbatim
from relviz.wording import count

NEAREST, NEAREST_TEXTS = 6, 3
ROWS = {
    "least": "Least agreement",
    "most": "Most agreement",
    "near_a": "Near in A alone",
    "near_b": "Near in B alone",
    "clusters": "Clusters",
}
LINES = 5
"""Lines of a table of classes that are seen at once."""
HEIGHT = 36 * (LINES + 1)
Marker = Callable[[Sequence[int]], None]


def show_disagreements(comparison: Comparison, k: int, clusters: int) -> None:
    """How far the encoders agree on each item, and the items, classes, pairs and clusters that stand out."""
    pair = comparison.pair
    agreement = result_or_progress("agreement", neighborhood_agreement(pair, k))
    if agreement is None:
        return
    spread, classes = st.columns(2, gap="large")
    with spread:
        _show_spread(agreement)
    with classes:
        _show_classes(pair, agreement)
    with st.container(horizontal=True, vertical_alignment="center"):
        chosen = st.segmented_control(
            "What to show", list(ROWS), format_func=ROWS.__getitem__, default="least",
            key="disagreement_rows", label_visibility="collapsed",
        )  # fmt: skip
        st.download_button(
            "Agreement, csv",
            lambda: columns_csv(agreement_columns(pair, agreement)).encode(),
            "agreement.csv",
            "text/csv",
            on_click="ignore",
            icon=":material/download:",
        )
    match chosen or "least":
        case "least" | "most" as which:
            _show_extremes(comparison, agreement, which == "most")
        case "near_a" | "near_b" as which:
            _show_contrasts(comparison, which[-1])
        case _:
            _show_clusters(pair, clusters)


def _show_spread(agreement: Agreement) -> None:
    shared, k = shared_of(agreement), agreement.k
    by_chance = shared_by_chance(agreement)
    st.markdown(
        f"**{shared.mean():.1f} of {k}** nearest neighbors are the same in both spaces, on average "
        f"(chance {by_chance:.2g})."
    )
    figure = go.Figure()
    figure.add_bar(x=np.arange(k + 1), y=np.bincount(shared, minlength=k + 1), marker_color=CLASSES[0])
    figure.add_vline(
        x=by_chance,
        line_dash="dot",
        line_color=CLASSES[4],
        annotation_text="chance",
        annotation_position="top right",
    )
    figure.update_layout(
        height=HEIGHT,
        margin={"l": 12, "r": 12, "t": 8, "b": 8},
        xaxis={"title": "neighbors shared", "range": [-0.6, k + 0.6]},
        yaxis={"title": "items"},
        bargap=0.08,
    )
    config = {"displayModeBar": False}
    st.plotly_chart(figure, key="agreement_spread", config=config, alt="Items by neighbors shared")


def _show_classes(pair: relviz.Pair, agreement: Agreement) -> None:
    if pair.labels is None:
        st.caption("The items have no classes. Clusters, below, take their place.")
        return
    labels = np.asarray(pair.labels, dtype=object)
    found = by_class(pair.labels, agreement.jaccard)
    st.markdown("Mean agreement of each class (Jaccard), the least first. Select one to mark its items.")
    table: dict[str, list[object]] = {
        "class": [name_of(one.name) for one in found],
        "items": [one.items for one in found],
        "agreement": [round(one.mean, 3) for one in found],
    }
    _selectable(table, "classes", [np.flatnonzero(labels == one.name) for one in found], "Agreement by class")


def _selectable(table: dict[str, list[object]], key: str, rows: Sequence[np.ndarray], alt: str) -> None:
    """A table; a line that is selected marks its rows on the maps."""

    def take() -> None:
        lines = st.session_state[f"disagreement_{key}"]["selection"]["rows"]
        mark_on("maps", rows[lines[0]].tolist() if lines else [])

    st.dataframe(
        table,
        hide_index=True,
        height=min(HEIGHT, 36 * (len(rows) + 1)),
        key=f"disagreement_{key}",
        on_select=take,
        selection_mode="single-row",
        alt=alt,
    )


def _show_extremes(comparison: Comparison, agreement: Agreement, most: bool) -> None:
    pair = comparison.pair
    seed = drawn_seed("disagreements")
    drawn = disagreements(pair, agreement, _shown_count(comparison), TEXTS, seed, most)
    made = result_or_progress("disagreements", drawn)
    if made is None:
        return
    shared = shared_of(agreement)
    notes = [f"{shared[row]} of {agreement.k} shared" for row in made.rows.tolist()]
    _show_rows(comparison, made, notes)
    which = "agree most" if most else "differ most"
    say_and_draw_others(
        "disagreements",
        f"Sampled from the 10% of items whose {agreement.k} nearest neighbors {which} between the original "
        f"spaces. Green: neighbors in both lists. Mean Jaccard index of all items: "
        f"{float(np.mean(agreement.jaccard)):.2f} (chance {agreement.chance:.2f}).",
    )


def _show_contrasts(comparison: Comparison, near: str) -> None:
    pair = comparison.pair
    made = result_or_progress("contrasts", contrasts(pair, near, _shown_count(comparison), TEXTS))
    if made is None:
        return
    here, there = near.upper(), "B" if near == "a" else "A"
    notes = [f"{count(round(rank))} of {count(len(pair) - 1)} in {there}" for rank in made.ranks.tolist()]
    _show_rows(comparison, made.items, notes)
    among = "" if made.queries == len(pair) else f", among {count(made.queries)} items drawn at random"
    st.caption(
        f"Items whose nearest item in {here} is farthest from them in {there}{among}. At the right: its rank "
        f"in {there} (chance {count(len(pair) // 2)})."
    )


def _shown_count(comparison: Comparison) -> int:
    return NEAREST if have_pictures(comparison.sources) else NEAREST_TEXTS


def _show_rows(comparison: Comparison, made: Disagreements, notes: Sequence[str]) -> None:
    """A row for each item: itself, its nearest in A, its nearest in B, and a button that marks them."""
    pair = comparison.pair
    st.caption(f"Item, nearest in A ({verbatim(pair.a.name)}), nearest in B ({verbatim(pair.b.name)})")
    every = [made.rows.tolist(), *made.in_a.T.tolist(), *made.in_b.T.tolist()]
    pictures = pictured(comparison.sources, sorted({row for some in every for row in some}))
    for at, row in enumerate(made.rows.tolist()):
        in_a, in_b = made.in_a[at].tolist(), made.in_b[at].tolist()
        shared = set(in_a) & set(in_b)

        def cells(rows: Sequence[int], shared: set[int] = shared) -> str:
            looks = ["right" if one in shared else "" for one in rows]
            return "".join(
                cell(Cell(pair.items[one], pictures.get(one), look), "in both lists")
                for one, look in zip(rows, looks, strict=True)
            )

        button, shown = st.columns([1, 18], vertical_alignment="center")
        button.button(
            "",
            key=f"disagreement_mark_{at}",
            icon=":material/my_location:",
            help="Mark these items on the maps",
            on_click=mark_on,
            args=("maps", [row, *in_a, *in_b]),
        )
        own = cell(Cell(pair.items[row], pictures.get(row), "item"))
        gap = '<td class="gap"></td>'
        label = html.escape(f"Neighbors of {pair.items[row]}")
        shown.html(
            f'{STYLE}<div class="rows-of-items" role="region" tabindex="0" aria-label="{label}">'
            f"<table><tr>{own}{gap}{cells(in_a)}{gap}{cells(in_b)}<td>{html.escape(notes[at])}</td></tr></table></div>"
        )


def _show_clusters(pair: relviz.Pair, k: int) -> None:
    found = [
        result_or_progress(f"clusters {side}", clusters_of(space, k))
        for side, space in (("a", pair.a), ("b", pair.b))
    ]
    if found[0] is None or found[1] is None:
        return
    in_a, in_b = found[0].members, found[1].members
    lines: list[tuple[str, str, ClusterSplit, np.ndarray]] = []
    for here, there, members, others in (("A", "B", in_a, in_b), ("B", "A", in_b, in_a)):
        lines += [
            (here, there, one, np.flatnonzero(members == one.cluster)) for one in splits(members, others)
        ]
    lines.sort(key=lambda line: -line[2].parts / line[2].chance)
    table: dict[str, list[object]] = {
        "cluster": [f"{here} {one.cluster + 1}" for here, _, one, _ in lines],
        "items": [one.items for _, _, one, _ in lines],
        "lies in so many clusters of the other": [round(one.parts, 2) for _, _, one, _ in lines],
        "chance": [round(one.chance, 2) for _, _, one, _ in lines],
        "most of it": [f"{one.share:.0%} in {there} {one.main + 1}" for _, there, one, _ in lines],
    }
    _selectable(table, "clusters", [rows for *_, rows in lines], "Clusters, and how they are split")
    st.caption(
        f"{k} clusters of each space (k-means on its centered unit vectors). The number of clusters of the "
        "other space is the effective one: 1 if all items lie in one. Select a line to mark its items."
    )
