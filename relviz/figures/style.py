"""How every print figure looks: sizes, letters, and files that are the same to the byte each time."""

import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib.style
from matplotlib.figure import Figure

from relviz.errors import ParameterError

WIDTHS = {"one": 85.0, "two": 175.0}
"""Millimetres that a figure takes in a paper: one column, or both."""
NARROWEST, WIDEST = 60.0, 300.0
MM = 1 / 25.4
"""Inches in a millimetre."""
TEXT, SMALL, LETTER = 7.0, 6.0, 9.0
"""Points: text, what stands in cells and on axes, and the letters of panels."""
DPI = 400
"""Of what is made of dots within a PDF or SVG."""
PNG_DPI = 300
"""Of a PNG: twice what a screen shows at the printed size and a usual zoom."""
FORMATS = ("pdf", "svg", "png")
INK, FAINT = "#222222", "#8C8C8C"
FAMILY = "DejaVu Sans"

_LOOK: dict[str, Any] = {
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
    with _LOCK, matplotlib.style.context(["default", _LOOK]):
        yield


def check_width(width: float) -> float:
    """The width in mm; ParameterError if no paper has it."""
    if not NARROWEST <= width <= WIDEST:
        raise ParameterError(
            f"A figure {width:g} mm wide fits no page; give {NARROWEST:g} to {WIDEST:g} mm, or one or two "
            f"columns ({WIDTHS['one']:g} and {WIDTHS['two']:g} mm)."
        )
    return float(width)


def rendered(figure: Figure, form: str, about: str = "", dpi: int | None = None) -> bytes:
    """A figure as a file of a format: the same bytes for the same figure.

    Parameters
    ----------
    form
        One of ``FORMATS``. Text stays text; what is made of dots has ``dpi``, 400 in PDF and SVG.
    about
        What the file says of itself, for programs that list files: the caption.

    Raises
    ------
    ParameterError
        If there is no such format.
    """
    if form not in FORMATS:
        raise ParameterError(f"Figures are saved as {', '.join(FORMATS)}; {form[:20]!r} is none of these.")
    # No dates, and no versions: they would change the bytes.
    said = about or None
    metadata: dict[str, Any] = {
        "pdf": {"CreationDate": None, "Creator": "relviz", "Producer": None, "Subject": said},
        "svg": {"Date": None, "Creator": "relviz", "Description": said},
        "png": {"Software": None} | ({"Description": said} if said else {}),
    }[form]
    raw = io.BytesIO()
    with styled():
        figure.savefig(raw, format=form, dpi=dpi or (PNG_DPI if form == "png" else DPI), metadata=metadata)
    return raw.getvalue()
