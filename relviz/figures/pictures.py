"""Small pictures of a pair's items on one sheet, where either space has them."""

import io
from functools import lru_cache

import numpy as np
from PIL import Image

from relviz.demos.contact_sheet import Pixels, cut, tile
from relviz.errors import ParameterError
from relviz.pair import Pair
from relviz.plotting.linked_map.scene import PictureSheet
from relviz.state.sources import demo_of, open_pair, open_space, thumbnails_of

MOST = 20_000
"""Pictures on a sheet: one of so many of 32 pixels is as large as browsers take."""
LONGEST_EDGE = 8192


def pictures_of(a: str, b: str) -> PictureSheet | None:
    """The pictures of the rows of a pair: those of A, else of B; None where neither has any."""
    return _pictures(open_pair(a, b), a, b)


@lru_cache(maxsize=4)
def _pictures(pair: Pair, a: str, b: str) -> PictureSheet | None:
    for source in (a, b):
        if not _has_pictures(source):
            continue
        rows = _rows_of(pair, source)
        if rows is None:
            continue
        demo = demo_of(source)
        if demo is not None and demo.sprite is not None and rows == list(range(len(open_space(source)))):
            return PictureSheet(demo.sprite.path.read_bytes(), demo.sprite.cell, demo.sprite.columns)
        return sheet_of(_cells(source)[rows])
    return None


def _has_pictures(source: str) -> bool:
    demo = demo_of(source)
    return thumbnails_of(source) is not None if demo is None else demo.sprite is not None


def _cells(source: str) -> Pixels:
    """The pictures of all rows of a space that has them."""
    demo = demo_of(source)
    if demo is not None and demo.sprite is not None:
        with Image.open(demo.sprite.path, formats=["PNG"]) as image:
            whole = np.asarray(image.convert("RGBA"))
        return cut(whole, len(open_space(source)), demo.sprite.cell, demo.sprite.columns)
    cells = thumbnails_of(source)
    assert cells is not None
    return cells


def cells_of_space(source: str, rows: list[int]) -> list[Pixels]:
    """Pictures ``(cell, cell, 3 or 4)`` of rows of a space; none where it has none."""
    return list(_cells(source)[rows]) if _has_pictures(source) else []


def _rows_of(pair: Pair, source: str) -> list[int] | None:
    """The row of a space that each row of the pair is."""
    space = open_space(source)
    if space.ids is None:
        return list(range(len(space))) if len(pair) == len(space) else None
    places: dict[str, int] = {}
    for row, name in enumerate(space.ids):
        places.setdefault(name, row)
    return [places[name] for name in pair.ids]


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
