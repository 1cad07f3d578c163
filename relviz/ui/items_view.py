"""A table of the items of a pair."""

from functools import partial

import streamlit as st

import relviz
from relviz.view.export import pair_csv, pair_npz


def item_table(pair: relviz.Pair) -> dict[str, list[str]]:
    """Columns of the items: what they show, their class, their id."""
    table = {"item": list(pair.items)}
    if pair.labels is not None:
        table["class"] = list(pair.labels)
    if pair.ids != pair.items:
        table["id"] = list(pair.ids)
    return table


def show_items(pair: relviz.Pair) -> None:
    """Show the matched items with their classes and ids; the table can be searched, sorted, and saved."""
    st.dataframe(item_table(pair), height=320, alt="The items of the pair with their classes and ids")
    with st.container(horizontal=True):
        for words, make, name in (
            ("Rows, csv", pair_csv, "rows.csv"),
            ("Rows and vectors, npz", pair_npz, "pair.npz"),
        ):
            st.download_button(
                words, partial(make, pair), name, on_click="ignore", icon=":material/download:", key=name
            )
