"""How a figure is drawn, beyond what it holds: sizes, names, panels, classes, legend. One value at a time.

Parts are built and drawn within ``using``; they ask ``drawing()`` what was chosen.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from relviz.errors import ParameterError

FAMILY = "DejaVu Sans"
TEXT, SMALL, LETTER = 7.0, 6.0, 9.0
"""Points: text, what stands in cells and on axes, and the letters of panels."""
SHAPES = ("o", "^", "s", "D", "v", "P", "X", "<")
"""Markers of classes, in the order in which they are given."""
BEFORE_SHAPES = 8
"""Classes that colors alone tell apart, also for the color-blind."""
LETTERINGS = {"a": "{}", "A": "{}", "(a)": "({})", "none": ""}
Window = tuple[int, float, float, float, float]
"""A panel by its number from 0, and lowest x, highest x, lowest y and highest y that it shows."""


@dataclass(frozen=True)
class Drawing:
    """What is chosen about the looks of a figure.

    Attributes
    ----------
    scale
        Printed millimeters and points for one of the layout: text of 7 points is printed with 7 × scale.
    family
        Font.
    names
        Names to print in place of spaces' and classes' own.
    titles
        Titles of panels by their number from 0.
    panels
        Numbers of the panels to draw, in this order; empty for all.
    columns
        Panels side by side; 0 as usual.
    aspect
        Height of a map's frame in widths; 0 to fit the points.
    own_scales
        Every map has limits of its own, though others were fitted with it.
    turned
        Maps that were each fitted by itself are turned onto the first.
    side
        Degrees that maps in three dimensions are turned by about their upright axis, and tipped by.
    windows
        Parts of the plane that maps show in place of all points.
    hidden
        Classes that are not drawn.
    palette
        Colors of classes in their order; empty for those of the screen.
    markers
        ``"auto"``: shapes beyond 8 classes, and one for each line of a chart; ``"dots"``; ``"shapes"``: one
        for each class.
    legend
        ``"below"``, ``"above"``, ``"beside"``, ``"inside"``, ``"once"`` or ``"none"``.
    lettering
        One of ``LETTERINGS``.
    ticks
        ``"marks"``, ``"numbers"`` or ``"none"``.
    class_names
        Names of classes at their points.
    intervals
        ``"bars"``, ``"band"`` or ``"none"``.
    """

    scale: float = 1.0
    family: str = FAMILY
    names: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[int, str] = field(default_factory=dict)
    panels: tuple[int, ...] = ()
    columns: int = 0
    aspect: float = 0.0
    own_scales: bool = False
    turned: bool = False
    side: tuple[float, float] = (0.0, 0.0)
    windows: tuple[Window, ...] = ()
    hidden: frozenset[str] = frozenset()
    palette: tuple[str, ...] = ()
    markers: str = "auto"
    legend: str = "below"
    lettering: str = "a"
    ticks: str = "marks"
    class_names: bool = False
    intervals: str = "bars"

    def named(self, text: str) -> str:
        """A text with every name in it replaced that is to be printed as another.

        >>> Drawing(names={"a": "BERT"}).named("a · relative"), Drawing(names={"a": "BERT"}).named("a row")
        ('BERT · relative', 'a row')
        """
        return renamed(text, self.names)

    def letter(self, place: int) -> str:
        """What stands before a panel's title."""
        form, first = LETTERINGS[self.lettering], "A" if self.lettering == "A" else "a"
        return form.format(chr(ord(first) + place % 26))

    def color(self, place: int, usual: str) -> str:
        """The color of a class by its place: with its shape, that of no other of the first 64.

        >>> gray = Drawing(palette=("k", "gray"), markers="shapes")
        >>> [gray.color(place, "") for place in range(4)]
        ['k', 'gray', 'gray', 'k']
        """
        if not self.palette:
            return usual
        turns = place // len(self.palette)  # a palette that begins anew does so with another color
        return self.palette[(place + turns) % len(self.palette)]

    def shape(self, place: int, classes: int) -> str:
        """The marker of a class by its place among so many."""
        if self.markers == "dots" or (self.markers == "auto" and classes <= BEFORE_SHAPES):
            return SHAPES[0]
        step = place if self.markers == "shapes" else place // BEFORE_SHAPES
        return SHAPES[step % len(SHAPES)]

    def shape_of_line(self, place: int) -> str:
        """The marker of a line of a chart by its place: colors alone do not tell lines apart in gray."""
        return SHAPES[0 if self.markers == "dots" else place % len(SHAPES)]


