"""A chart of heat maps whose cells can be clicked, each any number of times.

A heat map tells no clicks: marks that nobody sees lie over its cells. A chart remembers which of its marks
are selected, in each of its parts, and a second click on one would only undo the first: so after a click
another chart takes its place.
"""

import base64
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from PIL import Image

from relviz.ui.verbatim import in_figure

CELL = 46
"""Height of a cell of a square matrix in pixels, at least."""
LONGEST = 34
"""Letters of a name beside it."""


def short(name: str) -> str:
    """A name as it stands beside a matrix."""
    return in_figure(name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…")


def apart(names: Sequence[str]) -> list[str]:
    """Names as an axis of classes shows them; with numbers if some are equal, for plotly would lay these over
    each other.

    >>> apart(["a", "b"]), apart(["a", "a"])
    (['a', 'b'], ['1 a', '2 a'])
    """
    numbered = len({*names}) < len(names)
    return [in_figure(f"{at} {name}" if numbered else name) for at, name in enumerate(names, 1)]


def add_cells(
    figure: go.Figure,
    values: np.ndarray,
    columns: Sequence[str],
    rows: Sequence[str],
    clickable: Mapping[tuple[int, int], tuple[object, ...]],
    hover: str,
    **place: int,
) -> None:
    """A heat map of values between 0 and 1 in a part of a figure, and the marks that tell its clicks.

    ``clickable`` has for each cell (row, column) that can be clicked what it tells.
    """
    figure.add_heatmap(
        z=values,
        x=list(columns),
        y=list(rows),
        zmin=0,
        zmax=1,
        coloraxis="coloraxis",
        texttemplate="%{z:.2f}",
        hoverinfo="skip",
        **place,
    )
    figure.add_scatter(
        x=[columns[j] for _, j in clickable],
        y=[rows[i] for i, _ in clickable],
        customdata=list(clickable.values()),
        mode="markers",
        marker={"symbol": "square", "size": CELL, "opacity": 0},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        hovertemplate=hover,
        showlegend=False,
        **place,
    )


def square(figure: go.Figure, many: int, down: int, title: str = "") -> None:
    """Axes and size of a figure of square matrices, ``down`` rows of them, of ``many`` rows of cells."""
    last = many - 0.5
    figure.update_xaxes(type="category", range=[-0.5, last], showgrid=False)
    figure.update_yaxes(range=[last, -0.5], showgrid=False)
    figure.update_layout(
        height=70 + down * (60 + max(2, many) * CELL),
        margin={"t": 30, "b": 10, "l": 10, "r": 10},
        coloraxis={"colorscale": "Viridis", "cmin": 0, "cmax": 1, "colorbar": {"title": title}},
    )


def cells_chart(figure: go.Figure, key: str, alt: str, on_click: Callable[..., None]) -> None:
    """Show a figure; ``on_click`` gets the ``customdata`` of a mark that is clicked."""
    figure.update_layout(clickmode="event+select", hovermode="closest", hoverdistance=-1)
    figure.update_xaxes(fixedrange=True)  # a drag would move the cells away
    figure.update_yaxes(fixedrange=True)
    counter = f"{key}_clicks"
    shown = f"{key}_{st.session_state.setdefault(counter, 0)}"

    def take() -> None:
        points = st.session_state[shown]["selection"]["points"]
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


def show_picture(
    pixels: np.ndarray, width: int | Literal["stretch"], alt: str, caption: str | None = None
) -> None:
    """Show ``(height, width, 3)`` bytes, so many pixels wide, under them a caption in Markdown.

    ``alt`` says what they are to who cannot see them.
    """
    st.image(as_uri(pixels), caption=caption, width=width, alt=alt)


def as_uri(pixels: np.ndarray) -> str:
    """Pixels as a PNG in a data URI.

    >>> as_uri(np.zeros((1, 1, 3), np.uint8))[:30]
    'data:image/png;base64,iVBORw0K'
    """
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file_uri(file.getvalue())


def file_uri(picture: bytes) -> str:
    """The file of a picture, PNG or WebP, in a data URI: Streamlit would encode it anew, with losses.

    >>> file_uri(b"RIFF    WEBP")[:22]
    'data:image/webp;base64'
    """
    kind = "webp" if picture[8:12] == b"WEBP" else "png"
    return f"data:image/{kind};base64,{base64.b64encode(picture).decode('ascii')}"
