"""A table of the items of a pair."""

import streamlit as st

import relviz


def item_table(pair: relviz.Pair) -> dict[str, list[str]]:
    """Columns of the items: what they show, their class, their id."""
    table = {"item": list(pair.items)}
    if pair.labels is not None:
        table["class"] = list(pair.labels)
    if pair.ids != pair.items:
        table["id"] = list(pair.ids)
    return table


def show_items(pair: relviz.Pair) -> None:
    """Show the matched items with their classes and ids; the table can be searched and sorted."""
    st.dataframe(item_table(pair), height=320, alt="The items of the pair with their classes and ids")
