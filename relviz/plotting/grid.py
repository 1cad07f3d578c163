"""Pictures in a grid, rows and columns with their names: reconstructions beside the originals."""

from collections.abc import Sequence

import numpy as np

from relviz.errors import ShapeError
from relviz.plotting.drawing import drawing
from relviz.plotting.stack import LINE, Page
from relviz.plotting.style import SMALL, fitted, width_of, wrapped

GAP = 0.6
NAMES = 0.3
LARGEST = 16.0
UNDER = 2.8
"""Height of a line of text under a picture."""


class PictureGrid:
    """Pictures side by side, a line for each kind; one panel.

    Parameters
    ----------
    pictures
        ``(r, c, h, w)`` or ``(r, c, h, w, 3)``, uint8 or numbers from 0 to 1.
    rows, columns
        What each line is, and each column where there is something to say.
    left
        What the names of lines take in mm at least, for grids under each other to stand in line.
    under
        A text under each picture, as they stand, in as many lines as it takes.
    across
        For so many pictures there is room beside each other at least, for the same reason.
    """

    panels = 1

    def __init__(
        self,
        pictures: np.ndarray,
        rows: Sequence[str],
        width: float,
        columns: Sequence[str] = (),
        title: str = "",
        left: float = 0.0,
        under: Sequence[Sequence[str]] = (),
        across: int = 0,
    ) -> None:
        if pictures.ndim not in (4, 5) or len(rows) != len(pictures):
            raise ShapeError(
                "A grid needs images (rows, columns, height, width) and a name for each row; the images are "
                f"{pictures.shape}, and there are {len(rows)} names."
            )
        if columns and len(columns) != pictures.shape[1]:
            raise ShapeError(f"There are {pictures.shape[1]} columns of images and {len(columns)} names.")
        if under and [len(line) for line in under] != len(pictures) * [pictures.shape[1]]:
            raise ShapeError(
                f"There are {len(pictures)} × {pictures.shape[1]} images; the texts under them are "
                f"{[len(line) for line in under]}."
            )
        self._pictures, self._columns, self._title = pictures, list(columns), title
        self._names = [fitted(drawing().named(name), NAMES * width, SMALL) for name in rows]
        self._left = max(left, *(1.5 + width_of(name, SMALL) for name in self._names))
        room, places = width - self._left, max(across, pictures.shape[1])
        self._wide = min(LARGEST, room / pictures.shape[1] - GAP)
        self._tall: float = self._wide * pictures.shape[2] / pictures.shape[3]
        self._under = [[_lines(text, self._wide) for text in line] for line in under]
        lines = max((len(text) for line in self._under for text in line), default=0)
        self._below = lines * UNDER + (GAP if lines else 0.0)
        self._x = max(0.0, (room - places * (min(LARGEST, room / places - GAP) + GAP)) / 2)
        self._head = (LINE + 0.6 if title else 0.0) + (LINE if columns else 0.0)

    @property
    def height(self) -> float:
        """In mm."""
        return self._head + len(self._pictures) * (self._tall + GAP + self._below)

    def draw(self, page: Page, x: float, y: float, letter: int | None) -> None:
        """Draw it, its top left at (x, y)."""
        x += self._x
        page.head(x, y, [self._title] if self._title else [], letter if self._title else None)
        top = y + self._head
        for number, name in enumerate(self._columns):
            middle = x + self._left + number * (self._wide + GAP) + self._wide / 2
            page.text(middle, top - LINE / 2, name, SMALL, ha="center", longest=self._wide + GAP)
        for row, line in enumerate(self._pictures):
            at = top + row * (self._tall + GAP + self._below)
            page.text(x + self._left - 1.0, at + self._tall / 2, self._names[row], SMALL, ha="right")
            for column, picture in enumerate(line):
                left = x + self._left + column * (self._wide + GAP)
                axes = page.axes(left, at, self._wide, self._tall)
                high = 255 if picture.dtype == np.uint8 else 1.0
                axes.imshow(picture, cmap="gray", vmin=0, vmax=high, interpolation="nearest", aspect="auto")
                axes.axis("off")
            for column, texts in enumerate(self._under[row] if self._under else ()):
                middle = x + self._left + column * (self._wide + GAP) + self._wide / 2
                for number, text in enumerate(texts):
                    low = at + self._tall + GAP + UNDER * (number + 0.5)
                    page.text(middle, low, text, SMALL, ha="center")


def _lines(text: str, width: float) -> list[str]:
    return [line for part in text.split("\n") for line in wrapped(part, width)]
