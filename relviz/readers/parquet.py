"""Columnar tables: .parquet, with one column a dimension, or one column of lists."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor

from relviz.errors import ReadError
from relviz.readers import wording
from relviz.readers.choice import Holding
from relviz.readers.found import Part
from relviz.readers.limits import Limits
from relviz.readers.source import Source

_MARK = b"PAR1"
_BATCH_ROWS = 65_536
_BATCH_VALUES = 4_000_000
"""Numbers that are unpacked at a time."""
_SAMPLE_ROWS = 100


def survey(source: Source, limits: Limits) -> Holding:
    """What a .parquet file holds."""
    table = _Table(source, limits)
    parts = tuple(table.part(field) for field in table.schema)
    dimensions = {part.name: part.shape[1] for part in parts if part.kind == "matrix"}

    def vectors(names: tuple[str, ...]) -> tuple[Tensor, tuple[str, ...]]:
        dimension = dimensions.get(names[0])
        matrix = np.empty((table.rows, dimension or len(names)), np.float32)
        begin = 0
        for batch in table.batches(names, max(1, min(_BATCH_ROWS, _BATCH_VALUES // matrix.shape[1]))):
            block = matrix[begin : begin + batch.num_rows]
            if dimension:
                _fill_from_lists(block, batch.column(names[0]), begin, f"{source.name}, column {names[0]!r}")
            else:
                for place, name in enumerate(names):
                    block[:, place] = _floats(batch.column(name))
            begin += batch.num_rows
        missing = int(np.isnan(matrix).sum())
        notes = (f"{wording.plural(missing, 'cell')} without a number, read as NaN",) if missing else ()
        return torch.from_numpy(matrix), notes

    def texts(name: str) -> list[str]:
        values: list[str] = []
        length = 0
        for batch in table.batches((name,), _BATCH_ROWS):
            column = batch.column(name)
            length += column.nbytes
            limits.check_memory(length, f"{source.name}, column {wording.quote(name)}")
            values += _strings(column)
        return values

    return Holding("parquet", parts, vectors, texts)


class _Table:
    """An open file whose footer has been checked, and batches of its columns."""

    def __init__(self, source: Source, limits: Limits) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        if source.read(source.size - len(_MARK), len(_MARK)) != _MARK:
            raise ReadError(
                f"{source.name} is cut off: the mark that ends a .parquet file is not at the end of its "
                f"{wording.plural(source.size, 'byte')}. Copy or save it again."
            )
        metadata = pq.read_metadata(pa.PythonFile(source.file, "r"))
        groups = map(metadata.row_group, range(metadata.num_row_groups))
        limits.check_file(sum(group.total_byte_size for group in groups), f"{source.name}, unpacked,")
        self._name = source.name
        self.rows: int = metadata.num_rows
        self.schema = metadata.schema.to_arrow_schema()
        repeated = [name for name, times in Counter(self.schema.names).items() if times > 1]
        if repeated:
            raise ReadError(
                f"{source.name} has several columns called {wording.quote(repeated[0])}; rename all but one."
            )
        # Kept as dictionaries, a long text that many rows share is unpacked once, not once a row.
        self._file = pq.ParquetFile(
            pa.PythonFile(source.file, "r"),
            read_dictionary=[field.name for field in self.schema if _is_text(field.type)],
            pre_buffer=False,
        )

    def batches(self, names: tuple[str, ...], rows: int) -> Iterator[Any]:
        """All rows of some columns, so many at a time."""
        seen = 0
        for batch in self._file.iter_batches(batch_size=rows, columns=list(names), use_threads=False):
            seen += batch.num_rows
            yield batch
        if seen != self.rows:
            raise ReadError(
                f"{self._name} declares {wording.plural(self.rows, 'row')} and holds {wording.count(seen)}: "
                "it is damaged. Save it again."
            )

    def part(self, field: Any) -> Part:
        """The part of the file that one column is."""
        kind = wording.clip(str(field.type))
        if _is_number(field.type):
            return Part(field.name, "number", (self.rows,), kind)
        if _is_text(field.type):
            return Part(field.name, "text", (self.rows,), "text", "holds text, not numbers")
        if _is_list(field.type) and _is_number(field.type.value_type):
            dimension = self._dimension(field.name)
            if dimension:
                return Part(field.name, "matrix", (self.rows, dimension), kind)
            return Part(field.name, "other", (self.rows,), kind, "holds empty lists")
        return Part(field.name, "other", (self.rows,), kind, f"holds {kind}, not numbers")

    def _dimension(self, name: str) -> int:
        """The length of the first list of a column, 0 without one."""
        import pyarrow.compute as pc

        first = next(self.batches((name,), _SAMPLE_ROWS), None)
        lengths = [] if first is None else pc.list_value_length(first.column(name).drop_null()).to_pylist()
        return lengths[0] if lengths else 0


def _is_number(kind: Any) -> bool:
    import pyarrow as pa

    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _is_list(kind: Any) -> bool:
    import pyarrow as pa

    return pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)


def _floats(column: Any) -> np.ndarray:
    import pyarrow as pa

    wide = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    with np.errstate(over="ignore"):
        return wide.astype(np.float32)


def _fill_from_lists(block: np.ndarray, column: Any, begin: int, what: str) -> None:
    import pyarrow.compute as pc

    there = column.is_valid().to_numpy(zero_copy_only=False)
    lists = column.drop_null()
    lengths = pc.list_value_length(lists).to_numpy()
    dimension = block.shape[1]
    odd = np.flatnonzero(lengths != dimension)
    if len(odd):
        row = begin + int(np.flatnonzero(there)[odd[0]])
        raise ReadError(
            f"{what}: the list in row {wording.count(row + 1)} holds {lengths[odd[0]]} numbers where the "
            f"first holds {dimension}. Give every row as many."
        )
    block[~there] = np.nan
    block[there] = _floats(lists.flatten()).reshape(-1, dimension)


def _strings(column: Any) -> list[str]:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        words = ["" if word is None else word for word in column.dictionary.to_pylist()]
        return ["" if at is None else words[at] for at in column.indices.to_pylist()]
    return [
        "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
        for value in column.to_pylist()
    ]
