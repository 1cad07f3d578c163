"""Sentences that captions share."""

from collections.abc import Sequence

from relviz.pair import Pair
from relviz.view.choices import View
from relviz.view.found import anchors_from_run
from relviz.view.frames import centred
from relviz.view.results import anchors_of, drawn_count
from relviz.view.wording import METHODS, SIMILARITIES
from relviz.wording import count, plural


def listed(words: Sequence[str]) -> str:
    """Words with commas between them.

    >>> listed(["a", "b", "c"])
    'a, b, c'
    """
    return ", ".join(words)


def both_said(pair: Pair) -> str:
    """What A and B are."""
    return (
        f"A: {pair.a.name} ({plural(pair.a.dimension, 'dimension')}); B: {pair.b.name} "
        f"({plural(pair.b.dimension, 'dimension')}); {plural(len(pair), 'item')}."
    )


def anchors_said(view: View, pair: Pair) -> str:
    """Which anchors, drawn how, and in what frame."""
    frame = "both spaces centred" if centred(view) else "spaces not centred"
    if view.quantum:
        frame += f", quantized at {view.quantum:g}"
    measure = SIMILARITIES[view.similarity].lower()
    if view.method == "run":
        how = f"anchors of the run “{anchors_from_run(view, pair).title}”"
    elif view.method == "hand":
        how = f"{plural(len(anchors_of(view, pair)), 'anchor')} chosen by hand"
    else:
        many = plural(drawn_count(view, len(pair)), "anchor")
        how = f"{many}, {METHODS[view.method].lower()}, seed {view.seed}"
    return f"{how} ({measure}, {frame})"


def draws_said(first: int, runs: int) -> str:
    """Over what a mean is taken.

    >>> draws_said(0, 5)
    'mean ± sd over seeds 0–4'
    """
    return f"mean ± sd over seeds {first}–{first + runs - 1}" if runs > 1 else f"seed {first}"


def rows_said(queries: int, rows: int, include_anchors: bool = False) -> str:
    """Which rows are queries, and how many candidates there are."""
    which = "anchors included, as the papers count" if include_anchors else "none of them an anchor"
    return f"{count(queries)} queries ({which}), {count(rows)} candidates"
