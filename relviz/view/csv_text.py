"""Tables as comma-separated values: numbers unrounded, texts such that nothing takes them for more."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from relviz.readers.formulas import marked


def csv_text(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """A head and rows as a csv; a text that a spreadsheet would compute has an apostrophe before it.

    >>> print(csv_text(("a", "b"), [(1, -0.5), ("x,y", None), ("=A1", "-")]), end="")
    a,b
    1,-0.5
    "x,y",
    '=A1,-
    """
    return "".join(",".join(map(_cell, row)) + "\n" for row in (head, *rows))


def columns_csv(columns: Mapping[str, Sequence[Any]]) -> str:
    """Columns of equal length as a csv.

    >>> print(columns_csv({"a": [1, 2], "b": [0.5, None]}), end="")
    a,b
    1,0.5
    2,
    """
    return csv_text(columns, zip(*columns.values(), strict=True))


def written(value: Any) -> str:
    """A value in full: NaN and None as nothing.

    >>> written(0.1), written(np.float32(0.5)), written(float("nan"))
    ('0.1', '0.5', '')
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or (isinstance(value, float) and value != value):
        return ""
    return repr(value) if isinstance(value, float) else str(value)


def _cell(value: Any) -> str:
    # Python's own writer leaves a carriage return bare where lines end without one, and some readers begin a
    # row there.
    text = marked(value) if isinstance(value, str) else written(value)
    return '"' + text.replace('"', '""') + '"' if any(sign in text for sign in ',"\r\n') else text
