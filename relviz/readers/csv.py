"""Tables of text: .csv, separated by comma, semicolon or tab.

Arrow cuts the file into columns of strings, a block at a time. What is a number is decided here, so
that a cell which is not one can be named, and so that words such as "null" stay words.
"""

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from relviz.errors import ReadError
from relviz.readers import messages
from relviz.readers.choice import Holding
from relviz.readers.formulas import unmarked
from relviz.readers.found import Part
from relviz.readers.limits import Limits
from relviz.readers.roles import is_table_name
from relviz.readers.source import OnePass, Source, Vectors

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
        raise ReadError(f"The first line of {source.name} is longer than {messages.size(_HEAD_BYTES)}.")
    text = head.decode("utf-8-sig", "replace")
    tables = {separator: _records(text, separator) for separator in _SEPARATORS}
    if of_texts:
        separator = _separator_of_texts(tables, source.suffix)
    else:
        separator = max(_SEPARATORS, key=lambda candidate: len(tables[candidate][0]))
    cells = tables[separator][0]
    if of_texts and not cells:
        raise ReadError(
            f"{source.name} begins with a cell of more than {messages.count(csv.field_size_limit())} "
            "characters; a quotation mark may be open."
        )
    if len(cells) < 2 and not of_texts:
        raise ReadError(
            f"{source.name} has one column; its first line is {messages.quote(cells[0] if cells else '')}. "
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
            f"{source.name} has {len(at)} columns called {messages.quote(repeated[0])} "
            f"(columns {messages.listing(at)}). Give each a name of its own."
        )
    return Layout(separator, names, True)


def _records(text: str, separator: str) -> list[list[str]]:
    """The first rows; one of no cells if there is none."""
    records = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    found: list[list[str]] = []
    # A cell of more than 131,072 characters is an error, as a long line is by the wrong separator.
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


_BLOCK_BYTES = 8 * 2**20
"""Also the longest row."""
_TEXTS_AT_ONCE = 16
"""Columns that are read as texts at a time: for each, Arrow reserves a block."""
_SAMPLE_ROWS = 1000
_RAGGED = re.compile(r"Row #(\d+): Expected (\d+) columns, got (\d+): (.*)", re.DOTALL)
_MISSING = frozenset({"", "na", "n/a", "null", "none"})
_AS_WRITTEN = [case(word) for word in sorted(_MISSING) for case in (str.lower, str.upper, str.title)]
_COLUMN = re.compile(r"CSV column #(\d+)")
_MOST_ODD = 8
"""Columns with a number that Arrow does not read; with more of them, none is left to it."""
_MOST_LOOKED_UP = 4096
"""Columns for which Arrow may look up what is missing: it keeps the words, at 8 KiB, once a column."""


def survey(source: Source, limits: Limits, of_texts: bool = False) -> Holding:
    """What a .csv file holds; ``of_texts`` it may be one column."""
    layout = find_layout(source, limits, of_texts)
    rows = sum(batch.num_rows for batch in _batches(source, layout, [0]))
    if rows == 0:
        raise ReadError(
            f"{source.name} has a header of {messages.plural(len(layout.names), 'column')} and no rows."
        )
    sample = _first_rows(source, layout)
    parts = _parts(sample, rows)
    position = {name: at for at, name in enumerate(layout.names)}
    notes = [
        f"column {messages.quote(part.name)} is empty: left out" for part in parts if part.kind == "other"
    ]
    if not layout.has_header:
        notes.append("no header row: columns are numbered")

    def vectors(names: tuple[str, ...]) -> tuple[Vectors, tuple[str, ...]]:
        return _read_numbers(source, layout, [position[name] for name in names], rows)

    def texts(name: str) -> list[str]:
        values: list[str] = []
        length = 0
        for batch in _batches(source, layout, [position[name]]):
            length += batch.nbytes
            limits.check_memory(length, f"{source.name}, column {messages.quote(name)}")
            values += batch.column(0).to_pylist()
        return unmarked(values)

    return Holding("csv", parts, vectors, texts, first_texts=sample.__getitem__, notes=tuple(notes))


