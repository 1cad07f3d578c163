"""The app without a browser: a session of its pages, driven and read as a person would."""

import base64
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from relviz.compute.jobs import jobs

APP = Path(__file__).resolve().parents[2] / "app.py"
PATIENCE = 90.0
"""Seconds that the slowest work of a test may take."""

SAID = ("markdown", "caption", "info", "warning", "error", "success")


def opened(page: str = "compare", params: Mapping[str, str] | None = None) -> AppTest:
    """A new session in which a link to ``page`` was followed."""
    at = AppTest.from_file(APP, default_timeout=PATIENCE)
    at.query_params.update(params or {})
    return went(at.switch_page(f"pages/{page}.py"))


def turned(at: AppTest, page: str) -> AppTest:
    """The session after a click on a page's name: the browser keeps no parameters then."""
    at.query_params.clear()
    return went(at.switch_page(f"pages/{page}.py"))


def went(at: AppTest) -> AppTest:
    """The session, drawn anew; a page never shows a traceback."""
    at.run()
    assert not at.exception, [shown.value for shown in at.exception]
    return at


def finished(at: AppTest) -> AppTest:
    """The session when no job is left: drawn as often as it takes."""
    until = time.monotonic() + PATIENCE
    while running := jobs().running():
        assert running[0].wait(until - time.monotonic()), running[0]
        went(at)
    return went(at)


def pressed(at: AppTest, *words: str) -> AppTest:
    """The session after a click on the one button that says all these words."""
    found = [button for button in at.button if all(word.lower() in button.label.lower() for word in words)]
    assert len(found) == 1, (words, [button.label for button in at.button])
    found[0].click()
    return went(at)


def said(at: AppTest) -> str:
    """All sentences on the page."""
    return "\n".join(element.value for kind in SAID for element in getattr(at, kind))


def chart(at: AppTest, place: int = 0) -> dict[str, Any]:
    """What Plotly is given for a chart of the page."""
    return json.loads(at.get("plotly_chart")[place].proto.spec)


def maps(at: AppTest) -> list[np.ndarray | None]:
    """The points of each pane in the order of rows, ``(n, 2)``; None where a message stands."""
    figure = chart(at)
    return [
        _points(figure, axis) for axis in sorted(axis for axis in figure["layout"] if axis[:5] == "xaxis")
    ]


def stars(at: AppTest, pane: int = 0) -> np.ndarray:
    """Where the anchors are drawn in a pane, ``(k, 2)``."""
    axis = _axis(pane)
    found = [trace for trace in chart(at)["data"] if trace["xaxis"] == axis and "customdata" not in trace]
    return np.concatenate([_xy(trace) for trace in found])


def cells(at: AppTest, column: str) -> list[str]:
    """A column of the page's first table."""
    return list(at.table[0].value[column])


def _points(figure: dict[str, Any], axis: str) -> np.ndarray | None:
    traces = [
        trace
        for trace in figure["data"]
        if trace["xaxis"] == axis.replace("axis", "") and "customdata" in trace
    ]
    if not traces:
        return None
    rows = np.concatenate([np.asarray(values(trace["customdata"])).ravel() for trace in traces])
    points = np.concatenate([_xy(trace) for trace in traces])
    assert len(set(rows.tolist())) == len(rows)
    return points[np.argsort(rows)]


def _axis(pane: int) -> str:
    return "x" if pane == 0 else f"x{pane + 1}"


def _xy(trace: dict[str, Any]) -> np.ndarray:
    return np.column_stack([values(trace["x"]), values(trace["y"])])


def values(packed: Any) -> np.ndarray:
    """An array as Plotly's JSON carries it."""
    if not isinstance(packed, dict):
        return np.asarray(packed)
    flat = np.frombuffer(base64.b64decode(packed["bdata"]), packed["dtype"])
    return flat.reshape([int(side) for side in str(packed.get("shape", len(flat))).split(",")])
