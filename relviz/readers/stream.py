"""Reading exactly as much of a file as was announced, and no more."""

from collections.abc import Callable
from threading import Lock
from typing import IO

import torch
from torch import Tensor

from relviz.compute.blocks import slices
from relviz.errors import ReadError
from relviz.readers import wording

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
                f"{what} ends {wording.plural(length - len(raw), 'byte')} early: it is cut off. "
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
