"""Texts of all rows as one file in blocks: the browser fetches the block of the row it points at."""

from collections.abc import Sequence

import numpy as np

BLOCK = 32
"""Rows in a block."""
ROW_END, FIELD_END = "\x1e", "\x1f"
_ENDS = str.maketrans({ROW_END: " ", FIELD_END: " "})
LONGEST = 600
"""Characters of a text that are shown at most."""


def text_file(
    items: Sequence[str], labels: Sequence[str] | None, rows: np.ndarray
) -> tuple[bytes, np.ndarray]:
    """The file of the given rows, and where each block starts; its end is the last entry, uint32."""
    records = [_record(items[row], labels[row] if labels is not None else "") for row in rows.tolist()]
    blocks = [
        ROW_END.join(records[start : start + BLOCK]).encode("utf-8", "replace")
        for start in range(0, len(records), BLOCK)
    ]
    starts = np.cumsum([0, *map(len, blocks)]).astype("<u4")
    return b"".join(blocks), starts


def _record(item: str, label: str) -> str:
    return f"{_clean(item)}{FIELD_END}{_clean(label)}"


def _clean(text: str) -> str:
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return cut.translate(_ENDS)