def _batches(
    source: Source, layout: Layout, columns: Sequence[int], as_numbers: bool = False
) -> Generator[Any, None, None]:
    """Record batches of some columns, in the order asked for: every cell a string, or float32 or missing.

    ArrowInvalid is raised at a cell that is no number.
    """
    keys = [str(at) for at in range(len(layout.names))]
    wanted = [keys[at] for at in columns]
    # Where an error keeps the generator alive, the pass is closed with its source.
    one_pass = source.until_closed.enter_context(closing(OnePass(source.file)))
    try:
        yield from arrow_csv.open_csv(
            pa.PythonFile(one_pass, "r"),
            read_options=arrow_csv.ReadOptions(
                column_names=keys,
                skip_rows_after_names=int(layout.has_header),
                block_size=_BLOCK_BYTES,
                use_threads=False,
            ),
            parse_options=arrow_csv.ParseOptions(delimiter=layout.separator, newlines_in_values=True),
            convert_options=arrow_csv.ConvertOptions(
                include_columns=wanted,
                column_types=dict.fromkeys(wanted, pa.float32() if as_numbers else pa.string()),
                null_values=_AS_WRITTEN if as_numbers else [],
                true_values=[],
                false_values=[],
            ),
        )
    except pa.ArrowInvalid as reason:
        if ragged := _RAGGED.search(str(reason)):
            row, expected, cells, text = ragged.groups()
            raise ReadError(
                f"{source.name}: row {messages.count(int(row) - layout.has_header)} has "
                f"{messages.plural(int(cells), 'cell')} where the first line has {expected}: "
                f"{messages.quote(text)}. Put cells that hold a separator in quotation marks."
            ) from reason
        if "straddl" in str(reason):
            raise ReadError(
                f"{source.name} has a row longer than {messages.size(_BLOCK_BYTES)}; "
                "a quotation mark may be open."
            ) from reason
        if "UTF8" in str(reason):
            raise ReadError(
                f"{source.name} is not UTF-8 ({str(reason)[:100]}); save it as UTF-8."
            ) from reason
        raise
    finally:
        one_pass.close()


def _first_rows(source: Source, layout: Layout) -> dict[str, list[str]]:
    """The first cells of every column."""
    # Not by Arrow, which for a text column reserves as much memory as a whole block, columns times over.
    length = _HEAD_BYTES
    while length <= _HEAD_BYTES + 2 * _BLOCK_BYTES:
        head = bytes(source.read(0, min(source.size, length))).decode("utf-8-sig", "replace")
        rows = _whole_rows(head, layout)
        if length < source.size:
            rows = rows[:-1]  # it may be cut off
        if rows:
            return dict(zip(layout.names, map(list, zip(*rows, strict=True)), strict=True))
        length *= 4
    every, sample = range(len(layout.names)), {}
    for some in (every[at : at + _TEXTS_AT_ONCE] for at in range(0, len(every), _TEXTS_AT_ONCE)):
        with closing(_batches(source, layout, some)) as batches:
            first = next(batch for batch in batches if batch.num_rows).slice(0, _SAMPLE_ROWS)
        sample |= {layout.names[at]: cells.to_pylist() for at, cells in zip(some, first.columns, strict=True)}
    return sample


def _whole_rows(head: str, layout: Layout) -> list[list[str]]:
    """The rows of the beginning of a table, up to one with a cell that is too long for Python."""
    rows: list[list[str]] = []
    records = csv.reader(io.StringIO(head, newline=""), delimiter=layout.separator)
    with suppress(csv.Error):
        for row in islice(filter(None, records), int(layout.has_header), _SAMPLE_ROWS + 2):
            if len(row) != len(layout.names):
                break
            rows.append(row)
    return rows


def _parts(sample: Mapping[str, list[str]], rows: int) -> tuple[Part, ...]:
    """What each column holds, by its first rows: numbers where most cells are."""
    parts = []
    for name, cells in sample.items():
        filled = [cell for cell in cells if cell.strip()]
        numbers = sum(as_number(cell) is not None for cell in filled)
        if not filled:
            parts.append(Part(name, "other", (rows,), "empty", "is empty"))
        elif 2 * numbers > len(filled):
            parts.append(Part(name, "number", (rows,), "number"))
        else:
            parts.append(Part(name, "text", (rows,), "text", "holds text, not numbers"))
    return tuple(parts)


