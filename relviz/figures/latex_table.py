r"""A table in LaTeX that fits the width it is given; it needs the package booktabs, and siunitx if asked for.

Letters become smaller, column names go on in further lines, then columns go on below, until the table is no
wider than the column. Widths are those of Times and Computer Modern, the wider of the two.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from matplotlib.font_manager import FontProperties, fontManager, get_font

from relviz.figures.table_form import Form, formed, with_short_names
from relviz.latex import in_latex
from relviz.plotting.venues import MM_IN_POINT, VENUES, Venue
from relviz.sheet import Marks, Sheet

SMALLEST = 7.0
"""Points of letters in a table, at least, where its venue does not begin with less."""
GAPS = (6.0, 4.0, 3.0)
"""Points on each side of a column."""
WORDS = 0.3
"""Share of the width that columns of words keep at least where they go on in further lines."""
TALLEST = 480.0
"""Points down a page that a table in one of two columns may take; a taller one spans both."""
SAFETY = 1.02
UNDERSCORE = 0.7
"""Of the size of letters; Latin Modern, which XeLaTeX and LuaLaTeX use, has a wide one."""
FONTS = ("STIXGeneral", "cmr10")
OPTICAL = ((5, 6, 7, 8, 9, 10, 12), (1.361, 1.222, 1.138, 1.062, 1.028, 1.0, 0.979))
"""Sizes of Computer Modern, and how wide their digits are in those of 10 points."""
_SPREAD = re.compile(r"(.*\d) ± (\d[\d.]*)")


@dataclass(frozen=True)
class Setting:
    """Where a table stands.

    Attributes
    ----------
    width
        In mm, that it must not exceed.
    venue
        Its letters, columns, and whether captions stand above.
    label
        What ``\\ref`` calls it; empty for none.
    siunitx
        Whether columns of figures are aligned by siunitx.
    """

    width: float = VENUES[""].text
    venue: Venue = VENUES[""]
    label: str = ""
    siunitx: bool = False


@dataclass(frozen=True)
class _Layout:
    size: float
    gap: float
    heads: list[list[str]]
    words: list[float]
    """Width in points of each column of words; 0 for as wide as it is."""
    blocks: list[list[int]]


def latex(sheet: Sheet, setting: Setting = Setting(), marks: Marks = {}) -> str:  # noqa: B006
    """The table as a float: ``table*`` where it spans both columns of a page that has two.

    >>> print(latex(Sheet(("a", "b"), (("x", "−1"),), "c"), Setting(label="tab:x")), end="")
    \\begin{table*}[t]
    \\centering
    \\sloppy
    \\caption{c}
    \\label{tab:x}
    \\fontsize{9}{10.8}\\selectfont
    \\setlength{\\tabcolsep}{6pt}
    \\begin{tabular}{@{}lr@{}}
    \\toprule
    a & b \\\\
    \\midrule
    x & $-$1 \\\\
    \\bottomrule
    \\end{tabular}
    \\end{table*}
    """
    venue = setting.venue
    room = setting.width / MM_IN_POINT
    found = _layout(sheet, room, venue)
    if len(found.blocks) > 1 and sheet.short:
        sheet = with_short_names(sheet)
        found = _layout(sheet, room, venue)
    wide = setting.width
    if venue.column < venue.text and not venue.spans(wide) and _tall(sheet, found) > TALLEST:
        wide = venue.text  # in one column it would fit no page
        found = _layout(sheet, wide / MM_IN_POINT, venue)
    about = [rf"\caption{{{_breakable(in_latex(sheet.caption))}}}"] if sheet.caption else []
    about += [rf"\label{{{setting.label}}}"] if setting.label else []
    body = [rf"\fontsize{{{found.size:g}}}{{{found.size * 1.2:g}}}\selectfont"]
    body += [rf"\setlength{{\tabcolsep}}{{{found.gap:g}pt}}"]
    for at, block in enumerate(found.blocks):
        body += [r"\\[1ex]"] if at else []
        body += _tabular(sheet, found, block, marks, setting.siunitx)
    kind = "table*" if venue.spans(wide) else "table"
    parts = [*about, *body] if venue.above else [*body, r"\normalsize", *about]
    return "\n".join([rf"\begin{{{kind}}}[t]", r"\centering", r"\sloppy", *parts, rf"\end{{{kind}}}"]) + "\n"


def latex_as_formed(sheet: Sheet, setting: Setting = Setting(), form: Form = Form()) -> str:  # noqa: B008
    """The table in a form, as ``latex`` has it."""
    less, marks = formed(sheet, form)
    return latex(less, setting, marks)


def _tabular(sheet: Sheet, found: _Layout, block: Sequence[int], marks: Marks, siunitx: bool) -> list[str]:
    columns = [*range(sheet.words), *block]
    figures = {at: _siunitx([row[at] for row in sheet.rows]) if siunitx else "" for at in block}
    form = "l" * sheet.words + "".join(figures[at] or "r" for at in block)
    head = [_head(found.heads[at], at < sheet.words, bool(figures.get(at))) for at in columns]
    lines = []
    for number, row in enumerate(sheet.rows):
        cells = []
        for at in columns:
            if at < sheet.words:
                cells.append(_words(row[at], found.words[at], found.size))
            elif figures[at]:
                cells.append(_aligned(row[at], marks.get((number, at), "")))
            else:
                cells.append(_figure(row[at], marks.get((number, at), "")))
        lines.append(" & ".join(cells) + r" \\")
    return [
        rf"\begin{{tabular}}{{@{{}}{form}@{{}}}}",
        r"\toprule",
        " & ".join(head) + r" \\",
        r"\midrule",
        *lines,
        r"\bottomrule",
        r"\end{tabular}",
    ]


def _words(text: str, width: float, size: float) -> str:
    escaped = in_latex(text)
    if not width or _wide(text, size) <= width:
        return escaped
    return rf"\parbox[t]{{{width:.1f}pt}}{{\raggedright {_breakable(escaped)}\strut}}"


def _head(lines: Sequence[str], left: bool, braced: bool) -> str:
    escaped = [in_latex(line) for line in lines]
    if len(escaped) < 2:
        text = escaped[0] if escaped else ""
        return f"{{{text}}}" if braced else text
    stack = (
        rf"\begin{{tabular}}[b]{{@{{}}{'l' if left else 'r'}@{{}}}}"
        + r" \\ ".join(escaped)
        + r"\end{tabular}"
    )
    return f"{{{stack}}}" if braced else stack


_LOOKS = {"best": r"\textbf{%s}", "second": r"\underline{%s}", "": "%s"}


def _figure(text: str, mark: str) -> str:
    spread = _SPREAD.fullmatch(text)
    if spread is None:
        return _LOOKS[mark] % in_latex(text)
    return f"{_LOOKS[mark] % in_latex(spread[1])} {in_latex('± ' + spread[2])}"


def _siunitx(cells: Sequence[str]) -> str:
    """The column of a table of siunitx; empty where cells are no figures."""
    plain = [_SPREAD.fullmatch(cell) for cell in cells]
    values = [found[1] if found else cell for found, cell in zip(plain, cells, strict=True)]
    numbers = [value for value in values if re.fullmatch(r"[−-]?\d+(\.\d+)?", value)]
    if not numbers:
        return ""
    whole = max(len(number.lstrip("−-").partition(".")[0]) for number in numbers)
    part = max(len(number.partition(".")[2]) for number in numbers)
    sign = "-" if any(number[0] in "−-" for number in numbers) else ""
    spreads = [found[2] for found in plain if found]
    spread = f"({max(len(_digits(one)) for one in spreads)})" if spreads else ""
    apart = ", separate-uncertainty" if spreads else ""
    return f"S[table-format={sign}{whole}.{part}{spread}{apart}]"


def _aligned(text: str, mark: str) -> str:
    """A cell of siunitx: what is marked or no figure stands in braces."""
    spread = _SPREAD.fullmatch(text)
    value = (spread[1] if spread else text).replace("−", "-")
    if mark or not re.fullmatch(r"-?\d+(\.\d+)?", value):
        return f"{{{_figure(text, mark)}}}"
    return f"{value}({_digits(spread[2])})" if spread else value


def _digits(spread: str) -> str:
    return spread.replace(".", "").lstrip("0") or "0"


def _breakable(escaped: str) -> str:
    """Long words may be broken at the signs that names of files and models have."""
    return re.sub(
        r"[A-Za-z0-9._/\\-]{18,}",
        lambda found: re.sub(r"([/._-])(?=\w)", r"\1\\allowbreak{}", found[0]),
        escaped,
    )


def _layout(sheet: Sheet, room: float, venue: Venue) -> _Layout:
    """The largest letters with which the table fits; if there are none, with its columns in blocks."""
    least = min(SMALLEST, venue.table)
    sizes = [size for size in (venue.table, venue.table - 1, venue.table - 2) if size >= least]
    made = []
    for wrap in (False, True):
        for size, gap in ((size, gap) for size in sizes for gap in GAPS):
            heads, figures = _columns(sheet, size, wrap)
            widths = [_natural(sheet, at, size) for at in range(sheet.words)]
            taken = sum(figures) + 2 * gap * (len(sheet.head) - 1)
            left = room - taken
            if sum(widths) <= left:
                return _Layout(size, gap, heads, [0.0] * sheet.words, [_rest(sheet)])
            if wrap and left >= WORDS * room:
                return _Layout(size, gap, heads, _shared(widths, left), [_rest(sheet)])
            made.append((size, gap, heads, figures, widths))
    size, gap, heads, figures, widths = made[-1]
    words = [0.0] * sheet.words if sum(widths) <= WORDS * room else _shared(widths, WORDS * room)
    free = room - min(sum(widths), WORDS * room) - 2 * gap * (sheet.words - 1)
    blocks: list[list[int]] = [[]]
    taken = 0.0
    for at, wide in enumerate(figures, sheet.words):
        if blocks[-1] and taken + wide + 2 * gap > free:
            blocks.append([])
            taken = 0.0
        blocks[-1].append(at)
        taken += wide + 2 * gap
    return _Layout(size, gap, heads, words, blocks)


def _tall(sheet: Sheet, found: _Layout) -> float:
    """Points that the table takes down a page, without its caption."""
    rows = 0
    for row in sheet.rows:
        lines = [
            -(-_wide(row[at], found.size) // found.words[at]) if found.words[at] else 1
            for at in range(sheet.words)
        ]
        rows += int(max(lines, default=1))
    heads = sum(max(len(found.heads[at]) for at in [*range(sheet.words), *block]) for block in found.blocks)
    return found.size * 1.2 * (rows * len(found.blocks) + heads + 1.5 * len(found.blocks))


def _rest(sheet: Sheet) -> list[int]:
    return list(range(sheet.words, len(sheet.head)))


def _shared(widths: Sequence[float], room: float) -> list[float]:
    """Room for columns of words: what fits an even share keeps its width, the others have the rest."""
    each = room / len(widths)
    small = [width for width in widths if width <= each]
    rest = (room - sum(small)) / max(1, len(widths) - len(small))
    return [0.0 if width <= each else rest for width in widths]


def _columns(sheet: Sheet, size: float, wrap: bool) -> tuple[list[list[str]], list[float]]:
    """Column names in their lines, and the widths in points of the columns of figures."""
    heads, widths = [], []
    for at, name in enumerate(sheet.head):
        cells = max((_wide(row[at], size, bold=True) for row in sheet.rows), default=0.0)
        lines = [name]
        if wrap:
            least = max([cells, *(_wide(word, size) for word in name.split())])
            lines = _wrapped(name, least, size)
        heads.append(lines)
        if at >= sheet.words:
            widths.append(max([cells, *(_wide(line, size) for line in lines)]))
    return heads, widths


def _natural(sheet: Sheet, at: int, size: float) -> float:
    return max(_wide(row[at], size) for row in (sheet.head, *sheet.rows))


def _wrapped(text: str, width: float, size: float) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        if lines and _wide(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]


def _wide(text: str, size: float, bold: bool = False) -> float:
    """Width in points of TeX, of bold letters a little more."""
    return (
        max(sum(_advance(sign, font) for sign in text) * _optical(font, size) for font in FONTS)
        * size
        * SAFETY
        * (1.06 if bold else 1.0)
    )


def _optical(family: str, size: float) -> float:
    """How much wider the small sizes of Computer Modern are than its letters of 10 points."""
    return float(np.interp(size, *OPTICAL)) if family == "cmr10" else 1.0


@cache
def _advance(sign: str, family: str) -> float:
    if sign == "_":
        return UNDERSCORE
    font = get_font(str(fontManager.findfont(FontProperties(family=family))))
    if not font.get_char_index(ord(sign)):
        return 0.78 if not sign.isascii() else 0.5
    font.set_size(1000, 72)
    return float(font.load_char(ord(sign)).linearHoriAdvance) / 65536 / 1000
