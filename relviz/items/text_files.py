"""Files to texts: which columns a file has, and the texts of the one that is chosen."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Literal

from relviz.errors import ReadError
from relviz.items import lines
from relviz.items.columns import Choice, choose_columns
from relviz.items.limits import TEXT_LIMITS
from relviz.items.texts import Texts, texts_of
from relviz.readers import csv, messages, parquet
from relviz.readers.choice import Holding
from relviz.readers.limits import Limits
from relviz.readers.source import Source, opened

_READERS: dict[str, Callable[[Source, Limits], Holding]] = {
    ".csv": lambda source, limits: csv.survey(source, limits, of_texts=True),
    ".tsv": lambda source, limits: csv.survey(source, limits, of_texts=True),
    ".parquet": parquet.survey,
    ".txt": lines.survey,
}

TEXT_SUFFIXES = tuple(_READERS)
"""The file endings that texts are read from."""

_EXAMPLES = 3


@dataclass(frozen=True)
class Column:
    """A column of a table of texts, and its first cells."""

    name: str
    kind: Literal["text", "number"]
    examples: tuple[str, ...]


@dataclass(frozen=True)
class TextContents:
    """What a file holds that texts may be read from.

    ``choice`` is what ``read_texts`` would take by itself; where it would refuse, ``choice`` is None and
    ``reason`` says why. Any of the columns may be chosen as texts, ids or labels.
    """

    format: str
    rows: int
    columns: tuple[Column, ...]
    choice: Choice | None
    reason: str = ""
    notes: tuple[str, ...] = ()


def look_texts(
    source: str | os.PathLike[str] | IO[bytes],
    *,
    filename: str | None = None,
    limits: Limits = TEXT_LIMITS,
) -> TextContents:
    """The columns of a .csv, .tsv, .parquet or .txt file, and which ``read_texts`` would take.

    Raises
    ------
    ReadError
        If the file cannot be read at all, or has more rows than the limit. A file that only leaves a choice
        open is no error.
    """
    with opened(source, filename, limits) as file:
        holding, rows = _survey(file, limits)
        choice, reason = None, ""
        try:
            choice = choose_columns(holding, file.name)
        except ReadError as refusal:
            reason = str(refusal)
        columns = tuple(
            Column(
                part.name,
                "number" if part.kind == "number" else "text",
                tuple(map(messages.clip, holding.first_texts(part.name)[:_EXAMPLES])),
            )
            for part in holding.parts
            if part.kind in ("text", "number")
        )
    return TextContents(holding.format, rows, columns, choice, reason, holding.notes)


def read_texts(
    source: str | os.PathLike[str] | IO[bytes],
    *,
    filename: str | None = None,
    texts: str | None = None,
    ids: str | None = None,
    labels: str | None = None,
    name: str | None = None,
    limits: Limits = TEXT_LIMITS,
) -> Texts:
    """Texts of a table (.csv, .tsv, .parquet) or of the lines of a .txt file.

    Parameters
    ----------
    source
        A path, or an open binary file that can be sought; it is left where it stood.
    filename
        What the file is called, if that is not what ``source`` says; its ending gives the format.
    texts, ids, labels
        The column that holds them; ``""`` for no ids or labels. Without them, see ``look_texts``.
    name
        What the texts are called; without it, the file's name without its ending.
    limits
        How much may be read; ``cell`` is the length at which a text is cut.

    Raises
    ------
    ReadError
        If the file cannot be read, is too large, holds no texts, or leaves a choice that only the caller can
        make.

    Examples
    --------
    >>> import io
    >>> table = io.BytesIO(b"word,class,gloss\\nant,animal,a small insect\\noak,plant,a tree\\n")
    >>> found = read_texts(table, filename="toy.csv")
    >>> found.texts, found.ids, found.labels
    (('a small insect', 'a tree'), ('ant', 'oak'), ('animal', 'plant'))
    """
    with opened(source, filename, limits) as file:
        holding, _ = _survey(file, limits)
        choice = choose_columns(holding, file.name, texts, ids, labels)
        columns = {"texts": choice.texts, "ids": choice.ids, "labels": choice.labels}
        cells = {role: holding.texts(column) for role, column in columns.items() if column is not None}
        called = file.stem if name is None else name
        return texts_of(cells, columns, called, (*holding.notes, *choice.notes), limits, file.name)


def _survey(file: Source, limits: Limits) -> tuple[Holding, int]:
    if file.suffix not in _READERS:
        raise ReadError(
            f"Texts are not read from {file.suffix or 'files without an ending'} ({file.name}), "
            f"but from {', '.join(TEXT_SUFFIXES)}."
        )
    file.check_beginning()
    holding = _READERS[file.suffix](file, limits)
    rows = holding.parts[0].shape[0] if holding.parts else 0
    limits.check_rows(rows, f"{file.name} has {messages.plural(rows, 'row')}")
    return holding, rows
