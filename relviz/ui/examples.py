"""Compare's items in rows: what B answers for items of A, and where the encoders disagree."""

import numpy as np
import streamlit as st

import relviz
from relviz.results.comparison import Comparison
from relviz.results.examples import Disagreements, Examples, disagreements, examples
from relviz.results.neighborhoods import neighborhood_agreement
from relviz.ui.item_rows import (
    TEXTS,
    Line,
    answers,
    drawn_at_once,
    drawn_seed,
    have_pictures,
    items,
    say_and_draw_others,
    show_lines,
)
from relviz.ui.job_view import result_or_progress
from relviz.ui.verbatim import verbatim
from relviz.wording import count, plural

NEAREST = 6


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


def show_disagreements(comparison: Comparison, k: int) -> None:
    """Items whose neighbors the two encoders agree on least, with their nearest items in either space."""
    pair = comparison.pair
    agreement = result_or_progress("agreement", neighborhood_agreement(pair, k))
    if agreement is None:
        return
    with_pictures = have_pictures(comparison.sources)
    seed = drawn_seed("disagreements")
    drawn = disagreements(pair, agreement, NEAREST if with_pictures else 2, TEXTS, seed)
    made = result_or_progress("disagreements", drawn)
    if made is None:
        return
    for at, row in enumerate(made.rows.tolist()):
        _show_disagreement(comparison, made, at, row)
    say_and_draw_others(
        "disagreements",
        f"Sampled from the 10% of items whose {agreement.k} nearest neighbors differ most between the "
        f"original spaces. Mean Jaccard index of all items: {float(np.mean(agreement.jaccard)):.2f} (chance "
        f"{agreement.chance:.2f}).",
    )


def _show_disagreement(comparison: Comparison, made: Disagreements, at: int, row: int) -> None:
    pair = comparison.pair
    lines = [
        Line(f"nearest in {side.name}", [row, *near[at].tolist()], ["item", *[""] * near.shape[1]])
        for side, near in ((pair.a, made.in_a), (pair.b, made.in_b))
    ]
    show_lines(pair, comparison.sources, lines, f"Neighbors of {pair.items[row]}")
