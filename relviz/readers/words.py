"""Word vectors: word2vec (binary and text), fastText .vec and GloVe text files.

gensim reads them, after every row has been walked over here: gensim takes memory on the word of the
header, and reads on without bound for a space or a line end that does not come.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch import Tensor

from relviz.errors import ReadError
from relviz.readers import messages
from relviz.readers.choice import Holding
from relviz.readers.found import Part
from relviz.readers.limits import FLOAT_BYTES, Limits
from relviz.readers.source import BLOCK_BYTES, Source

_LONGEST_HEADER = 64
_LONGEST_NUMBER = 64
_BYTES_OF_CHARACTER = 4
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


def survey(source: Source, limits: Limits) -> Holding:
    """What a file of word vectors holds."""
    layout = _find_layout(source, limits)
    limits.check_matrix(layout.rows, layout.dimension, source.name)
    notes: tuple[str, ...] = ()
    if layout.is_binary:
        _walk_binary(source, layout, limits)
    else:
        notes = _walk_text(source, layout, limits)
    parts = (
        Part("", "matrix", (layout.rows, layout.dimension), "float32"),
        Part("words", "text", (layout.rows,), "text", "holds words"),
    )

    @cache
    def loaded() -> Any:
        return _load(source, layout)

    def vectors(_: tuple[str, ...]) -> tuple[Tensor, tuple[str, ...]]:
        table = torch.from_numpy(loaded().vectors[: len(loaded().key_to_index)])
        repeated = layout.rows - len(table)
        return table, (f"{messages.plural(repeated, 'repeated word')} left out",) if repeated else ()

    def texts(_: str) -> list[str]:
        words: list[str] = loaded().index_to_key[: len(loaded().key_to_index)]
        return words

    roles = {"ids": "words", "items": "words"}
    return Holding(layout.format, parts, vectors, texts, roles=roles, notes=notes)


def _load(source: Source, layout: _Layout) -> Any:
    """gensim's table; behind its last word it keeps room for every repeated one."""
    from gensim.models import KeyedVectors

    # Of text without a header gensim would make two more passes to count; the header is known by now.
    header = b"" if layout.begin else f"{layout.rows} {layout.dimension}\n".encode()
    with source.on_disk(source.suffix, header) as path:
        return KeyedVectors.load_word2vec_format(path, binary=layout.is_binary, unicode_errors="replace")


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
    source.file.seek(0)
    return sum(1 for line in _lines(source, limits) if line.strip()), len(fields) - 1


def _walk_text(source: Source, layout: _Layout, limits: Limits) -> tuple[str, ...]:
    """Check that every declared row is a word and its numbers; notes."""
    source.file.seek(layout.begin)
    row = surplus = 0
    for row, line in enumerate(_lines(source, limits), start=1):
        if row > layout.rows:
            surplus += bool(line.strip())
            continue
        numbers = line.rstrip().split(b" ")[1:]
        bad = [number for number in numbers if not _is_number(number)]
        if bad or len(numbers) != layout.dimension:
            wrong = f"; {messages.quote(bad[0].decode('utf-8', 'replace'))} is not a number" if bad else ""
            raise ReadError(
                f"{source.name}: line {messages.count(row + (layout.begin > 0))} holds "
                f"{messages.plural(len(numbers), 'value')} after its word where {layout.dimension} numbers "
                f"are expected{wrong}. It is damaged, or cut off; save it again."
            )
    if row < layout.rows:
        raise ReadError(
            f"{source.name} is cut off: its first line declares {messages.plural(layout.rows, 'word')} and "
            f"{messages.count(row)} follow. Copy or save it again."
        )
    return (f"{messages.plural(surplus, 'line')} past the declared number left out",) if surplus else ()


def _lines(source: Source, limits: Limits) -> Iterator[bytes]:
    """The lines from here on, none longer than a row can be."""
    longest = _longest_line(limits)
    while line := source.file.readline(longest):
        if len(line) == longest:
            raise ReadError(
                f"{source.name} has a line longer than {messages.size(longest)}; "
                "it is not a file of word vectors."
            )
        yield line


def _walk_binary(source: Source, layout: _Layout, limits: Limits) -> None:
    """Check that the file holds every declared row: a word, a space, and the bytes of a vector."""
    vector_bytes = layout.dimension * FLOAT_BYTES
    longest = limits.cell * _BYTES_OF_CHARACTER
    at, begin, block = layout.begin, 0, bytearray()
    for row in range(1, layout.rows + 1):
        if begin + len(block) < min(source.size, at + longest):
            begin, block = at, source.read(at, max(0, min(BLOCK_BYTES + longest, source.size - at)))
        space = block.find(b" ", at - begin, at - begin + longest)
        at = begin + space + 1 + vector_bytes
        if space < 0 or at > source.size:
            raise ReadError(
                f"{source.name} is cut off or damaged: it declares {messages.plural(layout.rows, 'word')} of "
                f"dimension {messages.count(layout.dimension)}, and row {messages.count(row)} is not whole "
                f"in its {messages.plural(source.size, 'byte')}. Copy or save it again."
            )


def _longest_line(limits: Limits) -> int:
    return limits.cell * _BYTES_OF_CHARACTER + limits.columns * _LONGEST_NUMBER


def _is_number(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
