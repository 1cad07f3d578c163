"""Files to texts: which columns a file has, and the texts of the one that is chosen."""

import os
from dataclasses import dataclass
from typing import IO, Literal

from relviz.items.columns import Choice
from relviz.items.limits import TEXT_LIMITS
from relviz.items.texts import Texts
from relviz.readers.confined import OnProgress, ask_about, private_folder
from relviz.readers.limits import Limits
from relviz.readers.reading import left_texts

TEXT_SUFFIXES = (".csv", ".tsv", ".parquet", ".txt")
"""The file endings that texts are read from."""


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
    on_progress: OnProgress | None = None,
) -> TextContents:
    """The columns of a .csv, .tsv, .parquet or .txt file, and which ``read_texts`` would take.

    Raises
    ------
    ReadError
        If the file cannot be read at all, or has more rows than the limit. A file that only leaves a choice
        open is no error.
    """
    with private_folder() as folder:
        task = "relviz.items.reading:look_texts"
        answer = ask_about(task, folder, source, filename, limits, on_progress, {})
    choice = answer["choice"]
    return TextContents(
        answer["format"],
        answer["rows"],
        tuple(Column(one["name"], one["kind"], tuple(one["examples"])) for one in answer["columns"]),
        None if choice is None else Choice(**choice | {"notes": tuple(choice["notes"])}),
        answer["reason"],
        tuple(answer["notes"]),
    )


def read_texts(
    source: str | os.PathLike[str] | IO[bytes],
    *,
    filename: str | None = None,
    texts: str | None = None,
    ids: str | None = None,
    labels: str | None = None,
    name: str | None = None,
    limits: Limits = TEXT_LIMITS,
    on_progress: OnProgress | None = None,
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
    on_progress
        Called with the fraction done, at least once a second; it may raise to stop.

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
    question = {"texts": texts, "ids": ids, "labels": labels}
    with private_folder() as folder:
        task = "relviz.items.reading:read_texts"
        answer = ask_about(task, folder, source, filename, limits, on_progress, question)
        cells = {role: left_texts(folder, role) for role in question}
        called = answer["name"] if name is None else name
        return Texts(cells["texts"] or (), cells["ids"], cells["labels"], called, tuple(answer["notes"]))
