"""Pictures to encode: kept as their files are, decoded when they are asked for."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import IO, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from relviz.compute.key import files_digest
from relviz.encoders.encoder import OnProgress
from relviz.encoders.image import MAX_BYTES, as_pixels
from relviz.errors import ParameterError, ReadError, ShapeError
from relviz.items.limits import PICTURE_LIMITS, PictureLimits
from relviz.items.members import folder_members, given_members, zip_members
from relviz.items.paths import ids_of, labels_of, without_common_folder
from relviz.items.picture_files import (
    BEGINNING_BYTES,
    CELL,
    Halted,
    PictureFiles,
    begins_as_picture,
    picture_files,
)
from relviz.items.picture_table import Told, told_by
from relviz.readers import messages
from relviz.readers.source import Source, opened

MOST_SIDE = 2048
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")


@dataclass(frozen=True, eq=False)
class Pictures:
    """Pictures for an image encoder, with what is known about each.

    ``contents`` are whole files that are known to decode; ``small`` are their ``(n, 32, 32, 3)`` thumbnails.
    Nothing is kept open, so any thread may ask for pixels.

    Raises
    ------
    ShapeError
        If there are no pictures, or a list is not as long as they are.
    """

    contents: Sequence[bytes] = field(repr=False)
    small: NDArray[np.uint8] = field(repr=False)
    ids: Sequence[str] | None = None
    labels: Sequence[str] | None = None
    name: str = ""
    notes: tuple[str, ...] = ()
    modality: ClassVar[Literal["image"]] = "image"

    def __post_init__(self) -> None:
        if not len(self.contents):
            raise ShapeError("There are no images; give at least one.")
        for what in ("contents", "ids", "labels"):
            values = getattr(self, what)
            if values is None:
                continue
            if len(values) != len(self.contents):
                raise ShapeError(
                    f"There are {len(self.contents)} images but {len(values)} {what}; give one for each."
                )
            object.__setattr__(self, what, tuple(values))
        if self.small.shape != (len(self), CELL, CELL, 3):
            raise ShapeError(f"{len(self)} thumbnails of {CELL} pixels are needed; got {self.small.shape}.")
        small = self.small.view()
        small.flags.writeable = False
        object.__setattr__(self, "small", small)

    def __len__(self) -> int:
        return len(self.contents)

    def __repr__(self) -> str:
        return f"Pictures({self.name!r}, {messages.plural(len(self), 'image')})"

    @cached_property
    def digest(self) -> str:
        """Content digest of the files, in their order."""
        return files_digest(self.contents)

    def pixels(self, rows: Sequence[int] | NDArray[np.int64], side: int) -> NDArray[np.uint8]:
        """``(b, side, side, 3)`` pixels of some pictures, as ``as_pixels`` makes them.

        Raises
        ------
        ParameterError
            If ``side`` is not between 1 and ``MOST_SIDE``, or there is no such row.
        """
        if not 1 <= side <= MOST_SIDE:
            raise ParameterError(f"side must be between 1 and {MOST_SIDE} pixels; it is {side}.")
        order = [int(row) for row in rows]
        for row in order:
            if not 0 <= row < len(self):
                raise ParameterError(f"There is no image {row}; there are {len(self)}, counted from 0.")
        pixels = np.empty((len(order), side, side, 3), np.uint8)
        for at, row in enumerate(order):
            pixels[at] = as_pixels(self.contents[row], side)
        return pixels

    def thumbnails(self, cell: int = CELL) -> NDArray[np.uint8]:
        """``(n, cell, cell, 3)`` pixels of all pictures; those of 32 are kept, and not to be written to."""
        return self.small if cell == CELL else self.pixels(range(len(self)), cell)


def read_pictures(
    source: str | os.PathLike[str] | IO[bytes] | Sequence[tuple[str, bytes]],
    *,
    filename: str | None = None,
    name: str | None = None,
    limits: PictureLimits = PICTURE_LIMITS,
    on_progress: OnProgress | None = None,
) -> Pictures:
    """The pictures of a .zip, of a folder and all below it, or of some files.

    They are sorted by name, img2 before img10. Ids are paths without the ending, labels the folders that
    pictures lie in. What is no picture, or cannot be decoded, is left out, and ``notes`` say how many.

    Parameters
    ----------
    source
        A path to a .zip, to a folder or to one picture; an open binary file that can be sought, left where it
        stood; or a list of ``(name, bytes)``.
    filename
        What the file is called, if that is not what ``source`` says.
    name
        What the pictures are called; without it, the file's or the folder's name.
    limits
        How much may be read.
    on_progress
        Called with the fraction done after each picture; it may raise to stop.

    Raises
    ------
    ReadError
        If it cannot be read, is too large, or holds no pictures.

    Examples
    --------
    >>> import io
    >>> from PIL import Image
    >>> file = io.BytesIO()
    >>> Image.new("RGB", (40, 40), "red").save(file, "PNG")
    >>> found = read_pictures([("b/red.png", file.getvalue()), ("a/red.png", file.getvalue())])
    >>> found.ids, found.labels, found.pixels([0], 8).shape
    (('a/red', 'b/red'), ('a', 'b'), (1, 8, 8, 3))
    """
    try:
        if isinstance(source, (list, tuple)):
            given = picture_files(given_members(source), limits, "The list", None, on_progress)
            return _named(given, "Pictures" if name is None else name)
        if isinstance(source, (str, os.PathLike)) and Path(source).is_dir():
            folder = Path(source).absolute()
            found = _of_folder(folder, limits, on_progress)
            return _named(found, folder.name if name is None else name)
        with opened(source, filename, limits) as file:
            found = _of_file(file, limits, on_progress)
            return _named(found, file.stem if name is None else name)
    except Halted as halted:
        raise halted.reason from None


def _of_folder(folder: Path, limits: PictureLimits, on_progress: OnProgress | None) -> PictureFiles:
    what = messages.clip(folder.name)
    try:
        return picture_files(folder_members(folder, limits), limits, what, None, on_progress)
    except OSError as reason:
        raise ReadError(f"The folder {what} cannot be read: {reason.strerror}.") from None


def _of_file(file: Source, limits: PictureLimits, on_progress: OnProgress | None) -> PictureFiles:
    first = bytes(file.read(0, min(file.size, BEGINNING_BYTES)))
    if begins_as_picture(first):
        content = bytes(file.read(0, min(file.size, MAX_BYTES + 1)))
        return picture_files(given_members([(file.filename, content)]), limits, file.name, None, on_progress)
    if first.startswith(_ZIP) or file.suffix == ".zip":
        return picture_files(zip_members(file, limits), limits, file.name, file.size, on_progress)
    raise ReadError(f"{file.name} is neither a .zip nor an image. Give a .zip, a folder, or single images.")


def _named(found: PictureFiles, name: str) -> Pictures:
    paths = without_common_folder(found.paths)
    told = Told() if found.table is None else told_by(*found.table, found.paths)
    return Pictures(
        found.contents,
        found.thumbnails,
        told.ids or ids_of(paths),
        told.labels or labels_of(paths),
        name,
        (*found.notes, *told.notes),
    )
