"""A file as readers see it: open, in binary, of known size, and beginning as its name promises."""

import errno
import io
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath
from threading import Lock
from typing import IO, Any, Literal

import numpy as np
from numpy.typing import NDArray

from relviz.errors import Error, ParameterError, ReadError
from relviz.readers import messages
from relviz.readers.limits import Limits

BLOCK_BYTES = 4 * 2**20
"""Bytes of a file that are held at a time while its vectors are read."""
VECTORS_FILE = "vectors.npy"
_SECONDS_BETWEEN = 0.1
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)

Vectors = NDArray[np.float32]
Report = Callable[[float], object]
"""Told now and then what share of the work is done, from 0 to 1."""


class Watched(io.RawIOBase):
    """A file that tells how far it has been read, as a share of the present stage of the work."""

    def __init__(self, file: IO[bytes], size: int, report: Report) -> None:
        self._file, self._size, self._report = file, max(1, size), report
        self._low, self._high, self._last = 0.0, 1.0, 0.0

    def stage(self, low: float, high: float) -> None:
        """From here on, reading from the first byte to the last is the work between two shares."""
        self._low, self._high = low, high

    def read(self, length: int = -1) -> bytes:
        """The next bytes."""
        now = time.monotonic()
        if now - self._last > _SECONDS_BETWEEN:
            self._last = now
            self._report(self._low + (self._high - self._low) * min(1.0, self._file.tell() / self._size))
        return self._file.read(length)

    def readline(self, length: int | None = -1) -> bytes:
        """The next line."""
        return self._file.readline(-1 if length is None else length)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go elsewhere."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """Where the file stands."""
        return self._file.tell()

    def seekable(self) -> bool:
        """It is."""
        return True

    def readable(self) -> bool:
        """It is."""
        return True


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
    into: Vectors,
    itemsize: int,
    decode: Callable[[bytearray], np.ndarray],
    what: str,
) -> None:
    """Fill a matrix with the next rows of a file, a block at a time.

    ``decode`` turns the bytes of whole rows into a one-dimensional array.
    """
    rows, columns = into.shape
    at_once = max(1, BLOCK_BYTES // (columns * itemsize))
    for begin in range(0, rows, at_once):
        end = min(begin + at_once, rows)
        raw = read_exactly(file, (end - begin) * columns * itemsize, what)
        with np.errstate(over="ignore", invalid="ignore"):
            into[begin:end] = decode(raw).reshape(-1, columns)


_BEGINNINGS = {
    ".npy": (b"\x93NUMPY",),
    ".npz": (b"PK\x03\x04", b"PK\x05\x06"),
    ".parquet": (b"PAR1",),
}


@dataclass(frozen=True)
class Source:
    """An open binary file. ``path`` is None where a caller handed in a file object.

    What is entered in ``until_closed`` is left when the file is closed or handed back. ``folder`` is a
    private one, where the vectors are put together in a file; without it they are in memory.
    """

    file: IO[bytes]
    filename: str
    size: int
    path: Path | None
    until_closed: ExitStack
    folder: Path | None = None

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

    def stage(self, low: float, high: float) -> None:
        """Reading from here on is the work between two shares of the whole, for who waits for it."""
        if isinstance(self.file, Watched):
            self.file.stage(low, high)

    def new_matrix(self, rows: int, columns: int, order: Literal["C", "F"] = "C") -> Vectors:
        """``(rows, columns)`` float32 to be filled, by rows or (F) by columns."""
        if self.folder is None:
            return np.empty((rows, columns), np.float32, order)
        path = self.folder / VECTORS_FILE
        matrix = np.lib.format.open_memmap(path, "w+", np.float32, (rows, columns), order == "F")
        if hasattr(os, "posix_fallocate"):  # else a full disk would end the process at the first write
            with path.open("r+b") as file:
                os.posix_fallocate(file.fileno(), 0, path.stat().st_size)
        return matrix

    def path_in(self, folder: Path) -> Path:
        """A path to the contents: of the file itself, or of a copy in a folder."""
        if self.path is not None:
            return self.path.absolute()
        path = folder / "copy"
        self.copy_to(path)
        return path

    def copy_to(self, path: Path) -> None:
        """Write the contents to a new file.

        Raises
        ------
        ReadError
            If there is no room for them.
        """
        self.file.seek(0)
        try:
            with path.open("xb") as copy:
                shutil.copyfileobj(self.file, copy, BLOCK_BYTES)
        except OSError as reason:
            raise no_room(self.name, reason) from None


def no_room(what: str, reason: OSError) -> ReadError:
    """The error where the disk does not take what a file needs to be read."""
    return ReadError(
        f"{what} cannot be read: the folder for temporary files takes no more ({reason.strerror}). Free some "
        "space there, or set TMPDIR to another folder."
    )


def unreadable(what: str, kind: str, reason: str) -> ReadError:
    """The error for what a parser raised: the name of its exception, and what that says."""
    return ReadError(
        f"{what} cannot be read ({kind}: {' '.join(reason.split())[:200]}). "
        "It is damaged, or not what its ending says; save it again."
    )


@contextmanager
def opened(
    source: Any,
    filename: str | None,
    limits: Limits,
    folder: Path | None = None,
    report: Report | None = None,
) -> Iterator[Source]:
    """Open a path, or take a file object and leave it where it stood.

    Whatever a parser raises while it is open leaves as one ReadError, but for a MemoryError. ``folder`` is
    where the vectors are put together, ``report`` is told how far the file has been read.
    """
    try:
        if isinstance(source, (str, os.PathLike)):
            path = Path(source)
            name = PureWindowsPath(filename).name if filename else path.name
            _check_path(path)
            with path.open("rb") as file, ExitStack() as until_closed:
                yield _checked(file, name, path, limits, until_closed, folder, report)
            return
        name = _name_of(source, filename)
        position = source.tell()
        try:
            with ExitStack() as until_closed:
                yield _checked(source, name, None, limits, until_closed, folder, report)
        finally:
            source.seek(position)
    except (Error, MemoryError):
        raise
    except Exception as reason:  # parsers of other projects, on hostile bytes, raise anything
        what = messages.clip(str(filename or getattr(source, "name", source)))
        if isinstance(reason, OSError) and reason.errno == errno.EFBIG:
            raise MemoryError from reason  # what a confined process may write is capped as its memory is
        if isinstance(reason, OSError) and reason.errno in NO_ROOM:
            raise no_room(what, reason) from None
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
    file: IO[bytes],
    filename: str,
    path: Path | None,
    limits: Limits,
    until_closed: ExitStack,
    folder: Path | None,
    report: Report | None,
) -> Source:
    size = file.seek(0, os.SEEK_END)
    watched: Any = file if report is None else Watched(file, size, report)
    source = Source(watched, filename, size, path, until_closed, folder)
    if source.size == 0:
        raise ReadError(f"{source.name} is empty (0 bytes). Save or copy it again.")
    limits.check_file(source.size, source.name)
    return source
