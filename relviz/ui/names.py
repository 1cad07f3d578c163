"""What spaces and classes are called in this session: on every page, and in the figures made there.

Data, results and their keys keep the own names. Pages open spaces and pairs here, so that whatever they say
of a space has the name that was chosen for it.
"""

import copy
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar
from weakref import WeakKeyDictionary

import streamlit as st

from relviz.figures.table_form import sheet_with_names
from relviz.pair import Pair
from relviz.plotting.colors import Colors, named_classes
from relviz.plotting.drawing import renamed
from relviz.sheet import Sheet
from relviz.space import Space
from relviz.state.sources import open_pair, open_space
from relviz.wording import count

KEY = "relviz_names"
_DRAWN = "relviz_names_drawn"
LONGEST = 200
"""Letters of a name, as in a recipe."""
MOST_CLASSES = 24
"""Classes that have a field; more are not named by a map either."""
MOST_COPIES = 16
"""Copies of one pair or space, each under other names: visitors share demos, and name them as they like."""

K = TypeVar("K")
V = TypeVar("V")

# Copies share the vectors of what they are copies of, and go with it when it is closed.
_PAIRS: WeakKeyDictionary[Pair, dict[tuple[str, str], Pair]] = WeakKeyDictionary()
_SPACES: WeakKeyDictionary[Space, dict[str, Space]] = WeakKeyDictionary()
_LOCK = threading.Lock()


def names() -> Mapping[str, str]:
    """Chosen names by the own ones."""
    found: Mapping[str, str] = st.session_state.get(KEY, {})
    return found


def set_names(chosen: Mapping[str, str]) -> None:
    """Have these be all chosen names."""
    st.session_state[KEY] = {own: name for own, name in chosen.items() if name and name != own}


def note_drawn() -> None:
    """The page is drawn with the names as they are now."""
    st.session_state[_DRAWN] = dict(names())


def are_new() -> bool:
    """Whether a part of the page that is drawn by itself has chosen names that the page does not show yet."""
    return bool(names() != st.session_state.get(_DRAWN, names()))


def name_of(own: str) -> str:
    """What a space or a class of that name is called."""
    return names().get(own, own)


def names_in(sources: Iterable[str]) -> dict[str, str]:
    """Chosen names of some spaces and of their classes."""
    spaces = [open_space(source) for source in sources]
    own = {name for space in spaces for name in (space.name, *(space.labels or ()))}
    return {name: shown for name, shown in names().items() if name in own}


def with_names(text: str) -> str:
    """A sentence about spaces, with what they are called."""
    return renamed(text, names())


def sheet_shown(sheet: Sheet) -> Sheet:
    """A table with what spaces and classes are called."""
    return sheet_with_names(sheet, names())


def colors_shown(colors: Colors) -> Colors:
    """Colors whose legend says what classes are called."""
    return named_classes(colors, names())


def labels_shown(labels: Iterable[str]) -> tuple[str, ...]:
    """What the classes of rows are called."""
    chosen = names()
    return tuple(chosen.get(label, label) for label in labels)


def space_shown(source: str) -> Space:
    """The space that a source names, by the name that it has here; relviz.Error as ``open_space``."""
    return _space(open_space(source))


def pair_shown(a: str, b: str) -> Pair:
    """The pair of two sources, by the names that they have here; relviz.Error as ``open_pair``."""
    pair = open_pair(a, b)
    own = (pair.a.name, pair.b.name)
    here = (name_of(own[0]), name_of(own[1]))
    return pair if here == own else _renamed_pair(pair, *here)


def _renamed_pair(pair: Pair, a: str, b: str) -> Pair:
    """The same rows under other names. One for each, as what is kept of a pair is kept of that object."""

    def make() -> Pair:
        assert pair.digest  # computed once, for all copies
        shown = copy.copy(pair)
        for side, space, name in (("a", pair.a, a), ("b", pair.b, b)):
            object.__setattr__(shown, side, _renamed_space(space, name))
        return shown

    return _cached(_PAIRS.setdefault(pair, {}), (a, b), make)


def _space(space: Space) -> Space:
    here = name_of(space.name)
    return space if here == space.name else _renamed_space(space, here)


def _renamed_space(space: Space, name: str) -> Space:
    def make() -> Space:
        assert space.digest
        shown = copy.copy(space)
        object.__setattr__(shown, "name", name)
        return shown

    return _cached(_SPACES.setdefault(space, {}), name, make)


def _cached(copies: dict[K, V], name: K, make: Callable[[], V]) -> V:
    """The copy of that name, made where there is none; of many the oldest is let go."""
    with _LOCK:
        found = copies.get(name)
    if found is None:
        made = make()
        with _LOCK:
            found = copies.setdefault(name, made)
            while len(copies) > MOST_COPIES:
                del copies[next(iter(copies))]
    return found


def choose_names(a: str, b: str) -> None:
    """A button that opens fields for the names of both spaces and of their classes, and a way back."""
    chosen = names()
    with st.popover("Names", icon=":material/label:", key="names", on_change="rerun") as box:
        if not box.open:
            return
        pair = open_pair(a, b)
        st.caption("For this session, on every page and in figures. Files of data keep the own names.")
        fields(dict.fromkeys((pair.a.name, pair.b.name)), "Space", "names")
        classes = Counter(pair.labels or ())
        if classes:
            listed = [name for name, _ in classes.most_common(MOST_CLASSES)]
            fields(listed, "Class", "names")
            if len(classes) > len(listed):
                st.caption(f"The {len(listed)} most frequent of {count(len(classes))} classes.")
        st.button(
            f"Reset all {len(chosen)} names" if len(chosen) > 1 else "Reset names",
            icon=":material/restart_alt:",
            disabled=not chosen,
            on_click=set_names,
            args=({},),
        )


def fields(own: Iterable[str], words: str, key: str) -> None:
    """A field for each name; what is typed is its name from then on, and an empty field gives it its own."""
    for name in own:
        at = f"{key}_{words}_{name}"
        st.session_state[at] = name_of(name)

        def take(name: str = name, at: str = at) -> None:
            set_names({**names(), name: str(st.session_state[at]).strip()})

        st.text_input(f"{words} {name}", key=at, max_chars=LONGEST, on_change=take)
