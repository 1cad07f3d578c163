"""Texts that a spreadsheet would compute instead of showing: marked in what we write, unmarked when read.

Names come from files, and a spreadsheet computes a cell of a .csv that begins like a formula, whoever wrote
it, with all that formulas may do: ask a server, start a program. An apostrophe before it is the usual mark
of a text (OWASP, "CSV injection").
"""

import re
from collections.abc import Sequence

_BEGIN = re.compile(r"[\t\r\n]|\s*[=+\-@＝＋－＠]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?( ± [\d.]+)?", re.ASCII | re.IGNORECASE)
MARK = "'"


def is_formula(text: str) -> bool:
    """Whether a spreadsheet may take a text for something to be computed.

    Numbers with a sign are none, nor what has no letter and no digit: it can call nothing and name no cell.

    >>> [text for text in ("=A1", "-hello", "-1.5", "-0.1 ± 0.2", "-", "=)", "a=b") if is_formula(text)]
    ['=A1', '-hello']
    """
    if not _BEGIN.match(text) or _NUMBER.fullmatch(text):
        return False
    return any(map(str.isalnum, text))


def marked(text: str) -> str:
    """A text for a cell that no spreadsheet computes; ``unmarked`` gives it back.

    >>> marked("=A1"), marked("'=A1"), marked("=)")
    ("'=A1", "''=A1", '=)')
    """
    return MARK + text if is_formula(text.lstrip(MARK)) else text


def unmarked(texts: Sequence[str]) -> list[str]:
    """The texts that ``marked`` made a column of; any other column as it is.

    A column with a formula that has no mark was not written so, and an apostrophe in it is part of a name.

    >>> unmarked(["'=A1", "it's"]), unmarked(["'-x", "-x"])
    (['=A1', "it's"], ["'-x", '-x'])
    """
    if any(map(is_formula, texts)):
        return list(texts)
    return [text[1:] if text[:1] == MARK and is_formula(text.lstrip(MARK)) else text for text in texts]
