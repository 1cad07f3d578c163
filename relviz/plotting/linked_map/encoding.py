"""The message of a linked map: a JSON header, and typed arrays that it points into.

A point takes 4 bytes a pane (two 16-bit coordinates within the pane's box), 6 in space, and 2 or 3 bytes for
all panes together: its color and its flags. Every row is sent, and nothing of it as text.
"""

import base64
import binascii
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from relviz.plotting.colors import Colors
from relviz.plotting.pane import (
    Limits,
    Pane,
    Turn,
    checked,
    extent,
    frames_of,
    limits,
    room_of,
    turn_of,
)

ANCHOR, HOLLOW, LABELED = 1, 2, 4
"""Flags of a row."""
STEPS = 65535
Box = tuple[float, float, float, float]
"""Lowest x and y, highest x and y."""


class Arrays:
    """Arrays one after the other, each at a multiple of four bytes."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._length = 0

    def add(self, values: np.ndarray) -> list[int]:
        """Where the array starts, and how many numbers it has."""
        raw = np.ascontiguousarray(values).tobytes()
        padded = raw + bytes(-len(raw) % 4)
        start = self._length
        self._parts.append(padded)
        self._length += len(padded)
        return [start, values.size]

    def joined(self) -> bytes:
        """All of them."""
        return b"".join(self._parts)


def encode(
    panes: Sequence[Pane],
    total: int,
    colors: Colors,
    flags: np.ndarray,
    about: Mapping[str, object],
    texts: Mapping[str, object] | None = None,
    text_starts: np.ndarray | None = None,
) -> bytes:
    """The message for ``total`` rows.

    Parameters
    ----------
    flags
        ``(total,)`` uint8 of ``ANCHOR``, ``HOLLOW`` and ``LABELED``.
    about
        What else the header says.
    texts, text_starts
        Where the file of texts is, and where its blocks start (see ``text_file``).

    Raises
    ------
    ShapeError
        If a pane has not ``total`` points.
    ParameterError
        If a coordinate is NaN or infinite.
    """
    arrays, frames = Arrays(), frames_of(panes, total)
    header: dict[str, object] = {
        **about,
        "texts": None,
        "n": total,
        "colors": colors.legend,
        "code_bytes": colors.codes.itemsize,
        "codes": arrays.add(colors.codes),
        "flags": arrays.add(flags),
        "panes": [_pane(pane, frames, panes, total, arrays) for pane in panes],
    }
    if texts is not None and text_starts is not None:
        header["texts"] = {**texts, "starts": arrays.add(text_starts)}
    body = arrays.joined()
    header_text = json.dumps(header, ensure_ascii=False, allow_nan=False)
    digest = hashlib.blake2b(header_text.encode("utf-8", "replace") + body, digest_size=12).hexdigest()
    raw = json.dumps(header | {"digest": digest}).encode()
    raw += b" " * (-len(raw) % 4)
    return len(raw).to_bytes(4, "little") + raw + body


def quantized(points: np.ndarray, box: Box) -> np.ndarray:
    """``(n, 2)`` points as 16-bit steps within a box."""
    low, high = np.array(box[:2]), np.array(box[2:])
    span = np.where(high > low, high - low, 1.0)
    steps: np.ndarray = np.rint(np.clip((points - low) / span, 0, 1) * STEPS)
    return steps.astype("<u2")


def _pane(
    pane: Pane,
    frames: Mapping[Pane, tuple[Limits, Limits]],
    panes: Sequence[Pane],
    total: int,
    arrays: Arrays,
) -> dict[str, object]:
    record: dict[str, object] = {
        name: getattr(pane, name) for name in ("title", "caption", "message", "group", "joined")
    }
    nothing = {
        "positions": None,
        "space": None,
        "digest": "",
        "box": (0, 0, 1, 1),
        "home": (0, 0, 1, 1),
        "own_home": None,
        "turn": None,
    }
    if pane.points is None:
        return record | nothing
    if np.shape(pane.points)[1:] == (3,):
        return record | nothing | _in_space(pane, panes, total, arrays)
    points = checked(pane, total)
    (home, own), box = frames[pane], _box(points)
    positions = quantized(points, box)
    name = hashlib.blake2b(positions.tobytes() + repr((box, home)).encode(), digest_size=12).hexdigest()
    turn = turn_of(pane, panes, total)
    return record | {
        "positions": arrays.add(positions),
        "space": None,
        "digest": name,
        "box": box,
        "home": _corners(home),
        "own_home": None if own == home else _corners(own),
        "turn": None if turn is None else _turned(points, turn),
    }


def _in_space(pane: Pane, panes: Sequence[Pane], total: int, arrays: Arrays) -> dict[str, object]:
    """What a browser needs to turn points: their steps in a cube about the middle, and what it opens on."""
    points, room = checked(pane, total, 3), room_of(pane, panes, total)
    around = points - room.middle
    reach = float(np.linalg.norm(around, axis=1).max()) or 1.0
    steps = np.rint((around / reach + 1) / 2 * STEPS).astype("<u2")
    name = hashlib.blake2b(steps.tobytes() + repr((reach, room.half)).encode(), digest_size=12).hexdigest()
    return {"space": arrays.add(steps), "reach": reach, "half": room.half, "digest": name}


def _corners(home: Limits) -> Box:
    (x0, x1), (y0, y1) = home.x, home.y
    return x0, y0, x1, y1


def _turned(points: np.ndarray, turn: Turn) -> dict[str, object]:
    """What a browser needs to turn a map: the matrix by rows, and the limits of what comes out."""
    there = limits(points @ turn.matrix)
    return {"matrix": turn.matrix.ravel().tolist(), "home": _corners(there), "words": turn.words}


def _box(points: np.ndarray) -> Box:
    (x0, y0), (x1, y1) = (corner.tolist() for corner in extent(points))
    return x0, y0, x1 if x1 > x0 else x0 + 1.0, y1 if y1 > y0 else y0 + 1.0


@dataclass(frozen=True, eq=False)
class MapEvent:
    """What is selected in a map.

    ``selected`` are row numbers of the data, in order, each once; ``clicked`` is the one row that was
    clicked last, None after a lasso, a box or a search.
    """

    selected: np.ndarray
    clicked: int | None = None


@dataclass(frozen=True)
class MapSeen:
    """What a map shows of its points.

    ``hidden`` are names of classes; ``windows`` has for each pane that was moved or zoomed, by its place,
    lowest x, highest x, lowest y and highest y. ``turned`` says whether maps are turned onto the first, and
    ``side`` of maps in three dimensions the degrees that they are turned and tipped by.
    """

    hidden: tuple[str, ...] = ()
    windows: Mapping[int, tuple[float, float, float, float]] = field(default_factory=dict)
    turned: bool = False
    side: tuple[float, float] = (0.0, 0.0)


MOST_HIDDEN, MOST_PANES = 200, 26


def decode_seen(sent: object, identity: str) -> MapSeen:
    """What the browser says that it shows; everything if it is of other rows, or makes no sense."""
    if not isinstance(sent, Mapping) or sent.get("identity") != identity:
        return MapSeen()
    hidden, windows = sent.get("hidden"), sent.get("windows")
    if not isinstance(hidden, list) or not isinstance(windows, list):
        return MapSeen()
    names = tuple(name for name in hidden[:MOST_HIDDEN] if isinstance(name, str))
    found = {at: _window(one) for at, one in enumerate(windows[:MOST_PANES])}
    kept = {at: one for at, one in found.items() if one is not None}
    return MapSeen(names, kept, sent.get("turned") is True, _side(sent.get("side")))


def _side(sent: object) -> tuple[float, float]:
    """Degrees, from -180 to 180 and from -90 to 90, of what the browser has in radians."""
    numbers = sent if isinstance(sent, list) and len(sent) == 2 else []
    if not numbers or not all(isinstance(one, int | float) and math.isfinite(one) for one in numbers):
        return 0.0, 0.0
    yaw, pitch = (math.degrees(one) for one in numbers)
    return round((yaw + 180) % 360 - 180, 2), round(min(90.0, max(-90.0, pitch)), 2)


def _window(sent: object) -> tuple[float, float, float, float] | None:
    numbers = sent if isinstance(sent, list) and len(sent) == 4 else []
    if not numbers or not all(isinstance(one, int | float) and math.isfinite(one) for one in numbers):
        return None
    x0, x1, y0, y1 = map(float, numbers)
    return (x0, x1, y0, y1) if x0 < x1 and y0 < y1 else None


NOTHING = MapEvent(np.empty(0, dtype=np.int64))


def decode(sent: object, total: int, identity: str) -> MapEvent:
    """The event that the browser sent; nothing is selected if it is of other rows, or makes no sense.

    Parameters
    ----------
    sent
        ``identity``, ``n``, ``clicked``, ``kind`` and ``data``: base64 of a bit for each of ``total`` rows,
        or of the numbers of those selected as uint32.
    """
    if not isinstance(sent, Mapping) or sent.get("identity") != identity or sent.get("n") != total:
        return NOTHING
    try:
        raw = base64.b64decode(sent["data"], validate=True)
    except (KeyError, TypeError, ValueError, binascii.Error):
        return NOTHING
    selected = _bits(raw, total) if sent.get("kind") == "bits" else _numbers(raw, total)
    clicked = sent.get("clicked")
    return MapEvent(selected, clicked if isinstance(clicked, int) and 0 <= clicked < total else None)


def click_message(total: int, identity: str, row: int) -> dict[str, object]:
    """What a browser sends after a click on a row; ``decode`` reads it."""
    return selection_message(total, identity, np.array([row]), row)


def selection_message(total: int, identity: str, chosen: np.ndarray, clicked: int = -1) -> dict[str, object]:
    """What a browser sends when some of ``total`` rows are selected."""
    data = base64.b64encode(chosen.astype("<u4").tobytes()).decode()
    return {"identity": identity, "n": total, "kind": "rows", "data": data, "clicked": clicked}


def _bits(raw: bytes, n: int) -> np.ndarray:
    if len(raw) != -(-n // 8):
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(np.unpackbits(np.frombuffer(raw, np.uint8), count=n, bitorder="little"))


def _numbers(raw: bytes, n: int) -> np.ndarray:
    if len(raw) % 4 or len(raw) > 4 * n:
        return np.empty(0, dtype=np.int64)
    numbers = np.frombuffer(raw, "<u4").astype(np.int64)
    return np.unique(numbers[numbers < n])


BLOCK = 32
"""Rows in a block."""
ROW_END, FIELD_END = "\x1e", "\x1f"
_ENDS = str.maketrans({ROW_END: " ", FIELD_END: " "})
LONGEST = 600
"""Characters of a text that are shown at most."""


def text_file(items: Sequence[str], labels: Sequence[str] | None) -> tuple[bytes, np.ndarray]:
    """The file of all rows, and where each block starts; its end is the last entry, uint32."""
    blocks = [
        _block(items[start : start + BLOCK], labels and labels[start : start + BLOCK])
        for start in range(0, len(items), BLOCK)
    ]
    starts = np.cumsum([0, *map(len, blocks)]).astype("<u4")
    return b"".join(blocks), starts


def _block(items: Sequence[str], labels: Sequence[str] | None) -> bytes:
    text = _joined(items, labels or [""] * len(items))
    plain = text.count(ROW_END) == len(items) - 1 and text.count(FIELD_END) == len(items)
    if not plain or len(text) > LONGEST:  # of a million rows most are short and have none of the two
        text = _joined(
            [_clean(item) for item in items], [_clean(label) for label in labels or [""] * len(items)]
        )
    return text.encode("utf-8", "replace")


def _joined(items: Sequence[str], labels: Sequence[str]) -> str:
    return ROW_END.join([f"{item}{FIELD_END}{label}" for item, label in zip(items, labels, strict=True)])


def _clean(text: str) -> str:
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return cut.translate(_ENDS)
