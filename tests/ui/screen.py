"""The app without a browser: a session of its pages, driven and read as a person would."""

import base64
import html
import json
import re
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


def opened(page: str = "compare", params: Mapping[str, str] | None = None, tab: str = "Metrics") -> AppTest:
    """A new session in which a link to ``page`` was followed, on Compare with that tab open, on Stitch with
    its scores.
    """
    at = AppTest.from_file(APP, default_timeout=PATIENCE)
    at.session_state["compare_tab"], at.session_state["stitch_tab"] = tab, "Scores"
    at.query_params.update(params or {})
    return went(at.switch_page(f"pages/{page}.py"))


def figured(
    page: str, key: str, params: Mapping[str, str] | None = None, tab: str = "Metrics", **chosen: object
) -> AppTest:
    """A new session at a page whose figure button of that key is open, with choices made in it."""
    at = AppTest.from_file(APP, default_timeout=PATIENCE)
    at.session_state["compare_tab"] = tab
    at.query_params.update(params or {})
    for name, value in {"": True, **{f"_{name}": value for name, value in chosen.items()}}.items():
        at.session_state[f"figure_{key}{name}"] = value
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


def drawn(at: AppTest) -> tuple[dict[str, Any], bytes]:
    """What the linked map of the page is given: header and body."""
    message = at.get("bidi_component")[0].proto.bytes
    length = int.from_bytes(message[:4], "little")
    return json.loads(message[4 : 4 + length]), message[4 + length :]


def maps(at: AppTest) -> list[np.ndarray | None]:
    """The points of each pane in the order of rows, ``(n, 2)``; None where a message stands.

    They are as good as 16 bits within the pane's box.
    """
    header, body = drawn(at)
    return [_points(pane, body) if pane["positions"] else None for pane in header["panes"]]


def stars(at: AppTest, pane: int = 0) -> np.ndarray:
    """Where the anchors are drawn in a pane, ``(k, 2)``."""
    header, body = drawn(at)
    flags = np.frombuffer(body, np.uint8, header["flags"][1], header["flags"][0])
    points = maps(at)[pane]
    assert points is not None
    return points[np.flatnonzero(flags & 1)]


def selected(at: AppTest, key: str, rows: list[int]) -> AppTest:
    """The session after rows were selected in the map of that key."""
    header, _ = drawn(at)
    data = base64.b64encode(np.array(rows, "<u4").tobytes()).decode()
    sent = {"identity": header["identity"], "n": header["n"], "kind": "rows", "data": data}
    at.session_state[key] = {"chosen": {**sent, "clicked": rows[0] if len(rows) == 1 else -1}}
    return went(at)


def rows_of_items(at: AppTest, place: int = 0) -> list[tuple[str, str]]:
    """Items of a table of examples, in reading order: how each looks, and its text."""
    bodies = [shown.proto.body for shown in at.get("html") if "rows-of-items" in shown.proto.body]
    found = re.findall(r'<td class="(\w*)" title="([^"]*)"', bodies[place])
    return [(look, html.unescape(text).removesuffix(" (the counterpart)")) for look, text in found]


def cells(at: AppTest, column: str) -> list[str]:
    """A column of the page's first table."""
    return list(at.table[0].value[column])


def _points(pane: dict[str, Any], body: bytes) -> np.ndarray:
    start, count = pane["positions"]
    steps = np.frombuffer(body, "<u2", count, start).reshape(-1, 2) / 65535
    low, high = np.array(pane["box"][:2]), np.array(pane["box"][2:])
    return low + steps * (high - low)


def values(packed: Any) -> np.ndarray:
    """An array as Plotly's JSON carries it."""
    if not isinstance(packed, dict):
        return np.asarray(packed)
    flat = np.frombuffer(base64.b64decode(packed["bdata"]), packed["dtype"])
    return flat.reshape([int(side) for side in str(packed.get("shape", len(flat))).split(",")])
