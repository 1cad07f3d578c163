"""The curves of a run as it goes on: loss and eps, agreement, accuracy and MRR."""

from typing import Any

import numpy as np
import streamlit as st

from relviz.plotting.colors import CLASSES
from relviz.results.replay import SEARCH, Replay
from relviz.results.run import RunRecord
from relviz.results.run_summary import THROUGH, queries_label

Chart = dict[str, Any]
"""A chart, one of its series or axes, as ECharts takes it: JSON to be added to."""
BLUE, ORANGE, GREEN, PURPLE = CLASSES[:4]
SKY, GRAY = CLASSES[5], CLASSES[7]
MOST_POINTS = 400
"""Points of a curve that are sent at most."""
FIRST_STEPS = 250
"""Steps that the charts have room for from the start."""
FIGURES = 4
"""Digits of a figure that is sent to the browser."""
SEARCHED = (
    "If the known pairs do not suffice, two populations of rotations search independently. Each generation "
    "starts from what the best members of the previous one share. If the spaces correspond, both "
    "populations converge to the same rotation. If they disagree, one more population combines the best "
    "of both."
)


def show_curves(record: RunRecord, step: int, place: int, known: bool) -> None:
    """Two charts that grow with the run; they keep their zoom while they do."""
    st.echarts_chart(
        share_chart(record, step, known), height=260, key=f"ao_shares_{place}", alt="Agreement and accuracy"
    )
    if np.isfinite(record.replay.curve("populations_alike")).any():
        st.echarts_chart(
            search_chart(record.replay),
            height=220,
            key=f"ao_search_{place}",
            alt="Search by two populations of rotations",
        )
        st.caption(SEARCHED)
    st.echarts_chart(loss_chart(record.replay, step), height=200, key=f"ao_loss_{place}", alt="Loss and eps")
    if known:
        measured_on = queries_label(len(record.held_out), record.queries)
        st.caption(
            "Agreement: share of mutual matches. Wrong runs agree too. Accuracy: share of correct matches "
            "among fitted items, known pairs excluded. MRR: full ranking A → B, free points, "
            f"{measured_on}. Dashed: true anchors and known pairs only. The last point is the result."
        )
    else:
        st.caption("Agreement: share of mutual matches. Wrong runs agree too.")


def share_chart(record: RunRecord, step: int, known: bool) -> Chart:
    """Agreement, and where the pairing is known accuracy and MRR beside the lines it lies between."""
    replay = record.replay
    series = [_line("agreement", replay, BLUE)]
    if known:
        series += [_line("accuracy", replay, GREEN, "Accuracy"), _line("mrr", replay, ORANGE, "MRR")]
        series[-1]["markLine"]["data"] += [
            {"yAxis": round(value, FIGURES), "label": {"formatter": f"MRR, {THROUGH[name]}"}}
            for name, value in record.references.items()
        ]
    series[0]["markLine"]["data"].append({"xAxis": step + 1, "label": {"show": False}})
    return _chart(replay, series, [{"type": "value", "min": 0, "max": 1}])


def search_chart(replay: Replay) -> Chart:
    """How far each population of rotations is one, and how much the two have in common, by generation."""
    first, second, alike = (replay.curve(name) for name in SEARCH[2:])
    made = np.flatnonzero(np.isfinite(alike))
    named = (("Population 1 coherence", first, SKY), ("Population 2 coherence", second, BLUE))
    series = [
        {**_series(list(enumerate(values[made].tolist())), color, name), "showSymbol": True}
        for name, values, color in (*named, ("Agreement between populations", alike, ORANGE))
    ]
    axis = {"type": "value", "min": min(0.0, float(alike[made].min())), "max": 1}
    chart = _chart(replay, series, [axis])
    most = max(1, len(made) - 1)
    chart["xAxis"] = {"type": "value", "min": 0, "max": most, "minInterval": 1, "name": "generation"}
    return chart


def loss_chart(replay: Replay, step: int) -> Chart:
    """Loss, and the eps of the correspondence on a scale of its own."""
    series = [_line("loss", replay, PURPLE, "Loss"), {**_line("eps", replay, GRAY, "eps"), "yAxisIndex": 1}]
    series[0]["markLine"]["data"].append({"xAxis": step + 1, "label": {"show": False}})
    grid = {"splitLine": {"show": False}}
    axes: list[Chart] = [
        {"type": "value", "scale": True, "name": "loss"},
        {"type": "log", "name": "eps", **grid}
        if _positive(replay.curve("eps"))
        else {"type": "value", **grid},
    ]
    return _chart(replay, series, axes)


def _chart(replay: Replay, series: list[Chart], axes: list[Chart]) -> Chart:
    return {
        "animation": False,
        "tooltip": {"trigger": "axis"},
        "legend": {"bottom": 0},
        "grid": {"left": 48, "right": 48, "top": 24, "bottom": 52},
        "xAxis": {"type": "value", "min": 1, "max": _last(replay), "minInterval": 1},
        "yAxis": axes,
        "series": series,
    }


def _last(replay: Replay) -> int:
    """The right end of the charts: the planned steps; of very many, so far as fills half of the chart."""
    return max(2, min(replay.planned, max(FIRST_STEPS, 1 << replay.steps.bit_length())))


def _line(curve: str, replay: Replay, color: str, name: str = "") -> Chart:
    values = replay.curve(curve)
    known = np.flatnonzero(np.isfinite(values))
    every = max(1, -(-len(known) // MOST_POINTS))
    shown = known[(known % every == 0) | (known == known[-1:])] if every > 1 else known
    points = [(index + 1, float(values[index])) for index in shown.tolist()]
    return _series(points, color, name or curve.capitalize())


def _series(points: list[tuple[int, float]], color: str, name: str) -> Chart:
    return {
        "type": "line",
        "name": name,
        "data": [[at, float(f"{value:.{FIGURES}g}")] for at, value in points],
        "showSymbol": len(points) < 2,
        "lineStyle": {"width": 2},
        "color": color,
        "markLine": {
            "symbol": "none",
            "silent": True,
            "animation": False,
            "lineStyle": {"type": "dashed", "color": color},
            "label": {"position": "insideEndTop", "color": color, "fontSize": 10},
            "data": [],
        },
    }


def _positive(values: np.ndarray) -> bool:
    return bool((values[np.isfinite(values)] > 0).all())
