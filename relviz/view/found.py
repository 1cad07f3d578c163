"""What a run of anchor optimisation found, used elsewhere: its anchors, its matches, its reel."""

from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

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
from relviz.relative import prepare
from relviz.view.choices import View
from relviz.view.film import films
from relviz.view.reel import Reel
from relviz.view.run import Run

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


def anchors_from_run(view: View, pair: Pair) -> Found:
    """The anchors of the run that a view names.

    Raises
    ------
    ParameterError
        If it names none, the run is no longer kept, or it was of another pair.
    """
    if not view.run:
        raise ParameterError(
            "No run of anchor optimisation is chosen. Make one on the Bootstrap page, and press "
            "“Use these anchors” there."
        )
    kept = _kept_run(view.run) if is_key(view.run) and kind_of(view.run) == KIND else None
    if kept is None:
        raise ParameterError(
            "The run of anchor optimisation that this view names is no longer kept. Run it again on the "
            "Bootstrap page."
        )
    digest, found = kept
    if digest != pair.digest:
        raise ParameterError(
            "The anchors of the run that this view names belong to another pair. Run anchor optimisation for "
            "this one on the Bootstrap page."
        )
    return found


def run_of(view: View, pair: Pair) -> Run:
    """The choices of the run whose anchors a view uses; ParameterError as ``anchors_from_run``."""
    anchors_from_run(view, pair)
    return View.from_params(_read(view.run).meta["run"])[0].ao


def starred_rows(view: View, pair: Pair, anchors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the anchors to be drawn as known, and as discovered: all but the seeds of a run."""
    if view.method != "run" or not len(anchors):
        return anchors, anchors[:0]
    seeds = anchors_from_run(view, pair).seeds.numpy()
    return seeds, np.setdiff1d(anchors, seeds)


def rows_in_b(view: View, pair: Pair, anchors: Tensor) -> Tensor:
    """The rows of B that are, or are nearest to, what stands for the anchors there."""
    return anchors_from_run(view, pair).indices if view.method == "run" else anchors


def partners_of(view: View, pair: Pair) -> Tensor | None:
    """What stands for the anchors in B, ``(k, dy)`` in its prepared frame; None if they are its own rows."""
    if view.method != "run":
        return None
    found = anchors_from_run(view, pair)
    return prepare(pair.b.vectors)[found.indices] if view.rows else found.points


def held_of(view: View, pair: Pair) -> Tensor | None:
    """Rows that took no part in the run whose anchors a view uses; None if there are none, or no run.

    What goes through these anchors is measured with them: the others are rows that they were fitted to. No
    more than the view's number of queries, drawn at random.
    """
    held = anchors_from_run(view, pair).held if view.method == "run" else None
    if held is None or not len(held):
        return None
    return held_out(len(pair), held_out(len(pair), held), view.queries or None, view.seed)


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
