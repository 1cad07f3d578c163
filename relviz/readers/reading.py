"""What is done with a file in the process that reads it: looked at, or its parts left in a folder."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from importlib import import_module
from itertools import islice
from pathlib import Path

from relviz.compute.json_text import JsonObject
from relviz.errors import ReadError
from relviz.readers.choice import Holding, Wanted, choose
from relviz.readers.found import FORMATS
from relviz.readers.limits import Limits
from relviz.readers.roles import ROLES, checked_texts
from relviz.readers.source import Report, Source, opened

_SURVEYED = 0.4
"""Share of the work that is done when a file has been looked at."""
_VECTORS_READ = 0.9
_AT_ONCE = 65_536


def look(folder: Path, report: Report, path: str, filename: str, limits: Mapping[str, int]) -> JsonObject:
    """The ``Contents`` of a file, as JSON has it."""
    allowed = Limits(**limits)
    with opened(path, filename, allowed, folder, report) as file:
        holding = _survey(file, allowed)
        choice, reason = None, ""
        try:
            choice = choose(holding, Wanted(), allowed, file.name)
        except ReadError as refusal:
            reason = str(refusal)
    lengths = {part.shape[0] for part in holding.parts if part.kind != "other"}
    return {
        "format": holding.format,
        "rows": lengths.pop() if len(lengths) == 1 else None,
        "parts": [asdict(part) for part in holding.parts],
        "choice": None if choice is None else asdict(choice),
        "reason": reason,
    }


def load(
    folder: Path,
    report: Report,
    path: str,
    filename: str,
    wanted: JsonObject,
    limits: Mapping[str, int],
) -> JsonObject:
    """Leave the vectors and texts of a space in the folder; gives its ``Found`` and its name."""
    allowed = Limits(**limits)
    with opened(path, filename, allowed, folder, report) as file:
        file.stage(0.0, _SURVEYED)
        holding = _survey(file, allowed)
        found = choose(holding, Wanted(**wanted), allowed, file.name)
        file.stage(_SURVEYED, _VECTORS_READ)
        matrix, notes = holding.vectors(found.vectors)
        file.stage(_VECTORS_READ, 1.0)
        for role in ROLES:
            part = getattr(found, role)
            if part is not None:
                values, cut = checked_texts(holding.texts(part), role, part, allowed)
                leave_texts(folder, role, values)
                notes += cut
    found = replace(found, rows=len(matrix), notes=found.notes + notes)
    return {"found": asdict(found), "name": holding.name or file.stem}


def _survey(file: Source, limits: Limits) -> Holding:
    if file.suffix not in FORMATS:
        raise ReadError(
            f"relviz does not read {file.suffix or 'files without an ending'} ({file.name}); "
            f"it reads {', '.join(FORMATS)}."
        )
    file.check_beginning()
    reader = import_module(reader_of(file.suffix))
    found: Holding = reader.survey(file, limits)
    return found


def reader_of(suffix: str) -> str:
    """The module that reads files of an ending."""
    return f"relviz.readers.{FORMATS[suffix]}"


def leave_texts(folder: Path, name: str, values: Iterable[str]) -> None:
    """Write texts to a file of the folder, which ``left_texts`` reads; those that repeat are written once."""
    rest = iter(values)
    with _texts_path(folder, name).open("x", encoding="ascii", newline="\n") as file:
        while some := list(islice(rest, _AT_ONCE)):
            line: JsonObject = {"words": some}
            once = dict.fromkeys(some)
            if len(once) < len(some):
                place = {text: at for at, text in enumerate(once)}
                line = {"words": list(once), "rows": [place[text] for text in some]}
            file.write(json.dumps(line) + "\n")


def left_texts(folder: Path, name: str) -> list[str] | None:
    """The texts that were left under a name; None if there are none."""
    path = _texts_path(folder, name)
    if not path.exists():
        return None
    values: list[str] = []
    with path.open(encoding="ascii", newline="\n") as file:
        for line in map(json.loads, file):
            words = line["words"]
            values += [words[at] for at in line["rows"]] if "rows" in line else words
    return values


def _texts_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.texts"
