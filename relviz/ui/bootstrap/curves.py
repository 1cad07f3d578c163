"""The curves of a run as it goes on: loss and eps, agreement, accuracy and MRR."""

from math import isnan
from typing import Any

import numpy as np
import streamlit as st

from relviz.plotting.colors import CLASSES
from relviz.results.replay import Replay
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
MUTUAL = (
    "Agreement: share of mutual matches; annealing counts them on a sample of 500 items, which gives "
    "slightly higher values. Wrong runs agree too."
)
FURTHER = " Dashed: another search from new starts, larger and more patient if the first one found nothing."


def show_curves(record: RunRecord, step: int, place: int, known: bool) -> None:
    """Two charts that grow with the run; they keep their zoom while they do."""
    st.echarts_chart(
        share_chart(record, step, known), height=260, key=f"ao_shares_{place}", alt="Agreement and accuracy"
    )
    show_search(record.replay.generations, f"ao_search_{place}")
    st.echarts_chart(loss_chart(record.replay, step), height=200, key=f"ao_loss_{place}", alt="Loss and eps")
    if known:
        measured_on = queries_label(len(record.held_out), record.queries)
        st.caption(
            f"{MUTUAL} Accuracy: share of correct matches among fitted items, known pairs excluded. MRR: "
            f"full ranking A → B, free points, {measured_on}. Dashed: true anchors and known pairs only. The "
            "last point is the result."
        )
    else:
        st.caption(MUTUAL)


def show_search(generations: np.ndarray, key: str) -> None:
    """How two populations of rotations came to agree, by generation ``(g, 3)``, if there was one."""
    if len(generations):
        alt = "Search by two populations of rotations"
        st.echarts_chart(search_chart(generations), height=220, key=key, alt=alt)
        st.caption(SEARCHED + FURTHER * bool(np.isnan(generations).any()))


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
    return _chart(_steps(replay), series, [{"type": "value", "min": 0, "max": 1}])


def search_chart(generations: np.ndarray) -> Chart:
    """How far each population of rotations is one, and how much the two have in common: ``(g, 3)``.

    Where another search begins lines are broken, and one across is dashed.
    """
    begins = np.isnan(generations[:, 2])
    at = np.arange(len(generations)) - begins.cumsum()
    named = (
        ("Population 1 coherence", SKY),
        ("Population 2 coherence", BLUE),
        ("Agreement between populations", ORANGE),
    )
    series = [
        {**_series(list(zip(at.tolist(), values.tolist(), strict=True)), color, name), "showSymbol": True}
        for values, (name, color) in zip(generations.T, named, strict=True)
    ]
    unnamed = {"label": {"show": False}, "lineStyle": {"color": GRAY}}
    series[0]["markLine"]["data"] += [{"xAxis": place + 0.5, **unnamed} for place in at[begins].tolist()]
    value = {"type": "value", "min": min(0.0, float(np.nanmin(generations[:, 2]))), "max": 1}
    most = max(1, int(at[-1]))
    return _chart({"min": 0, "max": most, "name": "generation"}, series, [value])


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
    return _chart(_steps(replay), series, axes)


def _chart(across: Chart, series: list[Chart], axes: list[Chart]) -> Chart:
    return {
        "animation": False,
        "tooltip": {"trigger": "axis"},
        "legend": {"bottom": 0},
        "grid": {"left": 48, "right": 48, "top": 24, "bottom": 52},
        "xAxis": {"type": "value", "minInterval": 1, **across},
        "yAxis": axes,
        "series": series,
    }


def _steps(replay: Replay) -> Chart:
    """The ends of the charts: the planned steps; of very many, so far as fills half of the chart."""
    return {"min": 1, "max": max(2, min(replay.planned, max(FIRST_STEPS, 1 << replay.steps.bit_length())))}


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
        "data": [[at, None if isnan(value) else float(f"{value:.{FIGURES}g}")] for at, value in points],
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
