"""A chart of heat maps whose cells can be clicked, each any number of times.

A heat map tells no clicks: marks that nobody sees lie over its cells. A chart remembers which of its marks
are selected, in each of its parts, and a second click on one would only undo the first: so after a click
another chart takes its place.
"""

from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
import streamlit as st


def cells_chart(figure: go.Figure, key: str, alt: str, on_click: Callable[..., None]) -> None:
    """Show a figure; ``on_click`` gets the ``customdata`` of a mark that is clicked."""
    figure.update_layout(clickmode="event+select", hovermode="closest", hoverdistance=-1)
    figure.update_xaxes(fixedrange=True)  # a drag would move the cells away
    figure.update_yaxes(fixedrange=True)
    counter = f"{key}_clicks"
    shown = f"{key}_{st.session_state.setdefault(counter, 0)}"

    def take() -> None:
        points: list[dict[str, Any]] = st.session_state[shown]["selection"]["points"]
        if points:
            st.session_state[counter] += 1
            on_click(*points[0]["customdata"])

    st.plotly_chart(
        figure,
        key=shown,
        on_select=take,
        selection_mode="points",
        config={"displayModeBar": False},
        alt=alt,
    )
