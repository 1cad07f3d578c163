"""The list of the spaces on the shelf: what each is, which two are A and B, and taking one off."""

from collections.abc import Sequence

import streamlit as st

import relviz
from relviz.state.shelf import Shelved, job_of, shelf_of, shelf_with, shelf_without
from relviz.ui import state
from relviz.ui.job_view import show_job
from relviz.ui.names import name_of
from relviz.ui.pair_view import choose_pair
from relviz.ui.thumbnail import show_thumbnail
from relviz.ui.verbatim import verbatim
from relviz.wording import count, size


def show_spaces(sources: Sequence[str], sides: tuple[str, str]) -> None:
    """Every space with its figures and its buttons; ``sides`` are A and B."""
    with st.container(border=True):
        for one in shelf_of(sources):
            _show_space(one, sides)


def add_demo_spaces() -> None:
    """Put a demo's spaces on the shelf."""
    demos = {name: relviz.load_demo(name) for name in relviz.demo_names()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Add the spaces of a demo to the shelf",
            [name for name, demo in demos.items() if demo.pairs],
            format_func=lambda name: f"{demos[name].title} ({len(demos[name].spaces)} spaces)",
            key="shelf_demo",
            width=360,
        )
        sources = tuple(f"{chosen}.{key}" for key in demos[chosen].spaces)
        st.button("Add to shelf", on_click=_put, args=sources, icon=":material/library_add:")
        st.page_link("pages/compare.py", label="Compare A and B", icon=":material/compare:", width="content")


def _show_space(one: Shelved, sides: tuple[str, str]) -> None:
    job = job_of(one)
    with st.container(horizontal=True, vertical_alignment="center"):
        if job is None and not one.problem:
            show_thumbnail(one.source, (132, 84))
        with st.container(gap="xxsmall"):
            st.markdown(f"**{verbatim(name_of(one.name))}**")
            if job is not None:
                show_job(job)
            elif one.problem:
                st.warning(verbatim(one.problem))
            else:
                facts = f"{count(one.rows)} rows, dimension {count(one.dimension)}, {size(one.bytes)}"
                st.caption(f"{facts} · {verbatim(one.origin)}")
        with st.container(horizontal=True, width="content"):  # side by side on a phone, too
            _show_buttons(one, sides)


def _show_buttons(one: Shelved, sides: tuple[str, str]) -> None:
    for side, source in zip("AB", sides, strict=True):
        here = one.source == source
        st.button(
            side,
            key=f"{side} {one.source}",
            type="primary" if here else "secondary",
            disabled=bool(one.problem),
            on_click=_take,
            args=(one.source, side),
            help=f"{verbatim(name_of(one.name))} is {side}."
            if here
            else f"Make {verbatim(name_of(one.name))} {side}.",
        )
    used, name = one.source in sides, verbatim(name_of(one.name))
    st.button(
        "",
        key=f"off {one.source}",
        icon=":material/close:",
        disabled=used,
        on_click=_take_off,
        args=(one.source,),
        help="A and B cannot be removed." if used else f"Remove {name} from the shelf.",
    )


def _take(source: str, side: str) -> None:
    """Make a space A or B; one that is the other side already changes places with it."""
    view = state.current()
    a, b = (source, view.b) if side == "A" else (view.a, source)
    if a == b:
        a, b = view.b, view.a
    state.change(shelf=view.sources)  # all stay at hand, and in their places
    choose_pair(a, b)


def _take_off(source: str) -> None:
    state.change(shelf=shelf_without(state.current().shelf, source))


def _put(*sources: str) -> None:
    try:
        state.change(shelf=shelf_with(state.current().shelf, *sources))
    except relviz.Error as reason:
        state.toast(verbatim(reason), icon=":material/error:")
