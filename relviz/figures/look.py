"""How a figure looks: the choices that do not change a number, the same in the app, commands and Python."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import isfinite

from relviz.errors import ParameterError
from relviz.figures.latex_table import Setting
from relviz.figures.table_form import Form
from relviz.plotting.colors import OKABE_ITO
from relviz.plotting.drawing import FAMILY, TEXT, Drawing
from relviz.plotting.style import check_family
from relviz.plotting.venues import VENUES
from relviz.state.choice import Choices, Option, number, one_of, switch, text

PALETTES = {
    "": (),
    "okabe-ito": (*OKABE_ITO[:7], "#000000"),
    "tol-bright": ("#4477AA", "#EE6677", "#228833", "#CCBB44", "#66CCEE", "#AA3377", "#BBBBBB"),
    "gray": ("#000000", "#7F7F7F", "#B8B8B8", "#4D4D4D", "#999999", "#CFCFCF", "#262626", "#666666"),
}
"""Palettes of classes by their names: Okabe and Ito's, Paul Tol's bright one, and grays."""
MOST_NAMED, MOST_LETTERS = 200, 200
"""Names that may be given, and letters of each."""


@dataclass(frozen=True)
class Look(Choices):
    """What is chosen about the looks of a figure and of its tables.

    Attributes
    ----------
    names
        Names to print for spaces and classes, by their own.
    titles
        Titles of panels, by their letter.
    hidden
        Classes that are not drawn.
    zoom
        Of panels, by their letter: lowest x, highest x, lowest y, highest y.
    """

    style: str = one_of(
        "",
        "Style",
        "Where it goes: sets the widths of columns and the size of letters.",
        {name: Option(one.words) for name, one in VENUES.items()},
    )
    panes: str = text("", "Panels", "Panels to draw, by their letters in order, such as ac.")
    layout: str = text("", "Layout", "Rows × columns of panels, such as 1x4.")
    aspect: float = number(
        0.0, 0.0, 2.0, "Aspect", "Height of a panel for a width of 1; 0 fits it to the points.", step=0.05
    )
    own_scales: bool = switch(False, "Own scales", "Every map fits its own points, though fitted together.")
    turned: bool = switch(
        False,
        "Turned onto the first",
        "Maps that were fitted separately are turned or mirrored onto the first, at the same scale.",
    )
    yaw: float = number(
        0.0,
        -180.0,
        180.0,
        "Yaw",
        "Degrees that maps in 3-D are turned by about their upright axis.",
        step=1.0,
    )
    pitch: float = number(0.0, -90.0, 90.0, "Pitch", "Degrees that maps in 3-D are tipped by.", step=1.0)
    palette: str = one_of(
        "",
        "Palette",
        "Colors of classes.",
        {
            "": Option("As on screen"),
            "okabe-ito": Option("Okabe-Ito, safe for the color-blind"),
            "tol-bright": Option("Tol bright, safe for the color-blind"),
            "gray": Option("Grays, with a shape for each class"),
        },
    )
    markers: str = one_of(
        "auto",
        "Markers",
        "Shapes of points.",
        {
            "auto": Option("Shapes beyond 8 classes"),
            "dots": Option("Dots"),
            "shapes": Option("A shape for each class"),
        },
    )
    class_names: bool = switch(
        False, "Class names on the map", "At each class's points, instead of a legend."
    )
    legend: str = one_of(
        "below",
        "Legend",
        "Place of the legend.",
        {
            "below": Option("Below"),
            "above": Option("Above"),
            "beside": Option("Beside the panels"),
            "inside": Option("Inside the first panel"),
            "once": Option("Below, one for all panels"),
            "none": Option("None"),
        },
    )
    letters: str = one_of(
        "a",
        "Panel letters",
        "Before the titles of panels.",
        {"a": Option("a"), "A": Option("A"), "(a)": Option("(a)"), "none": Option("None")},
    )
    font: str = text("", "Font", "A font that is installed, such as DejaVu Serif or STIXGeneral.")
    font_size: float = number(
        0.0, 0.0, 40.0, "Font size", "Points of text in print; 0 for that of the style.", step=0.5
    )
    ticks: str = one_of(
        "marks",
        "Ticks",
        "Of maps whose axes mean something.",
        {"marks": Option("Marks"), "numbers": Option("Numbers and axis names"), "none": Option("None")},
    )
    intervals: str = one_of(
        "bars",
        "Intervals",
        "Standard deviation of curves.",
        {"bars": Option("Error bars"), "band": Option("Band"), "none": Option("None")},
    )
    svg_text: str = one_of(
        "fonts",
        "Text in SVG",
        "Letters as text with their font embedded, or as shapes.",
        {"fonts": Option("Text, font embedded"), "paths": Option("Shapes")},
    )
    table_rows: str = text("", "Table rows", "Rows to print, by parts of their names, separated by commas.")
    table_columns: str = text(
        "", "Table columns", "Columns to print, by parts of their names, separated by commas."
    )
    transposed: bool = switch(False, "Transposed table", "Columns become rows.")
    short: bool = switch(False, "Short column names", "Such as MRR or top-1.")
    decimals: int = number(-1, -1, 6, "Decimals", "In tables; -1 for as many as most figures have.")
    best: bool = switch(True, "Mark the best", "The best is bold, the second underlined.")
    siunitx: bool = switch(False, "Align with siunitx", "The LaTeX table then needs the package siunitx.")
    label: str = text("", "LaTeX label", "What \\ref calls the table, such as tab:retrieval.")
    names: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    hidden: tuple[str, ...] = ()
    zoom: Mapping[str, tuple[float, float, float, float]] = field(default_factory=dict)

    @property
    def widths(self) -> dict[str, float]:
        """Widths of one column and of two, in mm, by their names."""
        return VENUES[self.style].widths

    def drawing(self) -> Drawing:
        """What the drawing of parts asks for.

        Raises
        ------
        ParameterError
            If panels, layout, font or sizes are none.
        """
        size = self.font_size or VENUES[self.style].size
        if size < TEXT:
            raise ParameterError(
                f"Letters of {size:g} pt make those on axes smaller than 6 pt; give {TEXT:g} or more."
            )
        markers = "shapes" if self.palette == "gray" and self.markers == "auto" else self.markers
        return Drawing(
            scale=size / TEXT,
            family=check_family(self.font) if self.font else FAMILY,
            names=self.names,
            titles={_number(letter, "title"): title for letter, title in self.titles.items()},
            panels=tuple(_number(letter, "panel") for letter in self.panes.replace(",", "").replace(" ", "")),
            columns=_columns(self.layout),
            aspect=self.aspect,
            own_scales=self.own_scales,
            turned=self.turned,
            side=(self.yaw, self.pitch),
            windows=tuple((_number(letter, "zoom"), *box) for letter, box in self.zoom.items()),
            hidden=frozenset(self.hidden),
            palette=PALETTES[self.palette],
            markers=markers,
            legend=self.legend,
            lettering=self.letters,
            ticks=self.ticks,
            class_names=self.class_names,
            intervals=self.intervals,
        )

    def form(self) -> Form:
        """The form of tables."""
        rows, columns = (
            tuple(one.strip() for one in texts.split(",") if one.strip())
            for texts in (self.table_rows, self.table_columns)
        )
        return Form(rows, columns, self.transposed, self.short, self.decimals, self.best)

    def setting(self, width: float, label: str) -> Setting:
        """Where a table of a width in mm stands; ``label`` is used if none is chosen."""
        return Setting(width, VENUES[self.style], self.label or label, self.siunitx)

    def as_json(self) -> dict[str, object]:
        """As a recipe's file has it: what differs from the default."""
        usual = Look()
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in found.items() if value != getattr(usual, name)}

    def sentences(self) -> list[str]:
        """What a caption has to say of it."""
        found = []
        if self.hidden:
            hidden = ", ".join(self.names.get(name, name) for name in self.hidden)
            found.append(f"Not shown: {hidden}.")
        if self.turned:
            found.append("Maps fitted separately are turned or mirrored onto the first.")
        if self.yaw or self.pitch:
            found.append(f"Seen from a side: turned by {self.yaw:.0f}°, tipped by {self.pitch:.0f}°.")
        if self.zoom:
            panels = ", ".join(sorted(self.zoom))
            found.append(
                f"Panels {panels} show a part." if len(self.zoom) > 1 else f"Panel {panels} shows a part."
            )
        return found


