"""How a .csv is laid out: its separator, and whether its first line names the columns.

A table of vectors has columns of numbers. A table of texts may have one column, and needs no number to tell
its first row from its header.
"""

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

from relviz.errors import ReadError
from relviz.readers import wording
from relviz.readers.limits import Limits
from relviz.readers.roles import is_table_name
from relviz.readers.source import Source

_SEPARATORS = ",;\t"
_HEAD_BYTES = 2**20
_HEAD_RECORDS = 20
_LONGEST_NAME = 80
"""Characters; a longer cell in the first line of a table of texts is a text."""


@dataclass(frozen=True)
class Layout:
    """``names`` are those of the header, or made up where there is none."""

    separator: str
    names: tuple[str, ...]
    has_header: bool


def find_layout(source: Source, limits: Limits, of_texts: bool = False) -> Layout:
    """Read the layout from the first line; ``of_texts`` also where there is one column.

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
    tables = {separator: _records(text, separator) for separator in _SEPARATORS}
    if of_texts:
        separator = _separator_of_texts(tables, source.suffix)
    else:
        separator = max(_SEPARATORS, key=lambda candidate: len(tables[candidate][0]))
    cells = tables[separator][0]
    if of_texts and not cells:
        raise ReadError(
            f"{source.name} begins with a cell of more than {wording.count(csv.field_size_limit())} "
            "characters; a quotation mark may be open."
        )
    if len(cells) < 2 and not of_texts:
        raise ReadError(
            f"{source.name} has one column; its first line is {wording.quote(cells[0] if cells else '')}. "
            "Separate columns by commas, semicolons or tabs."
        )
    limits.check_matrix(1, len(cells), source.name)
    if _is_texts(cells) if of_texts else _is_data(cells):
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


def _records(text: str, separator: str) -> list[list[str]]:
    """The first rows; one of no cells if there is none."""
    records = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    found: list[list[str]] = []
    # A cell of more than 131 072 characters is an error, as a long line is by the wrong separator.
    with suppress(csv.Error):
        for record in records:
            if record:
                found.append([cell.strip() for cell in record])
            if len(found) == _HEAD_RECORDS:
                break
    return found or [[]]


def _separator_of_texts(tables: Mapping[str, list[list[str]]], suffix: str) -> str:
    """The separator of most cells, of those that cut every row into as many: sentences have commas too.

    One that cuts usual names out of the first line is taken however uneven the rows are.
    """
    if suffix == ".tsv":
        return "\t"
    for separator, rows in tables.items():
        if len(rows[0]) > 1 and any(map(is_table_name, rows[0])):
            return separator
    # The last row may be cut off.
    even = [key for key, rows in tables.items() if len({len(row) for row in rows[:-1] or rows}) == 1]
    return max(even or tables, key=lambda candidate: len(tables[candidate][0]))


def _is_data(cells: Sequence[str]) -> bool:
    """Whether a first line is a row of the table, and not names, of which some are 0, 1, 2."""
    numbers = [number for number in map(as_number, cells) if number is not None]
    rising = all(a < b and b.is_integer() for a, b in pairwise(numbers))
    return 2 * len(numbers) > len(cells) and not rising


def _is_texts(cells: Sequence[str]) -> bool:
    """Whether a first line is a row of a table of texts: no cell is a usual name, and it is the only one,
    or one is a number or too long for a name.
    """
    if any(map(is_table_name, cells)):
        return False
    if len(cells) == 1:
        return True
    return any(len(cell) > _LONGEST_NAME or as_number(cell) is not None for cell in cells)


def as_number(text: str) -> float | None:
    """The number that a cell holds, or None; ``1_000`` is a name, though Python reads it as a number."""
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None
