"""A page with nothing but a linked map, and widgets that change what it is given."""

from pathlib import Path

import numpy as np
import streamlit as st

from relviz.ui.linked_map import Pane, by_class, by_number, linked_map, mark_on
from relviz.ui.linked_map.assets import asset_routes
from tests.browser.map_app_texts import ODD


def places(pane: int, n: int, shape: str) -> np.ndarray:
    """Points of a pane; in the round shape, the odd texts stand alone, around the others."""
    rng = np.random.default_rng(pane)
    if shape == "round":
        angle = rng.uniform(0, 2 * np.pi, n)
        points = 2.8 * np.sqrt(rng.uniform(size=(n, 1))) * np.column_stack([np.cos(angle), np.sin(angle)])
        around = np.linspace(0, 2 * np.pi, len(ODD), endpoint=False) + pane
        points[: len(ODD)] = 3.15 * np.column_stack([np.cos(around), np.sin(around)])
        return points.astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi, n)
    return np.column_stack([9 * np.cos(angle), 5 * np.sin(angle)]).astype(np.float32)


def main() -> None:
    """The page."""
    st.set_page_config(layout="wide")
    n = int(st.number_input("rows", 10, 300_000, 400, key="rows", bind="query-params"))
    color = st.selectbox("color", ["class", "number"], key="color", bind="query-params")
    shape = st.selectbox("shape", ["round", "ring"], key="shape", bind="query-params")
    panes = int(st.number_input("panes", 2, 4, 4, step=2, key="panes", bind="query-params"))
    other = st.toggle("other rows", key="other", bind="query-params")
    items = [ODD[row] if row < len(ODD) else f"item {row}" for row in range(n)]
    labels = [("even", "odd", "<u>third</u>")[row % 3] for row in range(n)]
    values = np.linspace(-1, 1, n)
    event = linked_map(
        [
            Pane(f"<i>Pane</i> {i}", places(i, n, shape), [[f"caption {i}"]], group=1 if i > 1 else None)
            for i in range(panes)
        ],
        ids=[f"{'other' if other else 'id'}{row}" for row in range(n)],
        colors=by_class(labels) if color == "class" else by_number(values, "value", diverging=True),
        key="map",
        items=items,
        labels=labels,
        anchors=[1, 2],
        discovered=[3],
        height=700,
    )
    st.button("mark three", on_click=mark_on, args=("map", [30, 31, 35]))
    st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    st.text(f"runs {st.session_state['runs']}")
    st.text(f"selected {len(event.selected)} sum {int(event.selected.sum())} clicked {event.clicked}")


if __name__ == "__main__":
    main()
else:
    app = st.App(Path(__file__).resolve(), routes=asset_routes())
