"""Many small pictures of one size in one image: cell ``i`` stands at row ``i // columns``."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from relviz.errors import ReadError

Pixels = NDArray[np.uint8]


def tile(cells: Pixels, columns: int) -> Pixels:
    """Pictures ``(n, cell, cell)`` or ``(n, cell, cell, channels)`` as one sheet; spare cells are zero."""
    n, cell, channels = len(cells), cells.shape[1], cells.shape[3:]
    lines = -(-n // columns)
    full = np.zeros((lines * columns, cell, cell, *channels), np.uint8)
    full[:n] = cells
    grid = full.reshape(lines, columns, cell, cell, *channels).swapaxes(1, 2)
    return grid.reshape(lines * cell, columns * cell, *channels)


def cut(sheet: Pixels, n: int, cell: int, columns: int) -> Pixels:
    """The first ``n`` pictures of a sheet, ``(n, cell, cell)`` and channels if there are any."""
    lines, channels = sheet.shape[0] // cell, sheet.shape[2:]
    grid = sheet.reshape(lines, cell, columns, cell, *channels).swapaxes(1, 2)
    return grid.reshape(lines * columns, cell, cell, *channels)[:n]


def sheet_size(n: int, cell: int, columns: int) -> tuple[int, int]:
    """Width and height, in pixels, of a sheet of ``n`` pictures."""
    return columns * cell, -(-n // columns) * cell


def write_gray(path: Path, cells: Pixels, columns: int) -> None:
    """Write gray pictures ``(n, cell, cell)`` as one lossless PNG."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(tile(cells, columns)).save(path, "PNG", optimize=True)


def read_gray(path: Path, n: int, cell: int, columns: int) -> Pixels:
    """Read ``(n, cell, cell)`` gray pictures; the size is checked before any pixel is decoded.

    Raises
    ------
    ReadError
        If the file is missing, damaged, not gray, or has not the size that ``n`` pictures need.
    """
    try:
        with Image.open(path, formats=["PNG"]) as image:
            if image.mode != "L" or image.size != sheet_size(n, cell, columns):
                raise ReadError(
                    f"{path.name} is a {image.mode} image of {image.size} pixels; "
                    f"{n} gray cells need {sheet_size(n, cell, columns)}."
                )
            return cut(np.array(image), n, cell, columns)
    except (OSError, SyntaxError, UnidentifiedImageError, Image.DecompressionBombError) as reason:
        raise ReadError(f"{path.name} cannot be read ({reason}). Restore it from the repository.") from None
