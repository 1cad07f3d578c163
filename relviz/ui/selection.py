"""What is selected in the maps: the items, how far the two encoders agree on them, what to do with them."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
import streamlit as st
import torch

import relviz
from relviz.measure import nearest_others
from relviz.results.comparison import Comparison
from relviz.results.neighborhoods import Agreement, neighborhood_agreement
from relviz.sheet import columns_csv
from relviz.state.view import MOST_PICKS, AnchorChoices
from relviz.ui import state
from relviz.ui.item_rows import have_pictures
from relviz.ui.item_table import PICTURE, pictures, show_item_table
from relviz.ui.linked_map import MapEvent
from relviz.ui.names import name_of
from relviz.ui.verbatim import verbatim
from relviz.wording import count, plural

MOST_LINES = 8
"""Lines of a table that are seen at once."""
MOST_LISTED = 10_000
"""Items that the table lists; a browser is slow with more."""
QUICK_ROWS = 6000
"""Up to so many rows, agreement is computed while one waits."""
NEIGHBORS = ("in A", "in B")
NEIGHBORS_OF = 12
"""Items whose neighbors can be looked at, at most."""


def show_selection(comparison: Comparison, k: int, event: MapEvent) -> None:
    """A table of the selected items, their agreement, and their neighbors in both original spaces."""
    pair, rows = comparison.pair, event.selected
    if not len(rows):
        st.caption("Click an item, or use the box or lasso above the maps. Shift adds, Escape clears.")
        return
    agreement = _agreement(pair, k)
    index = None if agreement is None else agreement.jaccard
    st.subheader(f"{plural(len(rows), 'item')} selected")
    _verdict(rows, agreement)
    items, classes = st.columns([3, 2], gap="large")
    with items:
        table = selected_table(pair, rows, index)
        sources, height = comparison.sources, _height(len(rows))
        listed = {name: values[:MOST_LISTED] for name, values in table.items()}
        show_item_table(sources, rows[:MOST_LISTED].tolist(), listed, "The selected items", height)
        if len(rows) > MOST_LISTED:
            st.caption(f"The first {count(MOST_LISTED)} are listed; the csv has all.")
        _acts(comparison.choices, rows, table)
    with classes:
        if index is not None and pair.labels is not None:
            per_class = class_table(pair.labels, rows, index)
            st.dataframe(
                per_class,
                height=_height(len(per_class["class"])),
                hide_index=True,
                alt="Agreement of each class",
            )
    _show_neighbors(comparison, k, rows, event.clicked)


def selected_table(pair: relviz.Pair, rows: np.ndarray, index: np.ndarray | None) -> dict[str, list[object]]:
    """Columns of the selected items: what they show, class, id, agreement."""
    chosen = rows.tolist()
    table: dict[str, list[object]] = {"item": [pair.items[row] for row in chosen]}
    if pair.labels is not None:
        labels = pair.labels
        table["class"] = [name_of(labels[row]) for row in chosen]
    if index is not None:
        table["agreement"] = [round(float(index[row]), 4) for row in chosen]
    if pair.ids != pair.items:
        table["id"] = [pair.ids[row] for row in chosen]
    return table


def class_table(labels: Sequence[str], rows: np.ndarray, index: np.ndarray) -> dict[str, list[object]]:
    """For each class among the selected rows: how many of it, and their agreement and that of its whole."""
    names = np.array(labels, dtype=object)
    chosen = names[rows]
    table: dict[str, list[object]] = {"class": [], "selected": [], "agreement": [], "of the whole class": []}
    kinds, counts = np.unique(chosen, return_counts=True)
    for name, number in sorted(zip(kinds, counts, strict=True), key=lambda pair: -pair[1]):
        values = (name_of(name), int(number), index[rows[chosen == name]].mean(), index[names == name].mean())
        for column, value in zip(table.values(), values, strict=True):
            column.append(round(float(value), 4) if isinstance(value, np.floating) else value)
    return table


def neighbor_table(
    pair: relviz.Pair, row: int, k: int, sources: tuple[str, str]
) -> tuple[dict[str, list[str]], int]:
    """The k nearest others of an item in A and in B, those in both marked, and how many these are."""
    lists = [nearest_others(side.vectors, torch.tensor([row]), k)[0].tolist() for side in (pair.a, pair.b)]
    shared = set(lists[0]) & set(lists[1])
    table: dict[str, list[str]] = {}
    for side, found in zip(NEIGHBORS, lists, strict=True):
        if have_pictures(sources):
            table[f"{PICTURE} {side}"] = pictures(sources, tuple(found))
        table[side] = [f"{'● ' if other in shared else '○ '}{pair.items[other]}" for other in found]
    return table, len(shared)


def _height(lines: int) -> int | Literal["content"]:
    return "content" if lines <= MOST_LINES else 36 * MOST_LINES


def _agreement(pair: relviz.Pair, k: int) -> Agreement | None:
    task = neighborhood_agreement(pair, k)
    return task.run() if len(pair) <= QUICK_ROWS else task.stored()


def _verdict(rows: np.ndarray, found: Agreement | None) -> None:
    if found is None:
        st.caption("Color by agreement to compare the neighborhoods of all items.")
        return
    index = found.jaccard
    st.markdown(
        f"Overlap of their {found.k} nearest neighbors in A and in B, in the original dimensions: "
        f"**{index[rows].mean():.3f}** (Jaccard; all {count(len(index))} items: {index.mean():.3f}; by "
        f"chance: {found.chance:.3f}). The item itself is not counted."
    )


def offer_rows(
    rows: tuple[int, ...],
    chosen: tuple[int, ...],
    take: Callable[[tuple[int, ...]], None],
    words: tuple[str, str],
    addable: bool,
) -> None:
    """Two buttons side by side: take the selected rows, or add them to those that are chosen."""
    both = tuple(dict.fromkeys((*chosen, *rows)))[:MOST_PICKS]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(words[0], on_click=take, args=(rows,))
        st.button(words[1], on_click=take, args=(both,), disabled=not addable)


def _acts(choices: AnchorChoices, rows: np.ndarray, table: dict[str, list[object]]) -> None:
    use, add, export = st.columns(3)
    picks = tuple(rows[:MOST_PICKS].tolist())
    use.button(
        "Use as anchors",
        on_click=lambda: state.change(method="hand", picks=picks),
        disabled=len(rows) < 2,
        width="stretch",
    )
    both = tuple(dict.fromkeys((*choices.picks, *picks)))[:MOST_PICKS]
    add.button(
        "Add to anchors",
        on_click=lambda: state.change(picks=both),
        disabled=choices.method != "hand",
        width="stretch",
    )
    export.download_button(
        "Export as csv", columns_csv(table), "selected.csv", "text/csv", on_click="ignore", width="stretch"
    )
    if len(rows) > MOST_PICKS:
        st.caption(f"Only the first {count(MOST_PICKS)} can become anchors.")


def _show_neighbors(comparison: Comparison, k: int, rows: np.ndarray, clicked: int | None) -> None:
    pair = comparison.pair
    choices = [clicked] if clicked is not None else rows[:NEIGHBORS_OF].tolist()
    k = min(k, len(pair) - 1)
    row = choices[0]
    if len(choices) > 1:
        row = st.selectbox("Neighbors of", choices, format_func=lambda one: pair.items[one][:80])
    table, shared = neighbor_table(pair, row, k, comparison.sources)
    st.markdown(
        f"**{verbatim(pair.items[row][:200])}**: {shared} of its {k} nearest neighbors are the same in both "
        "spaces (●), nearest first."
    )
    images = {name: st.column_config.ImageColumn("", width=40) for name in table if name not in NEIGHBORS}
    alt = "The nearest neighbors in A and in B"
    st.dataframe(table, hide_index=True, column_config=images, alt=alt)
