"""Sentences and columns of print about the scores of a translation."""

from collections.abc import Mapping, Sequence
from typing import Any

from relviz.errors import ParameterError
from relviz.measure import SCORES
from relviz.view.baselines import TITLES
from relviz.wording import count, plural

HEAD = (
    "method",
    "cosine similarity to the target",
    "MRR",
    "rank 1 for the true counterpart",
    "accuracy of the target's head",
    "95% interval",
)


def queries_said(records: Sequence[Mapping[str, Any]]) -> str:
    """Which items were translated and looked for, and the chance of both ranks.

    Raises
    ------
    ParameterError
        If no method could be used: why.
    """
    one = next((one for one in records if "queries" in one), None)
    if one is None:
        raise ParameterError(records[0]["reason"])
    return (
        f"Queries: {plural(one['queries'], 'item')} that took no part in the fit; candidates: all "
        f"{count(one['candidates'])} items, anchors included. Chance: MRR {one['chance_mrr']:.4f}, top-1 "
        f"{one['chance_top1']:.2%}."
    )


def null_said(records: Sequence[Mapping[str, Any]]) -> str:
    """What shuffled counterparts give: the range over methods, as far as it was computed."""
    known = [one for one in records if "null_mrr" in one]
    if not known:
        return ""
    parts = []
    for name, words in {"cosine": "cosine", "mrr": "MRR", "top1": "top-1"}.items():
        means = [f"{one[f'null_{name}']:.3f}" for one in known]
        low, high = min(means, key=float), max(means, key=float)
        sd = max(one[f"null_sd_{name}"] for one in known)
        parts.append(f"{words} {low if low == high else f'{low} to {high}'} (sd {sd:.3f} at most)")
    return f"The same translators with the queries' counterparts shuffled: {', '.join(parts)}."


def heads_said(records: Sequence[Mapping[str, Any]]) -> str:
    """On which rows the accuracies are, and what always saying one class would give."""
    tested = next((one for one in records if one.get("accuracy") is not None), None)
    if tested is None:
        return ""
    return (
        f"Accuracy: {plural(tested['accuracy_rows'], 'test row')} that are no anchors and trained no head, "
        f"with Wilson intervals; the most frequent class is {tested['accuracy_chance']:.3f} of them."
    )


def scored_row(method: str, one: Mapping[str, Any]) -> tuple[str, ...]:
    """A line of the table, under ``HEAD``."""
    low, high = one.get("accuracy_low"), one.get("accuracy_high")
    interval = "–" if low is None or high is None else f"{low:.3f}–{high:.3f}"
    values = (one.get(name) for name in ("cosine", "mrr", "top1", "accuracy"))
    return TITLES[method], *("–" if value is None else f"{value:.3f}" for value in values), interval


def scored_arrays(found: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Every score as an array over the methods that could be used, and their names."""
    fine = {method: one for method, one in found.items() if "reason" not in one}
    return {"methods": list(fine)} | {name: [one[name] for one in fine.values()] for name in SCORES}
