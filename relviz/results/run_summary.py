"""The evaluation of a run in sentences and as a table: the same on the page, in captions, in the terminal."""

from relviz.bootstrapping.run_evaluation import Evaluation
from relviz.results.run import Verdict
from relviz.state.option_labels import MEASURES
from relviz.state.view import Run
from relviz.wording import count, plural

DISCOVERED = {"rows": "nearest items", "found": "free points"}
"""What a run found in B: its anchors as items, and as points."""
THROUGH = {
    "truth": "true anchors",
    "seeds": "known pairs only",
    **{name: f"discovered, {words}" for name, words in DISCOVERED.items()},
}
"""What stands for the anchors in B, the two that a run found last."""
METRICS = ("mrr", "mrr_at_k", "top1", "jaccard", "cosine")


def right_summary(verdict: Verdict) -> str:
    """What the solver estimates of the share of right matches without the pairing.

    Empty for a run that was kept before there were estimates.
    """
    right = verdict.evidence.right
    if right is None:
        rejected = "The share of correct matches is not estimated: the self-check rejected the run."
        return "" if verdict.converged else rejected
    return f"Estimated share of correct matches: {right.estimate:.0%} ({right.range})."


def queries_summary(run: Run, evaluation: Evaluation) -> str:
    """A sentence on the items that a run is measured with."""
    queries, rows = evaluation.queries, count(evaluation.rows)
    if not queries:
        return "No item is left to evaluate with: all are anchors."
    if not evaluation.held_out:
        few = "too few items for a held-out set" if run.held_out else "none are held out"
        return f"Measured on {plural(queries, 'fitted item')} ({few}); candidates: all {rows}."
    part = "" if queries == evaluation.held_out else f" of {count(evaluation.held_out)}"
    return f"Measured on {count(queries)}{part} held-out items; candidates: all {rows}."


def queries_label(held_out: int, queries: int) -> str:
    """The items that are searched with, in a few words.

    >>> queries_label(381, 381), queries_label(0, 16)
    ('381 held-out items', '16 fitted items')
    """
    return f"{count(queries)} held-out items" if held_out else f"{plural(queries, 'fitted item')}"


def accuracy_summary(evaluation: Evaluation) -> str:
    """A sentence on the matches of the fit."""
    if evaluation.accuracy is None:
        return "Every fitted item is a known pair."
    of = plural(evaluation.free, "fitted item")
    return f"{evaluation.accuracy:.1%} of {of} are matched correctly, known pairs excluded."


def top1_summary(evaluation: Evaluation) -> str:
    """A sentence on the held-out items that are found first; empty where there are none."""
    if not evaluation.held_out:
        return ""
    rows, points = (f"{evaluation.retrieval[name]['top1']:.1%}" for name in ("rows", "found"))
    return (
        f"Top-1 retrieval of held-out items: {rows} with the nearest items, {points} with the free points "
        f"(chance {evaluation.chance['top1']:.2%})."
    )


def free_points_note(anchors: int) -> str:
    """Why free points can pass the true anchors."""
    return (
        "Free points need not be items. They are fitted to the matches of all fitted items, not to "
        f"{plural(anchors, 'anchor')} alone. They can therefore beat the true anchors."
    )


def retrieval_lines(evaluation: Evaluation) -> list[dict[str, str]]:
    """The table of a run: a line for each kind of anchors, one for chance, one for shuffled queries."""
    measured = evaluation.retrieval
    if not measured:
        return []
    lines = [
        (words, [f"{measured[name][m]:.3f}" for m in METRICS])
        for name, words in THROUGH.items()
        if name in measured
    ]
    lines.append(("chance", [f"{evaluation.chance[m]:.4f}" for m in METRICS]))
    for name, words in DISCOVERED.items():
        null = evaluation.shuffled[name]
        spread = [f"{null.mean[m]:.4f} ± {null.sd[m]:.4f}" for m in METRICS]
        lines.append((f"queries shuffled, {words}", spread))
    names = [MEASURES[m] for m in METRICS]
    return [{"retrieval A → B": words, **dict(zip(names, cells, strict=True))} for words, cells in lines]
