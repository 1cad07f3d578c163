"""A table among the pictures, labels.csv or metadata.csv, that gives them labels and ids by file name."""

import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from relviz.errors import ReadError
from relviz.items.columns import called, exactly
from relviz.items.paths import path_inside, without_ending
from relviz.readers import csv, messages
from relviz.readers.choice import Holding
from relviz.readers.limits import Limits
from relviz.readers.roles import checked_texts
from relviz.readers.source import opened

TABLE_LIMITS = Limits(file=2**25, memory=2**26, rows=200_000)
NO_LABEL = "(no label)"
"""The label of pictures that the table does not name."""

_TABLES = ("labels.csv", "metadata.csv")
_FILE_COLUMNS = ("file_name", "filename", "file", "path", "image", "picture", "name", "id")


@dataclass(frozen=True)
class TableLabels:
    """What a table says of pictures; ids and labels are None where it has none that fit."""

    ids: list[str] | None = None
    labels: list[str] | None = None
    notes: tuple[str, ...] = ()


def find_table(paths: Iterable[str]) -> str | None:
    """The path of the table, the one in the fewest folders."""
    tables = [path for path in paths if path.lower().split("/")[-1] in _TABLES]
    return min(tables, key=lambda path: (path.count("/"), path), default=None)


def read_labels(table: str, content: bytes, paths: Sequence[str]) -> TableLabels:
    """What a table says of the pictures of those paths; a note says so, or why it could not be used."""
    try:
        with opened(io.BytesIO(content), table, TABLE_LIMITS) as file:
            return _labels_in(csv.survey(file, TABLE_LIMITS, of_texts=True), table, paths)
    except ReadError as reason:
        return TableLabels(notes=(f"{messages.quote(table)} was not used: {reason}",))


def _labels_in(holding: Holding, table: str, paths: Sequence[str]) -> TableLabels:
    columns = [part for part in holding.parts if part.kind in ("text", "number")]
    files = next((name for known in _FILE_COLUMNS for name in exactly(known, columns)), None)
    if files is None:
        raise ReadError(f"it has no column of file names, such as {_FILE_COLUMNS[0]}.")
    rest = [part for part in columns if part.name != files]
    roles = {role: next(called(role, rest), None) for role in ("ids", "labels")}
    TABLE_LIMITS.check_rows(columns[0].shape[0], "it has too many rows")
    rows = _rows(table, paths, holding.texts(files))
    missing = sum(row is None for row in rows)
    if missing == len(rows):
        raise ReadError(f"no file name in its column {messages.quote(files)} is that of an image.")
    values: dict[str, list[str] | None] = {"ids": None, "labels": None}
    notes = []
    for role, column in roles.items():
        if column is None:
            continue
        cells, _ = checked_texts(holding.texts(column), role, column, TABLE_LIMITS)
        of_pictures = [NO_LABEL if row is None else cells[row] for row in rows]
        if role == "ids" and (missing or len(set(of_pictures)) < len(of_pictures)):
            notes.append(
                f"column {messages.quote(column)} of {messages.quote(table)} is not an id for every image"
            )
            continue
        values[role] = of_pictures
        notes.append(f"{role} from column {messages.quote(column)} of {messages.quote(table)}")
    if missing:
        notes.append(f"{messages.plural(missing, 'image')} not named in {messages.quote(table)}")
    return TableLabels(values["ids"], values["labels"], tuple(notes))


def _rows(table: str, paths: Sequence[str], cells: Sequence[str]) -> list[int | None]:
    """The row of the table that names each picture: by path from the table on, else by the name alone."""
    named: dict[str, int] = {}
    for row, cell in enumerate(cells):
        named.setdefault(path_inside(cell.strip()) or "", row)
    own_folder = table[: -len(table.split("/")[-1])]
    below = [path.removeprefix(own_folder) for path in paths]
    alone = [path.split("/")[-1] for path in paths]
    keys = (below, _bare(below), _if_unique(alone), _if_unique(_bare(alone)))
    return [_first(named, candidates) for candidates in zip(*keys, strict=True)]


def _bare(paths: Sequence[str]) -> list[str]:
    return [without_ending(path) for path in paths]


def _if_unique(names: Sequence[str]) -> list[str]:
    times = Counter(names)
    return [name if times[name] == 1 else "" for name in names]


def _first(named: Mapping[str, int], keys: Iterable[str]) -> int | None:
    return next((named[key] for key in keys if key and key in named), None)
