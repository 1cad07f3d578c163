"""One job: its ticket, its progress, its pause, its end."""

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from relviz.compute.device import Turns
from relviz.compute.owner import owner, watches
from relviz.compute.pauses import Pauses
from relviz.compute.queue import Queue

State = Literal["queued", "running", "paused", "done", "failed", "canceled"]
T = TypeVar("T")

KEPT_REPORTS = 2_000
"""How many of the last reports a job remembers."""

_FIRST_ESTIMATE = 0.02


class Canceled(Exception):
    """Raised inside the work at its next report after someone asked it to stop."""


Notes = Mapping[str, Any]
"""What a job notes about its work beside a message."""


@dataclass(frozen=True)
class Report:
    """One word from the work, ``seconds`` after it began; ``data`` is whatever else it told."""

    seconds: float
    fraction: float | None
    message: str
    data: Notes = field(default_factory=dict)


@dataclass(frozen=True)
class Link:
    """A page that shows a job, as one of its owners knows it: ``words``, and ``params`` of its address."""

    words: str
    params: Mapping[str, str]


class Job(Generic[T]):
    """Work in a thread of its own; any thread of an owner may read it, cancel it, pause it and let it go on.

    Its owners are the visitors who asked for it (see ``relviz.compute.owner``). Who cancels a job that others
    wait for too leaves it to them, and such a job is not paused.

    Attributes
    ----------
    key, title
        What it is found by, and what a person sees.
    state
        ``"queued"`` (it waits for the device), ``"running"``, ``"paused"``, ``"done"``, ``"failed"``,
        ``"canceled"``.
    fraction
        How much is done, 0 to 1; None while that is not known.
    message
        The last thing it said.
    result
        What the work returned, once it is done.
    error
        What the work raised, if it failed; a ``relviz.Error`` has a message made for people.
    started
        When it began to run, in seconds since the epoch.
    keep
        Whether it goes on when all who wait for it have left.
    """

    def __init__(self, key: str, title: str = "", link: Link | None = None) -> None:
        self.key = key
        self.title = title or key
        self.state: State = "queued"
        self.fraction: float | None = None
        self.message = ""
        self.result: T | None = None
        self.error: BaseException | None = None
        self.started: float | None = None
        self.keep = False
        self.ended = math.inf
        self._owners: dict[str | None, Link | None] = {owner(): link}
        self._partial: Callable[[], object] | None = None
        self._begun = math.nan
        self._waited = 0.0
        self._pauses = Pauses()
        self._history: deque[Report] = deque(maxlen=KEPT_REPORTS)
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._over = threading.Event()

    def __repr__(self) -> str:
        return f"Job({self.key!r}, {self.state})"

    @property
    def alive(self) -> bool:
        """Whether it runs or waits to run."""
        return not self._over.is_set()

    @property
    def canceling(self) -> bool:
        """Whether it was asked to stop."""
        return self._stop.is_set()

    @property
    def history(self) -> tuple[Report, ...]:
        """Its last reports, the newest at the end."""
        with self._lock:
            return tuple(self._history)

    @property
    def seconds(self) -> float:
        """How long it has run, or ran, without its pauses and the turns of others; 0 while it waits."""
        if self.started is None:
            return 0.0
        return min(self.ended, time.monotonic()) - self._begun - self._pauses.seconds - self._waited

    @property
    def seconds_left(self) -> float | None:
        """How long it will still run if it goes on as it did; None where that cannot be said."""
        fraction = self.fraction
        if self.state != "running" or fraction is None or fraction < _FIRST_ESTIMATE:
            return None
        return self.seconds * (1 - fraction) / fraction

    @property
    def mine(self) -> bool:
        """Whether who asks is one of its owners, or there are no visitors."""
        who = owner()
        return who is None or who in self._owners

    @property
    def watched(self) -> bool:
        """Whether who asks is no owner, and a link of one lets them see it."""
        return not self.mine and any(map(watches, self.owners))

    @property
    def owners(self) -> tuple[str | None, ...]:
        """Who waits for it."""
        return tuple(self._owners)

    @property
    def shared(self) -> bool:
        """Whether several visitors wait for it."""
        return len(self._owners) > 1

    @property
    def link(self) -> Link | None:
        """The page that shows it to who asks, if they asked for it from one."""
        return self._owners.get(owner())

    def join(self, link: Link | None = None) -> None:
        """Make who asks one of its owners; a pause of the others ends."""
        with self._lock:
            self._owners[owner()] = link or self._owners.get(owner())
            shared = self.shared
        if shared:
            self._pauses.resume()

    def leave(self) -> None:
        """Have it go on with one owner less, and maybe none: it is theirs who ask for it next."""
        with self._lock:
            self._owners.pop(owner(), None)

    def cancel(self) -> None:
        """Leave it; where nobody else waits for it, ask the work to stop at its next report.

        It is over when ``alive`` turns False.
        """
        who = owner()
        with self._lock:
            if who is not None and who not in self._owners:
                return
            if who is not None and len(self._owners) > 1:
                del self._owners[who]
                return
        self._stop.set()
        self._pauses.wake()

    @property
    def pausing(self) -> bool:
        """Whether it was asked to pause; ``state`` says when it does."""
        return self._pauses.wanted

    def pause(self) -> None:
        """Ask the work to pause after the step it is at; one without steps, or shared, does not."""
        with self._lock:
            if self.mine and not self.shared:
                self._pauses.pause()

    def step(self) -> None:
        """Let the work take one more step, and pause."""
        with self._lock:
            if self.mine and not self.shared:
                self._pauses.step()

    def resume(self) -> None:
        """Let the work go on."""
        if self.mine:
            self._pauses.resume()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is over, at most ``timeout`` seconds; returns whether it is."""
        return self._over.wait(timeout)

    def begin(self) -> None:
        """Called by the thread that works, when it has the device."""
        self._begun = time.monotonic()
        self.started = time.time()
        self.state = "running"

    def rest(self, device: Turns | Queue | None, check: Callable[[], None]) -> None:
        """Called by the thread that works, between its steps: let others have the device, and pause."""
        pausing = self.pausing
        if device is not None and (device.wanted or pausing):
            device.release()
            self._pause(pausing)
            began = time.monotonic()
            device.acquire(check=check)
            self._waited += time.monotonic() - began
        else:
            self._pause(pausing)
        self.state = "running"

    def _pause(self, pausing: bool) -> None:
        if pausing:
            self.state = "paused"
            self._pauses.wait(self._stop)
            self.state = "queued"

    def note(self, fraction: float | None, message: str, data: Notes) -> None:
        """Called by the thread that works, when it has something to tell."""
        if fraction is not None and not math.isnan(fraction):
            self.fraction = min(max(float(fraction), 0.0), 1.0)
        if message:
            self.message = message
        with self._lock:
            self._history.append(Report(self.seconds, self.fraction, self.message, data))

    @property
    def partial(self) -> Any:
        """What there is of its result so far, or was when it broke off; None if it shows nothing.

        Once it is done its result tells more, and of those that broke off the newest alone keep it.
        """
        partial = self._partial
        return None if partial is None else partial()

    @property
    def shows(self) -> bool:
        """Whether it keeps something to show as ``partial``."""
        return self._partial is not None

    def show(self, partial: Callable[[], object] | None) -> None:
        """Called by the thread that works, when there is something of the result to be seen."""
        self._partial = partial

    def end(self, state: State, result: T | None = None, error: BaseException | None = None) -> None:
        """Called by the thread that works, when it stops."""
        self.result, self.error = result, error
        if state == "done":
            self.fraction, self._partial = 1.0, None
        self.ended = time.monotonic()
        self.state = state  # last: who sees it done finds the result
        self._over.set()


AnyJob: TypeAlias = Job[Any]
"""A job, whatever it makes."""


OnReport = Callable[[float | None, str], None]
"""Told the fraction that is done, where that is known, and what is being done."""


class Ticket:
    """What the work holds of its job: it reports through it, and learns that it should stop."""

    def __init__(self, job: "AnyJob", turns: Turns | Queue | None = None) -> None:
        self.job = job
        self._turns = turns

    @property
    def canceled(self) -> bool:
        """Whether someone asked the work to stop."""
        return self.job.canceling

    def check(self) -> None:
        """Raise Canceled if someone asked the work to stop."""
        if self.canceled:
            raise Canceled(self.job.key)

    def report(self, fraction: float | None = None, message: str = "", **data: Any) -> None:
        """Tell how far the work is, 0 to 1, and what it does; it fits as ``on_block`` of the kernels.

        A fraction or a message left out stays what it was. ``data`` goes into the history.

        Raises
        ------
        Canceled
            If someone asked the work to stop.
        """
        self.check()
        self.job.note(fraction, message, data)

    def show(self, partial: Callable[[], object]) -> None:
        """Let those who wait see what there is of the result: ``partial`` gives it, in any thread."""
        self.job.show(partial)

    def rest(self) -> None:
        """Say that a step is done: others may have the device now, and a pause is kept here.

        Raises
        ------
        Canceled
            If someone asked the work to stop, before or in the pause.
        """
        self.check()
        self.job.rest(self._turns, self.check)
        self.check()

    def part(self, start: float, end: float, title: str = "") -> "Ticket":
        """A ticket for the work between two fractions of this one; who cancels the whole cancels it."""
        return _Part(self, start, end, title)


class _Part(Ticket):
    """Reports of a part, as reports of the whole."""

    def __init__(self, whole: Ticket, start: float, end: float, title: str) -> None:
        super().__init__(whole.job, whole._turns)
        self._whole, self._start, self._end, self._title = whole, start, end, title

    def report(self, fraction: float | None = None, message: str = "", **data: Any) -> None:
        done = None if fraction is None else self._start + (self._end - self._start) * fraction
        self._whole.report(done, ": ".join(filter(None, (self._title, message))), **data)

    def show(self, partial: Callable[[], object]) -> None:
        """A part of the result is not the result."""


def here_and_now(on_report: OnReport | None = None) -> Ticket:
    """A ticket for work that is no job: nobody cancels it, and what it reports goes to ``on_report``."""
    return Ticket(_Unseen(on_report))


class _Unseen(Job[object]):
    """No page shows it; its reports go to whoever waits for it."""

    def __init__(self, on_report: OnReport | None) -> None:
        super().__init__("here and now")
        self._on_report = on_report

    def note(self, fraction: float | None, message: str, data: Notes) -> None:
        super().note(fraction, message, data)
        if self._on_report is not None:
            self._on_report(self.fraction, self.message)
