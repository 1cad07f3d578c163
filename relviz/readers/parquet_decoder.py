"""Unpacks one .parquet file, in the process that confined_program is. It imports nothing of relviz.

Vectors and texts are left as files in the working folder. The answers are facts: what is too much, and
what to tell a person, is decided by the process that asks.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import IO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

_FLOAT = "<f4"
_SAMPLE_ROWS = 100
_BUFFERS_BYTES = 64 * 2**20
"""Packed bytes of all columns that are held at a time."""
_SMALLEST_BUFFER, _LARGEST_BUFFER = 2**12, 2**20
_LONGEST_TYPE = 100


class Refused(Exception):
    """What about a file stands against an answer."""

    def __init__(self, **facts: object) -> None:
        super().__init__(facts)
        self.facts = facts


class Decoder:
    """An open file whose footer has been read; its public methods are the questions."""

    def __init__(self, path: str) -> None:
        file = pa.OSFile(os.fsencode(path))
        self._metadata = pq.read_metadata(file)
        self._schema = self._metadata.schema.to_arrow_schema()
        self._rows: int = self._metadata.num_rows
        # Kept as dictionaries, a long text that many rows share is unpacked once, not once a row.
        self._file = pq.ParquetFile(
            file,
            metadata=self._metadata,
            read_dictionary=[field.name for field in self._schema if _kind(field.type) == "text"],
            buffer_size=min(
                _LARGEST_BUFFER, max(_SMALLEST_BUFFER, _BUFFERS_BYTES // max(1, self._metadata.num_columns))
            ),
            pre_buffer=False,
        )

    def survey(self) -> dict[str, object]:
        """The rows, the bytes they unpack to, and the columns, all on the word of the footer."""
        leaves = [_leaves(field.type) for field in self._schema]
        if sum(leaves) != self._metadata.num_columns:
            raise ValueError(f"a schema of {sum(leaves)} columns for {self._metadata.num_columns}")
        values = [0] * self._metadata.num_columns
        unpacked = 0
        for group in map(self._metadata.row_group, range(self._metadata.num_row_groups)):
            chunks = [group.column(at) for at in range(group.num_columns)]
            unpacked += max(group.total_byte_size, sum(chunk.total_uncompressed_size for chunk in chunks))
            for at, chunk in enumerate(chunks):
                values[at] += chunk.num_values
        columns = [
            {
                "name": field.name,
                "kind": _kind(field.type),
                "dtype": str(field.type)[:_LONGEST_TYPE],
                "values": values[end - 1],
            }
            for field, end in zip(self._schema, accumulate(leaves), strict=True)
        ]
        return {"rows": self._rows, "unpacked": unpacked, "columns": columns}

    def length(self, column: str) -> dict[str, object]:
        """The length of the first list of a column, 0 without one."""
        first = next(self._file.iter_batches(_SAMPLE_ROWS, columns=[column], use_threads=False), None)
        lengths = [] if first is None else pc.list_value_length(first.column(column).drop_null()).to_pylist()
        return {"length": lengths[0] if lengths else 0}

    def lists(self, column: str, dimension: int, batch_rows: int, into: str) -> dict[str, object]:
        """Leave ``(rows, dimension)`` float32 of a column of lists as .npy; how many are missing."""
        missing = 0
        with self._matrix_file(into, dimension, by_column=False) as file:
            for begin, batch in self._batches([column], batch_rows):
                block = np.empty((batch.num_rows, dimension), _FLOAT)
                _fill_from_lists(block, batch, column, begin)
                missing += int(np.isnan(block).sum())
                block.tofile(file)
        return {"missing": missing}

    def numbers(self, columns: Sequence[str], at_once: int, batch_rows: int, into: str) -> dict[str, object]:
        """Leave ``(rows, columns)`` float32 of columns of numbers as .npy; how many are missing."""
        missing = 0
        with self._matrix_file(into, len(columns), by_column=True) as file:
            for names in (columns[at : at + at_once] for at in range(0, len(columns), at_once)):
                block = np.empty((len(names), self._rows), _FLOAT)
                for begin, batch in self._batches(names, batch_rows):
                    for row, name in zip(block, names, strict=True):
                        row[begin : begin + batch.num_rows] = _floats(batch.column(name))
                missing += int(np.isnan(block).sum())
                block.tofile(file)
        return {"missing": missing}

    def texts(self, column: str, batch_rows: int, most_bytes: int, into: str) -> dict[str, object]:
        """Leave one line of JSON a batch: words, and which of them each row has, null if each its own."""
        nbytes = 0
        with open(into, "w", encoding="utf-8", newline="\n") as file:
            for _, batch in self._batches([column], batch_rows):
                words, rows = _words(batch.column(column))
                nbytes += words.nbytes + (0 if rows is None else rows.nbytes)
                if nbytes > most_bytes:
                    raise Refused(nbytes=nbytes, column=column)
                line = {"words": _strings(words), "rows": None if rows is None else rows.to_pylist()}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        return {}

    def first_texts(self, column: str, longest: int) -> dict[str, object]:
        """The cells of the first rows of a column, each cut."""
        first = next(self._file.iter_batches(_SAMPLE_ROWS, columns=[column], use_threads=False), None)
        if first is None:
            return {"cells": []}
        words, rows = _words(first.column(column))
        cells = [word[:longest] for word in _strings(words)]
        if rows is not None:
            cells = ["" if at is None else cells[at] for at in rows.to_pylist()]
        return {"cells": cells}

    @contextmanager
    def _matrix_file(self, into: str, columns: int, by_column: bool) -> Iterator[IO[bytes]]:
        """The file for the vectors, with its header."""
        header = {"descr": _FLOAT, "fortran_order": by_column, "shape": (self._rows, columns)}
        with open(into, "wb") as file:
            np.lib.format.write_array_header_1_0(file, header)
            yield file

    def _batches(self, columns: Sequence[str], rows: int) -> Iterator[tuple[int, pa.RecordBatch]]:
        """All rows of some columns, so many at a time, with the number of the first; none undeclared."""
        seen = 0
        for batch in self._file.iter_batches(rows, columns=list(columns), use_threads=False):
            begin, seen = seen, seen + batch.num_rows
            if seen > self._rows:
                break
            yield begin, batch
        if seen != self._rows:
            raise Refused(rows=seen)


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


def _floats(column: pa.ChunkedArray) -> np.ndarray:
    wide: np.ndarray = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    with np.errstate(over="ignore"):
        return wide.astype(np.float32)


def _fill_from_lists(block: np.ndarray, batch: pa.RecordBatch, name: str, begin: int) -> None:
    column = batch.column(name)
    there = column.is_valid().to_numpy(zero_copy_only=False)
    lists = column.drop_null()
    lengths = pc.list_value_length(lists).to_numpy()
    dimension = block.shape[1]
    odd = np.flatnonzero(lengths != dimension)
    if len(odd):
        row = begin + int(np.flatnonzero(there)[odd[0]])
        raise Refused(row=row, length=int(lengths[odd[0]]), dimension=dimension, column=name)
    block[~there] = np.nan
    block[there] = _floats(lists.flatten()).reshape(-1, dimension)


def _words(column: pa.ChunkedArray) -> tuple[pa.Array, pa.Array]:
    """The words of a dictionary column and which of them each row has; the cells of another, and None."""
    if not pa.types.is_dictionary(column.type):
        return column, None
    # The dictionary grows from batch to batch: only the words of this one.
    used = pc.unique(column.indices.drop_null())
    return column.dictionary.take(used), pc.index_in(column.indices, used)


def _strings(cells: pa.Array) -> list[str]:
    return [
        "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
        for value in cells.to_pylist()
    ]
