"""All that stories will show, computed before somebody looks at it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from relviz.compute.job import Ticket
from relviz.compute.task import Task, task
from relviz.results.stories import tasks_of
from relviz.stories import Story


@dataclass(frozen=True)
class Prepared:
    """How many results were made, or were there, in the try of a time in nanoseconds."""

    results: int
    begun: int


@task("prepared", "Preparing", heavy=True)
def prepare(ticket: Ticket, wanted: tuple[Task[Any], ...], *, begun: int) -> Prepared:
    """The task that makes results one after the other, and keeps each; ``begun`` tells tries apart.

    What is done stays when it is canceled.
    """
    for at, one in enumerate(wanted):
        ticket.report(at / len(wanted), f"{at + 1} of {len(wanted)}, {one.title}")
        one.run(ticket.part(at / len(wanted), (at + 1) / len(wanted), one.title))
    return Prepared(len(wanted), begun)


def tasks_of_stories(stories: Iterable[Story]) -> tuple[Task[Any], ...]:
    """All that stories show and answer with, each once, in their order."""
    steps = (step.picture for story in stories for step in story.steps)
    every = (one for picture in steps for one in tasks_of(picture.kind, picture.options))
    return tuple({one.key: one for one in every}.values())


def missing_of(wanted: Iterable[Task[Any]]) -> tuple[Task[Any], ...]:
    """Those that are neither kept nor packed."""
    return tuple(one for one in wanted if one.stored() is None)
