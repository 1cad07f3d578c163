"""The shelf: the spaces that are at hand, of which any two can be compared."""

from dataclasses import dataclass

from relviz.compute.jobs import jobs
from relviz.errors import Error, ParameterError
from relviz.view.choices import MOST_NAMES, Names, View
from relviz.view.sources import open_space, origin_of

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
    """A and B, and what else is on the shelf."""
    return Names(dict.fromkeys((view.a, view.b, *view.shelf)))


def shelf_of(view: View) -> tuple[Shelved, ...]:
    """Everything on the shelf, A and B first."""
    return tuple(map(_shelved, sources_of(view)))


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
            f"The shelf would hold {len(wanted)} spaces; there is room for {MOST_NAMES}. Take some off first."
        )
    return wanted


def shelf_without(view: View, source: str) -> Names:
    """The shelf with one less on it."""
    return Names(one for one in view.shelf if one != source)


def _shelved(source: str) -> Shelved:
    try:
        space = open_space(source)
        origin = origin_of(source).words
    except Error as reason:
        job = jobs().find(source)
        if job is not None:
            return Shelved(source, job.title, problem="being encoded" if job.alive else f"{job.state}")
        return Shelved(source, source, problem=str(reason))
    size = len(space) * space.dimension * FLOAT_BYTES
    return Shelved(source, space.name, len(space), space.dimension, size, origin)
