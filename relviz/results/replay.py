"""A run to be watched, as it goes on or from the store."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from relviz.compute.entry import Result
from relviz.compute.owner import owner

CURVES = ("loss", "eps", "agreement", "accuracy", "mrr")
"""What is told of each step: the last two are measured against the truth, which the solver never sees."""

_FRAME = ("frame_steps", "frame_matches", "frame_places")


@dataclass(frozen=True, eq=False)
class Opening:
    """What stands before the first step.

    Attributes
    ----------
    anchors, seeds
        ``(k,)`` rows of A, and ``(s,)`` those of them whose counterpart is given.
    places
        ``(n, 2)`` float32, the relative rows of A on their first two principal components.
    explained
        Share of their variance that the two axes carry.
    lines
        Full-ranking MRR of the true anchors ``"truth"`` and of the seeds alone ``"seeds"``, by the same
        queries as all else; empty where there is none.
    held, queries
        ``(h,)`` rows that take no part in the run, and with how many rows it is measured.
    """

    anchors: np.ndarray
    seeds: np.ndarray
    places: np.ndarray
    explained: float
    lines: Mapping[str, float]
    held: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    queries: int = 0


@dataclass(frozen=True, eq=False)
class Frame:
    """One step: ``matches`` (n,) int32, a row of B for each of A, and ``places`` (n, 2) of the rows of B.

    Rows held out have no match before the end, which is -1.
    """

    step: int
    matches: np.ndarray
    places: np.ndarray


@dataclass(frozen=True, eq=False)
class Reel:
    """Everything that is shown of a run: ``curves`` (steps, 5), NaN where not measured; the frames kept.

    ``of`` is how many steps were planned; ``outcome`` is what the end added, None before it.
    """

    opening: Opening
    of: int
    curves: np.ndarray
    frames: tuple[Frame, ...]
    outcome: Mapping[str, Any] | None = None

    def frame_at(self, step: int) -> Frame | None:
        """The frame of a step, or the last kept before it."""
        before = [frame for frame in self.frames if frame.step <= step]
        return before[-1] if before else (self.frames[0] if self.frames else None)

    def found_at(self, frame: Frame, most: int) -> np.ndarray:
        """Rows of B matched with anchors that are no seeds, an even part of at most so many of these."""
        others = np.setdiff1d(self.opening.anchors, self.opening.seeds)
        starred = others[:: max(1, -(-len(others) // most))]
        return np.setdiff1d(frame.matches[starred], self.opening.seeds)

    @property
    def steps(self) -> int:
        """How many steps were taken."""
        return len(self.curves)

    def arrays(self) -> dict[str, np.ndarray]:
        """All arrays, as the store takes them."""
        n = len(self.opening.places)
        matches = [frame.matches for frame in self.frames]
        places = [frame.places for frame in self.frames]
        return {
            "anchors_a": self.opening.anchors,
            "seeds_a": self.opening.seeds,
            "held_a": self.opening.held,
            "places_a": self.opening.places,
            "curves": self.curves,
            "frame_steps": np.array([frame.step for frame in self.frames], np.int32),
            "frame_matches": np.stack(matches) if matches else np.empty((0, n), np.int32),
            "frame_places": np.stack(places) if places else np.empty((0, n, 2), np.float32),
        }

    def meta(self) -> dict[str, Any]:
        """All figures, as the store takes them."""
        about = {"of": self.of, "explained": self.opening.explained, "lines": dict(self.opening.lines)}
        return about | {"queries": self.opening.queries, "outcome": self.outcome}

    @staticmethod
    def of_result(result: Result) -> "Reel":
        """The reel of a run that the store kept."""
        arrays, meta = result.arrays, result.meta
        opening = Opening(
            anchors=arrays["anchors_a"],
            seeds=arrays["seeds_a"],
            places=arrays["places_a"],
            explained=meta["explained"],
            lines=meta["lines"],
            held=arrays["held_a"],
            queries=meta["queries"],
        )
        frames = zip(*(arrays[name] for name in _FRAME), strict=True)
        kept = tuple(Frame(int(step), matches, places) for step, matches, places in frames)
        return Reel(opening, meta["of"], arrays["curves"], kept, meta["outcome"])


MOST_BYTES = 64_000_000
"""What the frames of one film may take; of longer runs every second, third … step is kept."""
KEPT_FILMS = 6
"""Films of runs that are over and not in the store, canceled or failed, that are remembered."""
KEPT_LISTED, KEPT_LISTS = 16, 1000
"""Runs that one visitor's list holds, and visitors who have one."""


