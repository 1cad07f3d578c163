"""The shelf: the spaces that are at hand, of which any two can be compared."""

from dataclasses import dataclass
from typing import Any

from relviz.compute.jobs import Job, jobs
from relviz.errors import Error, ParameterError
from relviz.state.sources import is_own, open_pair, open_space, origin_of
from relviz.state.view import MOST_NAMES, RANGES, Names, View

FLOAT_BYTES = 4


@dataclass(frozen=True)
class Shelved:
    """A space on the shelf. ``problem`` says why it cannot be opened; then the figures are 0.

    ``bytes`` are those of its vectors.
    """

    source: str
    name: str
    rows: int = 0
    dimension: int = 0
    bytes: int = 0
    origin: str = ""
    problem: str = ""


def sources_of(view: View) -> Names:
    """What is on the shelf, with A and B before it where they are not."""
    others = (source for source in (view.a, view.b) if source not in view.shelf)
    return Names(tuple(dict.fromkeys((*others, *view.shelf)))[:MOST_NAMES])


def shelf_of(view: View) -> tuple[Shelved, ...]:
    """Everything on the shelf."""
    return tuple(map(_shelved, sources_of(view)))


def shelf_after(view: View, a: str, b: str) -> Names:
    """The shelf when A and B are chosen anew: one's own spaces that are kept stay on it, if there is room.

    Demos' spaces go back to the demo, unless they were added to the shelf.
    """
    own = (source for source in (view.a, view.b, a, b) if is_own(source) and _opens(source))
    return Names(tuple(dict.fromkeys((*view.shelf, *own)))[:MOST_NAMES])


def anchors_after(view: View, a: str, b: str) -> int:
    """How many anchors there are when A and B are chosen anew: what was chosen, but of few rows at most half.

    Were all rows anchors, each would retrieve its counterpart by its similarity to itself.
    """
    usual = View().count
    unchosen = view.count in (usual, min(usual, _most_anchors(view.a, view.b)))
    return min(usual if unchosen else view.count, _most_anchors(a, b))


def _most_anchors(a: str, b: str) -> int:
    try:
        return max(2, len(open_pair(a, b)) // 2)
    except Error:
        return int(RANGES["count"][1])


def shelf_with(view: View, *sources: str) -> Names:
    """The shelf with more on it.

    Raises
    ------
    ParameterError
        If it would hold more than ``MOST_NAMES``.
    """
    wanted = Names(dict.fromkeys((*view.shelf, *sources)))
    if len(wanted) > MOST_NAMES:
        raise ParameterError(
            f"The shelf would hold {len(wanted)} spaces; the limit is {MOST_NAMES}. Remove some first."
        )
    return wanted


def shelf_without(view: View, source: str) -> Names:
    """The shelf without one of its spaces."""
    return Names(one for one in view.shelf if one != source)


def _opens(source: str) -> bool:
    try:
        open_space(source)
    except Error:
        return False
    return True


def job_of(one: Shelved) -> Job[Any] | None:
    """The job that makes a space which is not there yet, or that ended without making it."""
    return jobs().find(one.source) if one.problem else None


def _shelved(source: str) -> Shelved:
    try:
        space = open_space(source)
        origin = origin_of(source).words
    except Error as reason:
        job = jobs().find(source)
        return Shelved(source, job.title if job else source, problem=str(reason))
    size = len(space) * space.dimension * FLOAT_BYTES
    return Shelved(source, space.name, len(space), space.dimension, size, origin)
