"""The pictures among the files of a collection, each decoded once to know that it can be."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import IO

import numpy as np
from numpy.typing import NDArray

from relviz.errors import ReadError
from relviz.items.left_out import LeftOut, Why
from relviz.items.limits import PictureLimits
from relviz.items.members import Member
from relviz.items.paths import is_hidden, natural_order, path_inside
from relviz.items.picture_table import TABLE_LIMITS, find_table
from relviz.readers import messages
from relviz.readers.pixels import FORMATS, MAX_BYTES, MAX_PIXELS, as_pixels, declared_pixels
from relviz.readers.source import BLOCK_BYTES, Report

CELL = 32
"""Pixels of the thumbnails that are kept."""

CONTENTS_FILE, THUMBNAILS_FILE, GIVEN_FILE, PIXELS_FILE = "contents", "thumbnails.npy", "given", "pixels.npy"
"""What is left in the folder of who asks, and the files that were handed over there."""

_BEGINNING = re.compile(rb"\x89PNG|\xff\xd8\xff|GIF8|BM|RIFF....WEBP", re.DOTALL)
BEGINNING_BYTES = 12


@dataclass(frozen=True)
class PictureFiles:
    """Paths and lengths of the pictures in natural order, ``(n, CELL, CELL, 3)`` thumbnails, and notes.

    ``table`` is the path and content of a labels.csv or metadata.csv among them.
    """

    paths: list[str]
    lengths: list[int]
    thumbnails: NDArray[np.uint8]
    notes: tuple[str, ...]
    table: tuple[str, bytes] | None = None


def picture_files(
    members: Iterable[Member],
    limits: PictureLimits,
    what: str,
    into: IO[bytes],
    report: Report,
    packed: int | None = None,
) -> PictureFiles:
    """Read the pictures among some files, and write those that can be decoded one behind the other.

    Parameters
    ----------
    report
        Told the fraction of the bytes that is done after each picture.
    packed
        Bytes of the zip that they are packed in.

    Raises
    ------
    ReadError
        If no picture is among them, or they are too many or too large together.
    """
    left = LeftOut()
    visible = _visible(members, left)
    table = _table(visible)
    files = len(visible) + sum(map(len, left.names.values()))
    chosen = [(path, visible[path]) for path in sorted(visible, key=natural_order)]
    chosen = [(path, member) for path, member in chosen if not _left_unread(path, member, left)]
    limits.check_rows(len(chosen), f"{what} holds {messages.plural(len(chosen), 'image')}")
    declared = sum(member.size for _, member in chosen)
    limits.check_memory(declared, f"{what}, unpacked,")
    if packed is not None:
        limits.check_ratio(declared, packed, what)

    paths, lengths, thumbnails = [], [], []
    taken = pixels = done = 0
    for path, member in chosen:
        content = _content(member)
        size = 0 if content is None else declared_pixels(content)
        if content is None or not size:
            left.add(Why.DAMAGED, path)
        elif size > MAX_PIXELS:
            left.add(Why.TOO_MANY_PIXELS, path)
        else:
            taken, pixels = taken + len(content), pixels + size
            limits.check_memory(taken, f"{what}, unpacked,")
            limits.check_pixels(pixels, declared if packed is None else packed, what)
            try:
                thumbnails.append(as_pixels(content, CELL))
            except ReadError:
                left.add(Why.DAMAGED, path)
            else:
                paths.append(path)
                lengths.append(len(content))
                into.write(content)
        done += member.size
        report(done / max(1, declared))
    notes = left.notes(files)
    if not paths:
        reasons = "; ".join(notes) or "there are no files in it"
        raise ReadError(
            f"{what} holds no images: {reasons}. Give {', '.join(FORMATS[:-1])} or {FORMATS[-1]} files."
        )
    return PictureFiles(paths, lengths, np.stack(thumbnails), notes, table)


def begins_as_picture(first: bytes) -> bool:
    """Whether the first bytes of a file are those of a picture."""
    return _BEGINNING.match(first) is not None


def _visible(members: Iterable[Member], left: LeftOut) -> dict[str, Member]:
    """Files by their paths, without those that a system keeps for itself or that must not be opened."""
    found: dict[str, Member] = {}
    for member in members:
        path = path_inside(member.name)
        if path is None:
            left.add(Why.LEADS_OUT, member.name)
        elif not is_hidden(path):
            if member.why_not is not None:
                left.add(member.why_not, path)
                continue
            if path in found:
                left.add(Why.REPEATED, path)
            found[path] = member
    return found


def _table(visible: dict[str, Member]) -> tuple[str, bytes] | None:
    """Take the table out of the files, if there is one, and read it."""
    path = find_table(visible)
    if path is None or visible[path].size > TABLE_LIMITS.file:
        return None
    content = _content(visible.pop(path))
    return None if content is None else (path, content)


def _left_unread(path: str, member: Member, left: LeftOut) -> bool:
    """Whether a file's size or its first bytes are enough to leave it out."""
    try:
        with member.open() as file:
            begins = begins_as_picture(file.read(BEGINNING_BYTES))
    except Exception:  # unpacking, on hostile bytes, raises anything
        left.add(Why.DAMAGED, path)
        return True
    if begins and member.size <= MAX_BYTES:
        return False
    left.add(Why.TOO_LARGE if begins else Why.NO_PICTURE, path)
    return True


def _content(member: Member) -> bytes | None:
    """What a file holds, however much it said that would be; None if it cannot be unpacked."""
    content = bytearray()
    try:
        with member.open() as file:
            while piece := file.read(min(BLOCK_BYTES, MAX_BYTES + 1 - len(content))):
                content += piece
    except Exception:
        return None
    return bytes(content)
