"""Known pairs, non-matches and groups where nothing matches the rows: as lines of text, and as rows."""

import re
from collections.abc import Sequence

from relviz.errors import ParameterError
from relviz.readers.formulas import unmarked
from relviz.space import Space

Known = tuple[tuple[int, int], ...]
"""Rows of A and of B that are the same thing; or are known not to be."""
Groups = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
"""Rows of A, each of which is one of some rows of B."""

_ROW = re.compile(r"row (\d{1,9})")


def known_pairs(text: str, a: Space, b: Space) -> Known:
    """What lines of "name in A, name in B" mean: names are ids, items or, without either, row numbers from 1.

    ``row 5`` is the fifth row, where nothing is called so: for names with a comma in them, or not unique.

    Raises
    ------
    ParameterError
        If a line is no pair, a name is not there, or one is given twice.
    """
    found = non_matches(text, a, b)
    for side, known in zip((a, b), zip(*found, strict=True), strict=False):
        if len(set(known)) < len(known):
            raise ParameterError(f"An item of {side.name} is on two lines. Each can have one counterpart.")
    return found


def non_matches(text: str, a: Space, b: Space) -> Known:
    """What lines of "name in A, name in B" mean; as ``known_pairs``, but an item may be on several."""
    names_a, names_b = _names(a), _names(b)
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        parts = [part.strip() for part in re.split(r"\t|,", line)]
        if len(parts) != 2 or not all(parts):
            raise ParameterError(
                f"Line {number} is {line[:60]!r}: write two names, separated by a comma or a tab. For a "
                'name that contains a comma, write the row number: "row 5".'
            )
        found.append((_row(number, parts[0], names_a, a), _row(number, parts[1], names_b, b)))
    return tuple(found)


def groups(text: str, a: Space, b: Space) -> Groups:
    """What lines of "names in A | names in B" mean: each of these of A is one of those of B.

    Raises
    ------
    ParameterError
        If a line has no two lists, or a name is not there.
    """
    names_a, names_b = _names(a), _names(b)
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        sides = [[name for part in side.split(",") if (name := part.strip())] for side in line.split("|")]
        if len(sides) != 2 or not all(sides):
            raise ParameterError(
                f"Line {number} is {line[:60]!r}: write names of A, separated by commas, then a vertical "
                "bar, then names of B: one, two | uno, dos, tres"
            )
        left = tuple(_row(number, name, names_a, a) for name in sides[0])
        found.append((left, tuple(_row(number, name, names_b, b) for name in sides[1])))
    return tuple(found)


def _row(number: int, name: str, names: dict[str, int], space: Space) -> int:
    row = _row_of(name, names, len(space))
    if row is None:
        raise ParameterError(
            f"Line {number}: {space.name} has nothing called {name[:60]!r}. Names are ids or items, "
            f"such as {next(iter(names))[:60]!r}."
        )
    return row


def known_lines(known: Known, a: Space, b: Space) -> str:
    """The text that ``known_pairs`` reads as these rows."""
    names_a, names_b = _names(a), _names(b)
    return "\n".join(f"{_name_of(one, a, names_a)}, {_name_of(two, b, names_b)}" for one, two in known)


def checked_pairs(rows_a: Sequence[int], rows_b: Sequence[int], a: Space, b: Space) -> Known:
    """Rows of A and their counterparts in B; ParameterError if they are no pairs, missing, or given twice."""
    if len(rows_a) != len(rows_b):
        raise ParameterError(
            f"{len(rows_a)} rows of A and {len(rows_b)} of B are given as known pairs. Give equally many."
        )
    for rows, space in ((rows_a, a), (rows_b, b)):
        wrong = [row for row in rows if not 0 <= row < len(space)]
        if wrong:
            raise ParameterError(
                f"Row {wrong[0]} is in a known pair, but {space.name} has rows 0 to {len(space) - 1}."
            )
        if len(set(rows)) < len(rows):
            raise ParameterError(
                f"A row of {space.name} is in two known pairs. Each can have one counterpart."
            )
    return tuple(zip(rows_a, rows_b, strict=True))


def names_of(space: Space) -> Sequence[str]:
    """What a person knows the rows by: items, else ids, else numbers from 1."""
    return space.items or space.ids or [str(row) for row in range(1, len(space) + 1)]


def ids_of(space: Space) -> Sequence[str]:
    """Its ids, else the numbers of its rows from 1."""
    return space.ids if space.ids is not None else [str(row) for row in range(1, len(space) + 1)]


def _names(space: Space) -> dict[str, int]:
    """Row of each name; an id goes before an item, and the first of several rows before the others."""
    found: dict[str, int] = {}
    for names in (ids_of(space), space.items or ()):
        for row, name in enumerate(names):
            found.setdefault(str(name).strip(), row)
    return found


def _row_of(name: str, names: dict[str, int], rows: int) -> int | None:
    """The row that is called so, as it stands or as a csv of ours has it; else that of the number."""
    if name in names:
        return names[name]
    (bare,) = unmarked([name])
    if bare in names:
        return names[bare]
    number = _ROW.fullmatch(name)
    return int(number[1]) - 1 if number and 0 < int(number[1]) <= rows else None


def _name_of(row: int, space: Space, names: dict[str, int]) -> str:
    """A name that is read as this row, the one that says most first."""
    for one in (names_of(space)[row].strip(), ids_of(space)[row].strip()):
        if one and names.get(one) == row and not re.search(r"[\t,]", one) and len(one.splitlines()) == 1:
            return one
    number = f"row {row + 1}"
    while number in names:  # somebody's name
        number = number.replace("row ", "row 0")
    return number
