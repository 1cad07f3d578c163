"""Items in rows, as pictures or as texts: an item, and what is nearest to it before and after."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

import relviz
from relviz.figures.pictures import cells_of, cells_of_space, pictures_of
from relviz.state.known_pairs import names_of
from relviz.ui.cells import as_uri

PICTURES, TEXTS = 14, 6
"""Examples that are shown at once, of items with pictures and of texts."""
LONGEST = 160
STYLE = """<style>
.rows-of-items { overflow-x: auto; }
.rows-of-items table { border-collapse: separate; border-spacing: 4px; }
.rows-of-items th { font-weight: 400; text-align: left; max-width: 14rem; padding-right: 8px;
  font-size: .875rem; line-height: 1.3; }
.rows-of-items td { padding: 3px; border-radius: 8px; border: 2px solid transparent; vertical-align: top; }
.rows-of-items img { display: block; width: 36px; height: 36px; object-fit: contain; }
.rows-of-items .text { font-size: .8125rem; line-height: 1.3; max-width: 30rem; overflow-wrap: anywhere; }
.rows-of-items .item { background: color-mix(in srgb, currentColor 9%, transparent); }
.rows-of-items .right { border-color: #009E73; }
.rows-of-items .gap { min-width: 18px; }
.rows-of-items .other { border-color: color-mix(in srgb, #D55E00 45%, transparent); }
@media (max-width: 640px) { .rows-of-items .across th { min-width: 7rem; } }
</style>"""


@dataclass(frozen=True)
class Line:
    """Items beside a few words: rows of the pair, and how each looks: asked about, right, or another."""

    words: str
    rows: Sequence[int]
    looks: Sequence[str]


@dataclass(frozen=True)
class Cell:
    """An item as it is shown: its text, its picture as a URI where it has one, and how it looks."""

    text: str
    picture: str | None = None
    look: str = ""


def have_pictures(sources: tuple[str, str]) -> bool:
    """Whether the items of two sources are shown as pictures."""
    return pictures_of(*sources) is not None


def drawn_at_once(sources: tuple[str, str]) -> int:
    """How many items of two sources are drawn at once."""
    return PICTURES if have_pictures(sources) else TEXTS


def drawn_of_each(sources: Sequence[str]) -> int:
    """How many items are drawn at once of spaces that nothing pairs."""
    return PICTURES if all(cells_of_space(source, [0]) for source in sources) else TEXTS


def items(words: str, rows: np.ndarray) -> Line:
    """The items that are asked about, ``(m,)`` rows."""
    asked = rows.tolist()
    return Line(words, asked, [""] * len(asked))


def answers(words: str, rows: np.ndarray, found: np.ndarray, known: bool = True) -> Line:
    """What is found for each of the rows ``(m,)``; where the pairing is ``known``, right ones look so."""
    looks = ["right" if right else "other" for right in (found == rows).tolist()]
    return Line(words, found.tolist(), looks if known else [""] * len(looks))


def pictured(sources: tuple[str, str], rows: list[int]) -> dict[int, str]:
    """The pictures of some rows of two sources as URIs, where they have any."""
    cut = cells_of(*sources, rows) if have_pictures(sources) else {}
    return {row: as_uri(pixels) for row, pixels in cut.items()}


def cells_of_one(
    source: str, space: relviz.Space, rows: np.ndarray, expected: np.ndarray | None = None
) -> list[Cell]:
    """Items of one space ``(m,)``; where it is known what is ``expected`` (m,), right ones look so."""
    names = names_of(space)
    pictures: list[str | None] = [as_uri(pixels) for pixels in cells_of_space(source, rows.tolist())]
    pictures = pictures or [None] * len(rows)
    looks = [""] * len(rows)
    if expected is not None:
        looks = ["right" if right else "other" for right in (rows == expected).tolist()]
    return [
        Cell(names[row], picture, look)
        for row, picture, look in zip(rows.tolist(), pictures, looks, strict=True)
    ]


def show_lines(pair: relviz.Pair, sources: tuple[str, str], lines: Sequence[Line], label: str) -> None:
    """A table of items: pictures with a line a row, texts with a line a column."""
    pictures = pictured(sources, sorted({row for line in lines for row in line.rows}))
    show_cells(
        {
            line.words: [
                Cell(pair.items[row], pictures.get(row), look)
                for row, look in zip(line.rows, line.looks, strict=True)
            ]
            for line in lines
        },
        label,
    )


def show_cells(lines: Mapping[str, Sequence[Cell]], label: str) -> None:
    """A table of cells by the words beside them: pictures with a line a row, texts with a line a column."""
    across = any(one.picture for line in lines.values() for one in line)
    heads = [html.escape(words) for words in lines]
    cells = [list(map(cell, line)) for line in lines.values()]
    if across:
        body = "".join(
            f'<tr><th scope="row">{head}</th>{"".join(line)}</tr>'
            for head, line in zip(heads, cells, strict=True)
        )
    else:
        top = "".join(f'<th scope="col">{head}</th>' for head in heads)
        body = f"<tr>{top}</tr>" + "".join(f"<tr>{''.join(line)}</tr>" for line in zip(*cells, strict=True))
    st.html(
        f'{STYLE}<div class="rows-of-items" role="region" tabindex="0" aria-label="{html.escape(label)}">'
        f"<table{' class=across' if across else ''}>{body}</table></div>"
    )


def cell(shown: Cell, right: str = "the counterpart") -> str:
    """A cell of a table of items; of one that looks ``right`` it is said why."""
    text = html.escape(shown.text if len(shown.text) <= LONGEST else f"{shown.text[: LONGEST - 1]}…")
    suffix = f" ({right})" if shown.look == "right" else ""
    inside = (
        f'<img src="{shown.picture}" alt="{text}{suffix}">'
        if shown.picture
        else f'<div class="text" dir="auto">{text}</div>'
    )
    return f'<td class="{shown.look}" title="{text}{suffix}">{inside}</td>'


def drawn_seed(what: str) -> int:
    """The seed of a draw."""
    seed: int = st.session_state.setdefault(f"{what}_seed", 0)
    return seed


def say_and_draw_others(what: str, below: str) -> None:
    """A caption, and a button that draws others."""

    def others() -> None:
        st.session_state[f"{what}_seed"] += 1

    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Resample", key=f"{what}_others", icon=":material/casino:", on_click=others)
        st.caption(below)
