"""What a run was measured with and what that gave, in words: the same wherever it is said."""

from collections.abc import Mapping
from typing import Any

from relviz.view.run import Run
from relviz.view.wording import MEASURES
from relviz.wording import count, plural

KINDS = {
    "truth": "true anchors",
    "seeds": "seeds alone",
    "rows": "found, nearest items",
    "found": "found, free points",
}
"""What stands for the anchors in B, the two that a run found last."""

METRICS = ("mrr_full", "mrr", "top1", "jaccard", "cosine")


def asked_said(run: Run, outcome: Mapping[str, Any]) -> str:
    """A sentence on the items that a run is measured with."""
    queries, rows = outcome["queries"], count(outcome["rows"])
    if not queries:
        return "No item is left to measure with: all are anchors."
    if not outcome["held_out"]:
        few = "too few items to hold any out" if run.held_out else "none are held out"
        return f"Measured on {plural(queries, 'item')} of the fit ({few}); candidates: all {rows}."
    part = "" if queries == outcome["held_out"] else f" of {count(outcome['held_out'])}"
    return f"Measured on {count(queries)}{part} held-out items; candidates: all {rows}."


def asked_short(held: int, queries: int) -> str:
    """The items that are searched with, in a few words.

    >>> asked_short(381, 381), asked_short(0, 16)
    ('381 held-out items', '16 items of the fit')
    """
    return f"{count(queries)} held-out items" if held else f"{plural(queries, 'item')} of the fit"


def right_said(outcome: Mapping[str, Any]) -> str:
    """A sentence on the matches of the fit."""
    if outcome["right"] is None:
        return "Every item of the fit is a seed."
    of = plural(outcome["right_of"], "item")
    return f"{outcome['right']:.1%} of the matches are right, of {of} in the fit that are no seeds."


def held_said(outcome: Mapping[str, Any]) -> str:
    """A sentence on the held-out items that are found first; empty where there are none."""
    if not outcome["held_out"]:
        return ""
    rows, points = (f"{outcome['measured'][name]['top1']:.1%}" for name in ("rows", "found"))
    return (
        f"Held-out items that retrieve their counterpart first: {rows} through the nearest items, {points} "
        f"through the free points (chance {outcome['chance']['top1']:.2%})."
    )


def free_said(anchors: int) -> str:
    """Why free points can pass the true anchors."""
    return (
        "Free points need not be items: they are fitted to the matches of all items of the fit, not of "
        f"{plural(anchors, 'anchor')} alone. That is how they can pass the true anchors."
    )


def measured_lines(outcome: Mapping[str, Any]) -> list[dict[str, str]]:
    """The table of a run: a line for each kind of anchors, one for chance, one for shuffled queries."""
    measured = outcome["measured"]
    if not measured:
        return []
    lines = [
        (KINDS[name], [f"{measured[name][m]:.3f}" for m in METRICS]) for name in KINDS if name in measured
    ]
    lines.append(("chance", [f"{outcome['chance'][m]:.4f}" for m in METRICS]))
    for name in ("rows", "found"):
        null = outcome["null"][name]
        spread = [f"{null['mean'][m]:.4f} ± {null['sd'][m]:.4f}" for m in METRICS]
        lines.append((f"queries shuffled, {KINDS[name].partition(', ')[2]}", spread))
    names = [MEASURES[m] for m in METRICS]
    return [{"retrieval A → B": words, **dict(zip(names, cells, strict=True))} for words, cells in lines]
