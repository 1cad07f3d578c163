"""What a run of anchor optimization found, used elsewhere: its anchors, its matches, its metrics in words."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from relviz.compute.entry import Result
from relviz.compute.key import is_key, kind_of
from relviz.compute.store import default_store
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.measure import held_out
from relviz.pair import Pair
from relviz.relative_projection import prepare
from relviz.results.replay import Reel, films
from relviz.state.labels import MEASURES
from relviz.state.view import AnchorChoices, Run, View
from relviz.wording import count, plural

KIND = "bootstrap"


@dataclass(frozen=True, eq=False)
class Found:
    """Anchors of a run that ended: ``rows`` (k,) of A and ``indices`` (k,) of B, ``points`` (k, dy) in B.

    ``points`` are unit rows in the frame of ``relviz.prepare`` of all of B; ``seeds`` (s,) are those rows of
    A whose counterpart was given; ``matches`` (n,) is a row of B for every row of A; ``held`` (h,) are the
    rows that took no part in the run.
    """

    rows: Tensor
    indices: Tensor
    points: Tensor
    seeds: Tensor
    matches: Tensor
    held: Tensor
    title: str


def reel_of(task: Task) -> Reel | None:
    """What there is to see of a run: as it goes on, as it stood when it broke off, or from the store."""
    job = task.job()
    film = None if job is None else films().find(task.key)  # of a run that another asked for there is nothing
    if film is not None and job is not None and job.state != "done":
        return film.reel()
    if default_store().has(task.key):
        reel = _kept_reel(task.key)
        if reel is not None:
            films().drop(task.key)
            return reel
    return film.reel() if film is not None else None


def found_of(task: Task) -> Found | None:
    """What a run found, if the store has it."""
    kept = _kept_run(task.key)
    return None if kept is None else kept[1]


def anchors_from_run(choices: AnchorChoices, pair: Pair) -> Found:
    """The anchors of the run that the choices name.

    Raises
    ------
    ParameterError
        If it names none, the run is no longer kept, or it was of another pair.
    """
    if not choices.run:
        raise ParameterError(
            "No run of anchor optimization is chosen. Start one on the Bootstrap page, then press “Use "
            "these anchors”."
        )
    kept = _kept_run(choices.run) if is_key(choices.run) and kind_of(choices.run) == KIND else None
    if kept is None:
        raise ParameterError(
            "The run of anchor optimization in this view is no longer stored. Run it again on the "
            "Bootstrap page."
        )
    digest, found = kept
    if digest != pair.digest:
        raise ParameterError(
            "The anchors of the run in this view belong to another pair. Run anchor optimization for this "
            "pair on the Bootstrap page."
        )
    return found


def run_of(choices: AnchorChoices, pair: Pair) -> Run:
    """The choices of the run whose anchors are used; ParameterError as ``anchors_from_run``."""
    anchors_from_run(choices, pair)
    return View.from_params(_read(choices.run).meta["run"])[0].ao


def starred_rows(choices: AnchorChoices, pair: Pair, anchors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the anchors to be drawn as known, and as discovered: all but the seeds of a run."""
    if choices.method != "run" or not len(anchors):
        return anchors, anchors[:0]
    seeds = anchors_from_run(choices, pair).seeds.numpy()
    return seeds, np.setdiff1d(anchors, seeds)


def rows_in_b(choices: AnchorChoices, pair: Pair, anchors: Tensor) -> Tensor:
    """The rows of B that are, or are nearest to, what stands for the anchors there."""
    return anchors_from_run(choices, pair).indices if choices.method == "run" else anchors


def partners_of(choices: AnchorChoices, pair: Pair) -> Tensor | None:
    """What stands for the anchors in B, ``(k, dy)`` in its prepared frame; None if they are its own rows."""
    if choices.method != "run":
        return None
    found = anchors_from_run(choices, pair)
    return prepare(pair.b.vectors)[found.indices] if choices.rows else found.points


