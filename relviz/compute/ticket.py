"""What the work of a job holds of it: it reports through it, and learns that it should stop."""

from collections.abc import Callable, Mapping
from typing import Any

from relviz.compute.job import Cancelled, Job
from relviz.compute.turns import Turns

OnReport = Callable[[float | None, str], None]
"""Told the fraction that is done, where that is known, and what is being done."""


class Ticket:
    """What the work holds of its job: it reports through it, and learns that it should stop."""

    def __init__(self, job: Job[Any], device: Turns | None = None) -> None:
        self._job = job
        self._device = device

    @property
    def cancelled(self) -> bool:
        """Whether someone asked the work to stop."""
        return self._job.cancelling

    def check(self) -> None:
        """Raise Cancelled if someone asked the work to stop."""
        if self.cancelled:
            raise Cancelled(self._job.key)

    def report(self, fraction: float | None = None, message: str = "", **data: Any) -> None:
        """Tell how far the work is, 0 to 1, and what it does; it fits as ``on_block`` of the kernels.

        A fraction or a message left out stays what it was. ``data`` goes into the history.

        Raises
        ------
        Cancelled
            If someone asked the work to stop.
        """
        self.check()
        self._job.note(fraction, message, data)

    def rest(self) -> None:
        """Say that a step is done: others may have the device now, and a pause is kept here.

        Raises
        ------
        Cancelled
            If someone asked the work to stop, before or in the pause.
        """
        self.check()
        self._job.rest(self._device, self.check)
        self.check()

    def part(self, start: float, end: float, title: str = "") -> "Ticket":
        """A ticket for the work between two fractions of this one; who cancels the whole cancels it."""
        return _Part(self, start, end, title)


class _Part(Ticket):
    """Reports of a part, as reports of the whole."""

    def __init__(self, whole: Ticket, start: float, end: float, title: str) -> None:
        super().__init__(whole._job, whole._device)
        self._whole, self._start, self._end, self._title = whole, start, end, title

    def report(self, fraction: float | None = None, message: str = "", **data: Any) -> None:
        done = None if fraction is None else self._start + (self._end - self._start) * fraction
        self._whole.report(done, ": ".join(filter(None, (self._title, message))), **data)


def here_and_now(on_report: OnReport | None = None) -> Ticket:
    """A ticket for work that is no job: nobody cancels it, and what it reports goes to ``on_report``."""
    return Ticket(_Unseen(on_report))


class _Unseen(Job[Any]):
    """No page shows it; its reports go to whoever waits for it."""

    def __init__(self, on_report: OnReport | None) -> None:
        super().__init__("here and now")
        self._on_report = on_report

    def note(self, fraction: float | None, message: str, data: Mapping[str, Any]) -> None:
        super().note(fraction, message, data)
        if self._on_report is not None:
            self._on_report(self.fraction, self.message)
