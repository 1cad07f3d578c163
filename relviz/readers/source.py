"""A file as readers see it: open, in binary, of known size, and beginning as its name promises."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath
from threading import Lock
from typing import IO, Any

import torch
from torch import Tensor

from relviz.compute.blocks import slices
from relviz.errors import Error, ParameterError, ReadError
from relviz.readers import messages
from relviz.readers.limits import Limits

BLOCK_BYTES = 4 * 2**20
"""Bytes of a file that are held at a time while its vectors are read."""


class OnePass:
    """A file as one reader sees it, until it is closed.

    Arrow reads ahead in a thread of its own, which outlives a reader that is left before the end: it must not
    move a file that is read anew or handed back.
    """

    def __init__(self, file: IO[bytes]) -> None:
        file.seek(0)
        self._file = file
        self._turn = Lock()
        self.closed = False

    def read(self, length: int = -1) -> bytes:
        """The next bytes; none once it is closed."""
        with self._turn:
            return b"" if self.closed else self._file.read(length)

    def close(self) -> None:
        """Let nobody read on; a read that has begun is waited for."""
        with self._turn:
            self.closed = True


def read_exactly(file: IO[bytes], length: int, what: str) -> bytearray:
    """The next ``length`` bytes of a file that may give fewer at a time."""
    raw = bytearray()
    while len(raw) < length:
        piece = file.read(min(length - len(raw), BLOCK_BYTES))
        if not piece:
            raise ReadError(
                f"{what} ends {messages.plural(length - len(raw), 'byte')} early: it is cut off. "
                "Copy or download it again."
            )
        raw += piece
    return raw


def read_matrix(
    file: IO[bytes],
    shape: tuple[int, int],
    itemsize: int,
    decode: Callable[[bytearray], Tensor],
    what: str,
) -> Tensor:
    """The next rows of a file as ``(n, d)`` float32, a block at a time.

    ``decode`` turns the bytes of whole rows into a one-dimensional tensor.
    """
    rows, columns = shape
    matrix = torch.empty(rows, columns)
    for part in slices(rows, max(1, BLOCK_BYTES // (columns * itemsize))):
        raw = read_exactly(file, (part.stop - part.start) * columns * itemsize, what)
        matrix[part] = decode(raw).view(-1, columns)
    return matrix


_BEGINNINGS = {
    ".npy": (b"\x93NUMPY",),
    ".npz": (b"PK\x03\x04", b"PK\x05\x06"),
    ".parquet": (b"PAR1",),
}


@dataclass(frozen=True)
class Source:
    """An open binary file. ``path`` is None where a caller handed in a file object.

    What is entered in ``until_closed`` is left when the file is closed or handed back.
    """

    file: IO[bytes]
    filename: str
    size: int
    path: Path | None
    until_closed: ExitStack

    @property
    def name(self) -> str:
        """The file's name, short enough for a message."""
        return messages.clip(self.filename)

    @property
    def suffix(self) -> str:
        """The ending that gives the format, in small letters."""
        return PureWindowsPath(self.filename).suffix.lower()

    @property
    def stem(self) -> str:
        """The name without its ending."""
        return PureWindowsPath(self.filename).stem

    def read(self, start: int, length: int) -> bytearray:
        """Exactly these bytes."""
        self.file.seek(start)
        return read_exactly(self.file, length, self.name)

    def check_beginning(self) -> None:
        """Raise ReadError if the file begins as another format does, or not as its own does."""
        first = bytes(self.read(0, min(self.size, 8)))
        for suffix, beginnings in _BEGINNINGS.items():
            if suffix != self.suffix and first.startswith(beginnings):
                raise ReadError(
                    f"{self.name} looks like a {suffix} file. Rename it, or give filename='x{suffix}'."
                )
        expected = _BEGINNINGS.get(self.suffix)
        if expected and not first.startswith(expected):
            raise ReadError(
                f"{self.name} is not a {self.suffix} file: it begins with {first!r}, not {expected[0]!r}. "
                "Save it again, or correct its file extension."
            )

    @contextmanager
    def on_disk(self, suffix: str, header: bytes = b"") -> Iterator[str]:
        """A path to the contents behind ``header``, under a temporary name where they are not a file's."""
        if self.path is not None and not header and self.path.suffix == suffix:
            yield str(self.path.absolute())
            return
        with tempfile.TemporaryDirectory(prefix="relviz-") as folder:
            path = Path(folder, f"copy{suffix}")
            self.copy_to(path, header)
            yield str(path)

    def copy_to(self, path: Path, header: bytes = b"") -> None:
        """Write the contents behind ``header`` to a new file."""
        self.file.seek(0)
        with path.open("xb") as copy:
            copy.write(header)
            shutil.copyfileobj(self.file, copy, BLOCK_BYTES)


def unreadable(what: str, kind: str, reason: str) -> ReadError:
    """The error for what a parser raised: the name of its exception, and what that says."""
    return ReadError(
        f"{what} cannot be read ({kind}: {' '.join(reason.split())[:200]}). "
        "It is damaged, or not what its ending says; save it again."
    )


@contextmanager
def opened(source: Any, filename: str | None, limits: Limits) -> Iterator[Source]:
    """Open a path, or take a file object and leave it where it stood.

    Whatever a parser raises while it is open leaves as one ReadError.
    """
    try:
        if isinstance(source, (str, os.PathLike)):
            path = Path(source)
            name = PureWindowsPath(filename).name if filename else path.name
            _check_path(path)
            with path.open("rb") as file, ExitStack() as until_closed:
                yield _checked(file, name, path, limits, until_closed)
            return
        name = _name_of(source, filename)
        position = source.tell()
        try:
            with ExitStack() as until_closed:
                yield _checked(source, name, None, limits, until_closed)
        finally:
            source.seek(position)
    except Error:
        raise
    except Exception as reason:  # parsers of other projects, on hostile bytes, raise anything
        what = messages.clip(str(filename or getattr(source, "name", source)))
        raise unreadable(what, type(reason).__name__, str(reason)) from reason


def _check_path(path: Path) -> None:
    shown = messages.clip(str(path))
    if path.is_dir():
        raise ReadError(f"{shown} is a folder; name one file in it.")
    if not path.exists():
        raise ReadError(f"There is no file {shown}.")
    if not path.is_file():
        raise ReadError(f"{shown} is not a plain file.")


def _name_of(source: Any, filename: str | None) -> str:
    if not all(hasattr(source, method) for method in ("read", "seek", "tell")):
        raise ParameterError(
            f"source must be a path or an open binary file; it is a {type(source).__name__}. "
            "Pass bytes in memory as io.BytesIO(data)."
        )
    if not isinstance(source.read(0), bytes):
        raise ReadError("The file object yields text; open it in binary mode ('rb').")
    name = filename or getattr(source, "name", None)
    if not isinstance(name, str):
        raise ParameterError(
            "For a file object without a name, give the format: filename='x.npy' or similar."
        )
    return PureWindowsPath(name).name


def _checked(
    file: IO[bytes], filename: str, path: Path | None, limits: Limits, until_closed: ExitStack
) -> Source:
    file.seek(0, os.SEEK_END)
    source = Source(file, filename, file.tell(), path, until_closed)
    if source.size == 0:
        raise ReadError(f"{source.name} is empty (0 bytes). Save or copy it again.")
    limits.check_file(source.size, source.name)
    return source
