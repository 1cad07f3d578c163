"""Files of a collection before they are read: those of a zip, of a folder, or handed in."""

import io
import os
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO

from relviz.items.left_out import Why
from relviz.items.limits import PictureLimits
from relviz.readers import messages
from relviz.readers.npz import find_directory
from relviz.readers.source import Source

_SYMLINK_ATTRIBUTES = 16
_ENCRYPTED = 1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@dataclass(frozen=True)
class Member:
    """A file: its name, how many bytes it says it has, and how to open it; or why it is not to be opened."""

    name: str
    size: int
    open: Callable[[], IO[bytes]]
    why_not: Why | None = None


def zip_members(source: Source, limits: PictureLimits) -> Iterator[Member]:
    """The files of a zip, which stays open as long as its source.

    Raises
    ------
    ReadError
        If it has too many members, before the list of them is loaded, or no such list.
    """
    directory = find_directory(source)
    limits.check_members(directory.declared, source.name)
    limits.check_directory(directory.length, source.name)
    limits.check_members(directory.listed(source), source.name)
    archive = source.until_closed.enter_context(zipfile.ZipFile(source.file))
    for info in archive.infolist():
        if not info.is_dir():
            # zipfile cuts names off at a zero byte.
            yield Member(info.orig_filename, info.file_size, _opener(archive, info), _why_not(info))


def _opener(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Callable[[], IO[bytes]]:
    return lambda: archive.open(info)


def _why_not(info: zipfile.ZipInfo) -> Why | None:
    if stat.S_ISLNK(info.external_attr >> _SYMLINK_ATTRIBUTES):
        return Why.LINK
    if info.flag_bits & _ENCRYPTED:
        return Why.ENCRYPTED
    return None if info.compress_type in _METHODS else Why.PACKED


def folder_members(folder: Path, limits: PictureLimits) -> Iterator[Member]:
    """The plain files below a folder; no link is followed.

    Raises
    ------
    ReadError
        If there are too many.
    """
    seen = 0
    waiting = [""]
    while waiting:
        below = waiting.pop()
        with os.scandir(folder / below) as listed:
            entries = list(islice(listed, limits.members + 1 - seen))
        seen += len(entries)
        limits.check_members(seen, messages.clip(folder.name))
        for entry in sorted(entries, key=lambda entry: entry.name):
            name = f"{below}{entry.name}"
            if entry.is_symlink():
                yield Member(name, 0, io.BytesIO, Why.LINK)
            elif entry.is_dir(follow_symlinks=False):
                waiting.append(f"{name}/")
            elif entry.is_file(follow_symlinks=False):
                size = entry.stat(follow_symlinks=False).st_size
                yield Member(name, size, _file_opener(folder / name))


def _file_opener(path: Path) -> Callable[[], IO[bytes]]:
    def opened() -> IO[bytes]:
        # What was a plain file when it was listed may be a link or a pipe by now.
        flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        return os.fdopen(os.open(path, os.O_RDONLY | flags), "rb")

    return opened
