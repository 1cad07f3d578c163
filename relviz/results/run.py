"""One record of a run of anchor optimization: live from its job, afterward from the store."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from torch import Tensor

from relviz.bootstrapping import Bootstrap, Evidence
from relviz.bootstrapping.run_evaluation import Evaluation
from relviz.compute.key import is_key, kind_of
from relviz.compute.packed import packed
from relviz.compute.store import default_store
from relviz.compute.task import Task, stored_result
from relviz.errors import ParameterError
from relviz.pair import Pair
from relviz.results.replay import Replay, Snapshot
from relviz.state.option_labels import SOLVERS
from relviz.state.solver_options import parts_of
from relviz.state.view import Run
from relviz.wording import plural

KIND = "bootstrap"


@dataclass(frozen=True)
class Verdict:
    """Whether the solver believes its result, decided without the pairing, and what that rests on.

    ``stopped`` says that it was ended before its last step; ``known_alone`` that it was rejected, and that
    its anchors and matches rest on the known pairs alone.
    """

    converged: bool
    stopped: bool
    evidence: Evidence
    known_alone: bool | None = None

    @staticmethod
    def of(found: Bootstrap) -> "Verdict":
        """The verdict of a solver."""
        return Verdict(found.converged, found.stopped, found.evidence, found.known_alone is not None)


@dataclass(frozen=True, eq=False)
class RunResult:
    """What a run found.

    Attributes
    ----------
    points
        ``(k, dy)`` float32, what stands for the anchors in B: unit rows in the frame of ``relviz.prepare``
        of all of B.
    nearest
        ``(k,)`` int64, the rows of B nearest to them, all different.
    matches
        ``(n,)`` int64, a row of B for every row of A; for one held out the nearest through the anchors.
    verdict, evaluation
        The solver's own, and what it is by the pairing, which the solver never saw.
    """

    points: Tensor
    nearest: Tensor
    matches: Tensor
    verdict: Verdict
    evaluation: Evaluation


@dataclass(frozen=True, eq=False)
class RunRecord:
    """A run: what it started from, the steps that it took, and what it found.

    No name of a file and no source is in it: whoever has the same vectors may read it.

    Attributes
    ----------
    pair
        Digest of the pair.
    run
        The choices that the result depends on.
    anchors, seeds
        ``(k,)`` int64 rows of A, and ``(s,)`` those of them whose counterpart was given.
    held_out, queries
        ``(h,)`` int64 rows that took no part, and with how many rows the run is measured.
    places, explained
        ``(n, 2)`` float32, the relative rows of A on their first two principal axes, and the share of their
        variance that these explain.
    references
        Full-ranking MRR of the true anchors ``"truth"`` and of the ``"seeds"`` alone, by the same queries as
        all else; empty where there are none.
    replay
        The steps taken so far.
    result
        What was found; None while the run goes on, and of one that broke off.
    """

    pair: str
    run: Run
    anchors: Tensor
    seeds: Tensor
    held_out: Tensor
    queries: int
    places: np.ndarray
    explained: float
    references: dict[str, float]
    replay: Replay
    result: RunResult | None = None

    @property
    def title(self) -> str:
        """The run in a few words."""
        return title_of(self.run, len(self.anchors))

    @property
    def outcome(self) -> RunResult:
        """The result of a run that ended; ParameterError where there is none."""
        if self.result is None:
            raise ParameterError(f"The run has no result: it stands at step {self.replay.steps}.")
        return self.result

    def with_steps(self, replay: Replay, result: RunResult | None = None) -> "RunRecord":
        """The same run some steps later."""
        return replace(self, replay=replay, result=result)

    def discovered_at(self, snapshot: Snapshot, most: int) -> np.ndarray:
        """Rows of B matched with anchors that are not seeds, an even part of at most so many of these."""
        seeds = self.seeds.numpy()
        others = np.setdiff1d(self.anchors.numpy(), seeds)
        shown = others[:: max(1, -(-len(others) // most))]
        return np.setdiff1d(snapshot.matches[shown], seeds)


def title_of(run: Run, anchors: int) -> str:
    """A run with so many anchors in a few words."""
    many = {"none": "no known pairs", "hand": f"{len(run.hand)} known pairs by hand"}
    seeds = many.get(run.seeding, plural(run.seeds, "known pair"))
    again = f", solver seed {run.seed}" if run.seed else ""
    changed = "".join(f", {name} {value}" for name, value in parts_of(run.options))
    return f"{SOLVERS[run.method]}, {seeds}, {anchors} anchors{again}{changed}"


def record_of(task: Task[RunRecord]) -> RunRecord | None:
    """A run as it goes on, broke off, is kept, or came with relviz; None if there is none."""
    return task.partial() or stored_record(task.key) or _shipped(task)


def stored_record(key: str) -> RunRecord | None:
    """The record of a finished run, if the store has it. A page that is drawn often asks each time."""
    if not is_key(key) or kind_of(key) != KIND or not default_store().has(key):
        return None
    record = _read(key)
    if record is None:  # damaged; it may be made anew
        _read.cache_clear()
    return record


def record_of_pair(key: str, pair: Pair) -> RunRecord:
    """The finished run of a pair that a view names by its key.

    Raises
    ------
    ParameterError
        If it names none, the run is no longer kept, or it was of another pair.
    """
    if not key:
        raise ParameterError(
            "No run of anchor optimization is chosen. Start one on the Bootstrap page, then press “Use "
            "these anchors”."
        )
    record = stored_record(key)
    if record is None:
        raise ParameterError(
            "The run of anchor optimization in this view is no longer stored. Run it again on the "
            "Bootstrap page."
        )
    if record.pair != pair.digest:
        raise ParameterError(
            "The anchors of the run in this view belong to another pair. Run anchor optimization for this "
            "pair on the Bootstrap page."
        )
    return record


def _shipped(task: Task[RunRecord]) -> RunRecord | None:
    """A run that came with relviz. The store keeps it from now on: other pages name a run by its key."""
    found = packed(task.recipe)
    if found is None:
        return None
    default_store().keep(task.key, found.arrays, found.meta)
    return stored_record(task.key)


@lru_cache(maxsize=3)
def _read(key: str) -> RunRecord | None:
    return stored_result(key, RunRecord)
