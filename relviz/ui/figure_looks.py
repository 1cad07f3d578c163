"""How a figure looks, chosen beside it: style, width, names, panels, points, table; kept for the session."""

from collections.abc import Sequence

import streamlit as st

from relviz.errors import ParameterError
from relviz.figures.look import Look, look_of
from relviz.figures.recipe import Recipe
from relviz.figures.registry import KINDS
from relviz.plotting.venues import UNITS, VENUES, millimeters
from relviz.state.choice import Number, OneOf, Switch
from relviz.ui.linked_map import MapSeen
from relviz.ui.names import are_new, fields, names, set_names

_KEPT = "relviz_look"
_WIDTH = "relviz_width"
OWN = "own"
WIDTHS = {"one": "One column", "two": "Full width", OWN: "Other"}
PANELS = ("panes", "layout", "aspect", "own_scales", "letters", "legend", "font", "font_size")
POINTS = ("palette", "markers", "class_names", "ticks", "intervals", "svg_text")
TABLE = (*("table_rows", "table_columns", "transposed", "short", "decimals", "best", "siunitx", "label"),)
OF_KIND = ("panes", "layout", "titles", "table_rows", "table_columns", "label")
"""Choices that mean something else for each kind of figure."""
OF_SCREEN = ("hidden", "zoom", "names", "turned", "yaw", "pitch")
"""Choices that the page shows itself."""
NAMES, TITLES = "Names of classes and methods", "Panel titles"
ONE_PER_LINE = "One per line: own name = shown name."


def choose_style(key: str) -> tuple[str, float]:
    """Style and width, in mm; both are kept for the session."""
    style = st.selectbox(
        "Style",
        list(VENUES),
        index=list(VENUES).index(str(_chosen().get("style", ""))),
        format_func=lambda one: VENUES[one].words,
        help="Sets the widths of columns and the size of letters: exact in print.",
        key=f"figure_{key}_style",
    )
    _chosen()["style"] = style
    widths = VENUES[style].widths
    begun = st.session_state.get(_WIDTH, "two")
    st.session_state.setdefault(f"figure_{key}_width", begun if begun in WIDTHS else OWN)
    chosen = st.segmented_control(
        "Width",
        list(WIDTHS),
        format_func=lambda one: f"{WIDTHS[one]}, {widths[one]:.4g} mm" if one in widths else WIDTHS[one],
        key=f"figure_{key}_width",
    )
    if chosen == OWN:
        text = st.text_input(
            "Width, with its unit",
            begun if begun not in WIDTHS else f"{widths['two']:.4g}mm",
            help=f"A number with {', '.join(UNITS)}: 3.25in, 219pt, 8cm.",
            key=f"figure_{key}_typed",
        )
        st.session_state[_WIDTH] = text
        return style, millimeters(text, style)
    st.session_state[_WIDTH] = chosen or "two"
    return style, widths[chosen or "two"]


def choose_look(key: str, name: str, spaces: Sequence[str], seen: MapSeen) -> Look:
    """All that is chosen about the looks of a figure of the kind of that name.

    Raises
    ------
    ParameterError
        If something that was typed is not allowed.
    """
    for_all, of_kind = _chosen(), _chosen(name)
    screen = _as_on_screen(key, seen) if "points" in KINDS[name].options else MapSeen()
    with st.expander("Names"):
        _choose_names(key, spaces)
        titles: dict[str, str] = of_kind.get("titles", {})  # type: ignore[assignment]
        of_kind["titles"] = _lines(f"{key}_{name}", TITLES, titles, "One per line: a = Title of panel a.")
    for words, choices in (("Panels and text", PANELS), ("Points and curves", POINTS), ("Table", TABLE)):
        with st.expander(words):
            for one in choices:
                kept, at = (of_kind, f"{key}_{name}") if one in OF_KIND else (for_all, key)
                kept[one] = _widget(at, one, kept.get(one, getattr(Look(), one)))
    zoom = {chr(ord("a") + at): box for at, box in screen.windows.items()}
    seen_there = {"hidden": list(screen.hidden), "zoom": zoom, "turned": screen.turned}
    yaw, pitch = screen.side
    seen_there |= {"yaw": yaw, "pitch": pitch}
    return look_of({**for_all, **of_kind, "names": names(), **seen_there})


