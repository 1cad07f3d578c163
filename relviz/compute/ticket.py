"""What the work of a job holds of it: it reports through it, and learns that it should stop."""

from typing import Any

from relviz.compute.job import Cancelled, Job
from relviz.compute.turns import Turns


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

    def part(self, index: int, of: int, title: str) -> "Ticket":
        """A ticket for work that is one of several equal parts of this one, counted from 0."""
        return _Part(self, index, of, title)


class _Part(Ticket):
    """Reports of a part, as reports of the whole."""

    def __init__(self, whole: Ticket, index: int, of: int, title: str) -> None:
        super().__init__(whole._job, whole._device)
        self._index, self._of, self._title = index, of, title

    def report(self, fraction: float | None = None, message: str = "", **data: Any) -> None:
        done = None if fraction is None else (self._index + fraction) / self._of
        said = f"{self._title} ({self._index + 1} of {self._of})"
        super().report(done, f"{said}: {message}" if message else said, **data)
