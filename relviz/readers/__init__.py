"""Files to spaces: the door. One reader a format; none of them ever loads a pickle."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import IO

from relviz.errors import ReadError
from relviz.readers import csv, npy, npz, parquet, safetensors, words
from relviz.readers.choice import Holding, Wanted, choose
from relviz.readers.found import Contents, Found, Part
from relviz.readers.limits import DEFAULT_LIMITS, Limits
from relviz.readers.roles import ROLES, checked_texts
from relviz.readers.source import Source, opened
from relviz.space import Space

__all__ = ["DEFAULT_LIMITS", "SUFFIXES", "Contents", "Found", "Limits", "Part", "load_space", "look"]

_READERS: dict[str, Callable[[Source, Limits], Holding]] = {
    ".npy": npy.survey,
    ".npz": npz.survey,
    ".csv": csv.survey,
    ".parquet": parquet.survey,
    ".safetensors": safetensors.survey,
    ".bin": words.survey,
    ".vec": words.survey,
    ".txt": words.survey,
    ".w2v": words.survey,
}

SUFFIXES = tuple(_READERS)
"""The file endings that are read."""


def load_space(
    source: str | os.PathLike[str] | IO[bytes],
    *,
    filename: str | None = None,
    vectors: str | Sequence[str] | None = None,
    ids: str | None = None,
    labels: str | None = None,
    items: str | None = None,
    name: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Space:
    """Read a file into a space.

    Parameters
    ----------
    source
        A path, or an open seekable binary file, whose position is restored.
    filename
        The file name, if ``source`` does not have it; its extension determines the format.
    vectors
        The array (.npz), tensor (.safetensors), or column or columns (tables) that hold the vectors.
    ids, labels, items
        The array or column of each; ``""`` for none.
    name
        Name of the space; by default the name stored in the file, or else the file name without its
        extension.
    limits
        Memory limits of a file.

    Returns
    -------
    space
        ``(n, d)`` float32 vectors. ``space.found`` is a ``Found``: which parts of the file were used.

    Raises
    ------
    ReadError
        If the file cannot be read, is too large, or is ambiguous.
    ShapeError
        If it holds fewer than two rows or columns.

    Examples
    --------
    >>> import io, relviz.readers
    >>> table = io.BytesIO(b"word,label,x,y\\nant,animal,0,1\\noak,plant,1,0\\n")
    >>> space = relviz.readers.load_space(table, filename="toy.csv")
    >>> space
    Space('toy', 2 rows, dimension 2)
    >>> space.found.sentence()
    "csv: 2 rows, dimension 2 (columns x, y); ids from 'word', classes from 'label'"
    """
    wanted = Wanted(vectors, ids, labels, items)
    with opened(source, filename, limits) as file:
        holding = _survey(file, limits)
        found = choose(holding, wanted, limits, file.name)
        matrix, notes = holding.vectors(found.vectors)
        texts: dict[str, list[str]] = {}
        for role in ROLES:
            part = getattr(found, role)
            if part is not None:
                texts[role], cut = checked_texts(holding.texts(part), role, part, limits)
                notes += cut
    found = replace(found, rows=len(matrix), notes=found.notes + notes)
    called = name if name is not None else holding.name or file.stem
    return Space(matrix, **texts, name=called, found=found)


def look(
    source: str | os.PathLike[str] | IO[bytes],
    *,
    filename: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Contents:
    """What a file holds, and what ``load_space`` would take of it, without loading the vectors.

    Raises
    ------
    ReadError
        If the file cannot be read at all. A file that only leaves a choice open is no error: then
        ``choice`` is None and ``reason`` says what to choose.
    """
    with opened(source, filename, limits) as file:
        holding = _survey(file, limits)
        choice, reason = None, ""
        try:
            choice = choose(holding, Wanted(), limits, file.name)
        except ReadError as refusal:
            reason = str(refusal)
    lengths = {part.shape[0] for part in holding.parts if part.kind != "other"}
    rows = lengths.pop() if len(lengths) == 1 else None
    return Contents(holding.format, rows, holding.parts, choice, reason)


def _survey(file: Source, limits: Limits) -> Holding:
    if file.suffix not in _READERS:
        raise ReadError(
            f"relviz does not read {file.suffix or 'files without an ending'} ({file.name}); "
            f"it reads {', '.join(SUFFIXES)}."
        )
    file.check_beginning()
    return _READERS[file.suffix](file, limits)
