"""A result that may be kept, may be in the making, or has yet to be started."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from relviz.compute.entry import Result
from relviz.compute.jobs import Job, Ticket, jobs, result_or_job
from relviz.compute.store import default_store
from relviz.compute.ticket import here_and_now

Made = tuple[Mapping[str, Any], Mapping[str, Any]]
"""Arrays and JSON-safe figures, as the store takes them."""


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

    def run(self, ticket: Ticket | None = None) -> Result:
        """The result, made here and now unless it is kept; for scripts, or as part of other work.

        Reports go to the ``ticket``, and who cancels the work that holds it cancels this.
        """
        return default_store().cached(self.key, lambda: self.compute(ticket or here_and_now()))
