"""What is done with files of texts and pictures in the process that reads them."""

import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

import numpy as np

from relviz.compute.json_text import JsonObject
from relviz.errors import ReadError
from relviz.items import lines
from relviz.items.columns import choose_columns
from relviz.items.limits import PictureLimits
from relviz.items.members import Member, folder_members, zip_members
from relviz.items.paths import ids_of, labels_of, without_common_folder
from relviz.items.picture_files import (
    BEGINNING_BYTES,
    CONTENTS_FILE,
    GIVEN_FILE,
    PIXELS_FILE,
    THUMBNAILS_FILE,
    begins_as_picture,
    picture_files,
)
from relviz.items.picture_table import TableLabels, read_labels
from relviz.items.texts import texts_of
from relviz.readers import csv, messages, parquet
from relviz.readers.choice import Holding
from relviz.readers.limits import Limits
from relviz.readers.pixels import MAX_BYTES, as_pixels
from relviz.readers.reading import leave_texts
from relviz.readers.source import Report, Source, opened

_READERS: dict[str, Callable[[Source, Limits], Holding]] = {
    ".csv": lambda source, limits: csv.survey(source, limits, of_texts=True),
    ".tsv": lambda source, limits: csv.survey(source, limits, of_texts=True),
    ".parquet": parquet.survey,
    ".txt": lines.survey,
}
_EXAMPLES = 3
_SURVEYED = 0.5
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")


def look_texts(
    folder: Path, report: Report, path: str, filename: str, limits: Mapping[str, int]
) -> JsonObject:
    """The ``TextContents`` of a file, as JSON has it."""
    allowed = Limits(**limits)
    with opened(path, filename, allowed, folder, report) as file:
        holding, rows = _survey(file, allowed)
        choice, reason = None, ""
        try:
            choice = choose_columns(holding, file.name)
        except ReadError as refusal:
            reason = str(refusal)
        columns = [
            {
                "name": part.name,
                "kind": "number" if part.kind == "number" else "text",
                "examples": list(map(messages.clip, holding.first_texts(part.name)[:_EXAMPLES])),
            }
            for part in holding.parts
            if part.kind in ("text", "number")
        ]
    return {
        "format": holding.format,
        "rows": rows,
        "columns": columns,
        "choice": None if choice is None else asdict(choice),
        "reason": reason,
        "notes": holding.notes,
    }


def read_texts(
    folder: Path,
    report: Report,
    path: str,
    filename: str,
    texts: str | None,
    ids: str | None,
    labels: str | None,
    limits: Mapping[str, int],
) -> JsonObject:
    """Leave the texts of a file in the folder, and their ids and labels; gives their name and the notes."""
    allowed = Limits(**limits)
    with opened(path, filename, allowed, folder, report) as file:
        file.stage(0.0, _SURVEYED)
        holding, _ = _survey(file, allowed)
        choice = choose_columns(holding, file.name, texts, ids, labels)
        columns = {"texts": choice.texts, "ids": choice.ids, "labels": choice.labels}
        file.stage(_SURVEYED, 1.0)
        cells = {role: holding.texts(column) for role, column in columns.items() if column is not None}
        notes = (*holding.notes, *choice.notes)
        found = texts_of(cells, columns, file.stem, notes, allowed, file.name)
    for role in columns:
        values = getattr(found, role)
        if values is not None:
            leave_texts(folder, role, values)
    return {"name": found.name, "notes": found.notes}


def _survey(file: Source, limits: Limits) -> tuple[Holding, int]:
    if file.suffix not in _READERS:
        raise ReadError(
            f"Texts are not read from {file.suffix or 'files without an ending'} ({file.name}), "
            f"but from {', '.join(_READERS)}."
        )
    file.check_beginning()
    holding = _READERS[file.suffix](file, limits)
    rows = holding.parts[0].shape[0] if holding.parts else 0
    limits.check_rows(rows, f"{file.name} has {messages.plural(rows, 'row')}")
    return holding, rows


def file_pictures(
    folder: Path, report: Report, path: str, filename: str, limits: Mapping[str, int]
) -> JsonObject:
    """Leave the pictures of a .zip or of one file; see ``_left``."""
    allowed = PictureLimits(**limits)
    with opened(path, filename, allowed, folder) as file:
        first = bytes(file.read(0, min(file.size, BEGINNING_BYTES)))
        if begins_as_picture(first):
            content = bytes(file.read(0, min(file.size, MAX_BYTES + 1)))
            one = Member(file.filename, len(content), lambda: io.BytesIO(content))
            return _left(folder, iter([one]), allowed, file.name, report)
        if first.startswith(_ZIP) or file.suffix == ".zip":
            return _left(folder, zip_members(file, allowed), allowed, file.name, report, file.size)
        raise ReadError(
            f"{file.name} is neither a .zip nor an image. Give a .zip, a folder, or single images."
        )


def folder_pictures(folder: Path, report: Report, path: str, limits: Mapping[str, int]) -> JsonObject:
    """Leave the pictures below a folder."""
    allowed, where = PictureLimits(**limits), Path(path)
    what = messages.clip(where.name)
    try:
        return _left(folder, folder_members(where, allowed), allowed, what, report)
    except OSError as reason:
        raise ReadError(f"The folder {what} cannot be read: {reason.strerror}.") from None


def given_pictures(
    folder: Path, report: Report, names: list[str], lengths: list[int], limits: Mapping[str, int]
) -> JsonObject:
    """Leave the pictures among some files, which lie one behind the other in ``GIVEN_FILE``."""
    return _left(folder, _given(folder, names, lengths), PictureLimits(**limits), "The list", report)


def leave_batch(folder: Path, report: Report, lengths: list[int], side: int) -> JsonObject:
    """Leave the pixels of some pictures, which lie one behind the other in ``GIVEN_FILE``."""
    shape = (len(lengths), side, side, 3)
    pixels = np.lib.format.open_memmap(folder / PIXELS_FILE, "w+", np.uint8, shape)
    with (folder / GIVEN_FILE).open("rb") as file:
        for row, length in enumerate(lengths):
            pixels[row] = as_pixels(file.read(length), side)
            report(row / len(lengths))
    return {}


def _given(folder: Path, names: list[str], lengths: list[int]) -> Iterator[Member]:
    ends = np.cumsum(lengths, dtype=np.int64).tolist()

    def opener(begin: int, length: int) -> Callable[[], io.BytesIO]:
        def opened() -> io.BytesIO:
            with (folder / GIVEN_FILE).open("rb") as file:
                file.seek(begin)
                return io.BytesIO(file.read(length))

        return opened

    for name, length, end in zip(names, lengths, ends, strict=True):
        yield Member(name, length, opener(end - length, length))


def _left(
    folder: Path,
    members: Iterator[Member],
    limits: PictureLimits,
    what: str,
    report: Report,
    packed: int | None = None,
) -> JsonObject:
    """Leave the contents of the pictures, their thumbnails, ids and labels; gives lengths and notes."""
    with (folder / CONTENTS_FILE).open("xb") as into:
        found = picture_files(members, limits, what, into, report, packed)
    np.save(folder / THUMBNAILS_FILE, found.thumbnails)
    table = TableLabels() if found.table is None else read_labels(*found.table, found.paths)
    paths = without_common_folder(found.paths)
    for role, values in (("ids", table.ids or ids_of(paths)), ("labels", table.labels or labels_of(paths))):
        if values is not None:
            leave_texts(folder, role, values)
    return {"lengths": found.lengths, "notes": (*found.notes, *table.notes)}
