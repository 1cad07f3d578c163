"""Reading exactly as much of a file as was announced, and no more."""

from collections.abc import Callable
from typing import IO

import torch
from torch import Tensor

from relviz.compute.blocks import slices
from relviz.errors import ReadError
from relviz.readers import wording

BLOCK_BYTES = 4 * 2**20
"""Bytes of a file that are held at a time while its vectors are read."""


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