def _choose_names(key: str, spaces: Sequence[str]) -> None:
    """Names of the spaces and of anything else; they are those of the page too, which is drawn anew."""
    fields(dict.fromkeys(spaces), "Space", f"figure_{key}")
    others = {own: shown for own, shown in names().items() if own not in spaces}
    at = f"figure_{key}_{NAMES}"
    if st.session_state.get(f"{at}_of") != others:  # named elsewhere
        st.session_state[at] = "\n".join(f"{own} = {shown}" for own, shown in others.items())
    typed = _parsed(st.text_area(NAMES, help=ONE_PER_LINE, key=at), NAMES, ONE_PER_LINE)
    st.session_state[f"{at}_of"] = typed
    set_names({own: shown for own, shown in names().items() if own in spaces} | typed)
    if are_new():
        st.rerun()


def recall_look(recipe: Recipe, key: str) -> None:
    """Have the choices be those of a recipe."""
    written = recipe.look.as_json()
    kept = {name: one for name, one in written.items() if name not in OF_SCREEN}
    set_names(recipe.look.names)
    st.session_state[_KEPT] = {name: one for name, one in kept.items() if name not in OF_KIND}
    st.session_state[f"{_KEPT}{recipe.kind}"] = {name: one for name, one in kept.items() if name in OF_KIND}
    widths = recipe.look.widths
    at = next((one for one, width in widths.items() if abs(width - recipe.width) < 1e-6), "")
    st.session_state[_WIDTH] = at or f"{recipe.width:g}mm"
    for name in (f"figure_{key}_width", f"figure_{key}_style", f"figure_{key}_typed"):
        st.session_state.pop(name, None)


def _chosen(kind: str = "") -> dict[str, object]:
    """What was chosen in this session for every figure, or for those of a kind alone."""
    found: dict[str, object] = st.session_state.setdefault(f"{_KEPT}{kind}", {})
    return found


def _as_on_screen(key: str, seen: MapSeen) -> MapSeen:
    """What the map on screen leaves out, unless all of it is wanted."""
    if seen == MapSeen():
        return seen
    parts = [f"hidden: {', '.join(seen.hidden)}"] if seen.hidden else []
    parts += ["zoomed panels"] if seen.windows else []
    parts += ["turned maps"] if seen.turned else []
    parts += ["seen from a side"] if any(seen.side) else []
    wanted = st.toggle(f"As on screen ({'; '.join(parts)})", value=True, key=f"figure_{key}_seen")
    return seen if wanted else MapSeen()


def _widget(key: str, name: str, value: object) -> object:
    choice, at = Look.choice(name), f"figure_{key}_look_{name}"
    match choice:
        case OneOf():
            options = list(choice.options)
            place = options.index(str(value)) if value in options else 0
            return st.selectbox(
                choice.label, options, place, choice.labels.__getitem__, help=choice.help or None, key=at
            )
        case Switch():
            return st.toggle(choice.label, bool(value), help=choice.help or None, key=at)
        case Number():
            assert isinstance(value, int | float)
            return st.number_input(
                choice.label,
                choice.low,
                choice.high,
                type(choice.default)(value),
                choice.step,
                help=choice.help or None,
                key=at,
            )
        case _:
            return st.text_input(choice.label, str(value), help=choice.help or None, key=at)


def _lines(key: str, words: str, kept: dict[str, str], help_text: str) -> dict[str, str]:
    text = "\n".join(f"{own} = {printed}" for own, printed in kept.items())
    return _parsed(st.text_area(words, text, help=help_text, key=f"figure_{key}_{words}"), words, help_text)


def _parsed(typed: str, words: str, help_text: str) -> dict[str, str]:
    found = {}
    for line in filter(str.strip, typed.splitlines()):
        own, sign, printed = line.partition("=")
        if not sign:
            raise ParameterError(f"{words}: {line[:40]!r} has no equals sign. {help_text}")
        found[own.strip()] = printed.strip()
    return found
