"""Unpacking an archive that someone else made, without letting it write anywhere else."""

import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from relviz.errors import ReadError

MAX_BYTES = 800_000_000
MAX_FILES = 50_000

_Member = tuple[str, int, IO[bytes]]


def unpack(archive: Path, folder: Path, max_bytes: int = MAX_BYTES, max_files: int = MAX_FILES) -> None:
    """Unpack a zip, a wheel, or a tar (plain or compressed) into ``folder``.

    Nothing is written outside the folder, nothing but regular files is made, and no file is made
    executable. What was unpacked before a refusal is left for the caller to remove.

    Raises
    ------
    ReadError
        If the archive is damaged, holds a name that leads out of the folder, a link or a device,
        more than ``max_files`` files, or more than ``max_bytes`` bytes once unpacked.
    """
    read = _zip_members if zipfile.is_zipfile(archive) else _tar_members
    files = total = 0
    try:
        for name, size, content in read(archive):
            files, total = files + 1, total + size
            if files > max_files:
                raise ReadError(f"{archive.name} holds more than {max_files} files.")
            if total > max_bytes:
                raise ReadError(f"{archive.name} unpacks to more than {max_bytes} bytes (at {name!r}).")
            target = folder / _inside(name, archive.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            with content, target.open("xb") as copy:
                shutil.copyfileobj(content, copy)
    except (OSError, EOFError, tarfile.TarError, zipfile.BadZipFile) as reason:
        raise ReadError(f"{archive.name} cannot be unpacked ({reason}).") from None


def _inside(name: str, archive: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts or "\\" in name or ":" in path.parts[0]:
        raise ReadError(f"{archive} holds the name {name!r}, which leads out of the folder it belongs in.")
    return path


def _zip_members(archive: Path) -> Iterator[_Member]:
    with zipfile.ZipFile(archive) as opened:
        for member in opened.infolist():
            if not member.is_dir():
                # ZipExtFile stops at the declared size, so the sum above bounds what is written.
                yield member.filename, member.file_size, opened.open(member)


def _tar_members(archive: Path) -> Iterator[_Member]:
    with tarfile.open(archive) as opened:
        for member in opened:
            if member.isdir():
                continue
            content = opened.extractfile(member) if member.isreg() else None
            if content is None:
                raise ReadError(f"{archive.name} holds {member.name!r}, which is no regular file.")
            yield member.name, member.size, content
