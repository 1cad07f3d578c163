"""Small pictures of a pair's items on one sheet, where either space has them."""

import io
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from PIL import Image

from relviz.demos.contact_sheet import Pixels, cut, tile
from relviz.demos.demo import Sprite
from relviz.errors import ParameterError
from relviz.pair import Pair
from relviz.state.sources import demo_of, open_pair, open_space, thumbnails_of

MOST = 20_000
"""Pictures on a sheet: one of so many of 32 pixels is as large as browsers take."""
LONGEST_EDGE = 8192


@dataclass(frozen=True)
class PictureSheet:
    """A PNG with a picture of every row: row ``i`` is cell ``i``.

    Cells are squares of ``cell`` pixels, ``columns`` of them side by side, counted from the top left.
    """

    png: bytes = field(repr=False)
    cell: int
    columns: int


def pictures_of(a: str, b: str) -> PictureSheet | None:
    """The pictures of the rows of a pair: those of A, else of B; None where neither has any."""
    return _pictures(open_pair(a, b), a, b)


@lru_cache(maxsize=4)
def _pictures(pair: Pair, a: str, b: str) -> PictureSheet | None:
    for source in (a, b):
        demo = demo_of(source)
        cells = thumbnails_of(source) if demo is None else None
        sprite = None if demo is None else demo.sprite
        if cells is None and sprite is None:
            continue
        rows = _rows_of(pair, source)
        if rows is None:
            continue
        if sprite is not None and rows == list(range(len(open_space(source)))):
            return PictureSheet(sprite.path.read_bytes(), sprite.cell, sprite.columns)
        if cells is None:
            assert sprite is not None
            cells = _cells(sprite, len(open_space(source)))
        return sheet_of(cells[rows])
    return None


def _rows_of(pair: Pair, source: str) -> list[int] | None:
    """The row of a space that each row of the pair is."""
    space = open_space(source)
    if space.ids is None:
        return list(range(len(space))) if len(pair) == len(space) else None
    places: dict[str, int] = {}
    for row, name in enumerate(space.ids):
        places.setdefault(name, row)
    return [places[name] for name in pair.ids]


def _cells(sprite: Sprite, n: int) -> Pixels:
    with Image.open(sprite.path, formats=["PNG"]) as image:
        return cut(np.asarray(image.convert("RGBA")), n, sprite.cell, sprite.columns)


def sheet_of(cells: Pixels) -> PictureSheet | None:
    """Pictures ``(n, cell, cell, 3)`` on one sheet; None if they are more than browsers take."""
    cell = cells.shape[1]
    columns = int(np.ceil(np.sqrt(len(cells))))
    if len(cells) > MOST or columns * cell > LONGEST_EDGE:
        return None
    file = io.BytesIO()
    Image.fromarray(tile(cells, columns)).save(file, "PNG", compress_level=1)
    return PictureSheet(file.getvalue(), cell, columns)


def cells_of(a: str, b: str, rows: list[int]) -> dict[int, Pixels]:
    """Pictures ``(cell, cell, 4)`` of some rows of a pair; ParameterError where it has none."""
    sheet = pictures_of(a, b)
    if sheet is None:
        raise ParameterError("The items of this pair have no images; leave the option pictures out.")
    with Image.open(io.BytesIO(sheet.png), formats=["PNG"]) as image:
        every = np.asarray(image.convert("RGBA"))
    found = {}
    for row in rows:
        top, left = (at * sheet.cell for at in divmod(row, sheet.columns))
        found[row] = every[top : top + sheet.cell, left : left + sheet.cell]
    return found
