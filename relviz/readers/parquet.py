"""Columnar tables: .parquet, with one column a dimension, or one column of lists.

Arrow decodes them in a process of its own (parquet_decoder), so that a file of a few hundred bytes that
unpacks to gigabytes, or that makes Arrow abort, ends in a ReadError here. On Linux that process is held
to a budget of memory; macOS and Windows have no such cap, and there only its time is limited.
"""

import json
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from relviz.compute.blocks import slices
from relviz.errors import ReadError
from relviz.readers import messages
from relviz.readers.choice import Holding
from relviz.readers.confined import Told, confined
from relviz.readers.found import Part
from relviz.readers.limits import FLOAT_BYTES, Limits
from relviz.readers.source import Source

_MARK = b"PAR1"
_DECODER = Path(__file__).with_name("parquet_decoder.py")
_BATCH_ROWS = 65_536
_LIST_VALUES = 2_000_000
"""Numbers in lists that are unpacked at a time."""
_COLUMN_VALUES = 4_000_000
"""Numbers in separate columns that are unpacked at a time."""
_TURNED_ROWS = 1024
"""Rows of separate columns that are put side by side at a time, few enough for a processor's cache."""


def survey(source: Source, limits: Limits) -> Holding:
    """What a .parquet file holds."""
    table = _Table(source, limits)
    dimensions = {part.name: part.shape[1] for part in table.parts if part.kind == "matrix"}

    def vectors(names: tuple[str, ...]) -> tuple[Tensor, tuple[str, ...]]:
        matrix, missing = table.vectors(names, dimensions.get(names[0], 0))
        notes = (f"{messages.plural(missing, 'cell')} without a number, read as NaN",) if missing else ()
        return matrix, notes

    return Holding("parquet", table.parts, vectors, table.texts, table.first_texts)


class _Table:
    """A file that a decoder has open for as long as the source is."""

    def __init__(self, source: Source, limits: Limits) -> None:
        if source.read(source.size - len(_MARK), len(_MARK)) != _MARK:
            raise ReadError(
                f"{source.name} is truncated: the end marker of a .parquet file is missing "
                f"({messages.plural(source.size, 'byte')}). Copy or save it again."
            )
        self._name = source.name
        self._limits = limits
        folder = source.until_closed.enter_context(tempfile.TemporaryDirectory(prefix="relviz-"))
        self._folder = Path(folder)
        path = source.path
        if path is None:
            path = self._folder / "copy.parquet"
            source.copy_to(path)
        decoder = confined(_DECODER, path, folder, self._name, limits)
        self._decoder = source.until_closed.enter_context(decoder)
        survey = self._ask(ask="survey")
        limits.check_file(survey["unpacked"], f"{self._name}, unpacked,")
        self._rows: int = survey["rows"]
        names = Counter(column["name"] for column in survey["columns"])
        repeated = [name for name, times in names.items() if times > 1]
        if repeated:
            raise ReadError(
                f"{self._name} has several columns called {messages.quote(repeated[0])}; rename all but one."
            )
        self.parts = tuple(self._part(**column) for column in survey["columns"])

    def vectors(self, names: tuple[str, ...], dimension: int) -> tuple[Tensor, int]:
        """``(n, d)`` float32 and how many of them are missing.

        They are one column of lists of that dimension, or, where it is 0, columns of numbers.
        """
        path = self._folder / "vectors.npy"
        if dimension:
            question: Told = {"ask": "lists", "column": names[0], "dimension": dimension}
            batch_rows = max(1, min(_BATCH_ROWS, _LIST_VALUES // dimension))
        else:
            question = {"ask": "numbers", "columns": names, "at_once": max(1, _COLUMN_VALUES // self._rows)}
            batch_rows = _BATCH_ROWS
        answer = self._ask(**question, batch_rows=batch_rows, into=path.name)
        left = np.load(path, mmap_mode="r", allow_pickle=False)
        matrix = np.empty(left.shape, np.float32)
        for part in slices(len(matrix), _TURNED_ROWS):
            matrix[part] = left[part]
        return torch.from_numpy(matrix), answer["missing"]

    def texts(self, name: str) -> list[str]:
        """The cells of a column; rows that share a long text share one string."""
        path = self._folder / "texts.json"
        most_bytes = self._limits.memory
        self._ask(ask="texts", column=name, batch_rows=_BATCH_ROWS, most_bytes=most_bytes, into=path.name)
        values: list[str] = []
        with path.open(encoding="utf-8", newline="\n") as batches:
            for batch in map(json.loads, batches):
                words, rows = batch["words"], batch["rows"]
                values += words if rows is None else ["" if at is None else words[at] for at in rows]
        return values

    def first_texts(self, name: str) -> list[str]:
        """The first cells of a column, cut at the limit of a cell."""
        cells: list[str] = self._ask(ask="first_texts", column=name, longest=self._limits.cell)["cells"]
        return cells

    def _part(self, name: str, kind: str, dtype: str, values: int) -> Part:
        """The part of the file that one column is."""
        dtype = messages.clip(dtype)
        if kind == "number":
            return Part(name, "number", (self._rows,), dtype)
        if kind == "text":
            return Part(name, "text", (self._rows,), "text", "holds text, not numbers")
        if kind == "lists":
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
        return int(self._ask(ask="length", column=name)["length"])

    def _ask(self, **question: object) -> Told:
        answer = self._decoder(**question)
        match answer.get("refused"):
            case {"nbytes": nbytes, "column": column}:
                self._limits.check_memory(nbytes, f"{self._name}, column {messages.quote(column)}")
            case {"row": row, "length": length, "dimension": dimension, "column": column}:
                raise ReadError(
                    f"{self._name}, column {messages.quote(column)}: the list in row "
                    f"{messages.count(row + 1)} holds {length} numbers where the first holds {dimension}. "
                    "Use the same number in every row."
                )
            case {"rows": rows}:
                held = "more" if rows > self._rows else messages.count(rows)
                raise ReadError(
                    f"{self._name} declares {messages.plural(self._rows, 'row')} and holds {held}: "
                    "it is damaged. Save it again."
                )
        return answer
