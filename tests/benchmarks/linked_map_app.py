"""A page for the benchmark: the same points as a linked map, or as a Plotly chart."""

from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from plotly.subplots import make_subplots

from relviz.plotting.colors import OKABE_ITO
from relviz.ui.linked_map import Pane, by_class, linked_map
from relviz.ui.linked_map.assets import asset_routes

SIZES = [1_000, 10_000, 100_000, 1_000_000]
CLASSES = 8


@st.cache_resource
def points(n: int, pane: int) -> np.ndarray:
    """Clusters that overlap, ``(n, 2)`` float32."""
    rng = np.random.default_rng(pane)
    centers = rng.normal(size=(CLASSES, 2)) * 3
    return (centers[np.arange(n) % CLASSES] + rng.normal(size=(n, 2))).astype(np.float32)


@st.cache_resource
def classes(n: int) -> list[str]:
    """The class of each row."""
    return [f"class {row % CLASSES}" for row in range(n)]


@st.cache_resource
def items(n: int) -> list[str]:
    """The text of each row."""
    return [f"item {row}" for row in range(n)]


def main() -> None:
    """The page."""
    st.set_page_config(layout="wide")
    kind = st.query_params.get("kind", "in the app")
    panes = int(st.query_params.get("panes", "2"))
    n = st.selectbox("points", SIZES, key="points")
    places = [points(n, pane) for pane in range(panes)]
    if kind != "plotly":
        shown = [Pane(f"pane {i}", place, group=0) for i, place in enumerate(places)]
        linked_map(shown, items(n), by_class(classes(n)), "map", items=items(n), height=760)
        return
    figure = make_subplots(rows=(panes + 1) // 2, cols=2, shared_xaxes="all", shared_yaxes="all")
    codes = (np.arange(n) % CLASSES).astype(np.uint8)
    size = 4 if n < 100_000 else 2
    marker = {"size": size, "color": codes, "colorscale": list(OKABE_ITO), "opacity": 0.75}
    for i, place in enumerate(places):
        trace = go.Scattergl(x=place[:, 0], y=place[:, 1], mode="markers", marker=marker, hoverinfo="skip")
        figure.add_trace(trace, row=i // 2 + 1, col=i % 2 + 1)
    figure.update_layout(height=760, showlegend=False, dragmode="pan")
    st.plotly_chart(figure, key="chart", on_select="rerun", selection_mode="lasso")


if __name__ == "__main__":
    main()
else:
    app = st.App(Path(__file__).resolve(), routes=asset_routes())
