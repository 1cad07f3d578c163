"""A page for the benchmark: the same points as a linked map, or as a Plotly chart."""

from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from plotly.subplots import make_subplots

from relviz.plotting.colors import CLASSES as COLORS
from relviz.ui.linked_map import Pane, by_class, linked_map
from relviz.ui.linked_map.assets import asset_routes

SIZES = [1_000, 5_000, 20_000, 100_000]
CLASSES = 8


@st.cache_data
def points(n: int, pane: int) -> np.ndarray:
    """Clusters that overlap, ``(n, 2)`` float32."""
    rng = np.random.default_rng(pane)
    centers = rng.normal(size=(CLASSES, 2)) * 3
    return (centers[np.arange(n) % CLASSES] + rng.normal(size=(n, 2))).astype(np.float32)


def main() -> None:
    """The page."""
    st.set_page_config(layout="wide")
    kind = st.query_params.get("kind", "map")
    panes = int(st.query_params.get("panes", "2"))
    n = st.selectbox("points", SIZES, key="points")
    places = [points(n, pane) for pane in range(panes)]
    if kind == "map":
        linked_map(
            [Pane(f"pane {i}", place, group=0) for i, place in enumerate(places)],
            [str(row) for row in range(n)],
            by_class([f"class {row % CLASSES}" for row in range(n)]),
            "map",
            height=800,
        )
    else:
        figure = make_subplots(rows=(panes + 1) // 2, cols=2)
        codes = (np.arange(n) % CLASSES).astype(np.uint8)
        for i, place in enumerate(places):
            marker = {"size": 4, "color": codes, "colorscale": list(COLORS), "opacity": 0.75}
            figure.add_trace(
                go.Scattergl(x=place[:, 0], y=place[:, 1], mode="markers", marker=marker),
                row=i // 2 + 1,
                col=i % 2 + 1,
            )
        figure.update_layout(height=800, showlegend=False)
        st.plotly_chart(figure, key="chart")


if __name__ == "__main__":
    main()
else:
    app = st.App(Path(__file__).resolve(), routes=asset_routes())
