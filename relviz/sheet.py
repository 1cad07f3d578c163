"""A table as text: comma-separated values, Markdown and HTML. ``relviz.figures.latex_table`` has LaTeX."""

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

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
    """Column names, rows of texts, and what was measured how. The first ``words`` columns are texts.

    Attributes
    ----------
    ranked
        Where the best figure is looked for: in each of ``"columns"``, in each of ``"rows"``, or nowhere.
    apart
        Names of rows and columns that take no part, such as chance.
    lower
        Names of columns, or of rows, where less is better.
    short
        Shorter words for column names.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    words: int = 1
    ranked: str = ""
    apart: tuple[str, ...] = ()
    lower: tuple[str, ...] = ()
    short: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

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


def markdown(sheet: Sheet, marks: "Marks" = MappingProxyType({})) -> str:
    r"""The sheet as a Markdown table, the caption under it, the best and the second as ``marks`` says.

    >>> print(markdown(Sheet(("a", "b"), (("x|y", "1"),), "c")), end="")
    | a | b |
    |---|---:|
    | x\|y | 1 |
    <BLANKLINE>
    c
    """
    rule = "|" + "---|" * sheet.words + "---:|" * (len(sheet.head) - sheet.words)
    forms = {"best": "**{}**", "second": "<u>{}</u>"}
    lines = [_line(map(_marked_down, sheet.head)), rule]
    for at, row in enumerate(sheet.rows):
        cells = (forms.get(marks.get((at, n), ""), "{}").format(_marked_down(c)) for n, c in enumerate(row))
        lines.append(_line(cells))
    return "\n".join([*lines, "", _marked_down(sheet.caption)]) + "\n"


Marks = Mapping[tuple[int, int], str]
"""Cells, by row and column, that are the ``"best"`` or the ``"second"``."""


def html_table(sheet: Sheet, marks: Marks = MappingProxyType({})) -> str:
    """The sheet as an HTML table, which needs no style.

    >>> print(html_table(Sheet(("a", "b"), (("x<y", "1"),), "c")), end="")
    <table>
    <caption>c</caption>
    <thead><tr><th align="left">a</th><th align="right">b</th></tr></thead>
    <tbody>
    <tr><td align="left">x&lt;y</td><td align="right">1</td></tr>
    </tbody>
    </table>
    """
    forms = {"best": "<b>{}</b>", "second": "<u>{}</u>"}

    def line(tag: str, cells: Sequence[str]) -> str:
        sides = ("left" if at < sheet.words else "right" for at in range(len(cells)))
        parts = (f'<{tag} align="{side}">{cell}</{tag}>' for side, cell in zip(sides, cells, strict=True))
        return f"<tr>{''.join(parts)}</tr>"

    head = line("th", [html.escape(name) for name in sheet.head])
    rows = [
        line(
            "td", [forms.get(marks.get((at, n), ""), "{}").format(html.escape(c)) for n, c in enumerate(row)]
        )
        for at, row in enumerate(sheet.rows)
    ]
    caption = f"<caption>{html.escape(sheet.caption)}</caption>"
    parts = ["<table>", caption, f"<thead>{head}</thead>", "<tbody>", *rows, "</tbody>", "</table>"]
    return "\n".join(parts) + "\n"


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _marked_down(text: str) -> str:
    """A text that Markdown shows letter by letter, on one line: names come from files."""
    return re.sub(r"[\\`*\[\]<>|]", r"\\\g<0>", " ".join(text.split()))
