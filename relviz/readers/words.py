"""Word vectors: word2vec (binary and text), fastText .vec and GloVe text files.

Arrow parses the text, a block of lines at a time; a block that it does not take whole is gone through line by
line, which names what is wrong. No memory is taken on the word of the header alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import pyarrow as pa
from pyarrow import csv as arrow_csv

from relviz.errors import ReadError
from relviz.readers import messages
from relviz.readers.choice import Holding
from relviz.readers.found import Part
from relviz.readers.limits import FLOAT_BYTES, Limits
from relviz.readers.source import BLOCK_BYTES, Source, Vectors

_LONGEST_HEADER = 64
_LONGEST_NUMBER = 64
_BYTES_OF_CHARACTER = 4
_ROWS_AT_ONCE = 1024
_FASTTEXT_MODEL = (793712314).to_bytes(4, "little")


@dataclass(frozen=True)
class _Layout:
    """``begin`` is the first byte behind the header, 0 where there is none."""

    format: str
    rows: int
    dimension: int
    begin: int

    @property
    def is_binary(self) -> bool:
        return self.format == "word2vec binary"


@dataclass(frozen=True)
class _Words:
    """What was read: the words, each once, their vectors, and what is to be said."""

    words: list[str]
    vectors: Vectors
    notes: tuple[str, ...]


def survey(source: Source, limits: Limits) -> Holding:
    """What a file of word vectors holds."""
    layout = _find_layout(source, limits)
    limits.check_matrix(layout.rows, layout.dimension, source.name)
    parts = (
        Part("", "matrix", (layout.rows, layout.dimension), "float32"),
        Part("words", "text", (layout.rows,), "text", "holds words"),
    )

    @cache
    def read() -> _Words:
        return (_read_binary if layout.is_binary else _read_text)(source, layout, limits)

    def vectors(_: tuple[str, ...]) -> tuple[Vectors, tuple[str, ...]]:
        return read().vectors, read().notes

    def texts(_: str) -> list[str]:
        return read().words

    return Holding(layout.format, parts, vectors, texts, roles={"ids": "words", "items": "words"})


def _find_layout(source: Source, limits: Limits) -> _Layout:
    source.file.seek(0)
    first = source.file.readline(_longest_line(limits))
    if first.startswith(_FASTTEXT_MODEL):
        raise ReadError(
            f"{source.name} is a complete fastText model, which relviz does not read. Use its .vec file "
            "instead."
        )
    numbers = first.split() if len(first) <= _LONGEST_HEADER else []
    if len(numbers) == 2 and all(number.isdigit() for number in numbers):
        rows, dimension = map(int, numbers)
        fields = source.file.readline(_longest_line(limits)).rstrip().split(b" ")
        text = source.suffix in (".vec", ".txt") or (
            len(fields) == dimension + 1 and all(map(_is_number, fields[1:]))
        )
        return _Layout("word2vec text" if text else "word2vec binary", rows, dimension, len(first))
    if source.suffix == ".bin":
        raise ReadError(
            f"{source.name} does not begin as word2vec binary files do, with the number of words and the "
            f"dimension, but with {first[:20]!r}. Save it with save_word2vec_format(binary=True)."
        )
    return _Layout("GloVe text", *_count_rows(source, first, limits), 0)


def _count_rows(source: Source, first: bytes, limits: Limits) -> tuple[int, int]:
    """Rows and dimension of a text without a header."""
    fields = first.rstrip().split(b" ")
    if len(fields) < 3 or not all(map(_is_number, fields[1:])):
        raise ReadError(
            f"{source.name}: line 1 is not a word and its numbers with single spaces between: "
            f"{messages.quote(first.decode('utf-8', 'replace'))}."
        )
    rows = sum(block.count(b"\n") for block in _line_blocks(source, 0, limits))
    return rows, len(fields) - 1


def _room(source: Source, layout: _Layout, number_bytes: int) -> Vectors:
    """A matrix for the declared rows, as far as the file can hold them."""
    most = source.size // (1 + layout.dimension * number_bytes) + 1
    return source.new_matrix(min(layout.rows, most), layout.dimension)


def _read_text(source: Source, layout: _Layout, limits: Limits) -> _Words:
    matrix = _room(source, layout, len(b" 0"))
    words: list[str] = []
    surplus = 0
    for block in _line_blocks(source, layout.begin, limits):
        found = _parsed(block, layout.dimension)
        if found is None or len(words) + len(found[0]) > layout.rows:
            found, more = _by_line(block, layout, source, len(words), bool(surplus))
            surplus += more
        some, vectors = found
        matrix[len(words) : len(words) + len(some)] = vectors
        words += some
    notes = (f"{messages.plural(surplus, 'line')} past the declared number left out",) if surplus else ()
    if layout.begin and len(words) < layout.rows:
        raise ReadError(
            f"{source.name} is cut off: its first line declares {messages.plural(layout.rows, 'word')} and "
            f"{messages.count(len(words))} follow. Copy or save it again."
        )
    return _without_repeated(words, matrix, notes)


def _line_blocks(source: Source, begin: int, limits: Limits) -> Iterator[bytes]:
    """Runs of whole lines from a byte on, each line with its end."""
    longest = _longest_line(limits)
    held = b""
    source.file.seek(begin)
    while piece := source.file.read(BLOCK_BYTES):
        cut = piece.rfind(b"\n") + 1
        if cut:
            yield held + piece[:cut]
            held = b""
        held += piece[cut:]
        if len(held) >= longest:
            raise ReadError(
                f"{source.name} has a line longer than {messages.size(longest)}; "
                "it is not a file of word vectors."
            )
    if held:
        yield held + b"\n"


def _parsed(block: bytes, dimension: int) -> tuple[list[str], Vectors] | None:
    """The words and vectors of some lines, if all of them are as they should be."""
    block = block.replace(b"\r\n", b"\n").replace(b" \n", b"\n")
    if b"\r" in block:  # the end of a line to Arrow alone
        return None
    if not block.strip():
        return [], np.empty((0, dimension), np.float32)
    keys = [str(at) for at in range(dimension + 1)]
    try:
        table = arrow_csv.read_csv(
            pa.BufferReader(block),
            arrow_csv.ReadOptions(column_names=keys, block_size=len(block) + 1, use_threads=False),
            arrow_csv.ParseOptions(delimiter=" ", quote_char=False),
            arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(keys, pa.float32()) | {"0": pa.binary()},
                null_values=[],
                true_values=[],
                false_values=[],
            ),
        )
    except pa.ArrowInvalid:
        return None
    vectors = np.empty((len(table), dimension), np.float32)
    for at in range(dimension):
        vectors[:, at] = table.column(at + 1)
    return [word.decode("utf-8", "replace") for word in table.column(0).to_pylist()], vectors


def _by_line(
    block: bytes, layout: _Layout, source: Source, before: int, past: bool
) -> tuple[tuple[list[str], Vectors], int]:
    """The words and vectors of some lines, as far as they were declared, and how many lines are past that.

    Raises
    ------
    ReadError
        If one of them is not a word and its numbers.
    """
    words: list[str] = []
    rows: list[list[float]] = []
    surplus = 0
    for line in filter(None, map(bytes.rstrip, block.split(b"\n"))):
        if before + len(words) == layout.rows or past:
            surplus += 1
            continue
        word, *numbers = line.split(b" ")
        bad = [number for number in numbers if not _is_number(number)]
        if bad or len(numbers) != layout.dimension:
            wrong = f"; {messages.quote(bad[0].decode('utf-8', 'replace'))} is not a number" if bad else ""
            at = before + len(words) + 1 + (layout.begin > 0)
            raise ReadError(
                f"{source.name}: line {messages.count(at)} holds "
                f"{messages.plural(len(numbers), 'value')} after its word where {layout.dimension} numbers "
                f"are expected{wrong}. It is damaged, or cut off; save it again."
            )
        words.append(word.decode("utf-8", "replace"))
        rows.append(list(map(float, numbers)))
    with np.errstate(over="ignore"):
        return (words, np.array(rows, np.float64).astype(np.float32).reshape(-1, layout.dimension)), surplus


def _read_binary(source: Source, layout: _Layout, limits: Limits) -> _Words:
    """Every declared row: a word, a space, and the bytes of a vector."""
    vector_bytes = layout.dimension * FLOAT_BYTES
    longest = limits.cell * _BYTES_OF_CHARACTER
    matrix = _room(source, layout, FLOAT_BYTES)
    into = matrix.data.cast("B")
    words: list[str] = []
    at, begin, block = layout.begin, 0, bytearray()
    for row in range(layout.rows):
        if begin + len(block) < min(source.size, at + longest + vector_bytes):
            some = max(0, min(BLOCK_BYTES + longest + vector_bytes, source.size - at))
            begin, block = at, source.read(at, some)
        space = block.find(b" ", at - begin, at - begin + longest)
        end = space + 1 + vector_bytes
        if space < 0 or end > len(block):
            raise ReadError(
                f"{source.name} is cut off or damaged: it declares {messages.plural(layout.rows, 'word')} of "
                f"dimension {messages.count(layout.dimension)}, and row {messages.count(row + 1)} is not "
                f"whole in its {messages.plural(source.size, 'byte')}. Copy or save it again."
            )
        words.append(block[at - begin : space].lstrip(b"\n").decode("utf-8", "replace"))
        into[row * vector_bytes : (row + 1) * vector_bytes] = block[space + 1 : end]
        at = begin + end
    return _without_repeated(words, matrix, ())


def _without_repeated(words: list[str], matrix: Vectors, notes: tuple[str, ...]) -> _Words:
    """Of a repeated word the first row is kept."""
    if len(set(words)) == len(words):
        return _Words(words, matrix[: len(words)], notes)
    first = dict(zip(reversed(words), range(len(words) - 1, -1, -1), strict=True))
    kept = sorted(first.values())
    for begin in range(0, len(kept), _ROWS_AT_ONCE):
        rows = kept[begin : begin + _ROWS_AT_ONCE]
        matrix[begin : begin + len(rows)] = matrix[rows]
    repeated = f"{messages.plural(len(words) - len(kept), 'repeated word')} left out"
    return _Words([words[row] for row in kept], matrix[: len(kept)], (*notes, repeated))


def _longest_line(limits: Limits) -> int:
    return limits.cell * _BYTES_OF_CHARACTER + limits.columns * _LONGEST_NUMBER


def _is_number(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
