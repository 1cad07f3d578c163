"""Pictures to encode: kept as their files are, decoded when they are asked for."""

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import IO, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from relviz.compute.json_text import JsonObject
from relviz.compute.key import files_digest
from relviz.errors import ParameterError, ShapeError
from relviz.items.limits import PICTURE_LIMITS, PictureLimits
from relviz.items.picture_files import CELL, CONTENTS_FILE, GIVEN_FILE, PIXELS_FILE, THUMBNAILS_FILE
from relviz.readers import messages
from relviz.readers.confined import OnProgress, ask, private_folder
from relviz.readers.reading import left_texts
from relviz.readers.source import no_room, opened

MOST_SIDE = 2048
_SECONDS_A_PICTURE = 2


@dataclass(frozen=True, eq=False)
class Pictures:
    """Pictures for an image encoder, with what is known about each.

    ``contents`` are whole files that are known to decode; ``small`` are their ``(n, 32, 32, 3)`` thumbnails.
    Nothing is kept open, so any thread may ask for pixels; they are decoded in a process of its own.

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
        if not order:
            return np.empty((0, side, side, 3), np.uint8)
        contents = [self.contents[row] for row in order]
        with private_folder() as folder:
            try:
                with (folder / GIVEN_FILE).open("xb") as into:
                    into.writelines(contents)
            except OSError as reason:
                raise no_room("The images", reason) from None
            question: JsonObject = {"lengths": list(map(len, contents)), "side": side}
            size = sum(question["lengths"])
            seconds = PICTURE_LIMITS.seconds + _SECONDS_A_PICTURE * len(order)
            task = "relviz.items.reading:leave_batch"
            ask(task, question, folder, "The images", size, PICTURE_LIMITS, seconds=seconds)
            pixels: NDArray[np.uint8] = np.load(folder / PIXELS_FILE, allow_pickle=False)
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
        Called with the fraction done, at least once a second; it may raise to stop.

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
    with private_folder() as folder:
        about: JsonObject = {"limits": asdict(limits)}
        if isinstance(source, (list, tuple)):
            task, called, what = "given_pictures", "Pictures", "The list"
            about |= _handed_over(source, folder)
            size = sum(about["lengths"])
        elif isinstance(source, (str, os.PathLike)) and Path(source).is_dir():
            whole = Path(source).absolute()
            task, called, what, size = "folder_pictures", whole.name, messages.clip(whole.name), limits.file
            about |= {"path": str(whole)}
        else:
            with opened(source, filename, limits) as file:
                about |= {"path": str(file.path_in(folder)), "filename": file.filename}
            task, called, what, size = "file_pictures", file.stem, file.name, file.size
        answer = ask(f"relviz.items.reading:{task}", about, folder, what, size, limits, on_progress)
        with (folder / CONTENTS_FILE).open("rb") as contents:
            return Pictures(
                [contents.read(length) for length in answer["lengths"]],
                np.load(folder / THUMBNAILS_FILE, allow_pickle=False),
                left_texts(folder, "ids"),
                left_texts(folder, "labels"),
                called if name is None else name,
                tuple(answer["notes"]),
            )


def _handed_over(files: Sequence[tuple[str, bytes]], folder: Path) -> JsonObject:
    """Write the contents of some files one behind the other; gives their names and lengths."""
    names, lengths = [], []
    try:
        with (folder / GIVEN_FILE).open("xb") as into:
            for one in files:
                try:
                    name, content = one
                    lengths.append(into.write(content))
                except (TypeError, ValueError):
                    raise ParameterError(
                        "Single images are given as a list of (name, bytes); one of them is a "
                        f"{type(one).__name__}."
                    ) from None
                names.append(str(name))
    except OSError as reason:
        raise no_room("The list", reason) from None
    return {"names": names, "lengths": lengths}
