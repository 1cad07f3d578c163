"""The form that a table is printed in: which rows and columns, which way round, decimals, the best."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from relviz.errors import ParameterError
from relviz.plotting.drawing import renamed
from relviz.sheet import Marks, Sheet

_FIGURE = re.compile(r"([−-]?)(\d[\d,]*)(\.\d+)?(%?)(?: ± (\d[\d,]*(?:\.\d+)?)(%?))?")
"""A number, maybe with its spread."""
MINUS = "−"


@dataclass(frozen=True)
class Form:
    """How a table is printed.

    Attributes
    ----------
    rows, columns
        Those to print, in this order, by any part of their names; empty for all. The first column stays.
    transposed
        Columns become rows.
    short
        Columns have their short names.
    decimals
        After the point; -1 for as many as most figures of a column have.
    marked
        The best is bold, the second underlined.
    """

    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    transposed: bool = False
    short: bool = False
    decimals: int = -1
    marked: bool = True


def sheet_with_names(sheet: Sheet, names: Mapping[str, str]) -> Sheet:
    """A table in which spaces and classes have other names than their own."""
    if not names:
        return sheet
    rows = tuple(tuple(renamed(cell, names) for cell in row) for row in sheet.rows)
    head = tuple(renamed(name, names) for name in sheet.head)
    return replace(sheet, head=head, rows=rows, caption=renamed(sheet.caption, names))


def formed(sheet: Sheet, form: Form) -> tuple[Sheet, Marks]:
    """The table in its form, and which of its cells are the best and the second.

    Raises
    ------
    ParameterError
        If a row or column that is asked for is not there.
    """
    rows = _chosen([row[0] for row in sheet.rows], form.rows, "row")
    columns = list(range(len(sheet.head)))
    if form.columns:
        named = _chosen(sheet.head[sheet.words :], form.columns, "column")
        columns = [*range(sheet.words), *(sheet.words + at for at in named)]
    head = [sheet.head[at] for at in columns]
    body = [[sheet.rows[row][at] for at in columns] for row in rows]
    even = [
        _even([row[at] for row in body], form.decimals) if at >= sheet.words else [row[at] for row in body]
        for at in range(len(head))
    ]
    body = [list(row) for row in zip(*even, strict=True)] if body else []
    less = replace(sheet, head=tuple(head), rows=tuple(map(tuple, body)))
    marks = _marks(less) if form.marked else {}
    if form.short:
        less = with_short_names(less)
    if not form.transposed:
        return less, marks
    if sheet.words != 1:
        raise ParameterError(f"This table has {sheet.words} columns of words and cannot be transposed.")
    turned = [[name, *(row[at] for row in less.rows)] for at, name in enumerate(less.head) if at]
    new = (less.head[0] if not less.rows else "", *(row[0] for row in less.rows))
    return replace(less, head=new, rows=tuple(map(tuple, turned))), {
        (column - 1, row + 1): mark for (row, column), mark in marks.items()
    }


def with_short_names(sheet: Sheet) -> Sheet:
    """The table with the short names of its columns and rows."""
    rows = tuple((sheet.short.get(row[0], row[0]), *row[1:]) for row in sheet.rows)
    return replace(sheet, head=tuple(sheet.short.get(name, name) for name in sheet.head), rows=rows)


def value_of(cell: str) -> float | None:
    """The number that a cell says, without its spread.

    >>> value_of("0.64 ± 0.02"), value_of("−3"), value_of("1,906"), value_of("–")
    (0.64, -3.0, 1906.0, None)
    """
    found = _FIGURE.fullmatch(cell.strip())
    if found is None:
        return None
    sign, whole, part = found[1], found[2].replace(",", ""), found[3] or ""
    return float(f"{'-' if sign else ''}{whole}{part}")


def _chosen(names: Sequence[str], asked: Sequence[str], what: str) -> list[int]:
    if not asked:
        return list(range(len(names)))
    found = []
    for one in asked:
        exact = [at for at, name in enumerate(names) if name.lower() == one.lower()]
        places = exact or [at for at, name in enumerate(names) if one.lower() in name.lower()]
        if not places:
            raise ParameterError(f"The table has no {what} {one[:40]!r}; it has {', '.join(names)}.")
        found += [at for at in places if at not in found]
    return found


def _even(cells: Sequence[str], decimals: int) -> list[str]:
    """Figures with as many decimals each, and real minus signs; a small one is not rounded to zero.

    >>> _even(["0.640 ± 0.020", "0.0002", "-0.125", "–", "12 items"], -1)
    ['0.640 ± 0.020', '< 0.001', '−0.125', '–', '12 items']
    """
    found = [_FIGURE.fullmatch(cell.strip()) for cell in cells]
    parts = [len(one[3]) - 1 for one in found if one is not None and one[3]]
    if not parts:
        return [_signed(cell, one is not None) for cell, one in zip(cells, found, strict=True)]
    usual = Counter(parts).most_common(1)[0][0] if decimals < 0 else decimals
    return [
        cell if one is None else _rounded(one, usual if one[3] else 0)
        for cell, one in zip(cells, found, strict=True)
    ]


def _signed(cell: str, number: bool) -> str:
    return cell.replace("-", MINUS) if number else cell


def _rounded(found: "re.Match[str]", decimals: int) -> str:
    sign, whole, part, percent, spread, of_spread = found.groups()
    if part is None or len(part) - 1 <= decimals:
        return found[0].replace("-", MINUS)
    value = float(whole.replace(",", "") + part)
    least = 10**-decimals
    if 0 < value < least / 2:
        text = f"< {least:.{decimals}f}"
        return f"{text}{percent}"
    text = f"{MINUS if sign else ''}{value:,.{decimals}f}{percent}"
    if spread is None:
        return text
    return f"{text} ± {float(spread.replace(',', '')):,.{decimals}f}{of_spread}"


def _marks(sheet: Sheet) -> Marks:
    apart = set(sheet.apart)
    rows = [at for at, row in enumerate(sheet.rows) if row[0] not in apart]
    columns = [at for at, name in enumerate(sheet.head) if at >= sheet.words and name not in apart]
    marks: dict[tuple[int, int], str] = {}
    if sheet.ranked == "columns":
        for column in columns:
            cells = {(row, column): sheet.rows[row][column] for row in rows}
            marks |= _ranked(cells, sheet.head[column] in sheet.lower)
    if sheet.ranked == "rows":
        for row in rows:
            cells = {(row, column): sheet.rows[row][column] for column in columns}
            marks |= _ranked(cells, sheet.rows[row][0] in sheet.lower)
    return marks


def _ranked(cells: Mapping[tuple[int, int], str], lower: bool) -> Marks:
    """The best and the second as they are printed; equal ones are marked alike."""
    values = {at: value for at, cell in cells.items() if (value := value_of(cell)) is not None}
    steps = sorted(set(values.values()), reverse=not lower)
    if len(values) < 2 or len(steps) < 2:
        return {}
    marks = {at: "best" for at, value in values.items() if value == steps[0]}
    if len(values) > 2 and len(marks) == 1:
        marks |= {at: "second" for at, value in values.items() if value == steps[1]}
    return marks
