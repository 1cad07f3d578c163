"""Runs as they go on: who waits for the same run sees the same film, and a list of their own runs alone."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from relviz.compute.owner import owner
from relviz.view.reel import CURVES, Frame, Opening, Reel

MOST_BYTES = 64_000_000
"""What the frames of one film may take; of longer runs every second, third … step is kept."""
KEPT_FILMS = 6
"""Films of runs that are over and not in the store, cancelled or failed, that are remembered."""
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
