"""Matches of a run in a list: items of A beside the items of B that they are matched with."""

import html
from collections.abc import Collection, Mapping
from types import MappingProxyType

import numpy as np
import streamlit as st

import relviz
from relviz.figures.pictures import cells_of
from relviz.plotting.colors import CLASSES
from relviz.results.comparison import Comparison
from relviz.results.replay import Snapshot
from relviz.results.run import RunRecord
from relviz.ui.cells import as_uri
from relviz.ui.item_rows import cells_of_one, drawn_of_each, have_pictures, show_cells
from relviz.ui.linked_map import MapEvent
from relviz.ui.names import space_shown
from relviz.wording import count

SHOWN = 24
LONGEST = 60
RIGHT, WRONG = CLASSES[2], CLASSES[4]
STYLE = (
    "<style>.ao-matches{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,28rem),1fr));"
    "gap:.15rem 1.5rem;font-size:.875rem}"
    ".ao-matches div{display:grid;grid-template-columns:1.2em 1fr 1.2em 1fr;gap:.4rem;align-items:center}"
    ".ao-matches span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}"
    ".ao-matches img{width:24px;height:24px;vertical-align:middle;margin-inline-end:.4rem}"
    f".ao-right{{color:{RIGHT}}}.ao-wrong{{color:{WRONG}}}</style>"
)
WHICH = {"some": "A sample", "right": "Right", "wrong": "Wrong"}


def show_matches_so_far(sources: tuple[str, str], matches: np.ndarray) -> None:
    """Items of a space and the rows ``(n,)`` of another that they are matched with by now."""
    a, b = map(space_shown, sources)
    rows = np.sort(np.random.default_rng(0).permutation(len(a))[: drawn_of_each(sources)])
    show_cells(
        {
            f"item of {a.name}": cells_of_one(sources[0], a, rows),
            f"match in {b.name} so far": cells_of_one(sources[1], b, matches[rows]),
        },
        "Examples",
    )


def show_matches(
    record: RunRecord, comparison: Comparison, shown: Snapshot, event: MapEvent, place: int, known: bool
) -> None:
    """Some of the matches: of the items selected on the map, else of the same sample at every step."""
    pair = comparison.pair
    right = shown.matches == np.arange(len(shown.matches)) if known else None
    accuracy = record.replay.curve("accuracy")[shown.step]
    measured = (
        f", {accuracy:.1%} right among fitted items, known pairs excluded" if np.isfinite(accuracy) else ""
    )
    st.markdown("**Matches** A ↔ B" + (measured if known else ""))
    which = "some"
    if known and not len(event.selected):
        chosen = st.segmented_control(
            "Which",
            list(WHICH),
            format_func=WHICH.__getitem__,
            default="some",
            key=f"ao_which_{place}",
            label_visibility="collapsed",
        )
        which = chosen or "some"
    rows = shown_rows(np.flatnonzero(shown.matches >= 0), event.selected, right, which)
    held_out = set(record.held_out.tolist())
    pictured = sorted({*rows.tolist(), *shown.matches[rows].tolist()})
    cut = cells_of(*comparison.sources, pictured) if have_pictures(comparison.sources) else {}
    pictures = {row: as_uri(pixels) for row, pixels in cut.items()}
    st.html(matches_html(pair, rows, shown.matches, record.seeds.numpy(), known, held_out, pictures))
    if len(event.selected):
        st.caption(f"{count(len(rows))} of {count(len(event.selected))} items selected on the map")
    elif not len(rows):
        st.caption(f"No match is {which}.")
    else:
        st.caption(f"{count(len(rows))} of {count(len(pair))}. Select items on the map to see their matches")


def shown_rows(matched: np.ndarray, selected: np.ndarray, right: np.ndarray | None, which: str) -> np.ndarray:
    """Rows of A whose match is listed, out of those that have one."""
    if len(selected):
        return selected[np.isin(selected, matched)][:SHOWN]
    order = np.random.default_rng(0).permutation(matched)
    if which != "some" and right is not None:
        order = order[right[order] == (which == "right")]
    return np.sort(order[:SHOWN])


def matches_html(
    pair: relviz.Pair,
    rows: np.ndarray,
    matches: np.ndarray,
    seeds: np.ndarray,
    known: bool,
    held_out: Collection[int] = (),
    pictures: Mapping[int, str] = MappingProxyType({}),
) -> str:
    """A grid of matches; texts are shown letter by letter, rows held out say so when pointed at.

    ``pictures`` are those of rows, as data URIs.
    """
    given = set(seeds.tolist())
    lines = "".join(_line(pair, row, matches, given, known, row in held_out, pictures) for row in rows)
    return STYLE + f'<div class="ao-matches">{lines}</div>'


def _line(
    pair: relviz.Pair,
    row: int,
    matches: np.ndarray,
    given: set[int],
    known: bool,
    held_out: bool,
    pictures: Mapping[int, str],
) -> str:
    match = int(matches[row])
    kind, sign = ("right", "✓") if match == row else ("wrong", "✗")
    color, word = (f" class='ao-{kind}'", kind) if known else ("", "")
    if row in given:
        sign, word = "★", f"known pair {word}".strip()
    elif not known:
        sign = ""
    if held_out:
        word = f"{word} (held out)".strip()
    mark = f'<span{color} title="{word}">{sign}</span>'
    a, b = (_item(pair.items[one], pictures.get(one)) for one in (row, match))
    return f"<div>{mark}{a}<span>↔</span>{b}</div>"


def _item(text: str, picture: str | None) -> str:
    short = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    image = f'<img src="{picture}" alt="">' if picture else ""
    return f'<span title="{html.escape(text[:600])}" dir="auto">{image}{html.escape(short)}</span>'
