"""What a PDF holds, read by another program than the one that wrote it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pypdfium2

POINTS = 72 / 25.4


@contextmanager
def page(raw: bytes) -> Iterator[pypdfium2.PdfPage]:
    document = pypdfium2.PdfDocument(raw)
    assert len(document) == 1
    only = document[0]
    try:
        yield only
    finally:
        only.close()
        document.close()


def size_mm(raw: bytes) -> tuple[float, float]:
    with page(raw) as one:
        return one.get_width() / POINTS, one.get_height() / POINTS


def text_of(raw: bytes) -> str:
    with page(raw) as one:
        text = one.get_textpage()
        said: str = text.get_text_bounded()
        text.close()
    return said


def pixels_of(raw: bytes, scale: float = 1.0) -> np.ndarray:
    with page(raw) as one:
        return np.asarray(one.render(scale=scale).to_pil().convert("RGB"))


def fonts_of(raw: bytes) -> tuple[int, int]:
    """How many fonts are described, and how many of these have their TrueType program in the file."""
    return len(re.findall(rb"/Type /FontDescriptor", raw)), len(re.findall(rb"/FontFile2 ", raw))


def sizes_of(raw: bytes) -> list[float]:
    """Sizes in points of all letters on the page."""
    with page(raw) as one:
        text = one.get_textpage()
        found = [pypdfium2.raw.FPDFText_GetFontSize(text, at) for at in range(text.count_chars())]
        text.close()
    return [size for size in found if size > 1]
