"""JSON that others wrote: not longer and not deeper than what is looked for there."""

import json
import re
from typing import Any

import numpy as np

DEEPEST = 32
"""Lists and dictionaries within each other, at most. What relviz and its kin write has a few."""

_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_STEPS = np.zeros(256, np.int8)
_STEPS[[ord("["), ord("{")]] = 1
_STEPS[[ord("]"), ord("}")]] = -1


class JsonError(ValueError):
    """Text that is no JSON, or more of it than is read; its message is a clause."""


def read_json(text: str | bytes, most_bytes: int, deepest: int = DEEPEST) -> Any:
    """The value that a JSON text holds; its size and depth are looked at before any of it is built.

    Raises
    ------
    JsonError
        If it is longer or deeper than that, or no JSON.

    Examples
    --------
    >>> read_json("[[1]]", 100)
    [[1]]
    >>> read_json("[[1]]", 100, deepest=1)
    Traceback (most recent call last):
    relviz.compute.json_text.JsonError: it is nested 2 levels deep; the limit is 1
    """
    if not isinstance(text, str | bytes):
        raise JsonError(f"it is not text but a {type(text).__name__}")
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(raw) > most_bytes:
        raise JsonError(f"it has {len(raw):,} bytes; the limit is {most_bytes:,}")
    depth = _depth(raw)
    if depth > deepest:
        raise JsonError(f"it is nested {depth:,} levels deep; the limit is {deepest}")
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as reason:
        raise JsonError(f"it is not JSON: {reason}") from None


def _depth(raw: bytes) -> int:
    """How many brackets are open at once; in a text that is no JSON, at least as many as a reader opens."""
    steps = _STEPS[np.frombuffer(_STRINGS.sub(b"", raw), np.uint8)]
    return int(steps.cumsum(dtype=np.int64).max(initial=0))
