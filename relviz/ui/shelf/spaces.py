"""The list of the spaces on the shelf: what each is, which two are A and B, and taking one off."""

from collections.abc import Sequence

import streamlit as st

import relviz
from relviz.state.shelf import Shelved, job_of, shelf_of, shelf_with, shelf_without
from relviz.ui import state
from relviz.ui.job_view import show_job
from relviz.ui.pair_view import choose_pair
from relviz.ui.verbatim import verbatim
from relviz.wording import count

WIDTHS = [5, 1.3, 2, 1.2, 3.4, 1.6, 1.6, 1.6]
HEAD = ("Space", "Rows", "Dimension", "MB", "Source", "A", "B", "")


def show_spaces(sources: Sequence[str], sides: tuple[str, str]) -> None:
    """Every space with its figures and its buttons; ``sides`` are A and B."""
    with st.container(border=True):
        for column, words in zip(st.columns(WIDTHS), HEAD, strict=True):
            column.caption(words)
        for one in shelf_of(sources):
            _show_space(one, sides)


def add_demo_spaces() -> None:
    """Put a demo's spaces on the shelf."""
    demos = {name: relviz.load_demo(name) for name in relviz.demo_names()}
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    chosen = left.selectbox(
        "Add the spaces of a demo to the shelf",
        [name for name, demo in demos.items() if demo.pairs],
        format_func=lambda name: f"{demos[name].title} ({len(demos[name].spaces)} spaces)",
        key="shelf_demo",
    )
    sources = tuple(f"{chosen}.{key}" for key in demos[chosen].spaces)
    right.button("Add to shelf", on_click=_put, args=sources, icon=":material/library_add:")


def _show_space(one: Shelved, sides: tuple[str, str]) -> None:
    name, rows, dimension, size, origin, a, b, off = st.columns(WIDTHS, vertical_alignment="center")
    name.markdown(f"**{verbatim(one.name)}**")
    job = job_of(one)
    if job is not None:
        with origin:
            show_job(job)
    elif one.problem:
        origin.warning(verbatim(one.problem))
    else:
        rows.markdown(count(one.rows))
        dimension.markdown(count(one.dimension))
        size.markdown(f"{one.bytes / 1e6:.1f}")
        origin.caption(verbatim(one.origin))
    for side, source, column in zip("AB", sides, (a, b), strict=True):
        here = one.source == source
        column.button(
            side,
            key=f"{side} {one.source}",
            type="primary" if here else "secondary",
            disabled=bool(one.problem),
            on_click=_take,
            args=(one.source, side),
            help=f"{verbatim(one.name)} is {side}." if here else f"Make {verbatim(one.name)} {side}.",
        )
    used = one.source in sides
    off.button(
        "",
        key=f"off {one.source}",
        icon=":material/close:",
        disabled=used,
        on_click=_take_off,
        args=(one.source,),
        help="A and B cannot be removed." if used else f"Remove {verbatim(one.name)} from the shelf.",
    )


def _take(source: str, side: str) -> None:
    """Make a space A or B; one that is the other side already changes places with it."""
    view = state.kept()
    a, b = (source, view.b) if side == "A" else (view.a, source)
    if a == b:
        a, b = view.b, view.a
    state.change(shelf=view.sources)  # all stay at hand, and in their places
    choose_pair(a, b)


def _take_off(source: str) -> None:
    state.change(shelf=shelf_without(state.kept().shelf, source))


def _put(*sources: str) -> None:
    try:
        state.change(shelf=shelf_with(state.kept().shelf, *sources))
    except relviz.Error as reason:
        state.toast(verbatim(reason), icon=":material/error:")
