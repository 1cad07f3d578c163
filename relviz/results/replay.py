"""The recorded steps of a run, to be watched while it goes on and replayed afterward."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

SEARCH = ("fit_1", "fit_2", "coherence_1", "coherence_2", "populations_alike")
"""Where the two populations of rotations stand, after each generation of them."""
CURVES = ("loss", "eps", "agreement", "accuracy", "mrr", *SEARCH)
"""What is known of each step; accuracy and MRR are measured by the pairing, which the solver never sees."""
MOST_BYTES = 64_000_000
"""What the snapshots of one run may take; of longer runs every second, third … step is kept."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """One step: ``matches`` (n,) int32, a row of B for each of A, and ``places`` (n, 2) of the rows of B.

    Rows held out have no match before the end, which is -1.
    """

    step: int
    matches: np.ndarray
    places: np.ndarray


@dataclass(frozen=True, eq=False)
class Replay:
    """The steps taken so far.

    Attributes
    ----------
    planned
        How many steps were planned.
    curves
        ``(t, c)`` float32, the ``CURVES`` of all steps taken; NaN where not measured.
    kept, matches, places
        Snapshots of steps before the last: ``(s,)`` their numbers, rising, ``(s, n)`` and ``(s, n, 2)``.
    last
        The last step taken, or at the end the result; None before the first.
    """

    planned: int
    curves: np.ndarray
    kept: np.ndarray
    matches: np.ndarray
    places: np.ndarray
    last: Snapshot | None

    @property
    def steps(self) -> int:
        """How many steps were taken."""
        return len(self.curves)

    @property
    def snapshots(self) -> tuple[Snapshot, ...]:
        """All snapshots, the last at the end."""
        kept = tuple(self._snapshot(at) for at in range(len(self.kept)))
        return kept if self.last is None else (*kept, self.last)

    def at(self, step: int) -> Snapshot | None:
        """The snapshot of a step, or the last kept before it; None before the first step."""
        if self.last is None or step >= self.last.step or not len(self.kept):
            return self.last
        return self._snapshot(max(0, int(np.searchsorted(self.kept, step, side="right")) - 1))

    def curve(self, name: str) -> np.ndarray:
        """One of ``CURVES``, ``(t,)``."""
        values: np.ndarray = self.curves[:, CURVES.index(name)]
        return values

    @property
    def generations(self) -> np.ndarray:
        """``(g, 3)``: coherence of both populations and their agreement, as ``by_search`` has them."""
        return by_search(np.stack([self.curve(name) for name in SEARCH[2:]], 1))

    def thinned(self, most: int) -> "Replay":
        """The same steps with so many snapshots at most beside the last, evenly spread from the first."""
        chosen = np.unique(np.linspace(0, len(self.kept) - 1, min(most, len(self.kept))).round().astype(int))
        return replace(self, kept=self.kept[chosen], matches=self.matches[chosen], places=self.places[chosen])

    def _snapshot(self, at: int) -> Snapshot:
        return Snapshot(int(self.kept[at]), self.matches[at], self.places[at])


class Recorder:
    """Records the steps of a run of ``rows`` rows; any thread may ask for the replay meanwhile.

    A replay is a view of what was written until then, of which nothing changes any more. A recorder goes on
    from one that was ``begun``.
    """

    def __init__(self, rows: int, begun: Replay | None = None) -> None:
        if begun is None:
            begun = Replay(
                planned=0,
                curves=np.empty((0, len(CURVES)), np.float32),
                kept=np.empty(0, np.int32),
                matches=np.empty((0, rows), np.int32),
                places=np.empty((0, rows, 2), np.float32),
                last=None,
            )
        self._lock = threading.Lock()
        self._planned, self._steps, self._snapshots = begun.planned, begun.steps, len(begun.kept)
        self._curves, self._kept = begun.curves, begun.kept
        self._matches, self._places = begun.matches, begun.places
        self._last = begun.last

    def add(
        self, planned: int, figures: Mapping[str, float], matches: np.ndarray, places: np.ndarray
    ) -> None:
        """One step of so many ``planned``: its figures (see ``CURVES``), matches and places."""
        with self._lock:
            each = matches.nbytes + places.nbytes
            stride = max(1, -(-planned * each // MOST_BYTES))
            # The newest is always there; when the next comes it is kept if its turn has come.
            if self._last is not None and self._last.step % stride == 0:
                self._keep(self._last)
            self._planned, self._last = planned, Snapshot(self._steps, matches, places)
            self._curves = _with_room(self._curves, self._steps)
            self._curves[self._steps] = [figures.get(name, np.nan) for name in CURVES]
            self._steps += 1

    def finish(self, figures: Mapping[str, float], matches: np.ndarray, places: np.ndarray) -> None:
        """The result takes the place of the last step: its figures, matches and places."""
        with self._lock:
            if self._last is None:
                return
            self._last = Snapshot(self._last.step, matches, places)
            self._curves = self._curves.copy()
            for name, value in figures.items():
                self._curves[self._steps - 1, CURVES.index(name)] = value

    def replay(self) -> Replay:
        """What has been recorded so far."""
        with self._lock:
            many = self._snapshots
            return Replay(
                planned=self._planned,
                curves=self._curves[: self._steps],
                kept=self._kept[:many],
                matches=self._matches[:many],
                places=self._places[:many],
                last=self._last,
            )

    def _keep(self, snapshot: Snapshot) -> None:
        at = self._snapshots
        self._kept = _with_room(self._kept, at)
        self._matches, self._places = _with_room(self._matches, at), _with_room(self._places, at)
        self._kept[at], self._matches[at] = snapshot.step, snapshot.matches
        self._places[at] = snapshot.places
        self._snapshots += 1


def _with_room(array: np.ndarray, at: int) -> np.ndarray:
    """The array, or a longer copy if it has no place ``at``; what lies before that place is the same."""
    if at < len(array):
        return array
    longer = np.empty((max(16, 2 * at), *array.shape[1:]), array.dtype)
    longer[:at] = array[:at]
    return longer


def by_search(steps: np.ndarray) -> np.ndarray:
    """Of the steps ``(t, 3)`` of a run those that are generations, with a row of NaN between two searches.

    A step that is none has NaN; between two searches there is at least one.
    """
    made = np.flatnonzero(np.isfinite(steps[:, 2]))
    begins = np.flatnonzero(np.diff(made) > 1) + 1
    parted: np.ndarray = np.insert(steps[made], begins, np.nan, axis=0)
    return parted
