"""A result that may be kept, may be in the making, or has yet to be started."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from relviz.compute.entry import Result
from relviz.compute.jobs import Job, Ticket, jobs, result_or_job
from relviz.compute.store import default_store

Made = tuple[Mapping[str, Any], Mapping[str, Any]]
"""Arrays and JSON-safe figures, as the store takes them."""

OnReport = Callable[[float | None, str], None]


class _Heard(Job[Any]):
    """A job whose reports go to whoever waits for it; it is to stop when the job that it is part of is."""

    def __init__(self, key: str, title: str, on_report: OnReport | None, within: Ticket | None) -> None:
        super().__init__(key, title)
        self._on_report, self._within = on_report, within

    @property
    def cancelling(self) -> bool:
        return self._within is not None and self._within.cancelled

    def note(self, fraction: float | None, message: str, data: Mapping[str, Any]) -> None:
        super().note(fraction, message, data)
        if self._on_report is not None:
            self._on_report(self.fraction, self.message)


@dataclass(frozen=True, eq=False)
class Task:
    """How to make the result that the store keeps under ``key``.

    ``compute`` is given a ticket on which it reports progress, and which raises when it is cancelled.
    """

    key: str
    title: str
    compute: Callable[[Ticket], Made]

    def kept(self) -> Result | None:
        """The result, if the store has it."""
        return default_store().get(self.key)

    def job(self) -> Job[Any] | None:
        """The job that is making the result, or that ended without one."""
        return jobs().find(self.key)

    def result_or_job(self) -> Result | Job[str]:
        """The result, else the job that makes it, started if need be."""
        return result_or_job(self.key, self.compute, self.title)

    def run(self, on_report: OnReport | None = None, within: Ticket | None = None) -> Result:
        """The result, made here and now unless it is kept; for scripts, or work that takes little time.

        ``on_report`` is told the fraction that is done, where that is known, and what is being done. Where it
        is part of another work, ``within`` is the ticket of that one: who cancels that cancels this.
        """
        ticket = Ticket(_Heard(self.key, self.title, on_report, within))
        return default_store().cached(self.key, lambda: self.compute(ticket))
