"""How every print figure looks: sizes, letters, and files that are the same to the byte each time."""

import io
import re
import threading
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import matplotlib.style
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager, get_font

from relviz.errors import ParameterError
from relviz.plotting.drawing import FAMILY as FAMILY
from relviz.plotting.drawing import LETTER as LETTER
from relviz.plotting.drawing import SMALL as SMALL
from relviz.plotting.drawing import TEXT as TEXT
from relviz.plotting.drawing import drawing
from relviz.plotting.svg_fonts import with_fonts
from relviz.plotting.venues import VENUES

WIDTHS = VENUES[""].widths
"""Millimeters that a figure takes in a paper: one column, or both."""
NARROWEST, WIDEST = 60.0, 900.0
LEAST = 50.0
"""Millimeters that a layout needs at letters of 7 points."""
MM = 1 / 25.4
"""Inches in a millimeter."""
DPI = 400
"""Of what is made of dots within a PDF or SVG."""
PNG_DPI = 300
"""Of a PNG: twice what a screen shows at the printed size and a usual zoom."""
FORMATS = ("pdf", "svg", "png")
INK, FAINT = "#222222", "#8C8C8C"

Look = dict[str, Any]
"""Settings of matplotlib, by their names."""
_LOOK: Look = {
    "font.family": "sans-serif",
    "font.sans-serif": [FAMILY, "Verdana", "Arial"],
    "font.size": TEXT,
    "text.parse_math": False,  # names of classes and items may have dollars
    "text.color": INK,
    "axes.titlesize": TEXT,
    "axes.labelsize": TEXT,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "axes.linewidth": 0.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": True,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.major.width": 0.5,
    "ytick.major.width": 0.5,
    "xtick.major.size": 2.0,
    "ytick.major.size": 2.0,
    "lines.linewidth": 1.2,
    "lines.markersize": 3.0,
    "legend.fontsize": TEXT,
    "legend.frameon": False,
    "image.interpolation": "nearest",
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "relviz",
    "savefig.facecolor": "white",
    "figure.facecolor": "white",
}
_LOCK = threading.RLock()


@contextmanager
def styled() -> Iterator[None]:
    """The look of print figures, for drawing and for saving; by one thread at a time.

    The settings of matplotlib are those of the process.
    """
    with _LOCK, matplotlib.style.context(["default", _LOOK, _chosen()]):
        yield


_SIZES = (
    *("font.size", "axes.titlesize", "axes.labelsize", "xtick.labelsize", "ytick.labelsize"),
    *("legend.fontsize", "axes.linewidth", "lines.linewidth", "lines.markersize"),
    *("xtick.major.width", "ytick.major.width", "xtick.major.size", "ytick.major.size"),
)
"""Settings of the look that are points."""


def _chosen() -> Look:
    """The settings of the drawing that is going on."""
    now = drawing()
    sizes = {name: printed(_LOOK[name]) for name in _SIZES}
    return {**sizes, "font.sans-serif": list(dict.fromkeys([now.family, *_LOOK["font.sans-serif"]]))}


def printed(size: float) -> float:
    """The size that letters of the layout's ``size`` are printed with."""
    return size * drawing().scale


def check_width(width: float) -> float:
    """The width in mm; ParameterError if no paper has it."""
    if not NARROWEST <= width <= WIDEST:
        raise ParameterError(
            f"A figure {width:g} mm wide does not fit a page; give {NARROWEST:g} to {WIDEST:g} mm, or one or "
            f"two columns ({WIDTHS['one']:g} and {WIDTHS['two']:g} mm)."
        )
    if width < LEAST * drawing().scale:
        raise ParameterError(
            f"Letters of {printed(TEXT):g} pt need a figure {LEAST * drawing().scale:.0f} mm wide or wider; "
            f"this one is {width:g} mm."
        )
    return float(width)


def rendered(
    figure: Figure, form: str, about: str = "", dpi: int | None = None, paths: bool = False
) -> bytes:
    """A figure as a file of a format: the same bytes for the same figure.

    Parameters
    ----------
    form
        One of ``FORMATS``. Text stays text; what is made of dots has ``dpi``, 400 in PDF and SVG.
    about
        What the file says of itself, for programs that list files: the caption.
    paths
        Whether letters of an SVG are shapes; else they are text, and its fonts are in the file.

    Raises
    ------
    ParameterError
        If there is no such format.
    """
    if form not in FORMATS:
        raise ParameterError(f"Figures are saved as {', '.join(FORMATS)}; {form[:20]!r} is none of these.")
    # No dates, and no versions: they would change the bytes.
    description = about or None
    metadata: Look = {
        "pdf": {"CreationDate": None, "Creator": "relviz", "Producer": None, "Subject": description},
        "svg": {"Date": None, "Creator": "relviz", "Description": description},
        "png": {"Software": None} | ({"Description": description} if description else {}),
    }[form]
    raw = io.BytesIO()
    with styled():
        matplotlib.rcParams["svg.fonttype"] = "path" if paths else "none"
        figure.savefig(raw, format=form, dpi=dpi or (PNG_DPI if form == "png" else DPI), metadata=metadata)
        return with_fonts(raw.getvalue()) if form == "svg" and not paths else raw.getvalue()