@dataclass(frozen=True)
class Listed:
    """A run as one visitor knows it: ``link`` are the parameters of an address that shows it."""

    key: str
    title: str
    link: Mapping[str, str]


class Film:
    """A run that is being recorded."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._opening: Opening | None = None
        self._of = 0
        self._curves: list[tuple[float, ...]] = []
        self._frames: list[Frame] = []

    def open(self, opening: Opening) -> None:
        """What stands before the first step."""
        with self._lock:
            self._opening, self._curves, self._frames = opening, [], []

    def add(self, of: int, figures: Mapping[str, float], matches: np.ndarray, places: np.ndarray) -> None:
        """One step of ``of`` planned: its figures (see ``CURVES``), matches and places."""
        with self._lock:
            step = len(self._curves)
            self._of = of
            self._curves.append(tuple(float(figures.get(name, np.nan)) for name in CURVES))
            each = matches.nbytes + places.nbytes
            stride = max(1, -(-of * each // MOST_BYTES))
            # The newest is always there; it gives way to the next unless its turn has come.
            if self._frames and self._frames[-1].step % stride:
                self._frames.pop()
            self._frames.append(Frame(step, matches, places))

    def close(self, figures: Mapping[str, float], matches: np.ndarray, places: np.ndarray) -> None:
        """The result takes the place of the last step: its figures, matches and places."""
        with self._lock:
            if not self._curves:
                return
            step, last = len(self._curves) - 1, dict(zip(CURVES, self._curves[-1], strict=True))
            self._curves[-1] = tuple(float({**last, **figures}[name]) for name in CURVES)
            self._frames[-1] = Frame(step, matches, places)

    def reel(self, outcome: Mapping[str, Any] | None = None) -> Reel | None:
        """What has been recorded so far; None before the opening."""
        with self._lock:
            if self._opening is None:
                return None
            curves = np.array(self._curves, np.float32).reshape(-1, len(CURVES))
            return Reel(self._opening, self._of, curves, tuple(self._frames), outcome)


class Films:
    """Films by key."""

    def __init__(self, keep: int = KEPT_FILMS) -> None:
        self._keep = keep
        self._films: dict[str, Film] = {}
        self._over: list[str] = []
        self._listed: dict[str | None, dict[str, Listed]] = {}
        self._lock = threading.Lock()

    def start(self, key: str) -> Film:
        """A new film under a key, in the place of an old one."""
        with self._lock:
            self._forget(key)
            film = self._films[key] = Film()
            return film

    def find(self, key: str) -> Film | None:
        """The film under a key."""
        with self._lock:
            return self._films.get(key)

    def enlist(self, key: str, title: str, link: Mapping[str, str]) -> None:
        """Put a run on the list of who asks, by their own names for it."""
        with self._lock:
            listed = self._listed.pop(owner(), {})
            self._listed[owner()] = listed
            for idle in list(self._listed)[:-KEPT_LISTS]:
                del self._listed[idle]
            listed.pop(key, None)
            listed[key] = Listed(key, title, dict(link))
            for old in list(listed)[:-KEPT_LISTED]:
                del listed[old]

    def listed(self) -> list[Listed]:
        """The runs that who asks has asked for, the newest last."""
        with self._lock:
            return list(self._listed.get(owner(), {}).values())

    def drop(self, key: str) -> None:
        """Forget a film: the store has it."""
        with self._lock:
            self._forget(key)

    def end(self, key: str) -> None:
        """A run is over and the store does not have it: the newest of such are kept."""
        with self._lock:
            if key in self._films:
                self._over.append(key)
            while len(self._over) > self._keep:
                self._forget(self._over[0])

    def _forget(self, key: str) -> None:
        self._films.pop(key, None)
        self._over = [other for other in self._over if other != key]


_PROCESS_WIDE = Films()


def films() -> Films:
    """The films of this process."""
    return _PROCESS_WIDE
