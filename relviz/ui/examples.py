"""Items in rows, as pictures or as texts: what B answers for items of A, and where the encoders disagree."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

import relviz
from relviz.figures.pictures import cells_of, pictures_of
from relviz.results.comparison import Comparison
from relviz.results.examples import Disagreements, Examples, disagreements, examples
from relviz.results.neighborhoods import neighborhood_agreement
from relviz.ui.cells import as_uri
from relviz.ui.job_view import result_or_progress
from relviz.ui.verbatim import verbatim
from relviz.wording import count, plural

PICTURES, TEXTS = 16, 6
"""Examples that are shown at once, of items with pictures and of texts."""
NEAREST = 6
LONGEST = 160
STYLE = """<style>
.rows-of-items { overflow-x: auto; }
.rows-of-items table { border-collapse: separate; border-spacing: 4px; }
.rows-of-items th { font-weight: 400; text-align: left; white-space: nowrap; padding-right: 8px; opacity: .75;
  font-size: .875rem; }
.rows-of-items td { padding: 3px; border-radius: 8px; border: 2px solid transparent; vertical-align: top; }
.rows-of-items img { display: block; width: 36px; height: 36px; object-fit: contain; }
.rows-of-items .text { font-size: .8125rem; line-height: 1.3; max-width: 30rem; overflow-wrap: anywhere; }
.rows-of-items .item { background: color-mix(in srgb, currentColor 9%, transparent); }
.rows-of-items .right { border-color: #009E73; }
.rows-of-items .other { border-color: color-mix(in srgb, #D55E00 45%, transparent); }
</style>"""


@dataclass(frozen=True)
class Line:
    """Items beside a few words: rows of the pair, and how each looks: asked about, right, or another."""

    words: str
    rows: Sequence[int]
    looks: Sequence[str]


def show_examples(comparison: Comparison) -> None:
    """Items drawn at random, what is nearest in B by raw coordinates, and what relative to the anchors."""
    with_pictures = pictures_of(*comparison.sources) is not None
    seed = _seed("examples")
    try:
        made = result_or_progress(
            "examples", examples(comparison, PICTURES if with_pictures else TEXTS, seed)
        )
    except relviz.Error as reason:
        st.info(verbatim(reason), icon=":material/anchor:")
        return
    if made is None:
        return
    _show(comparison, _example_lines(comparison, made), "Examples", across=with_pictures)
    right = int((made.relative == made.rows).sum())
    _say_and_draw_others(
        "examples",
        f"{plural(len(made.rows), 'item')} that are no anchors, drawn at random. Green: the counterpart "
        f"itself, here for {right} of {len(made.rows)}.",
    )


def _example_lines(comparison: Comparison, made: Examples) -> list[Line]:
    pair, anchors = comparison.pair, count(len(comparison.anchors))
    rows = made.rows.tolist()
    lines = [Line(f"item of {pair.a.name}", rows, [""] * len(rows))]
    if made.original is not None:
        lines.append(_answers("nearest in B, original spaces", rows, made.original))
    lines.append(_answers(f"nearest in B, relative to {anchors} anchors", rows, made.relative))
    return lines


def _answers(words: str, rows: Sequence[int], found: np.ndarray) -> Line:
    answers = found.tolist()
    return Line(
        words, answers, ["right" if one == row else "other" for one, row in zip(answers, rows, strict=True)]
    )


def show_disagreements(comparison: Comparison, k: int) -> None:
    """Items whose neighbors the two encoders agree on least, with their nearest items in either space."""
    pair = comparison.pair
    agreement = result_or_progress("agreement", neighborhood_agreement(pair, k))
    if agreement is None:
        return
    with_pictures = pictures_of(*comparison.sources) is not None
    seed = _seed("disagreements")
    drawn = disagreements(pair, agreement, NEAREST if with_pictures else 2, TEXTS, seed)
    made = result_or_progress("disagreements", drawn)
    if made is None:
        return
    for at, row in enumerate(made.rows.tolist()):
        _show_disagreement(comparison, made, at, row, with_pictures)
    _say_and_draw_others(
        "disagreements",
        f"Drawn among the tenth of the items whose {agreement.k} nearest items agree least between the "
        f"original spaces: Jaccard index {float(np.mean(agreement.jaccard)):.2f} on average over all items, "
        f"{agreement.chance:.2f} by chance.",
    )


def _show_disagreement(
    comparison: Comparison, made: Disagreements, at: int, row: int, with_pictures: bool
) -> None:
    pair = comparison.pair
    lines = [
        Line(f"nearest in {side.name}", [row, *near[at].tolist()], ["item", *[""] * near.shape[1]])
        for side, near in ((pair.a, made.in_a), (pair.b, made.in_b))
    ]
    _show(comparison, lines, f"Neighbors of {pair.items[row]}", across=with_pictures)


def _seed(what: str) -> int:
    """The seed of a draw."""
    seed: int = st.session_state.setdefault(f"{what}_seed", 0)
    return seed


def _say_and_draw_others(what: str, said: str) -> None:
    """A caption, and a button that draws others."""

    def others() -> None:
        st.session_state[f"{what}_seed"] += 1

    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Draw others", key=f"{what}_others", icon=":material/casino:", on_click=others)
        st.caption(said)


def _show(comparison: Comparison, lines: Sequence[Line], label: str, *, across: bool) -> None:
    """A table of items: pictures with a line a row, texts with a line a column."""
    rows = sorted({row for line in lines for row in line.rows})
    cut = cells_of(*comparison.sources, rows) if across else {}
    pictures = {row: as_uri(pixels) for row, pixels in cut.items()}
    cells = [
        [
            _cell(comparison.pair.items[row], pictures.get(row), look)
            for row, look in zip(line.rows, line.looks, strict=True)
        ]
        for line in lines
    ]
    heads = [html.escape(line.words) for line in lines]
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
        f"<table>{body}</table></div>"
    )


def _cell(item: str, picture: str | None, look: str) -> str:
    text = html.escape(item if len(item) <= LONGEST else f"{item[: LONGEST - 1]}…")
    said = " (the counterpart)" if look == "right" else ""
    shown = (
        f'<img src="{picture}" alt="{text}{said}">'
        if picture
        else f'<div class="text" dir="auto">{text}</div>'
    )
    return f'<td class="{look}" title="{text}{said}">{shown}</td>'
