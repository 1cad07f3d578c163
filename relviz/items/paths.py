"""Names of files in a collection: which may be read, their order, and the ids and labels they give."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from typing import Any

_ENDING = re.compile(r"\.(?:png|jpe?g|jpe|jfif|webp|gif|bmp|dib)$", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:")
_DIGITS = re.compile(r"([0-9]+)")
_SYSTEM_FILES = {"thumbs.db", "desktop.ini", "__macosx"}
NO_FOLDER = "(no folder)"
"""The label of pictures that lie beside the folders of others."""


def path_inside(name: str) -> str | None:
    """A file's path in its collection, with plain slashes and composed letters; None if it leads out of it.

    >>> path_inside("a\\\\b.png"), path_inside("../b.png"), path_inside("C:b.png")
    ('a/b.png', None, None)
    """
    whole = name.encode("utf-8", "replace").decode("utf-8")
    parts = unicodedata.normalize("NFC", whole).replace("\\", "/").split("/")
    if not parts[0] or _DRIVE.match(parts[0]) or ".." in parts or "\0" in whole:
        return None
    return "/".join(part for part in parts if part not in ("", ".")) or None


def is_hidden(path: str) -> bool:
    """Whether a system keeps the file for itself."""
    return any(part.startswith(".") or part.lower() in _SYSTEM_FILES for part in path.split("/"))


def natural_order(path: str) -> tuple[Any, ...]:
    """A key by which img2 comes before img10, and a folder's files stay together.

    >>> sorted(["img10", "Img2", "b/1", "img1"], key=natural_order)
    ['b/1', 'img1', 'Img2', 'img10']
    """
    return tuple(map(_natural, path.split("/"))), path


def _natural(part: str) -> tuple[Any, ...]:
    # Digits stand at the odd places; by length, then digit by digit, is by value, however long they are.
    pieces = _DIGITS.split(part.casefold())
    return tuple(
        (len(piece.lstrip("0")), piece.lstrip("0")) if at % 2 else piece for at, piece in enumerate(pieces)
    )


def without_common_folder(paths: Sequence[str]) -> list[str]:
    """Paths below the folder that all of them lie in: a packed folder is then what the folder itself is."""
    folders = [path.split("/")[:-1] for path in paths]
    pairs = zip(min(folders), max(folders), strict=False)
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return ["/".join(path.split("/")[common:]) for path in paths]


def without_ending(path: str) -> str:
    """A path without the ending that says what kind of picture it is."""
    return _ENDING.sub("", path)


def ids_of(paths: Sequence[str]) -> list[str]:
    """Paths without their endings; with them where two would be the same."""
    bare = list(map(without_ending, paths))
    times = Counter(bare)
    ids = [name if times[name] == 1 else path for name, path in zip(bare, paths, strict=True)]
    return ids if len(set(ids)) == len(ids) else list(paths)


def labels_of(paths: Sequence[str]) -> list[str] | None:
    """The folder that each file lies in: its own name, or its path where all have one name.

    None without two of them.
    """
    folders = [path.split("/")[:-1] for path in paths]
    for names in ([folder[-1:] for folder in folders], folders):
        if len({*map(tuple, filter(None, names))}) > 1:
            return ["/".join(name) or NO_FOLDER for name in names]
    return None
