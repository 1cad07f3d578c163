"""Work for workers: they import it by name."""

import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from relviz.compute.job import Ticket
from relviz.compute.owner import owner
from relviz.compute.task import task
from relviz.errors import ParameterError

GATE = "RELVIZ_TEST_GATE"
"""A file that ``held`` waits for."""

prepared: list[str] = []
"""What this process has made ready."""


@dataclass(frozen=True)
class Answer:
    """Numbers, and where they were made."""

    x: np.ndarray
    process: int
    who: str | None


class Picky(ParameterError):
    """An error that cannot be made of its message alone."""

    def __init__(self, what: str, most: int) -> None:
        super().__init__(f"{what} must be at most {most}.")


@task("double", "Doubling", heavy=True)
def doubled(ticket: Ticket, x: np.ndarray) -> Answer:
    ticket.report(0.5, "doubling", step=np.ones(2))
    return Answer(2 * x, os.getpid(), owner())


@task("count", "Counting", heavy=True)
def counted(ticket: Ticket, to: int) -> Answer:
    return _count(ticket, to)


def _count(ticket: Ticket, to: int) -> Answer:
    made: list[int] = []
    ticket.show(lambda: Answer(np.array(made), os.getpid(), None))
    for step in range(to):
        made.append(step)
        ticket.report((step + 1) / to, f"step {step + 1}")
        ticket.rest()
        time.sleep(0.01)
    return Answer(np.array(made), os.getpid(), owner())


@task("light-count", "Counting")
def counted_lightly(ticket: Ticket, to: int) -> Answer:
    return _count(ticket, to)


@task("deaf", "Sleeping", heavy=True)
def deaf(ticket: Ticket, seconds: float) -> Answer:
    ticket.report(0.1, "asleep")
    threading.Event().wait(seconds)
    return Answer(np.zeros(1), os.getpid(), owner())


@task("hurry", "Keeping checkpoints often from now on", heavy=True)
def hurried(ticket: Ticket) -> Answer:
    import relviz.results.checkpoint

    ticket.check()
    relviz.results.checkpoint.SECONDS = 0.0
    return Answer(np.zeros(1), os.getpid(), None)


@task("failing", "Failing", heavy=True)
def failing(ticket: Ticket, picky: bool) -> Answer:
    ticket.check()
    raise Picky("k", 4) if picky else ParameterError("k must be at most 4.")


@task("gone", "Ending", heavy=True)
def gone(ticket: Ticket) -> Answer:
    ticket.check()
    os._exit(9)


def begun(gate: Path) -> Path:
    """A file that is there from when ``held`` waits for its gate."""
    return gate.with_suffix(".begun")


def held() -> None:
    """Make ready until the gate is open, and a little longer."""
    gate = Path(os.environ[GATE])
    begun(gate).touch()
    while not gate.exists():
        time.sleep(0.01)
    time.sleep(0.3)
    prepared.append("held")


def idle() -> None:
    """Make ready what is not asked for first."""
    prepared.append("idle")


@dataclass(frozen=True)
class Prepared:
    """What a process had made ready."""

    steps: str


@task("readiness", "Looking", heavy=True)
def readiness(ticket: Ticket, turn: int) -> Prepared:  # noqa: ARG001  # the second is another result
    ticket.check()
    return Prepared(" ".join(prepared))