_EM = 1000
"""Points at which letters are measured."""
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Me"}
_VARIANTS = range(0xFE00, 0xFE10)


def readable(text: str, longest: int = 0) -> str:
    """A text on one line, cut to a number of letters if given.

    Letters that the font lacks become "�"; emoji, other signs that it lacks, and what turns the direction of
    writing are left out.
    """
    line = " ".join("".join(sign if sign.isspace() else _written(sign) for sign in str(text)).split())
    return line[: longest - 1] + "…" if longest and len(line) > longest else line


def printable(text: str) -> str:
    """A text as ``readable`` has it; of one that has nothing but signs which the font lacks, their names.

    >>> printable("🐑 sheep"), printable("🐑🏽")
    ('sheep', 'sheep, emoji modifier fitzpatrick type-4')
    """
    line = readable(text)
    if line:
        return line
    seen = (sign for sign in str(text) if unicodedata.category(sign) not in _UNSEEN)
    names = (unicodedata.name(sign, "").lower() for sign in seen if ord(sign) not in _VARIANTS)
    return ", ".join(filter(None, names))


def width_of(text: str, size: float = TEXT, weight: str = "normal") -> float:
    """How wide a text is, in mm."""
    family = drawing().family
    return sum(_advance(sign, weight, family) for sign in text) * size / 72 / MM


def fitted(text: str, width: float, size: float = TEXT, weight: str = "normal") -> str:
    """As much of a text as fits into a width in mm."""
    shown = readable(text)
    if width_of(shown, size, weight) <= width:
        return shown
    room, kept = width - width_of("…", size, weight), 0
    for sign in shown:
        room -= width_of(sign, size, weight)
        if room < 0:
            break
        kept += 1
    return shown[:kept].rstrip() + "…"


def wrapped(text: str, width: float, size: float = SMALL) -> list[str]:
    """A text in lines that fit into a width in mm, broken at spaces."""
    lines: list[str] = []
    for word in readable(text).split():
        if lines and width_of(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return [fitted(line, width, size) for line in lines]


def titled(title: str, width: float) -> list[str]:
    """A title in one line, or where it is too wide in two, broken at its dot or at a space; none if empty.

    A name that takes more than a line goes on in a second, broken at a sign such as "-".
    """
    if not title or width_of(readable(title)) <= width:
        return [readable(title)] if title else []
    if " · " in title:
        ways = [[line for part in title.rsplit(" · ", 1) for line in _in_two(part, width)]]
        ways.append(_in_two(title, width))
        whole = [lines for lines in ways if not any("…" in line for line in lines)]
        return min(whole, key=len) if whole else ways[0]  # what is cut keeps what stands behind the dot
    return _in_two(title, width)


_SIGN = re.compile(r"(?<=[-_/.])(?=\w)|(?<= )")


def _in_two(text: str, width: float) -> list[str]:
    """A text in at most two lines of a width in mm, broken at a space, or at a sign that names have."""
    shown = readable(text)
    if width_of(shown) <= width:
        return [shown]
    first = ""
    for part in _SIGN.split(shown):
        if width_of((first + part).rstrip()) > width:
            break
        first += part
    if not first:
        return [fitted(shown, width)]
    return [first.rstrip(), fitted(shown[len(first) :], width)]


def flowed(widths: Sequence[float], room: float, gap: float) -> list[list[int]]:
    """Places of things of these widths in lines of ``room`` mm, in columns that stand under each other."""
    if not widths:
        return []
    places = range(len(widths))
    for columns in range(len(widths), 1, -1):
        lines = [list(places[start : start + columns]) for start in range(0, len(widths), columns)]
        if sum(column_widths(widths, lines)) + gap * (columns - 1) <= room:
            return lines
    return [[place] for place in places]


def column_widths(widths: Sequence[float], lines: Sequence[Sequence[int]]) -> list[float]:
    """The widest of each column."""
    return [max(widths[line[at]] for line in lines if at < len(line)) for at in range(len(lines[0]))]


@cache
def _written(sign: str) -> str:
    kind = unicodedata.category(sign)
    if kind in _UNSEEN or ord(sign) in _VARIANTS:
        return ""
    if ord(sign) in _letters():
        return sign
    return "�" if kind[0] in "LN" else ""


@cache
def _letters() -> frozenset[int]:
    return frozenset(get_font(_path("normal", FAMILY)).get_charmap())


@cache
def _advance(sign: str, weight: str, family: str) -> float:
    """Of a letter, in its size."""
    font = get_font(_path(weight, family))
    font.set_size(_EM, 72)
    return float(font.load_char(ord(sign)).linearHoriAdvance) / 65536 / _EM


@cache
def _path(weight: str, family: str) -> str:
    return str(fontManager.findfont(FontProperties(family=family, weight=weight)))


def check_family(family: str) -> str:
    """A font that is installed; ParameterError if it is not."""
    known = sorted({font.name for font in fontManager.ttflist})
    if family not in known:
        raise ParameterError(f"There is no font {family[:40]!r} here; there are {', '.join(known[:40])}.")
    return family
