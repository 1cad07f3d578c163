"""Compare's items in rows: what B answers for items of A."""

import streamlit as st

import relviz
from relviz.results.comparison import Comparison
from relviz.results.examples import Examples, examples
from relviz.ui.item_rows import (
    Line,
    answers,
    drawn_at_once,
    drawn_seed,
    items,
    say_and_draw_others,
    show_lines,
)
from relviz.ui.job_view import result_or_progress
from relviz.ui.verbatim import verbatim
from relviz.wording import count, plural


def show_examples(comparison: Comparison) -> None:
    """Items drawn at random, what is nearest in B by raw coordinates, and what relative to the anchors."""
    drawn = drawn_at_once(comparison.sources)
    try:
        made = result_or_progress("examples", examples(comparison, drawn, drawn_seed("examples")))
    except relviz.Error as reason:
        st.info(verbatim(reason), icon=":material/anchor:")
        return
    if made is None:
        return
    show_lines(comparison.pair, comparison.sources, _example_lines(comparison, made), "Examples")
    right = int((made.relative == made.rows).sum())
    say_and_draw_others(
        "examples",
        f"{plural(len(made.rows), 'item')} that are not anchors, drawn at random. Green: the counterpart "
        f"itself, here for {right} of {len(made.rows)}.",
    )


def _example_lines(comparison: Comparison, made: Examples) -> list[Line]:
    pair, anchors = comparison.pair, count(len(comparison.anchors))
    lines = [items(f"item of {pair.a.name}", made.rows)]
    if made.original is not None:
        lines.append(answers("nearest in B, original spaces", made.rows, made.original))
    lines.append(answers(f"nearest in B, relative to {anchors} anchors", made.rows, made.relative))
    return lines
