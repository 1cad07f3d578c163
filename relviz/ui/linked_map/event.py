"""What comes back from a linked map: the rows that are selected, as the browser packs them."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class MapEvent:
    """What is selected in a map.

    ``selected`` are row numbers of the data, in order, each once; ``clicked`` is the one row that was
    clicked last, None after a lasso, a box or a search.
    """

    selected: np.ndarray
    clicked: int | None = None


NOTHING = MapEvent(np.empty(0, dtype=np.int64))


def decode(sent: Any, rows: np.ndarray, identity: str) -> MapEvent:
    """The event that the browser sent; nothing is selected if it is of other rows, or makes no sense.

    Parameters
    ----------
    sent
        ``identity``, ``n``, ``clicked``, ``kind`` and ``data``: base64 of a bit for each drawn row, or
        of their numbers as uint32.
    rows
        The rows that were drawn.
    """
    if not isinstance(sent, Mapping) or sent.get("identity") != identity or sent.get("n") != len(rows):
        return NOTHING
    try:
        raw = base64.b64decode(sent["data"], validate=True)
    except (KeyError, TypeError, ValueError, binascii.Error):
        return NOTHING
    drawn = _bits(raw, len(rows)) if sent.get("kind") == "bits" else _numbers(raw, len(rows))
    clicked = sent.get("clicked")
    at = clicked if isinstance(clicked, int) and 0 <= clicked < len(rows) else None
    return MapEvent(rows[drawn].astype(np.int64), None if at is None else int(rows[at]))


def told(rows: np.ndarray, identity: str, row: int) -> dict[str, Any]:
    """What a browser sends after a click on one of the rows that are drawn; ``decode`` reads it."""
    at = int(np.searchsorted(rows, row))
    data = base64.b64encode(np.array([at], "<u4").tobytes()).decode()
    return {"identity": identity, "n": len(rows), "kind": "rows", "data": data, "clicked": at}


def _bits(raw: bytes, n: int) -> np.ndarray:
    if len(raw) != -(-n // 8):
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(np.unpackbits(np.frombuffer(raw, np.uint8), count=n, bitorder="little"))


def _numbers(raw: bytes, n: int) -> np.ndarray:
    if len(raw) % 4 or len(raw) > 4 * n:
        return np.empty(0, dtype=np.int64)
    numbers = np.frombuffer(raw, "<u4").astype(np.int64)
    return np.unique(numbers[numbers < n])
