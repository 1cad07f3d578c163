"""Panes of the same rows, side by side, in one Plotly figure with one legend.

Plotly mounts a chart anew whenever its figure changes, so zoom is lost with each change of a choice.
"""

import html
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from relviz.ui.colours import REST, class_colours

MOST_DRAWN = 25_000
"""Rows drawn in a pane; of more, a seeded sample of the same rows in all panes."""


@dataclass(frozen=True)
class Pane:
    """One map: ``(n, 2)`` points, its title, and the caption that says how it was made.

    ``linked`` panes of a row share their limits, zoom and pan. ``message`` stands in place of points
    that cannot be had.
    """

    title: str
    points: np.ndarray | None
    caption: str
    linked: bool = False
    message: str = ""
    ticks: bool = False


def shown_rows(n: int, seed: int = 0) -> np.ndarray:
    """The rows to draw of n: all, or a seeded sample in order."""
    if n <= MOST_DRAWN:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, MOST_DRAWN, replace=False))


def map_figure(
    panes: Sequence[Pane],
    items: Sequence[str],
    labels: Sequence[str] | None,
    anchors: np.ndarray | None,
    height: int = 840,
    anchors_shown: bool = False,
) -> go.Figure:
    """Panes in two columns; rows coloured by class, anchors as stars.

    Parameters
    ----------
    items, labels
        What to show under the cursor, and the class, of each row.
    anchors
        ``(k,)`` row numbers, or None.
    anchors_shown
        Whether the stars are there at first; the legend turns them on and off.
    """
    figure = make_subplots(
        rows=(len(panes) + 1) // 2,
        cols=2,
        subplot_titles=[pane.title for pane in panes],
        horizontal_spacing=0.03,
        vertical_spacing=0.12,
    )
    rows = shown_rows(len(items))
    hover = np.array([_hover(items[i]) for i in rows], dtype=object)
    classes = np.array([labels[i] for i in rows] if labels else ["items"] * len(rows), dtype=object)
    colours = class_colours(classes.tolist()) if labels else {"items": class_colours(["items"])["items"]}
    stars = np.isin(rows, [] if anchors is None else anchors)
    for place, pane in enumerate(panes):
        where = {"row": place // 2 + 1, "col": place % 2 + 1}
        if pane.points is None:
            _write_message(figure, place, pane.message)
        else:
            _draw(figure, where, place == 0, pane.points[rows], rows, hover, classes, colours)
            _draw_stars(figure, where, place == 0, pane.points[rows][stars], hover[stars], anchors_shown)
        _frame(figure, place, pane, panes)
    figure.update_annotations(yshift=8, font_size=15)
    figure.update_layout(
        height=height,
        margin={"l": 12, "r": 12, "t": 40, "b": 56, "autoexpand": True},
        legend={"itemsizing": "constant", "orientation": "v", "tracegroupgap": 0},
        dragmode="pan",
        hoverlabel={"align": "left"},
    )
    return figure


def _hover(item: str) -> str:
    return "<br>".join(html.escape(line, quote=False) for line in textwrap.wrap(item, 60)[:6])


def _draw(
    figure: go.Figure,
    where: dict[str, int],
    first: bool,
    points: np.ndarray,
    rows: np.ndarray,
    hover: np.ndarray,
    classes: np.ndarray,
    colours: dict[str, str],
) -> None:
    size = 7 if len(points) < 3000 else 5 if len(points) < 8000 else 3
    for name, colour in colours.items():
        mine = classes == name
        if not mine.any():
            continue
        safe = html.escape(name, quote=False)
        figure.add_trace(
            go.Scattergl(
                x=points[mine, 0],
                y=points[mine, 1],
                mode="markers",
                marker={"size": size, "color": colour, "opacity": 0.75},
                name=safe,
                legendgroup=safe,
                showlegend=first,
                text=hover[mine],
                customdata=rows[mine, None],
                hovertemplate=f"%{{text}}<extra>{safe}</extra>",
            ),
            **where,
        )


def _draw_stars(
    figure: go.Figure, where: dict[str, int], first: bool, points: np.ndarray, hover: np.ndarray, shown: bool
) -> None:
    figure.add_trace(
        go.Scattergl(
            x=points[:, 0],
            y=points[:, 1],
            mode="markers",
            marker={
                "symbol": "star",
                "size": 10,
                "color": "#111111",
                "line": {"width": 1, "color": "#FFFFFF"},
            },
            name="★ anchors",
            legendgroup="anchors",
            showlegend=first,
            visible=True if shown else "legendonly",
            text=hover,
            hovertemplate="★ %{text}<extra>anchor</extra>",
        ),
        **where,
    )


def _frame(figure: go.Figure, place: int, pane: Pane, panes: Sequence[Pane]) -> None:
    number = "" if place == 0 else str(place + 1)
    plain = {"showgrid": False, "zeroline": False, "showline": True, "mirror": True, "linecolor": REST}
    quiet = {"showticklabels": pane.ticks, "ticks": ""}
    x = {**plain, **quiet, "title": {"text": pane.caption, "font": {"size": 12}, "standoff": 14}}
    y = {**plain, **quiet, "scaleanchor": f"x{number}", "scaleratio": 1}
    left = place - place % 2
    if pane.linked and place % 2 and panes[left].points is not None:
        x["matches"] = f"x{left + 1 if left else ''}"
        y["matches"] = f"y{left + 1 if left else ''}"
    figure.update_layout({f"xaxis{number}": x, f"yaxis{number}": y})


def _write_message(figure: go.Figure, place: int, message: str) -> None:
    number = "" if place == 0 else str(place + 1)
    figure.add_annotation(
        text="<br>".join(html.escape(line, quote=False) for line in textwrap.wrap(message, 60)),
        xref=f"x{number} domain",
        yref=f"y{number} domain",
        x=0.5,
        y=0.5,
        showarrow=False,
        font={"size": 14},
    )
