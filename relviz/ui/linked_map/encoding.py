"""The message of a linked map: a JSON header, and typed arrays that it points into.

A point takes 4 bytes a pane (two 16-bit coordinates within the pane's box), and 2 or 3 bytes for all
panes together: its colour and its flags. Nothing is sent as text for all rows.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from relviz.figures.colouring import Colours
from relviz.figures.pane import Pane, checked, home_of
from relviz.figures.sample import density
from relviz.wording import plural

ANCHOR, HOLLOW, LABELLED = 1, 2, 4
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
    rows: np.ndarray,
    total: int,
    colours: Colours,
    flags: np.ndarray,
    about: Mapping[str, Any],
    text_starts: np.ndarray | None = None,
) -> bytes:
    """The message for the given rows of ``total``.

    Parameters
    ----------
    rows
        Which rows are drawn, in order.
    flags
        ``(total,)`` uint8 of ``ANCHOR``, ``HOLLOW`` and ``LABELLED``.
    about
        What else the header says.

    Raises
    ------
    ShapeError
        If a pane has not ``total`` points.
    ParameterError
        If a coordinate is NaN or infinite.
    """
    arrays = Arrays()
    header = {
        **about,
        "n": len(rows),
        "total": total,
        "colours": colours.legend,
        "code_bytes": colours.codes.itemsize,
        "codes": arrays.add(colours.codes[rows]),
        "flags": arrays.add(flags[rows]),
        "panes": [_pane(pane, panes, rows, total, arrays) for pane in panes],
    }
    if text_starts is not None:
        header["texts"] = {**about["texts"], "starts": arrays.add(text_starts)}
    body = arrays.joined()
    said = json.dumps(header, ensure_ascii=False, allow_nan=False)
    digest = hashlib.blake2b(said.encode("utf-8", "replace") + body, digest_size=12).hexdigest()
    raw = json.dumps(header | {"digest": digest}).encode()
    raw += b" " * (-len(raw) % 4)
    return len(raw).to_bytes(4, "little") + raw + body


def quantised(points: np.ndarray, box: Box) -> np.ndarray:
    """``(n, 2)`` points as 16-bit steps within a box."""
    low, high = np.array(box[:2]), np.array(box[2:])
    span = np.where(high > low, high - low, 1.0)
    return np.rint(np.clip((points - low) / span, 0, 1) * STEPS).astype("<u2")


def _pane(pane: Pane, panes: Sequence[Pane], rows: np.ndarray, total: int, arrays: Arrays) -> dict[str, Any]:
    said: dict[str, Any] = {
        name: getattr(pane, name) for name in ("title", "caption", "message", "group", "joined")
    }
    if pane.points is None:
        nothing = {
            "positions": None,
            "density": None,
            "digest": "",
            "box": (0, 0, 1, 1),
            "home": (0, 0, 1, 1),
        }
        return said | nothing
    points = checked(pane, total)
    home = home_of(pane, panes, total)
    box = _box(points)
    (x0, x1), (y0, y1) = home.x, home.y
    positions = quantised(points[rows], box)
    caption = pane.caption
    outside = home.outside(points)
    if outside:
        caption += f" · {plural(outside, 'point')} outside, zoom out to see"
    return said | {
        "caption": caption,
        "positions": arrays.add(positions),
        "density": arrays.add(density(points, box)) if len(rows) < total else None,
        "digest": hashlib.blake2b(
            positions.tobytes() + repr((box, home)).encode(), digest_size=12
        ).hexdigest(),
        "box": box,
        "home": (x0, y0, x1, y1),
    }


def _box(points: np.ndarray) -> Box:
    (x0, y0), (x1, y1) = points.min(0).tolist(), points.max(0).tolist()
    return x0, y0, x1 if x1 > x0 else x0 + 1.0, y1 if y1 > y0 else y0 + 1.0
