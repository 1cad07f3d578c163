"""A run to be watched: what every step said, whether it still goes on or comes from the store."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from relviz.compute.entry import Result

CURVES = ("loss", "eps", "agreement", "accuracy", "mrr")
"""What is told of each step: the last two are measured against the truth, which the solver never sees."""

_FRAME = ("frame_steps", "frame_matches", "frame_places")


@dataclass(frozen=True, eq=False)
class Opening:
    """What stands before the first step.

    Attributes
    ----------
    anchors, seeds
        ``(k,)`` rows of A, and ``(s,)`` those of them whose partner is given.
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
