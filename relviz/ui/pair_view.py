"""The pair on screen: choosing it, its items, the audit of its matching, an assumed pairing."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import relviz
from relviz.errors import UnpairedError
from relviz.figures.numbers import pair_csv, pair_npz
from relviz.results.comparison import Comparison, comparison_of
from relviz.results.pairing import answer, is_assumed, pairing_task
from relviz.state import View
from relviz.state.shelf import anchors_after, shelf_after, shelf_of
from relviz.state.sources import is_own, open_pair
from relviz.state.view import GIVEN
from relviz.ui import state
from relviz.ui.item_table import show_item_table
from relviz.ui.job_view import result_or_progress
from relviz.ui.names import choose_names, labels_shown, name_of, pair_shown, space_shown
from relviz.ui.verbatim import verbatim
from relviz.wording import count


def open_comparison(view: View) -> Comparison:
    """The comparison that a view asks for; where its pair cannot be had, a message, and the page stops."""
    return comparison_of(view, pair_of(view.a, view.b))


def pair_of(a: str, b: str) -> relviz.Pair:
    """The pair of two sources; where it cannot be had, a message with the way out, and the page stops."""
    try:
        return pair_shown(a, b)
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        if isinstance(reason, UnpairedError):
            st.page_link(
                "pages/bootstrap.py",
                label="Find correspondences",
                icon=":material/join_inner:",
            )
        st.page_link("pages/shelf.py", label="Choose another pair from the shelf", icon=":material/shelves:")
        st.button("Show the emoji demo instead", on_click=choose_pair, args=(View().a, View().b))
        st.stop()


def is_unpaired(a: str, b: str, aside: bool) -> bool:
    """Whether both spaces are there and nothing says how their rows match.

    With ``aside`` rows that are paired by their positions count as not matched.
    """
    try:
        return is_assumed(open_pair(a, b)) and aside
    except UnpairedError:
        return True
    except relviz.Error:
        return False


def choose_pair(a: str, b: str) -> None:
    """Make two sources the pair of the view; anchors and seeds given for the old one are let go."""
    view = state.current()
    method = "uniform" if view.method in GIVEN else view.method
    ao = view.ao.with_changes(hand=(), seeding="uniform") if view.ao.hand else view.ao
    shelf = shelf_after(view.shelf, view.a, view.b, a, b)
    anchors = anchors_after(view.count, (view.a, view.b), (a, b))
    state.change(a=a, b=b, shelf=shelf, picks=(), method=method, count=anchors, run="", ao=ao, unpaired=False)


def demo_pairs() -> dict[tuple[str, str], str]:
    """All pairs that comes with relviz, by its two sources, in words."""
    pairs = {}
    for name in relviz.demo_names():
        demo = relviz.load_demo(name)
        for a, b in demo.pairs:
            words = f"{demo.title}: {name_of(demo.spaces[a].name)} / {name_of(demo.spaces[b].name)}"
            pairs[f"{name}.{a}", f"{name}.{b}"] = words
    return pairs


def shelf_pairs(sources: Sequence[str]) -> dict[tuple[str, str], str]:
    """Every two spaces of the shelf that are not both of a demo, by their sources, in words."""
    names = {one.source: name_of(one.name) for one in shelf_of(sources) if not one.problem}
    return {(a, b): f"{names[a]} / {names[b]}" for a, b in combinations(names, 2) if is_own(a) or is_own(b)}


def pair_select(a: str, b: str, shelf: Sequence[str]) -> None:
    """A list of the pairs of the shelf and of the demos, with the present pair among them."""
    pairs = shelf_pairs(shelf) | demo_pairs()
    here = (a, b)
    if here not in pairs:
        pairs = {here: f"{space_shown(a).name} / {space_shown(b).name}", **pairs}
    st.session_state["choice_pair"] = here
    st.selectbox(
        "Pair of spaces",
        list(pairs),
        format_func=lambda sources: pairs[tuple(sources)],
        key="choice_pair",
        on_change=lambda: choose_pair(*st.session_state["choice_pair"]),
        help="Pairs of your shelf and the demos. Add your own vectors on the Data page, your own texts and "
        "images on the Encode page.",
    )
    choose_names(a, b)


def demo_select(a: str, b: str) -> None:
    """Choose a demo, and any two of its spaces; A and B are chosen by now."""
    pairs = {name: relviz.load_demo(name) for name in relviz.demo_names()}
    pairs = {name: demo for name, demo in pairs.items() if demo.pairs}
    here = a.partition(".")[0]

    def take_demo() -> None:
        name = st.session_state["choice_demo"]
        choose_pair(*(f"{name}.{key}" for key in pairs[name].pairs[0]))

    if here in pairs:
        st.session_state["choice_demo"] = here
    st.radio(
        "Demo",
        list(pairs),
        index=None,
        format_func=lambda name: pairs[name].title,
        captions=[demo.description for demo in pairs.values()],
        key="choice_demo",
        label_visibility="collapsed",
        on_change=take_demo,
    )
    if here not in pairs:
        return
    spaces = pairs[here].spaces
    names = {f"{here}.{key}": name_of(space.name) for key, space in spaces.items()}
    for side, column in zip("ab", st.columns(2), strict=True):
        _side_select({"a": a, "b": b}, side, column, names)
    with st.expander("Source and license"):
        st.caption(f"From {pairs[here].source}. License: {pairs[here].license}.")


def _side_select(
    sides: Mapping[str, str], side: str, column: DeltaGenerator, names: Mapping[str, str]
) -> None:
    key = f"choice_side_{side}"
    st.session_state[key] = sides[side]

    def take() -> None:
        chosen = {**sides, side: st.session_state[key]}
        choose_pair(chosen["a"], chosen["b"])

    label = View.choice(side).label
    column.selectbox(label, list(names), format_func=names.__getitem__, key=key, on_change=take)


def audit_view(audit: relviz.Audit, names: tuple[str, str]) -> None:
    """How the rows were matched, what was left out, and what looks odd."""
    order = "in the same order on both sides" if audit.same_order else "in a different order on the two sides"
    if audit.matched_by == "ids":
        st.markdown(f"**{count(audit.kept)} rows** matched by their ids, {order}.")
    else:
        st.markdown(f"**{count(audit.kept)} rows** assumed to be paired by position, row 1 with row 1.")
    if audit.label_conflicts:
        st.warning(
            f"{count(audit.label_conflicts)} rows have different classes in A and B. The class in A is shown."
        )
    figures = {
        "rows": "rows",
        "unmatched": "without a counterpart",
        "duplicated": "repeated ids",
        "nan": "with NaN",
        "infinite": "with infinite values",
        "zero": "all zero",
        "constant": "constant",
    }
    a, b = (f"{side}: {verbatim(name)}" for side, name in zip("AB", names, strict=True))
    odd = any(getattr(side, what) for side in (audit.a, audit.b) for what in figures if what != "rows")
    with st.expander("Audit of both files", expanded=odd):
        st.table(
            [
                {"": words, a: count(getattr(audit.a, what)), b: count(getattr(audit.b, what))}
                for what, words in figures.items()
            ],
            hide_index=True,
        )


def item_table(pair: relviz.Pair) -> dict[str, list[str]]:
    """Columns of the items: what they show, their class, their id."""
    table = {"item": list(pair.items)}
    if pair.labels is not None:
        table["class"] = list(labels_shown(pair.labels))
    if pair.ids != pair.items:
        table["id"] = list(pair.ids)
    return table


def show_items(pair: relviz.Pair, sources: tuple[str, str], height: int = 320) -> None:
    """Show the matched items with their classes and ids; the table can be searched, sorted, and saved."""
    alt = "Items of the pair with their classes and ids"
    show_item_table(sources, range(len(pair)), item_table(pair), alt, height)
    with st.container(horizontal=True):
        for words, make, name in (
            ("Rows, csv", pair_csv, "rows.csv"),
            ("Rows and vectors, npz", pair_npz, "pair.npz"),
        ):
            st.download_button(
                words, partial(make, pair), name, on_click="ignore", icon=":material/download:", key=name
            )


SHOWN = {
    "plausible": (st.info, ":material/check_circle:"),
    "doubtful": (st.warning, ":material/help:"),
    "random": (st.error, ":material/shuffle:"),
}


def show_assumed_pairing(pair: relviz.Pair, place: str) -> None:
    """Of a pairing by position: that it is assumed, and whether it holds up. Nothing where ids match."""
    if not is_assumed(pair):
        return
    try:
        test = result_or_progress(f"pairing {place}", pairing_task(pair))
    except relviz.Error as reason:
        st.warning(f"Rows are assumed to be paired by position. {verbatim(reason)}", icon=":material/help:")
        return
    if test is None:
        return
    box, icon = SHOWN[test.verdict]
    with st.container(horizontal=True, vertical_alignment="center"):
        box(f"**Rows are assumed to be paired by position.** {verbatim(answer(test))}", icon=icon)
        if st.button("Find correspondences", icon=":material/join_inner:", key=f"find_{place}"):
            state.change(unpaired=True)
            st.switch_page("pages/bootstrap.py")
