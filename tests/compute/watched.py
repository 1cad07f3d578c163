"""A job seen from where it was asked for, whoever does its work."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from relviz.compute.job import Canceled, Job
from tests.compute.heavy import counted

PATIENCE = 600
"""Seconds; on a busy machine the imports of a worker take a minute."""
FOREVER = 100_000


class Mortal(Job[object]):
    """Is broken off when more than this share of it is done."""

    def __init__(self, most: float = 1.0) -> None:
        super().__init__("mortal")
        self.most = most

    def note(self, fraction: float | None, message: str, data: Mapping[str, object]) -> None:
        super().note(fraction, message, dict(data))
        if (fraction or 0.0) > self.most:
            raise Canceled


def over(job: Job[Any]) -> Job[Any]:
    assert job.wait(PATIENCE)
    return job


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    assert condition()


def pauses_goes_one_step_and_is_canceled(paused: Callable[[Job[Any]], None] = lambda _: None) -> None:
    """See a work so far, pause it, have it go one step, and cancel it; what there was is still shown."""
    task = counted(FOREVER)
    job = task.result_or_job()
    until(lambda: job.shows and job.partial is not None and len(job.partial.x) > 2)
    job.pause()
    until(lambda: job.state == "paused")
    paused(job)
    stood = len(job.partial.x)
    job.step()
    until(lambda: len(job.partial.x) == stood + 1 and job.state == "paused")
    job.resume()
    until(lambda: len(job.partial.x) > stood + 2)
    job.cancel()
    assert over(job).state == "canceled"
    assert len(task.partial().x) > stood + 2
