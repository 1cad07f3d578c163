"""Whose turn it is: heavy jobs of all visitors, a few at a time, in fair turns."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from relviz.compute.owner import owner

SLICE_SECONDS = 2.0
"""How long a job keeps its turn while others wait; it gives way after the step it is at."""
_POLL_SECONDS = 0.1


@dataclass(frozen=True)
class Limits:
    """What heavy jobs may take.

    Attributes
    ----------
    at_once
        Jobs that compute at the same time.
    begun, begun_each
        Jobs that hold memory, computing or waiting for their next turn, in all and of one visitor.
    waiting, waiting_each
        Jobs of any kind that run or wait, in all and of one visitor; more are refused.
    seconds
        How long a heavy job may compute; None: as long as it takes.
    """

    at_once: int = 1
    begun: int = 4
    begun_each: int = 2
    waiting: int = 500
    waiting_each: int = 50
    seconds: float | None = None


@dataclass(eq=False)
class _Place:
    """A job in the line; ``since`` is when its turn began, None while it waits."""

    who: str | None
    key: str
    number: int = 0
    begun: bool = False
    since: float | None = None
    waits: bool = field(default=True)


class Queue:
    """A lock that a few threads hold at once, in fair turns of their visitors.

    It is taken and given back as ``relviz.compute.device.Turns``, and a thread has one place in it until
    it leaves. Next is the visitor whose last turn is longest ago, and of theirs the place that waits longest.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._changed = threading.Condition()
        self._places: dict[int, _Place] = {}
        self._numbers = count()
        self._last_turn: dict[str | None, int] = {}

    @property
    def mine(self) -> bool:
        """Whether the thread that asks has a turn."""
        place = self._places.get(threading.get_ident())
        return place is not None and place.since is not None

    @property
    def wanted(self) -> bool:
        """Whether the thread that asks has had its turn, and another could go if it gave way."""
        with self._changed:
            mine = self._places.get(threading.get_ident())
            if mine is None or mine.since is None or time.monotonic() - mine.since < SLICE_SECONDS:
                return False
            return any(place.waits and self._may_begin(place) for place in self._places.values())

    def acquire(self, check: Callable[[], None] | None = None) -> bool:
        """Wait for a turn, for as long as ``check`` does not raise; it is called now and then."""
        me = threading.get_ident()
        with self._changed:
            # The thread of a job is named by its key.
            place = self._places.setdefault(
                me, _Place(owner(), threading.current_thread().name.removeprefix("job "))
            )
            place.number, place.waits = next(self._numbers), True
            try:
                while self._next() is not place:
                    self._changed.wait(_POLL_SECONDS)
                    if check is not None:
                        check()
            except BaseException:
                place.waits = False
                self._changed.notify_all()
                raise
            place.waits, place.begun, place.since = False, True, time.monotonic()
            self._last_turn[place.who] = next(self._numbers)
            self._changed.notify_all()
        return True

    def release(self) -> None:
        """Give the turn back; the place stays."""
        with self._changed:
            self._places[threading.get_ident()].since = None
            self._changed.notify_all()

    def leave(self) -> None:
        """Give the place back, and the turn with it."""
        with self._changed:
            place = self._places.pop(threading.get_ident(), None)
            if place is not None and all(other.who != place.who for other in self._places.values()):
                self._last_turn.pop(place.who, None)
            self._changed.notify_all()

    def lengths(self) -> tuple[int, int]:
        """How many have a turn, and how many wait for one."""
        with self._changed:
            places = self._places.values()
            return sum(one.since is not None for one in places), sum(one.waits for one in places)

    def before(self, key: str) -> int:
        """How many, of any visitor, have a turn or have waited longer than the job of that key."""
        with self._changed:
            mine = next((one for one in self._places.values() if one.key == key and one.waits), None)
            if mine is None:
                return 0
            others = (one for one in self._places.values() if one.waits or one.since is not None)
            return sum(not one.waits or one.number < mine.number for one in others)

    def _next(self) -> _Place | None:
        places = self._places.values()
        if sum(place.since is not None for place in places) >= self.limits.at_once:
            return None
        ready = (place for place in places if place.waits and self._may_begin(place))
        return min(ready, key=lambda one: (self._last_turn.get(one.who, -1), one.number), default=None)

    def _may_begin(self, place: _Place) -> bool:
        if place.begun:
            return True
        begun = [other.who for other in self._places.values() if other.begun]
        return len(begun) < self.limits.begun and begun.count(place.who) < self.limits.begun_each
