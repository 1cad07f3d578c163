"""Where figures go: the widths of columns and texts, and sizes of letters that hold when printed.

Widths come from the venues' own LaTeX classes and author guides; ``table`` is the size of letters in tables.
"""

from dataclasses import dataclass

from relviz.errors import ParameterError

MM_IN_POINT = 25.4 / 72.27
"""Millimeters of a point of TeX."""
UNITS = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": MM_IN_POINT}


@dataclass(frozen=True)
class Venue:
    """A venue: ``column`` and ``text`` are widths in mm, ``size`` and ``table`` are points.

    ``above`` says that captions of tables stand over them.
    """

    words: str
    column: float
    text: float
    size: float
    table: float = 9.0
    above: bool = True

    @property
    def widths(self) -> dict[str, float]:
        """Widths by their names."""
        return {"one": self.column, "two": self.text}

    def spans(self, width: float) -> bool:
        """Whether a width takes more than the column of a page that has two."""
        return self.column < self.text and width > self.column + 0.1


VENUES = {
    "": Venue("relviz: 85 and 175 mm", 85.0, 175.0, 7.0),
    "acl": Venue("ACL, EMNLP, NAACL", 77.0, 160.0, 8.0, above=False),
    "neurips": Venue("NeurIPS", 5.5 * 25.4, 5.5 * 25.4, 8.0),
    "icml": Venue("ICML", 3.25 * 25.4, 6.75 * 25.4, 8.0),
    "iclr": Venue("ICLR", 5.5 * 25.4, 5.5 * 25.4, 8.0),
    "cvpr": Venue("CVPR, ICCV", 3.28125 * 25.4, 6.875 * 25.4, 8.0, above=False),
    "nature": Venue("Nature", 89.0, 183.0, 7.0, table=7.0),
    "slides": Venue("Slides, 16:9 (10 × 5.6 in)", 110.0, 230.0, 12.0, table=12.0),
    "poster": Venue("Poster, A0 upright", 380.0, 780.0, 24.0, table=24.0),
}


def venue(name: str) -> Venue:
    """A venue by its name; ParameterError if there is none."""
    if name not in VENUES:
        raise ParameterError(f"There is no style {name[:40]!r}; use {', '.join(filter(None, VENUES))}.")
    return VENUES[name]


def millimeters(text: str, style: str = "") -> float:
    """A width that was typed: ``one``, ``two``, or a number with mm, cm, in or pt; without a unit mm.

    >>> millimeters("4in"), millimeters("one", "acl"), round(millimeters("219.08pt"), 2)
    (101.6, 77.0, 77.0)

    Raises
    ------
    ParameterError
        If it is none of these.
    """
    widths, written = venue(style).widths, text.strip().lower()
    if written in widths:
        return widths[written]
    unit = next((one for one in UNITS if written.endswith(one)), "")
    try:
        return float(written.removesuffix(unit)) * UNITS.get(unit, 1.0)
    except ValueError:
        raise ParameterError(
            f"The width {text[:20]!r} is neither one, two, nor a number with mm, cm, in or pt."
        ) from None
