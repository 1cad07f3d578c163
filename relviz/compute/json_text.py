"""JSON that others wrote: not longer and not deeper than what is looked for there."""

import json
import re
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

DEEPEST = 32
"""Lists and dictionaries within each other, at most. What relviz and its kin write has a few."""

_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_BLOCK = 2**20
_STEPS = np.zeros(256, np.int8)
_STEPS[[ord("["), ord("{")]] = 1
_STEPS[[ord("]"), ord("}")]] = -1


JsonObject: TypeAlias = dict[str, Any]
"""An object of JSON, and what travels between processes as one."""


class JsonError(ValueError):
    """Text that is no JSON, or more of it than is read; its message is a clause."""


def read_json(
    text: str | bytes, most_bytes: int, deepest: int = DEEPEST, most_values: int | None = None
) -> Any:
    """The value that a JSON text holds; its size and depth are looked at before any of it is built.

    ``most_values`` is how many lists, dictionaries and what they hold there may be: a byte or two of text
    take 64 bytes and more of memory.

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
    outside = np.frombuffer(_STRINGS.sub(b"", raw), np.uint8)
    depth = _depth(outside)
    if depth > deepest:
        raise JsonError(f"it is nested {depth:,} levels deep; the limit is {deepest}")
    if most_values is not None:
        values = _values(outside)
        if values > most_values:
            raise JsonError(f"it holds {values:,} values; the limit is {most_values:,}")
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as reason:
        raise JsonError(f"it is not JSON: {reason}") from None


def _depth(outside: NDArray[np.uint8]) -> int:
    """How many brackets are open at once; in a text that is no JSON, at least as many as a reader opens."""
    deepest = now = 0
    for begin in range(0, len(outside), _BLOCK):
        steps = _STEPS[outside[begin : begin + _BLOCK]].cumsum(dtype=np.int64)
        deepest = max(deepest, now + int(steps.max()))
        now += int(steps[-1])
    return deepest


def _values(outside: NDArray[np.uint8]) -> int:
    return sum(int(np.count_nonzero(outside == byte)) for byte in b",[{")
