"""NumPy arrays in .npy files, and the header that each member of an .npz carries too.

The header is read by NumPy itself (numpy.lib.format); the elements are read here, in blocks, so
that neither a pickle nor a lying header can do harm.
"""

import io
import math
from dataclasses import dataclass
from typing import IO

import numpy as np
from numpy.lib import format as npy_format

from relviz.errors import ReadError
from relviz.readers import messages
from relviz.readers.choice import Holding
from relviz.readers.found import Holds, Part, array_part
from relviz.readers.limits import Limits
from relviz.readers.source import BLOCK_BYTES, Source, Vectors, read_exactly, read_matrix

_HOLDS: dict[str, Holds] = {
    "f": "floats",
    "i": "integers",
    "u": "integers",
    "b": "integers",
    "U": "text",
    "S": "text",
    "O": "objects",
}
_HEADER_READERS = {
    (1, 0): (2, npy_format.read_array_header_1_0),
    (2, 0): (4, npy_format.read_array_header_2_0),
}
"""By version, in how many bytes a header's length is written, and what reads it."""
_LONGEST_HEADER = 10_000
"""As NumPy has it, which looks only when it has read the header."""


@dataclass(frozen=True)
class Header:
    """What an .npy header declares. ``order`` is "C" or "F"."""

    shape: tuple[int, ...]
    order: str
    dtype: np.dtype
    length: int

    @property
    def nbytes(self) -> int:
        """Bytes that the elements take in the file."""
        return math.prod(self.shape) * self.dtype.itemsize

    def part(self, name: str) -> Part:
        """The part of a file that this array is."""
        holds = "objects" if self.dtype.hasobject else _HOLDS.get(self.dtype.kind, "other")
        dtype = "text" if holds == "text" else messages.clip(str(self.dtype))
        return array_part(name, self.shape, dtype, holds)


def survey(source: Source, _: Limits) -> Holding:
    """What an .npy file holds."""
    source.file.seek(0)
    header = read_header(source.file, source.name)
    expected = header.length + header.nbytes
    if expected > source.size and not header.dtype.hasobject:
        raise ReadError(
            f"{source.name} is cut off: {messages.shape(header.shape)} values of {header.dtype} and the "
            f"header take {messages.count(expected)} bytes, and the file has {messages.count(source.size)}. "
            "Copy or save it again."
        )

    def vectors(_: tuple[str, ...]) -> tuple[Vectors, tuple[str, ...]]:
        source.file.seek(header.length)
        return read_numbers(source, source.file, header, source.name), ()

    return Holding("npy", (header.part(""),), vectors)


def read_header(file: IO[bytes], what: str) -> Header:
    """The header of an array, leaving the file at its first element."""
    version = npy_format.read_magic(file)
    if version not in _HEADER_READERS:
        raise ReadError(
            f"{what} is an array of format {version[0]}.{version[1]}; relviz reads 1.0 and 2.0. "
            "Save it with np.save as float32."
        )
    length_bytes, read = _HEADER_READERS[version]
    raw = read_exactly(file, length_bytes, what)
    length = int.from_bytes(raw, "little")
    if length > _LONGEST_HEADER:
        raise ReadError(
            f"{what} declares a header of {messages.count(length)} bytes; those of np.save have at most "
            f"{messages.count(_LONGEST_HEADER)}. It is damaged; save it again."
        )
    raw += read_exactly(file, length, what)
    shape, fortran, dtype = read(io.BytesIO(raw))
    if any(length < 0 for length in shape):
        raise ReadError(f"{what} declares a negative length: {shape}. It is damaged; save it again.")
    return Header(shape, "F" if fortran else "C", dtype, npy_format.MAGIC_LEN + len(raw))


def read_numbers(source: Source, file: IO[bytes], header: Header, what: str) -> Vectors:
    """The elements of a numeric matrix as ``(n, d)`` float32."""

    def decode(raw: bytearray) -> np.ndarray:
        return np.frombuffer(raw, header.dtype)

    rows, columns = header.shape
    matrix = source.new_matrix(rows, columns, "F" if header.order == "F" else "C")
    into = matrix.T if header.order == "F" else matrix
    read_matrix(file, into, header.dtype.itemsize, decode, what)
    return matrix


def read_texts(file: IO[bytes], header: Header, limits: Limits, what: str) -> list[str]:
    """The elements of a one-dimensional array of strings or whole numbers, as strings."""
    limits.check_memory(header.nbytes, what)
    (rows,) = header.shape
    size = header.dtype.itemsize
    at_once = max(1, BLOCK_BYTES // max(1, size))
    found: list[str] = []
    for begin in range(0, rows, at_once):
        raw = read_exactly(file, min(at_once, rows - begin) * size, what)
        values = np.frombuffer(raw, header.dtype).tolist() if size else [header.dtype.type()] * rows
        if header.dtype.kind == "S":
            found += [value.decode("utf-8", "replace") for value in values]
        else:
            found += map(str, values)
    return found
