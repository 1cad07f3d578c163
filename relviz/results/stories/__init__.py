"""The pictures of stories: each kind is a task that computes its numbers and what is drawn."""

from collections.abc import Callable, Mapping
from typing import Any

from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.results.stories.decoders import decoder_picture, latents_picture
from relviz.results.stories.dictionary import dictionary_picture
from relviz.results.stories.heads import heads_picture, matrix_picture, stitched_heads
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
from relviz.results.stories.shape import shape_picture
from relviz.results.stories.story_picture import StoryPicture
from relviz.results.stories.troubles import KINDS as TROUBLES
from relviz.results.stories.troubles import common_picture, trouble_picture, verdict_picture
from relviz.results.stories.vector import vector_picture

__all__ = ["KINDS", "StoryPicture", "picture_task", "tasks_of"]

WITH_CLASSES, WITH_SENTENCES = ("emoji", "glosses"), ("glosses",)

KINDS: dict[str, Callable[..., Task[StoryPicture]]] = {
    "pose": pose_picture,
    "dictionary": dictionary_picture,
    "vector": vector_picture,
    "curve": curve_picture,
    "examples": examples_picture,
    "lists": lists_picture,
    "maps": maps_picture,
    "runs": runs_picture,
    "shape": shape_picture,
    "inverse": inverse_picture,
    "heads": heads_picture,
    "matrix": matrix_picture,
    "latents": latents_picture,
    "decoder": decoder_picture,
    "errors": decoder_picture,
    "trouble": trouble_picture,
    "common": common_picture,
    "verdict": verdict_picture,
}
"""Kinds of pictures by what a story calls them; options are the parameters of the task."""
OPTIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "pose": {"space": ("plane", "sphere")},
    "dictionary": {},
    "vector": {},
    "curve": {"pair": tuple(PAIRS)},
    "examples": {"pair": WITH_CLASSES},
    "lists": {"pair": tuple(PAIRS)},
    "maps": {"pair": WITH_CLASSES, "show": tuple(MAP_SETS)},
    "shape": {"pair": WITH_CLASSES},
    "runs": {"pair": WITH_CLASSES, "show": tuple(RUN_SETS)},
    "inverse": {"pair": WITH_CLASSES, "over": ("anchors", "delta")},
    "heads": {"pair": WITH_SENTENCES},
    "matrix": {"pair": WITH_SENTENCES},
    "latents": {},
    "decoder": {},
    "errors": {},
    "trouble": {"pair": WITH_CLASSES, "what": tuple(TROUBLES)},
    "common": {},
    "verdict": {"pair": WITH_SENTENCES},
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


def tasks_of(kind: str, options: Mapping[str, str]) -> list[Task[Any]]:
    """All that a step needs: its picture, and what answers to typed sentences are made with.

    Raises
    ------
    ParameterError
        As ``picture_task``.
    """
    picture = picture_task(kind, options)
    return [stitched_heads(options["pair"]), picture] if kind == "heads" else [picture]
