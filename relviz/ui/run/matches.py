"""Matches of a step as real items, right and wrong marked where the pairing is known."""

import html
from collections.abc import Collection

import numpy as np
import streamlit as st

import relviz
from relviz.figures.colours import OKABE_ITO
from relviz.ui.linked_map import MapEvent
from relviz.view.reel import CURVES, Frame, Reel
from relviz.view.run import Run
from relviz.wording import count

SHOWN = 24
LONGEST = 60
RIGHT, WRONG = OKABE_ITO[2], OKABE_ITO[4]
STYLE = (
    "<style>.ao-matches{display:grid;grid-template-columns:1.2em 1fr 1.2em 1fr;gap:.15rem .4rem;"
    "font-size:.875rem;max-height:400px;overflow:auto;align-items:baseline}"
    ".ao-matches span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}"
    f".ao-right{{color:{RIGHT}}}.ao-wrong{{color:{WRONG}}}.ao-arrow{{opacity:.6}}</style>"
)
WHICH = {"some": "A sample", "right": "Right", "wrong": "Wrong"}


def show_matches(run: Run, pair: relviz.Pair, reel: Reel, frame: Frame, event: MapEvent, place: int) -> None:
    """Some of the matches: of the items selected on the map, else of the same sample at every step."""
    right = frame.matches == np.arange(len(frame.matches)) if run.known else None
    accuracy = reel.curves[frame.step, CURVES.index("accuracy")]
    told = run.known and np.isfinite(accuracy)
    st.markdown("**Matches** A ↔ B" + (f", {accuracy:.1%} right in the fit, seeds left out" if told else ""))
    which = "some"
    if run.known and not len(event.selected):
        chosen = st.segmented_control(
            "Which",
            list(WHICH),
            format_func=WHICH.__getitem__,
            default="some",
            key=f"ao_which_{place}",
            label_visibility="collapsed",
        )
        which = chosen or "some"
    rows = shown_rows(np.flatnonzero(frame.matches >= 0), event.selected, right, which)
    held = set(reel.opening.held.tolist())
    st.html(matches_html(pair, rows, frame.matches, reel.opening.seeds, run.known, held))
    if len(event.selected):
        st.caption(f"{count(len(rows))} of {count(len(event.selected))} items selected on the map")
    elif not len(rows):
        st.caption(f"None is {which}.")
    else:
        st.caption(f"{count(len(rows))} of {count(len(pair))}; select items on the map to see theirs")


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
    held: Collection[int] = (),
) -> str:
    """A grid of matches; texts are shown letter by letter, rows held out say so when pointed at."""
    given = set(seeds.tolist())
    lines = "".join(_line(pair, row, matches, given, known, row in held) for row in rows)
    return STYLE + f'<div class="ao-matches">{lines}</div>'


def _line(pair: relviz.Pair, row: int, matches: np.ndarray, given: set[int], known: bool, held: bool) -> str:
    match = int(matches[row])
    kind, sign = ("right", "✓") if match == row else ("wrong", "✗")
    colour, word = (f" class='ao-{kind}'", kind) if known else ("", "")
    if row in given:
        sign, word = "★", f"seed {word}".strip()
    elif not known:
        sign = ""
    if held:
        word = f"{word} (held out)".strip()
    mark = f'<span{colour} title="{word}">{sign}</span>'
    a, b = (_item(pair.items[one]) for one in (row, match))
    return f'{mark}{a}<span class="ao-arrow">↔</span>{b}'


def _item(text: str) -> str:
    short = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return f'<span title="{html.escape(text[:600])}">{html.escape(short)}</span>'
