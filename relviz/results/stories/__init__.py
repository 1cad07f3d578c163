"""The pictures of stories: each kind is a task that computes its numbers and what is drawn."""

from collections.abc import Callable, Mapping

from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.results.stories.dictionary import dictionary_picture
from relviz.results.stories.inverse import inverse_picture
from relviz.results.stories.maps import SETS as MAP_SETS
from relviz.results.stories.maps import maps_picture
from relviz.results.stories.pose import pose_picture
from relviz.results.stories.retrieval import (
    PAIRS,
    curve_picture,
    examples_picture,
    lists_picture,
)
from relviz.results.stories.runs import SETS as RUN_SETS
from relviz.results.stories.runs import runs_picture
from relviz.results.stories.story_picture import StoryPicture

__all__ = ["KINDS", "StoryPicture", "picture_task"]

WITH_CLASSES = ("emoji", "glosses")

KINDS: dict[str, Callable[..., Task[StoryPicture]]] = {
    "pose": pose_picture,
    "dictionary": dictionary_picture,
    "curve": curve_picture,
    "examples": examples_picture,
    "lists": lists_picture,
    "maps": maps_picture,
    "runs": runs_picture,
    "inverse": inverse_picture,
}
"""Kinds of pictures by what a story calls them; options are the parameters of the task."""
OPTIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "pose": {"space": ("plane", "sphere")},
    "dictionary": {},
    "curve": {"pair": tuple(PAIRS)},
    "examples": {"pair": WITH_CLASSES},
    "lists": {"pair": tuple(PAIRS)},
    "maps": {"pair": WITH_CLASSES, "show": tuple(MAP_SETS)},
    "runs": {"pair": WITH_CLASSES, "show": tuple(RUN_SETS)},
    "inverse": {"pair": WITH_CLASSES, "over": ("anchors", "delta")},
}
"""What each option of a kind may be."""


def picture_task(kind: str, options: Mapping[str, str]) -> Task[StoryPicture]:
    """The task that computes a picture of a kind.

    Raises
    ------
    ParameterError
        If there is no such kind, it has no such option, or an option is missing or has no such value.
    """
    if kind not in KINDS:
        raise ParameterError(f"There is no picture of kind {kind[:40]!r}; there are {', '.join(KINDS)}.")
    known = OPTIONS[kind]
    if set(options) != set(known):
        raise ParameterError(
            f"A picture of kind {kind!r} has the options {', '.join(known) or 'none'}; "
            f"given are {', '.join(options) or 'none'}."
        )
    for name, value in options.items():
        if value not in known[name]:
            raise ParameterError(f"The option {name} is one of {', '.join(known[name])}; not {value[:40]!r}.")
    return KINDS[kind](**options)
