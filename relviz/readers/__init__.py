"""Files to spaces: the door. One reader a format; none of them ever loads a pickle."""

import os
from collections.abc import Sequence
from typing import IO

import numpy as np

from relviz.compute.json_text import JsonObject
from relviz.readers.choice import Wanted
from relviz.readers.confined import OnProgress, ask_about, private_folder
from relviz.readers.found import FORMATS, Contents, Found, Part
from relviz.readers.limits import DEFAULT_LIMITS, Limits
from relviz.readers.reading import left_texts
from relviz.readers.roles import ROLES
from relviz.readers.source import VECTORS_FILE
from relviz.space import Space

__all__ = ["DEFAULT_LIMITS", "SUFFIXES", "Contents", "Found", "Limits", "Part", "load_space", "look"]

SUFFIXES = tuple(FORMATS)
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
    on_progress: OnProgress | None = None,
) -> Space:
    """Read a file into a space.

    It is read in a process of its own, which may take so much memory and time as a file of its size can need.

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
    on_progress
        Called with the fraction done, at least once a second; it may raise to stop.

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
    names = wanted.vector_names
    question = {"vectors": names, "ids": ids, "labels": labels, "items": items}
    with private_folder() as folder:
        task = "relviz.readers.reading:load"
        answer = ask_about(task, folder, source, filename, limits, on_progress, {"wanted": question})
        found = _found_from(answer["found"])
        matrix = np.load(folder / VECTORS_FILE, mmap_mode="r", allow_pickle=False)[: found.rows]
        texts = {role: left_texts(folder, role) for role in ROLES}
        return Space(matrix, **texts, name=answer["name"] if name is None else name, found=found)


def look(
    source: str | os.PathLike[str] | IO[bytes],
    *,
    filename: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    on_progress: OnProgress | None = None,
) -> Contents:
    """What a file holds, and what ``load_space`` would take of it, without loading the vectors.

    Raises
    ------
    ReadError
        If the file cannot be read at all. A file that only leaves a choice open is no error: then
        ``choice`` is None and ``reason`` says what to choose.
    """
    with private_folder() as folder:
        record = ask_about("relviz.readers.reading:look", folder, source, filename, limits, on_progress, {})
    choice = record["choice"]
    return Contents(
        record["format"],
        record["rows"],
        tuple(Part(**part | {"shape": tuple(part["shape"])}) for part in record["parts"]),
        None if choice is None else _found_from(choice),
        record["reason"],
    )


def _found_from(record: JsonObject) -> Found:
    return Found(**record | {"vectors": tuple(record["vectors"]), "notes": tuple(record["notes"])})
