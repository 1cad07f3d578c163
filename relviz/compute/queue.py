"""Whose turn it is: heavy jobs of all visitors, a few at a time, in fair turns."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from relviz.compute.owner import owner

SLICE_SECONDS = 2.0
"""How long a job keeps its turn while others wait; it gives way after the step it is at."""
_POLL_SECONDS = 0.2


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
    """A job in the line; ``since`` is when its turn began, None while it waits for it to be ``called``."""

    who: str | None
    key: str
    called: threading.Condition
    number: int = 0
    begun: bool = False
    since: float | None = None
    waits: bool = field(default=True)


class Queue:
    """A lock that a few threads hold at once, in fair turns of their visitors.

    It is taken and given back as ``relviz.compute.device.Turns``, and a thread has one place in it until
    it leaves. Next is the visitor whose last turn is longest ago, and of theirs the place that waits longest.
    A turn is ``slice_seconds`` long while others wait; it ends after the step that the job is at. If it is 0,
    jobs that have not had one go before all that have.
    """

    def __init__(self, limits: Limits | None = None, slice_seconds: float | None = None) -> None:
        self.limits = limits or Limits()
        self._slice = SLICE_SECONDS if slice_seconds is None else slice_seconds
        self._lock = threading.RLock()
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
        with self._lock:
            mine = self._places.get(threading.get_ident())
            if mine is None or mine.since is None or time.monotonic() - mine.since < self._slice:
                return False
            return bool(self._ready())

    def acquire(self, check: Callable[[], None] | None = None) -> bool:
        """Wait for a turn, for as long as ``check`` does not raise; it is called now and then."""
        me = threading.get_ident()
        with self._lock:
            # The thread of a job is named by its key.
            key = threading.current_thread().name.removeprefix("job ")
            place = self._places.setdefault(me, _Place(owner(), key, threading.Condition(self._lock)))
            place.number, place.waits = next(self._numbers), True
            try:
                while self._next() is not place:
                    place.called.wait(_POLL_SECONDS)
                    if check is not None:
                        check()
            except BaseException:
                place.waits = False
                self._call()
                raise
            place.waits, place.begun, place.since = False, True, time.monotonic()
            self._last_turn[place.who] = next(self._numbers)
            self._call()
        return True

    def release(self) -> None:
        """Give the turn back; the place stays."""
        with self._lock:
            self._places[threading.get_ident()].since = None
            self._call()

    def leave(self) -> None:
        """Give the place back, and the turn with it."""
        with self._lock:
            place = self._places.pop(threading.get_ident(), None)
            if place is not None and all(other.who != place.who for other in self._places.values()):
                self._last_turn.pop(place.who, None)
            self._call()

    def lengths(self) -> tuple[int, int]:
        """How many have a turn, and how many wait for one."""
        with self._lock:
            places = self._places.values()
            return sum(one.since is not None for one in places), sum(one.waits for one in places)

    def before(self, key: str) -> int:
        """How many, of any visitor, have a turn or have waited longer than the job of that key."""
        with self._lock:
            mine = next((one for one in self._places.values() if one.key == key and one.waits), None)
            if mine is None:
                return 0
            others = (one for one in self._places.values() if one.waits or one.since is not None)
            return sum(not one.waits or one.number < mine.number for one in others)

    def _call(self) -> None:
        """Wake whoever is next; all others would look in vain."""
        place = self._next()
        if place is not None:
            place.called.notify()

    def _next(self) -> _Place | None:
        if sum(place.since is not None for place in self._places.values()) >= self.limits.at_once:
            return None
        return min(self._ready(), key=self._order, default=None)

    def _order(self, place: _Place) -> tuple[bool, int, int]:
        return place.begun and not self._slice, self._last_turn.get(place.who, -1), place.number

    def _ready(self) -> list[_Place]:
        """Those that wait, and that may hold memory."""
        begun = Counter(place.who for place in self._places.values() if place.begun)
        is_room, each = begun.total() < self.limits.begun, self.limits.begun_each
        return [
            place
            for place in self._places.values()
            if place.waits and (place.begun or (is_room and begun[place.who] < each))
        ]
