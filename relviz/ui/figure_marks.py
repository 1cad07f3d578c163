"""The choices on points of a map in print: how many are drawn, which have a star, a picture or a text."""

from typing import Any

import streamlit as st

from relviz.figures.sample import MOST_DRAWN
from relviz.ui.linked_map import last_event
from relviz.view import View
from relviz.view.figure.content import Kind
from relviz.view.figure.marked import MOST_MARKED
from relviz.view.figure.recipe import Recipe
from relviz.view.pictures import pictures_of
from relviz.view.sources import open_pair
from relviz.wording import count

FEWER = (500, 2000, 5000, 20_000)
MOST_AT_FIRST = 40
WAYS = {"texts": "Text", "pictures": "Picture"}


def rows_at_first(selected: list[int]) -> list[int]:
    """Rows that are selected are marked, unless they are so many that marks would hide the map."""
    return selected if len(selected) <= MOST_AT_FIRST else []


def choose_marks(view: View, kind: Kind, key: str, on_map: str) -> dict[str, Any]:
    """Options of a kind of map; nothing for other kinds."""
    chosen: dict[str, Any] = {}
    if "stars" in kind.options:
        chosen["stars"] = st.toggle("Anchors as stars", key=f"figure_{key}_stars")
    if "found" in kind.options:
        chosen["found"] = st.toggle("Found anchors as hollow stars", key=f"figure_{key}_found")
        if view.ao.known:
            chosen["right"] = st.toggle("Coloured by right and wrong", key=f"figure_{key}_right")
    if "points" not in kind.options:
        return chosen
    pair = open_pair(view.a, view.b)
    fewer = [most for most in FEWER if most < len(pair)]
    if fewer:
        if st.session_state.get(f"figure_{key}_points") not in fewer:
            st.session_state[f"figure_{key}_points"] = MOST_DRAWN
        chosen["points"] = st.selectbox(
            "Points drawn at most",
            [*fewer, MOST_DRAWN],
            format_func=lambda most: "All" if most >= len(pair) else count(most),
            key=f"figure_{key}_points",
        )
    marked = st.session_state.get(f"figure_{key}_marked")
    rows = st.multiselect(
        "Items marked",
        range(len(pair)),
        default=marked or rows_at_first(last_event(on_map, pair.ids).selected.tolist()),
        format_func=lambda row: pair.items[row],
        max_selections=MOST_MARKED,
        placeholder="Type to find an item, or select some on the map",
    )
    if not rows:
        return chosen
    pictured = pictures_of(view.a, view.b) is not None
    here = ["texts", *(["pictures"] if pictured else [])]
    begun = [way for way in st.session_state.get(f"figure_{key}_ways", here[-1:]) if way in here]
    st.session_state[f"figure_{key}_ways"] = begun
    ways = st.segmented_control(
        "By their",
        here,
        selection_mode="multi",
        format_func=WAYS.__getitem__,
        key=f"figure_{key}_ways",
    )
    return {**chosen, **dict.fromkeys(ways, rows)}


def recall_marks(recipe: Recipe, key: str) -> None:
    """Have the choices be those of a recipe, as far as they can be chosen here."""
    options = recipe.options
    rows = [*options.get("pictures", []), *options.get("texts", [])]
    ways = [way for way in WAYS if options.get(way)]
    for name in {"stars", "found", "right"} & options.keys():
        st.session_state[f"figure_{key}_{name}"] = options[name]
    if options.get("points") in FEWER:
        st.session_state[f"figure_{key}_points"] = options["points"]
    if rows:
        st.session_state[f"figure_{key}_marked"] = list(dict.fromkeys(rows))
        st.session_state[f"figure_{key}_ways"] = ways
