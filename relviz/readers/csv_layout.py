"""How a .csv is laid out: its separator, and whether its first line names the columns."""

import csv
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from relviz.errors import ReadError
from relviz.readers import wording
from relviz.readers.limits import Limits
from relviz.readers.source import Source

_SEPARATORS = ",;\t"
_HEAD_BYTES = 2**20


@dataclass(frozen=True)
class Layout:
    """``names`` are those of the header, or made up where there is none."""

    separator: str
    names: tuple[str, ...]
    has_header: bool


def find_layout(source: Source, limits: Limits) -> Layout:
    """Read the layout from the first line.

    Raises
    ------
    ReadError
        If it is not UTF-8 text in columns, or two columns have one name.
    """
    head = bytes(source.read(0, min(source.size, _HEAD_BYTES)))
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ReadError(f"{source.name} is written in UTF-16; save it as UTF-8.")
    if source.size > _HEAD_BYTES and b"\n" not in head and b"\r" not in head:
        raise ReadError(f"The first line of {source.name} is longer than {wording.size(_HEAD_BYTES)}.")
    text = head.decode("utf-8-sig", "replace")
    firsts = {separator: _first_record(text, separator) for separator in _SEPARATORS}
    separator = max(_SEPARATORS, key=lambda candidate: len(firsts[candidate]))
    cells = firsts[separator]
    if len(cells) < 2:
        raise ReadError(
            f"{source.name} has one column; its first line is {wording.quote(cells[0] if cells else '')}. "
            "Separate columns by commas, semicolons or tabs."
        )
    limits.check_matrix(1, len(cells), source.name)
    if _is_data(cells):
        return Layout(separator, tuple(f"column {at + 1}" for at in range(len(cells))), False)
    names = tuple(cell or f"unnamed {at + 1}" for at, cell in enumerate(cells))
    repeated = [name for name, times in Counter(names).items() if times > 1]
    if repeated:
        at = [str(place + 1) for place, name in enumerate(names) if name == repeated[0]]
        raise ReadError(
            f"{source.name} has {len(at)} columns called {wording.quote(repeated[0])} "
            f"(columns {wording.listing(at)}). Give each a name of its own."
        )
    return Layout(separator, names, True)


def _first_record(text: str, separator: str) -> list[str]:
    records = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        return next(([cell.strip() for cell in record] for record in records if record), [])
    except csv.Error:  # a cell of more than 131 072 characters, as a long line is by the wrong separator
        return []


def _is_data(cells: Sequence[str]) -> bool:
    """Whether a first line is a row of the table, and not names, of which some are 0, 1, 2."""
    numbers = [number for number in map(as_number, cells) if number is not None]
    rising = all(a < b and b.is_integer() for a, b in pairwise(numbers))
    return 2 * len(numbers) > len(cells) and not rising


def as_number(text: str) -> float | None:
    """The number that a cell holds, or None; ``1_000`` is a name, though Python reads it as a number."""
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None
