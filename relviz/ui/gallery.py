"""A card for each shipped figure: what it shows, the paper's numbers beside ours, the figure once made."""

from functools import partial

import streamlit as st

from relviz.compute.task import Task
from relviz.figures.gallery import GROUPS, Card, Drawn, cards, drawn, file_of
from relviz.figures.packed import packed
from relviz.figures.registry import KINDS
from relviz.papers import LINKS
from relviz.sheet import Sheet
from relviz.ui.cells import file_uri
from relviz.ui.job_view import show_job, start
from relviz.ui.names import names, names_in, with_names
from relviz.ui.open_recipe import open_wanted, recipe_button
from relviz.ui.verbatim import verbatim

ACROSS = 2
MIMES = {
    "pdf": "application/pdf",
    "svg": "image/svg+xml",
    "png": "image/png",
    "tex": "text/x-tex",
    "md": "text/markdown",
    "csv": "text/csv",
    "txt": "text/plain",
    "json": "application/json",
}
WORDS = {
    "pdf": "PDF",
    "svg": "SVG",
    "png": "PNG",
    "tex": "LaTeX",
    "md": "Markdown",
    "csv": "Data, csv",
    "txt": "Caption, txt",
    "json": "Recipe",
}


def show_gallery() -> None:
    """A choice of the paper, and its cards two by two."""
    open_wanted()
    found = cards()
    paper = st.segmented_control(
        "Paper",
        ["all", *found],
        default="all",
        required=True,
        format_func=lambda one: "All" if one == "all" else GROUPS[one],
        key="gallery_paper",
        label_visibility="collapsed",
    )
    for one, some in found.items():
        if paper in ("all", one):
            _show_paper(one, some)


def _show_paper(paper: str, some: list[Card]) -> None:
    link = f" · {LINKS[paper]}" if paper in LINKS else ""
    st.subheader(GROUPS[paper] + link, anchor=paper.lower() or "others")
    for line in _lines(some):
        for column, (card, made) in zip(st.columns(1 if _is_table(line) else ACROSS), line, strict=False):
            with column.container(border=True, height="stretch", key=f"card_{card.name}"):
                _show_card(card, made)


def _lines(some: list[Card]) -> list[list[tuple[Card, Drawn | None]]]:
    """Cards side by side, but tables that were made in lines of their own."""
    lines: list[list[tuple[Card, Drawn | None]]] = []
    for own in some:
        card = _named(own)
        made = drawn(card) or packed(own)
        alone = made is not None and made.table
        if alone or not lines or len(lines[-1]) == ACROSS or _is_table(lines[-1]):
            lines.append([])
        lines[-1].append((card, made))
    return lines


def _named(card: Card) -> Card:
    """The card of a figure with what its spaces and classes are called in this session."""
    recipe = card.recipe
    chosen = names_in(recipe.data) if names() and not KINDS[recipe.kind].sources else {}
    if not chosen:
        return card
    return Card(card.name, recipe.with_changes(look=recipe.look.with_changes(names=chosen)))


def _is_table(line: list[tuple[Card, Drawn | None]]) -> bool:
    return any(made is not None and made.table for _, made in line)


def _show_card(card: Card, made: Drawn | None) -> None:
    recipe = card.recipe
    st.markdown(f"**{verbatim(recipe.title)}**")
    if recipe.paper is not None:
        st.caption(f"{verbatim(recipe.paper.place)} · {verbatim(recipe.paper.title)}")
    if made is not None:
        st.image(file_uri(made.picture), alt=recipe.title)
        if recipe.look.names and not made.suffixes:
            st.caption("Names as packed. Compute here draws it with yours.")
    with st.expander("About, with the paper's numbers"):
        _show_about(card, made)
    if made is not None and made.suffixes:
        _offer_files(card, made)
        recipe_button(recipe, f"open_{card.name}")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        _offer_making(card, card.task)
        recipe_button(recipe, f"open_{card.name}")


def _show_about(card: Card, made: Drawn | None) -> None:
    recipe = card.recipe
    st.markdown(verbatim(recipe.about))
    if recipe.paper is not None and recipe.paper.says:
        st.markdown(f"*In the paper:* {verbatim(recipe.paper.says)}")
    if recipe.paper is not None and recipe.paper.differs:
        st.markdown(f"*Here:* {verbatim(recipe.paper.differs)}")
    sheet = card.without_ours() if made is None else made.comparison
    if sheet is not None:
        _show_beside(sheet)
    if made is not None:
        st.markdown(f"*Caption:* {verbatim(with_names(made.caption))}")


def _show_beside(sheet: Sheet) -> None:
    st.table(
        [{name or " ": verbatim(text) for name, text in row.items()} for row in sheet.dicts()],
        hide_index=True,
    )


def _offer_making(card: Card, task: Task[object]) -> None:
    job = task.job()
    if job is None or job.state == "done":
        st.button(
            "Compute here",
            key=f"make_{card.name}",
            icon=":material/draw:",
            on_click=start,
            args=(task,),
            help="Computes the figure on this machine and offers its files: PDF, SVG, data, recipe.",
        )
    else:
        show_job(job, task)


def _offer_files(card: Card, made: Drawn) -> None:
    with st.container(horizontal=True):
        for suffix in made.suffixes:
            st.download_button(
                WORDS[suffix],
                partial(file_of, card, suffix),
                f"{card.name}.{suffix}",
                MIMES[suffix],
                key=f"{card.name}_{suffix}",
                on_click="ignore",
                type="tertiary",
                icon=":material/download:",
            )