def look_of(choices: Mapping[str, object]) -> Look:
    """The look that a recipe's file or keywords say.

    Raises
    ------
    ParameterError
        If there is no such choice, or a value is not allowed.
    """
    declared = Look.declared()
    found: dict[str, object] = {}
    for name, value in choices.items():
        if name in declared:
            if type(value) is not type(declared[name].default) and not (
                isinstance(declared[name].default, float) and type(value) is int
            ):
                raise ParameterError(
                    f"{name} is {str(value)[:40]!r}; it should be like {declared[name].default!r}."
                )
            found[name] = Look.allowed(name, value)
        elif name in ("names", "titles"):
            found[name] = {_short(key): _short(one) for key, one in _mapping(name, value).items()}
        elif name == "hidden":
            if not isinstance(value, list | tuple) or len(value) > MOST_NAMED:
                raise ParameterError("hidden should be a list of names of classes.")
            found[name] = tuple(map(_short, value))
        elif name == "zoom":
            found[name] = {key: _box(key, one) for key, one in _mapping(name, value).items()}
        else:
            known = ", ".join(one.name for one in fields(Look))
            raise ParameterError(f"A figure has no choice {str(name)[:40]!r}; its choices are {known}.")
    look = Look().with_changes(**found)
    look.drawing()
    return look


def _mapping(name: str, value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping) or len(value) > MOST_NAMED:
        raise ParameterError(f"{name} should be a mapping of at most {MOST_NAMED} entries.")
    return value


def _short(value: object) -> str:
    if not isinstance(value, str) or len(value) > MOST_LETTERS:
        raise ParameterError(f"{str(value)[:40]!r} should be a text of at most {MOST_LETTERS} characters.")
    return value


def _box(letter: str, value: object) -> tuple[float, float, float, float]:
    numbers = list(value) if isinstance(value, list | tuple) else []
    if len(numbers) != 4 or not all(isinstance(one, int | float) and isfinite(one) for one in numbers):
        raise ParameterError(f"The zoom of panel {letter[:3]} should be four numbers: x0, x1, y0, y1.")
    x0, x1, y0, y1 = map(float, numbers)
    if x0 >= x1 or y0 >= y1:
        raise ParameterError(f"The zoom of panel {letter[:3]} is empty: {x0:g} to {x1:g}, {y0:g} to {y1:g}.")
    return x0, x1, y0, y1


def _number(letter: str, what: str) -> int:
    if not re.fullmatch(r"[a-zA-Z]", letter):
        raise ParameterError(
            f"The {what} {letter[:20]!r} is no letter of a panel; panels are a, b, c and so on."
        )
    return ord(letter.lower()) - ord("a")


def _columns(layout: str) -> int:
    if not layout:
        return 0
    found = re.fullmatch(r"\s*(\d{1,2})\s*[x×]\s*(\d{1,2})\s*", layout)
    if found is None or not 1 <= int(found[2]) <= 12:
        raise ParameterError(f"The layout is {layout[:20]!r}; give rows x columns, such as 1x4 or 2x2.")
    return int(found[2])