def _read_numbers(
    source: Source, layout: Layout, columns: Sequence[int], rows: int
) -> tuple[Vectors, tuple[str, ...]]:
    matrix = source.new_matrix(rows, len(columns), "F")
    odd: list[int] = []
    plain = list(range(len(columns))) if len(columns) <= _MOST_LOOKED_UP else []
    missing = 0
    while plain:
        try:
            missing = _read_plain(source, layout, columns, plain, matrix)
            break
        except pa.ArrowInvalid as reason:
            named = _COLUMN.search(str(reason))
            place = columns.index(int(named[1])) if named else plain[0]
            odd.append(place)
            plain.remove(place)
            if len(odd) > _MOST_ODD:
                plain = []
    rest = sorted({*range(len(columns))} - {*plain})
    missing += _read_carefully(source, layout, columns, rest, matrix)
    return matrix, (f"{messages.plural(missing, 'cell')} without a number, read as NaN",) if missing else ()


def _read_plain(
    source: Source, layout: Layout, columns: Sequence[int], places: Sequence[int], matrix: Vectors
) -> int:
    """Fill some columns of the matrix with numbers as Arrow reads them; how many are missing."""
    missing = begin = 0
    for batch in _batches(source, layout, [columns[place] for place in places], as_numbers=True):
        _check_rows(source, begin + batch.num_rows, matrix)
        for place, column in zip(places, batch.columns, strict=True):
            values = column.to_numpy(zero_copy_only=False)
            matrix[begin : begin + len(values), place] = values
            missing += int(np.isnan(values).sum())
        begin += batch.num_rows
    _check_rows(source, begin, matrix, whole=True)
    return missing


def _check_rows(source: Source, rows: int, matrix: Vectors, whole: bool = False) -> None:
    if rows > len(matrix) or (whole and rows < len(matrix)):
        raise ReadError(f"{source.name} changed while it was read; read it again.")


def _read_carefully(
    source: Source, layout: Layout, columns: Sequence[int], places: Sequence[int], matrix: Vectors
) -> int:
    """Fill some columns of the matrix with numbers as Python reads them, and name the first that is none."""
    rows = len(matrix)
    wrong: Counter[int] = Counter()
    first_wrong: dict[int, tuple[int, str]] = {}
    missing = 0
    for some in (places[at : at + _TEXTS_AT_ONCE] for at in range(0, len(places), _TEXTS_AT_ONCE)):
        begin = 0
        for batch in _batches(source, layout, [columns[place] for place in some]):
            _check_rows(source, begin + batch.num_rows, matrix)
            for place, column in zip(some, batch.columns, strict=True):
                values, wrong_rows = _numbers(column)
                matrix[begin : begin + len(values), place] = values
                missing += int(np.isnan(values).sum())
                if wrong_rows:
                    wrong[place] += len(wrong_rows)
                    first = wrong_rows[0]
                    first_wrong.setdefault(place, (begin + first, column[first].as_py()))
            begin += batch.num_rows
        _check_rows(source, begin, matrix, whole=True)
    if wrong:
        place = min(wrong)
        row, text = first_wrong[place]
        raise ReadError(
            f"{source.name}, column {messages.quote(layout.names[columns[place]])}: "
            f"{messages.count(wrong[place])} of {messages.plural(rows, 'value')} "
            f"{'is not a number' if wrong[place] == 1 else 'are not numbers'}, first in row "
            f"{messages.count(row + 1)}: {messages.quote(text)}"
            f"{f' (and {len(wrong) - 1} more such columns)' if len(wrong) > 1 else ''}. "
            "Fix it, or name the vector columns with vectors=[...]."
        )
    return missing


def _numbers(column: Any) -> tuple[np.ndarray, list[int]]:
    """A column of strings as float32, NaN where a cell is missing; and the rows that are not numbers."""
    try:
        values = pc.cast(pc.if_else(pc.equal(column, ""), None, column), pa.float32())
        return values.to_numpy(zero_copy_only=False), []
    except pa.ArrowInvalid:
        texts = column.to_pylist()
    parsed = [as_number(text) for text in texts]
    wrong = [
        row
        for row, (text, value) in enumerate(zip(texts, parsed, strict=True))
        if value is None and text.strip().lower() not in _MISSING
    ]
    with np.errstate(over="ignore"):
        return np.array([math.nan if value is None else value for value in parsed]).astype(np.float32), wrong
