"""A table as text: comma-separated values, Markdown and LaTeX."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from relviz.latex import in_latex
from relviz.names import Cell
from relviz.readers.formulas import marked


def csv_text(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A head and rows as a csv; a text that a spreadsheet would compute has an apostrophe before it.

    >>> print(csv_text(("a", "b"), [(1, -0.5), ("x,y", None), ("=A1", "-")]), end="")
    a,b
    1,-0.5
    "x,y",
    '=A1,-
    """
    return "".join(",".join(map(_cell, row)) + "\n" for row in (head, *rows))


def columns_csv(columns: Mapping[str, Sequence[object]]) -> str:
    """Columns of equal length as a csv.

    >>> print(columns_csv({"a": [1, 2], "b": [0.5, None]}), end="")
    a,b
    1,0.5
    2,
    """
    return csv_text(columns, zip(*columns.values(), strict=True))


def written(value: object) -> str:
    """A value in full: NaN and None as nothing.

    >>> written(0.1), written(np.float32(0.5)), written(float("nan"))
    ('0.1', '0.5', '')
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or (isinstance(value, float) and value != value):
        return ""
    return repr(value) if isinstance(value, float) else str(value)


def _cell(value: object) -> str:
    # Python's own writer leaves a carriage return bare where lines end without one, and some readers begin a
    # row there.
    text = marked(value) if isinstance(value, str) else written(value)
    return '"' + text.replace('"', '""') + '"' if any(sign in text for sign in ',"\r\n') else text


@dataclass(frozen=True)
class Sheet:
    """Column names, rows of texts, and what was measured how. The first ``words`` columns are texts."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    words: int = 1

    def dicts(self) -> list[dict[str, str]]:
        """Each row by column names."""
        return [dict(zip(self.head, row, strict=True)) for row in self.rows]


def records_csv(records: Sequence[Mapping[str, Cell]]) -> str:
    """Flat records as a csv, every figure unrounded.

    >>> print(records_csv([{"a": 1, "b": None}]), end="")
    a,b
    1,
    """
    head = list(records[0])
    return csv_text(head, ([record[name] for name in head] for record in records))


def sheet_csv(sheet: Sheet) -> str:
    """The sheet as a csv.

    >>> print(sheet_csv(Sheet(("a", "b"), (("x", "1"),))), end="")
    a,b
    x,1
    """
    return csv_text(sheet.head, sheet.rows)


def markdown(sheet: Sheet) -> str:
    r"""The sheet as a Markdown table, the caption under it.

    >>> print(markdown(Sheet(("a", "b"), (("x|y", "1"),), "c")), end="")
    | a | b |
    |---|---:|
    | x\|y | 1 |
    <BLANKLINE>
    c
    """
    rule = "|" + "---|" * sheet.words + "---:|" * (len(sheet.head) - sheet.words)
    lines = [_line(sheet.head), rule, *(_line(row) for row in sheet.rows)]
    return "\n".join([*lines, "", _marked_down(sheet.caption)]) + "\n"


def latex(sheet: Sheet) -> str:
    """The sheet as a LaTeX table; it needs the package booktabs."""
    columns = "l" * sheet.words + "r" * (len(sheet.head) - sheet.words)
    body = [" & ".join(map(in_latex, row)) + r" \\" for row in (sheet.head, *sheet.rows)]
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        body[0],
        r"\midrule",
        *body[1:],
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{in_latex(sheet.caption)}}}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(_marked_down, cells)) + " |"


def _marked_down(text: str) -> str:
    """A text that Markdown shows letter by letter, on one line: names come from files."""
    return re.sub(r"[\\`*\[\]<>|]", r"\\\g<0>", " ".join(text.split()))
