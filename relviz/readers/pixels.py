"""Files of pictures become pixels: sizes are checked first, and what is large is shrunk piece by piece."""

import io
import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from relviz.errors import ReadError
from relviz.readers.source import Report
from relviz.wording import count

SIDE = 128
"""Pixels of the square pictures that the demos' encoders were given."""
MAX_BYTES = 50 * 2**20
MAX_PIXELS = 64_000_000
MAX_SIDE = 65_535
"""As JPEG has it. A row of one pixel takes as much memory as one of eight."""
MAX_SCANS = 100
"""Of a progressive JPEG; cameras and programs write about ten. Each costs a pass over all pixels."""
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
LARGE = 8
"""Pictures more than so many times the wanted size are made smaller first, which takes less memory."""
_SCAN = b"\xff\xda"
_WHOLE_PIXELS = 16_000_000
"""A picture of more pixels is shrunk in strips: never is all of it in memory twice."""
_STRIP_PIXELS = 2_000_000
_ORIENTATION = 0x0112
PICTURE_FILE = "picture"


def as_pixels(picture: Any, side: int = SIDE) -> NDArray[np.uint8]:
    """A picture as ``(side, side, 3)`` pixels: turned as its camera says, on white, its aspect kept.

    A picture that is no square stands in the middle of a white one. Of an animation it is the first picture.

    Parameters
    ----------
    picture
        The content of a PNG, JPEG, WebP, GIF or BMP file, or a PIL image.
    side
        Pixels; ``Encoder.side`` says what an encoder takes.

    Raises
    ------
    ReadError
        If it is no such picture, is damaged, or has more than ``MAX_BYTES`` bytes, ``MAX_PIXELS`` pixels,
        ``MAX_SIDE`` pixels on one side or ``MAX_SCANS`` scans; all of this is checked before any pixel is
        decoded.
    """
    try:
        if isinstance(picture, Image.Image):
            return _pixels(_checked_size(picture), side)
        raw = checked_bytes(picture)
        with Image.open(io.BytesIO(raw), formats=FORMATS) as opened:
            _checked_size(opened)
            if opened.format == "JPEG":
                _check_scans(raw)
                opened.draft("RGB", (LARGE * side, LARGE * side))
            return _pixels(opened, side)
    except ReadError:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise ReadError(f"The image has more than {count(MAX_PIXELS)} pixels. Make it smaller.") from None
    except (OSError, SyntaxError, ValueError, EOFError, IndexError, TypeError, struct.error) as reason:
        detail = "" if isinstance(reason, UnidentifiedImageError) else f" ({reason})"
        raise ReadError(
            f"This is not an image that can be read{detail}. Give a whole {', '.join(FORMATS[:-1])} or "
            f"{FORMATS[-1]} file."
        ) from None


def declared_pixels(content: bytes) -> int:
    """Width times height as the file's head has them; 0 if it has none, more than allowed if a side is."""
    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as image:
            return MAX_PIXELS + 1 if max(image.size) > MAX_SIDE else image.width * image.height
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        return MAX_PIXELS + 1
    except Exception:  # as_pixels says what is wrong with it
        return 0


def leave_pixels(folder: Path, _: Report, side: int) -> dict[str, object]:
    """In a process of its own: leave the pixels of a folder's ``PICTURE_FILE`` beside it."""
    np.save(folder / f"{PICTURE_FILE}.npy", as_pixels((folder / PICTURE_FILE).read_bytes(), side))
    return {}


def checked_bytes(content: Any) -> bytes:
    """The bytes of a picture's file; ReadError if they are more than ``MAX_BYTES``."""
    raw = bytes(content)
    if len(raw) > MAX_BYTES:
        raise ReadError(
            f"The image takes {count(len(raw))} bytes; the limit is {count(MAX_BYTES)}. Make it smaller."
        )
    return raw


def _checked_size(image: Image.Image) -> Image.Image:
    width, height = image.size
    if not 0 < width * height <= MAX_PIXELS or max(width, height) > MAX_SIDE:
        raise ReadError(
            f"The image has {count(width)} × {count(height)} pixels; at least one and at most "
            f"{count(MAX_PIXELS)} are taken, and {count(MAX_SIDE)} on a side. Make it smaller."
        )
    return image


def _check_scans(raw: bytes) -> None:
    """A byte 255 within a scan is followed by a zero: the mark of a scan is found nowhere else."""
    scans = raw.count(_SCAN)
    if scans > MAX_SCANS:
        raise ReadError(
            f"The image is stored in {count(scans)} scans; at most {MAX_SCANS} are read. Save it again."
        )


def _pixels(image: Image.Image, side: int) -> NDArray[np.uint8]:
    if image.width * image.height > _WHOLE_PIXELS:
        image = _shrunk(image, 2 * LARGE * side)
    image = _plain(ImageOps.exif_transpose(image))
    if max(image.size) > LARGE * side:
        image.thumbnail((LARGE * side, LARGE * side), Image.Resampling.BICUBIC)
    edge = max(image.size)
    white = Image.new("RGBA", (edge, edge), "white")
    white.alpha_composite(image, ((edge - image.width) // 2, (edge - image.height) // 2))
    return np.asarray(white.convert("RGB").resize((side, side), Image.Resampling.BICUBIC))


def _plain(image: Image.Image) -> Image.Image:
    if image.mode.startswith("I"):
        # Pillow would cut 16 bits off at 255.
        image = image.convert("F").point(lambda value: value / 257).convert("L")
    return image.convert("RGBA")


def _shrunk(image: Image.Image, most: int) -> Image.Image:
    """The means of squares of pixels, as large as they may be for at least so many on the longer side."""
    factor = max(image.size) // most
    if factor < 2:
        return image
    width, height = image.size
    small = Image.new("RGBA", (-(-width // factor), -(-height // factor)))
    rows = factor * max(1, _STRIP_PIXELS // (width * factor))
    for top in range(0, height, rows):
        strip = image.crop((0, top, width, min(top + rows, height)))
        small.paste(_plain(strip).reduce(factor), (0, top // factor))
    small.getexif()[_ORIENTATION] = image.getexif().get(_ORIENTATION, 1)
    return small
