"""Columnar tables: .parquet, with one column a dimension, or one column of lists. Arrow decodes them.

A file of a few hundred bytes may unpack to gigabytes, or make Arrow abort: it is read in a process that is
capped (confined), and here a batch of rows at a time.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from relviz.errors import ReadError
from relviz.readers import messages
from relviz.readers.choice import Holding
from relviz.readers.found import Part
from relviz.readers.limits import FLOAT_BYTES, Limits
from relviz.readers.source import Source, Vectors

Column: TypeAlias = Any
"""A column of Arrow, which has no types of its own."""

_MARK = b"PAR1"
_BATCH_ROWS = 65_536
_LIST_VALUES = 2_000_000
"""Numbers in lists that are unpacked at a time."""
_SAMPLE_ROWS = 100
_BUFFERS_BYTES = 64 * 2**20
"""Packed bytes of all columns that are held at a time."""
_SMALLEST_BUFFER, _LARGEST_BUFFER = 2**12, 2**20


def survey(source: Source, limits: Limits) -> Holding:
    """What a .parquet file holds."""
    table = _Table(source, limits)
    dimensions = {part.name: part.shape[1] for part in table.parts if part.kind == "matrix"}

    def vectors(names: tuple[str, ...]) -> tuple[Vectors, tuple[str, ...]]:
        dimension = dimensions.get(names[0], 0)
        matrix = table.lists(names[0], dimension) if dimension else table.numbers(names)
        some = np.array_split(matrix, 1 + len(matrix) // _BATCH_ROWS)
        missing = sum(int(np.isnan(rows).sum()) for rows in some)
        notes = (f"{messages.plural(missing, 'cell')} without a number, read as NaN",) if missing else ()
        return matrix, notes

    return Holding("parquet", table.parts, vectors, table.texts, table.first_texts)


class _Table:
    """An open file whose footer has been read."""

    def __init__(self, source: Source, limits: Limits) -> None:
        if source.read(source.size - len(_MARK), len(_MARK)) != _MARK:
            raise ReadError(
                f"{source.name} is truncated: the end marker of a .parquet file is missing "
                f"({messages.plural(source.size, 'byte')}). Copy or save it again."
            )
        self._name, self._limits, self._source = source.name, limits, source
        file = pa.PythonFile(source.file, "r")
        self._metadata = pq.read_metadata(file)
        schema = self._metadata.schema.to_arrow_schema()
        self._rows: int = self._metadata.num_rows
        # Kept as dictionaries, a long text that many rows share is unpacked once, not once a row.
        self._file = pq.ParquetFile(
            file,
            metadata=self._metadata,
            read_dictionary=[field.name for field in schema if _kind(field.type) == "text"],
            buffer_size=min(
                _LARGEST_BUFFER, max(_SMALLEST_BUFFER, _BUFFERS_BYTES // max(1, self._metadata.num_columns))
            ),
            pre_buffer=False,
        )
        leaves = [_leaves(field.type) for field in schema]
        if sum(leaves) != self._metadata.num_columns:
            raise ValueError(f"a schema of {sum(leaves)} columns for {self._metadata.num_columns}")
        unpacked, values = self._declared()
        limits.check_file(unpacked, f"{self._name}, unpacked,")
        repeated = [name for name, times in Counter(schema.names).items() if times > 1]
        if repeated:
            raise ReadError(
                f"{self._name} has several columns called {messages.quote(repeated[0])}; rename all but one."
            )
        self.parts = tuple(
            self._part(field.name, field.type, values[end - 1])
            for field, end in zip(schema, accumulate(leaves), strict=True)
        )

    def _declared(self) -> tuple[int, list[int]]:
        """Bytes that the rows unpack to, and values of each column of the file, on the word of the footer."""
        values = [0] * self._metadata.num_columns
        unpacked = 0
        for group in map(self._metadata.row_group, range(self._metadata.num_row_groups)):
            chunks = [group.column(at) for at in range(group.num_columns)]
            unpacked += max(group.total_byte_size, sum(chunk.total_uncompressed_size for chunk in chunks))
            for at, chunk in enumerate(chunks):
                values[at] += chunk.num_values
        return unpacked, values

    def lists(self, column: str, dimension: int) -> Vectors:
        """``(rows, dimension)`` float32 of a column of lists, NaN where one is missing."""
        matrix = self._source.new_matrix(self._rows, dimension)
        for begin, batch in self._batches([column], max(1, min(_BATCH_ROWS, _LIST_VALUES // dimension))):
            self._fill(matrix[begin : begin + batch.num_rows], batch.column(column), column, begin)
        return matrix

    def numbers(self, columns: Sequence[str]) -> Vectors:
        """``(rows, columns)`` float32 of columns of numbers, NaN where one is missing."""
        matrix = self._source.new_matrix(self._rows, len(columns), "F")
        for begin, batch in self._batches(columns, max(1, min(_BATCH_ROWS, _LIST_VALUES // len(columns)))):
            for place, name in enumerate(columns):
                matrix[begin : begin + batch.num_rows, place] = _floats(batch.column(name))
        return matrix

    def texts(self, column: str) -> list[str]:
        """The cells of a column; rows that share a long text share one string."""
        values: list[str] = []
        nbytes = 0
        for _, batch in self._batches([column], _BATCH_ROWS):
            words, rows = _words(batch.column(column))
            nbytes += words.nbytes + (0 if rows is None else rows.nbytes)
            self._limits.check_memory(nbytes, f"{self._name}, column {messages.quote(column)}")
            values += _cells(_strings(words), rows)
        return values

    def first_texts(self, column: str) -> list[str]:
        """The first cells of a column, cut at the limit of a cell."""
        first = self._first(column)
        if first is None:
            return []
        words, rows = _words(first.column(column))
        return _cells([word[: self._limits.cell] for word in _strings(words)], rows)

    def _part(self, name: str, kind: pa.DataType, values: int) -> Part:
        """The part of the file that one column is."""
        dtype = messages.clip(str(kind))
        match _kind(kind):
            case "number":
                return Part(name, "number", (self._rows,), dtype)
            case "text":
                return Part(name, "text", (self._rows,), "text", "holds text, not numbers")
            case "lists":
                dimension = self._dimension(name, values)
                if dimension:
                    return Part(name, "matrix", (self._rows, dimension), dtype)
                return Part(name, "other", (self._rows,), dtype, "holds empty lists")
        return Part(name, "other", (self._rows,), dtype, f"holds {dtype}, not numbers")

    def _dimension(self, name: str, values: int) -> int:
        """The length of the first list; the mean length, unpacking none, of lists that will be refused."""
        mean = -(-values // max(1, self._rows))
        if mean > self._limits.columns or values * FLOAT_BYTES > self._limits.memory:
            return mean
        first = self._first(name)
        lengths = [] if first is None else pc.list_value_length(first.column(name).drop_null()).to_pylist()
        return lengths[0] if lengths else 0

    def _first(self, column: str) -> Column:
        """The first rows of a column; None without any."""
        return next(self._file.iter_batches(_SAMPLE_ROWS, columns=[column], use_threads=False), None)

    def _batches(self, columns: Sequence[str], rows: int) -> Iterator[tuple[int, Column]]:
        """All rows of some columns, so many at a time, with the number of the first; none undeclared."""
        seen = 0
        for batch in self._file.iter_batches(rows, columns=list(columns), use_threads=False):
            begin, seen = seen, seen + batch.num_rows
            if seen > self._rows:
                break
            yield begin, batch
        if seen != self._rows:
            held = "more" if seen > self._rows else messages.count(seen)
            raise ReadError(
                f"{self._name} declares {messages.plural(self._rows, 'row')} and holds {held}: "
                "it is damaged. Save it again."
            )

    def _fill(self, block: Vectors, column: Column, name: str, begin: int) -> None:
        there = column.is_valid().to_numpy(zero_copy_only=False)
        lists = column.drop_null()
        lengths = pc.list_value_length(lists).to_numpy()
        dimension = block.shape[1]
        odd = np.flatnonzero(lengths != dimension)
        if len(odd):
            row = begin + int(np.flatnonzero(there)[odd[0]])
            raise ReadError(
                f"{self._name}, column {messages.quote(name)}: the list in row {messages.count(row + 1)} "
                f"holds {lengths[odd[0]]} numbers where the first holds {dimension}. "
                "Use the same number in every row."
            )
        block[~there] = np.nan
        block[there] = _floats(lists.flatten()).reshape(-1, dimension)


def _kind(kind: pa.DataType) -> str:
    types = pa.types
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return "number"
    word = kind.value_type if types.is_dictionary(kind) else kind
    if types.is_string(word) or types.is_large_string(word):
        return "text"
    is_list = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    return "lists" if is_list and _kind(kind.value_type) == "number" else "other"


def _leaves(kind: pa.DataType) -> int:
    """How many columns of a file a column of a table takes."""
    if isinstance(kind, pa.BaseExtensionType):
        kind = kind.storage_type
    return sum(_leaves(kind.field(at).type) for at in range(kind.num_fields)) or 1


def _floats(column: Column) -> np.ndarray:
    wide: np.ndarray = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    with np.errstate(over="ignore"):
        return wide.astype(np.float32)


def _words(column: Column) -> tuple[Column, Column]:
    """The words of a dictionary column and which of them each row has; the cells of another, and None."""
    if not pa.types.is_dictionary(column.type):
        return column, None
    # The dictionary grows from batch to batch: only the words of this one.
    used = pc.unique(column.indices.drop_null())
    return column.dictionary.take(used), pc.index_in(column.indices, used)


def _strings(cells: Column) -> list[str]:
    return [
        "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
        for value in cells.to_pylist()
    ]


def _cells(words: list[str], rows: Column) -> list[str]:
    return words if rows is None else ["" if at is None else words[at] for at in rows.to_pylist()]