def held_of(choices: AnchorChoices, pair: Pair, queries: int) -> Tensor | None:
    """Rows that took no part in the run whose anchors are used; None if there are none, or no run.

    What goes through these anchors is measured with them: the others are rows that they were fitted to. No
    more than ``queries`` of them, drawn at random; 0 for all.
    """
    held = anchors_from_run(choices, pair).held if choices.method == "run" else None
    if held is None or not len(held):
        return None
    return held_out(len(pair), held_out(len(pair), held), queries or None, choices.seed)


def _kept_reel(key: str) -> Reel | None:
    with suppress(_Absent):
        return Reel.of_result(_read(key))
    return None


def _kept_run(key: str) -> tuple[str, Found] | None:
    with suppress(_Absent):
        kept = _read(key)
        return str(kept.meta["pair"]), _found(kept)
    return None


class _Absent(Exception):
    """The store does not have it; an exception, so that the cache does not remember that."""


@lru_cache(maxsize=3)
def _read(key: str) -> Result:
    """A run as the store has it, kept in memory: a page that is drawn often asks for it each time."""
    kept = default_store().get(key)
    if kept is None:
        raise _Absent(key)
    return kept


def _found(kept: Result) -> Found:
    arrays = {name: torch.from_numpy(array) for name, array in kept.arrays.items()}
    return Found(
        rows=arrays["anchors_a"],
        indices=arrays["indices"],
        points=arrays["anchors"],
        seeds=arrays["seeds_a"],
        matches=arrays["matches"],
        held=arrays["held_a"],
        title=str(kept.meta["title"]),
    )


KINDS = {
    "truth": "true anchors",
    "seeds": "known pairs alone",
    "rows": "discovered, nearest items",
    "found": "discovered, free points",
}
"""What stands for the anchors in B, the two that a run found last."""

METRICS = ("mrr_full", "mrr", "top1", "jaccard", "cosine")


def asked_said(run: Run, outcome: Mapping[str, Any]) -> str:
    """A sentence on the items that a run is measured with."""
    queries, rows = outcome["queries"], count(outcome["rows"])
    if not queries:
        return "No item is left to evaluate with: all are anchors."
    if not outcome["held_out"]:
        few = "too few items for a held-out set" if run.held_out else "none are held out"
        return f"Measured on {plural(queries, 'fitted item')} ({few}); candidates: all {rows}."
    part = "" if queries == outcome["held_out"] else f" of {count(outcome['held_out'])}"
    return f"Measured on {count(queries)}{part} held-out items; candidates: all {rows}."


def asked_short(held: int, queries: int) -> str:
    """The items that are searched with, in a few words.

    >>> asked_short(381, 381), asked_short(0, 16)
    ('381 held-out items', '16 fitted items')
    """
    return f"{count(queries)} held-out items" if held else f"{plural(queries, 'fitted item')}"


def right_said(outcome: Mapping[str, Any]) -> str:
    """A sentence on the matches of the fit."""
    if outcome["right"] is None:
        return "Every fitted item is a known pair."
    of = plural(outcome["right_of"], "fitted item")
    return f"{outcome['right']:.1%} of {of} are matched correctly, known pairs excluded."


def held_said(outcome: Mapping[str, Any]) -> str:
    """A sentence on the held-out items that are found first; empty where there are none."""
    if not outcome["held_out"]:
        return ""
    rows, points = (f"{outcome['measured'][name]['top1']:.1%}" for name in ("rows", "found"))
    return (
        f"Top-1 retrieval of held-out items: {rows} with the nearest items, {points} with the free points "
        f"(chance {outcome['chance']['top1']:.2%})."
    )


def free_said(anchors: int) -> str:
    """Why free points can pass the true anchors."""
    return (
        "Free points need not be items. They are fitted to the matches of all fitted items, not to "
        f"{plural(anchors, 'anchor')} alone. They can therefore beat the true anchors."
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
