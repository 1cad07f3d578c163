"""The shelf: the spaces that are at hand, of which any two can be compared."""

from collections.abc import Iterable
from dataclasses import dataclass

from relviz.compute.jobs import Job, jobs
from relviz.errors import Error, ParameterError
from relviz.state.sources import is_own, open_pair, open_space, origin_of
from relviz.state.view import MOST_NAMES, Names, View

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


def shelf_of(sources: Iterable[str]) -> tuple[Shelved, ...]:
    """What the sources on the shelf name, whether it can be opened or not."""
    return tuple(map(_shelved, sources))


def shelf_after(shelf: Names, *compared: str) -> Names:
    """The shelf when A and B are chosen anew: one's own spaces that are kept stay on it, if there is room.

    Demos' spaces go back to the demo, unless they were added to the shelf.

    Parameters
    ----------
    compared
        Those that were A and B, and those that are.
    """
    own = (source for source in compared if is_own(source) and _opens(source))
    return Names(tuple(dict.fromkeys((*shelf, *own)))[:MOST_NAMES])


def anchors_after(anchors: int, before: tuple[str, str], after: tuple[str, str]) -> int:
    """How many anchors there are when A and B are chosen anew: what was chosen, but of few rows at most half.

    Were all rows anchors, each would retrieve its counterpart by its similarity to itself.

    Parameters
    ----------
    anchors
        How many there were.
    before, after
        The sources that were A and B, and those that are.
    """
    usual = View().count
    unchosen = anchors in (usual, min(usual, _most_anchors(*before)))
    return min(usual if unchosen else anchors, _most_anchors(*after))


def _most_anchors(a: str, b: str) -> int:
    try:
        return max(2, len(open_pair(a, b)) // 2)
    except Error:
        return int(View.limits("count")[1])


def shelf_with(shelf: Names, *sources: str) -> Names:
    """The shelf with more on it.

    Raises
    ------
    ParameterError
        If it would hold more than ``MOST_NAMES``.
    """
    wanted = Names(dict.fromkeys((*shelf, *sources)))
    if len(wanted) > MOST_NAMES:
        raise ParameterError(
            f"The shelf would have {len(wanted)} spaces; the limit is {MOST_NAMES}. Remove some first."
        )
    return wanted


def shelf_without(shelf: Names, source: str) -> Names:
    """The shelf without one of its spaces."""
    return Names(one for one in shelf if one != source)


def _opens(source: str) -> bool:
    try:
        open_space(source)
    except Error:
        return False
    return True


def job_of(one: Shelved) -> Job[object] | None:
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