@dataclass
class _Progress:
    """The drawing that is going on, and how many panels were handed out."""

    drawing: Drawing
    panels: int = 0
    turned: bool = False
    in_space: bool = False
    maps: set[int] = field(default_factory=set)
    classes: dict[str, None] = field(default_factory=dict)


_now: ContextVar[_Progress | None] = ContextVar("drawing", default=None)
_USUAL = Drawing()


@contextmanager
def using(chosen: Drawing) -> Iterator[None]:
    """Build or draw the parts of one figure as chosen."""
    token = _now.set(_Progress(chosen))
    try:
        yield
    finally:
        _now.reset(token)


def drawing() -> Drawing:
    """What is chosen here."""
    now = _now.get()
    return _USUAL if now is None else now.drawing


@dataclass(frozen=True)
class Panel:
    """A panel that is drawn: its place in its part, its number in the figure, and its title."""

    place: int
    number: int
    title: str


def panels_of(titles: Sequence[str]) -> list[Panel]:
    """Those panels of the next part of a figure that are to be drawn, in their order."""
    now = _now.get() or _Progress(_USUAL)
    chosen, first = now.drawing, now.panels
    now.panels += len(titles)
    every = [
        Panel(place, first + place, chosen.titles.get(first + place, chosen.named(title)))
        for place, title in enumerate(titles)
    ]
    if not chosen.panels:
        return every
    return [every[number - first] for number in chosen.panels if first <= number < first + len(titles)]


def note_turned() -> None:
    """A part of this figure has maps that can be turned onto another."""
    now = _now.get()
    if now is not None:
        now.turned = True


def note_in_space() -> None:
    """A part of this figure has maps in three dimensions, which are seen from a side."""
    now = _now.get()
    if now is not None:
        now.in_space = True


def note_maps(panels: Sequence[Panel], classes: Sequence[str]) -> None:
    """These panels of this figure are maps, on which classes can be hidden and a part be shown."""
    now = _now.get()
    if now is not None:
        now.maps |= {panel.number for panel in panels}
        now.classes |= dict.fromkeys(classes)


def check_panels() -> None:
    """ParameterError where a panel was chosen, named or zoomed that the parts built so far do not have, or
    maps are to be turned, or classes to be hidden, that they do not have either."""
    now = _now.get() or _Progress(_USUAL)
    chosen = now.drawing
    if chosen.turned and not now.turned:
        raise ParameterError(
            "No map of this figure can be turned onto another: only those that were fitted separately can. "
            "Leave out the choice turned."
        )
    if any(chosen.side) and not now.in_space:
        raise ParameterError(
            "No map of this figure has three dimensions, so it is seen from no side. Leave out yaw and pitch."
        )
    absent = sorted(chosen.hidden - now.classes.keys())
    if absent:
        there = f"it has {', '.join(map(str, now.classes))}" if now.classes else "it has no classes"
        raise ParameterError(f"The figure has no class {absent[0][:60]!r} to leave out; {there[:300]}.")
    asked = [*chosen.panels, *chosen.titles, *(window[0] for window in chosen.windows)]
    wrong = next((number for number in asked if number >= now.panels), None)
    if wrong is not None:
        there = (
            f"it has a to {chr(ord('a') + now.panels - 1)}" if now.panels else "its panels have no letters"
        )
        raise ParameterError(f"The figure has no panel {chr(ord('a') + wrong)}; {there}.")
    drawn = [window[0] for window in chosen.windows if not chosen.panels or window[0] in chosen.panels]
    flat = next((number for number in drawn if number not in now.maps), None)
    if flat is not None:
        raise ParameterError(f"Panel {chr(ord('a') + flat)} is no map, so no part of it can be shown.")


LONG = 4
"""Letters of a name from which on it is replaced wherever it stands as a word."""


def renamed(text: str, names: Mapping[str, str]) -> str:
    """A text with names replaced; short ones, such as "a", only where no ordinary word can stand."""
    if not names or not text:
        return text
    if text in names:
        return names[text]
    parts = []
    for name in sorted(names, key=len, reverse=True):
        own = re.escape(name)
        if len(name) >= LONG or not name.isalnum():
            parts.append(rf"(?<![\w-]){own}(?![\w-])")
        else:
            parts.append(rf"(?:(?<=: )|(?<=→ )|(?<=^)){own}(?= ·| \(| →|$)|(?<=→ ){own}\b")
    return re.sub("|".join(parts), lambda found: names[found[0]], text)
