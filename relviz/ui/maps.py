"""Panes of the same rows, side by side, in one Plotly figure with one legend.

Plotly mounts a chart anew whenever its figure changes, so zoom is lost with each change of a choice.
"""

import html
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from relviz.ui.colours import REST, class_colours
from relviz.ui.limits import limits
from relviz.wording import plural

MOST_DRAWN = 25_000
"""Rows drawn in a pane; of more, a seeded sample of the same rows in all panes."""
HOVER_WIDTH, HOVER_LINES = 60, 6


@dataclass(frozen=True)
class Pane:
    """One map: ``(n, 2)`` points, its title, and the caption that says how it was made.

    ``linked`` panes of a row share their limits, zoom and pan. ``message`` stands in place of points
    that cannot be had.
    """

    title: str
    points: np.ndarray | None
    caption: str = ""
    linked: bool = False
    message: str = ""


def shown_rows(n: int, seed: int = 0) -> np.ndarray:
    """The rows to draw of n: all, or a seeded sample in order."""
    if n <= MOST_DRAWN:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, MOST_DRAWN, replace=False))


def map_figure(
    panes: Sequence[Pane],
    items: Sequence[str],
    labels: Sequence[str] | None,
    anchors: np.ndarray,
    height: int = 840,
    anchors_shown: bool = False,
) -> go.Figure:
    """Panes in two columns; rows coloured by class, anchors as stars.

    Rows without classes are coloured by their place along the first axis of the first pane, so that
    they can be followed from pane to pane.

    Parameters
    ----------
    items, labels
        What to show under the cursor, and the class, of each row.
    anchors
        ``(k,)`` row numbers.
    anchors_shown
        Whether the stars are there at first; the legend turns them on and off.
    """
    figure = make_subplots(
        rows=(len(panes) + 1) // 2,
        cols=2,
        subplot_titles=[html.escape(pane.title, quote=False) for pane in panes],
        horizontal_spacing=0.03,
        vertical_spacing=0.12,
    )
    rows = shown_rows(len(items))
    hover = np.array([_hover(items[row]) for row in rows], dtype=object)
    groups = list(_by_class(labels, rows) if labels else _by_place(panes, rows))
    stars = np.isin(rows, anchors)
    for place, pane in enumerate(panes):
        where = {"row": place // 2 + 1, "col": place % 2 + 1}
        if pane.points is None:
            _write_message(figure, place, pane.message)
        else:
            points = pane.points[rows]
            for mine, trace in groups:
                shown = {"showlegend": False} if place else {}
                figure.add_trace(_dots(points[mine], rows[mine], hover[mine], {**trace, **shown}), **where)
            figure.add_trace(_stars(points[stars], hover[stars], anchors_shown, place == 0), **where)
        _frame(figure, place, pane, _together(panes, place))
    figure.update_annotations(yshift=8, font_size=15)
    figure.update_layout(
        height=height,
        margin={"l": 12, "r": 12, "t": 40, "b": 64, "autoexpand": True},
        legend={"itemsizing": "constant", "tracegroupgap": 0},
        dragmode="pan",
        hoverlabel={"align": "left"},
    )
    return figure


def _hover(item: str) -> str:
    return "<br>".join(
        html.escape(line, quote=False) for line in textwrap.wrap(item, HOVER_WIDTH)[:HOVER_LINES]
    )


def _by_class(labels: Sequence[str], rows: np.ndarray) -> Iterator[tuple[np.ndarray, dict[str, Any]]]:
    classes = np.array([labels[row] for row in rows], dtype=object)
    for name, colour in class_colours(classes.tolist()).items():
        safe = html.escape(name, quote=False)
        yield (
            classes == name,
            {
                "marker": _marker(len(rows), color=colour),
                "name": safe,
                "legendgroup": safe,
                "hovertemplate": f"%{{text}}<extra>{safe}</extra>",
            },
        )


def _by_place(panes: Sequence[Pane], rows: np.ndarray) -> Iterator[tuple[np.ndarray, dict[str, Any]]]:
    first = next((pane.points for pane in panes if pane.points is not None), np.zeros((rows.max() + 1, 2)))
    place = first[rows, 0].argsort().argsort().astype(np.float32) / len(rows)
    marker = _marker(len(rows), color=place, colorscale="Viridis", showscale=False)
    trace = {"marker": marker, "showlegend": False, "hovertemplate": "%{text}<extra></extra>"}
    yield np.ones(len(rows), dtype=bool), trace


def _marker(n: int, **colours: Any) -> dict[str, Any]:
    size, opacity = (7, 0.75) if n < 3000 else (5, 0.7) if n < 8000 else (3, 0.6)
    return {"size": size, "opacity": opacity, **colours}


def _dots(points: np.ndarray, rows: np.ndarray, hover: np.ndarray, trace: dict[str, Any]) -> go.Scattergl:
    return go.Scattergl(
        x=points[:, 0], y=points[:, 1], mode="markers", text=hover, customdata=rows[:, None], **trace
    )


def _stars(points: np.ndarray, hover: np.ndarray, shown: bool, listed: bool) -> go.Scattergl:
    return go.Scattergl(
        x=points[:, 0],
        y=points[:, 1],
        mode="markers",
        marker={"symbol": "star", "size": 10, "color": "#111111", "line": {"width": 1, "color": "#FFFFFF"}},
        name="anchors",
        legendgroup="anchors",
        showlegend=listed,
        visible=True if shown else "legendonly",
        text=hover,
        hovertemplate="★ %{text}<extra>anchor</extra>",
    )


def _together(panes: Sequence[Pane], place: int) -> np.ndarray | None:
    """The points that share the limits of a pane: its own, and its neighbour's if the two are linked."""
    beside = panes[place ^ 1] if place ^ 1 < len(panes) else panes[place]
    group = [panes[place], beside] if panes[place].linked else [panes[place]]
    points = [pane.points for pane in group if pane.points is not None]
    return np.concatenate(points) if points and panes[place].points is not None else None


def _frame(figure: go.Figure, place: int, pane: Pane, points: np.ndarray | None) -> None:
    number = "" if place == 0 else str(place + 1)
    plain = {"showgrid": False, "zeroline": False, "showline": True, "mirror": True, "linecolor": REST}
    x: dict[str, Any] = {**plain, "showticklabels": False, "ticks": ""}
    y = {**x, "scaleanchor": f"x{number}", "scaleratio": 1}
    caption = pane.caption
    if points is not None:
        shown = limits(points)
        x["range"], y["range"] = shown.x, shown.y
        if shown.outside:
            caption += f" · {plural(shown.outside, 'point')} outside, zoom out to see"
    x["title"] = {"text": caption, "font": {"size": 12}, "standoff": 14}
    if pane.linked and place % 2 and points is not None:
        left = "" if place == 1 else str(place)
        x["matches"], y["matches"] = f"x{left}", f"y{left}"
    figure.update_layout({f"xaxis{number}": x, f"yaxis{number}": y})


def _write_message(figure: go.Figure, place: int, message: str) -> None:
    number = "" if place == 0 else str(place + 1)
    figure.add_annotation(
        text="<br>".join(html.escape(line, quote=False) for line in textwrap.wrap(message, HOVER_WIDTH)),
        xref=f"x{number} domain",
        yref=f"y{number} domain",
        x=0.5,
        y=0.5,
        showarrow=False,
    )
