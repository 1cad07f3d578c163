"""A probe in print: what is near an item, a typed text or a given picture, before and after translation."""

import base64
from collections.abc import Sequence

from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.captions import describe_anchors, describe_pair
from relviz.figures.inputs import Probed, probed
from relviz.figures.kind import Content, Kind, Options, of_records
from relviz.results.heads import TrainedHeads, heads_of, heads_task
from relviz.results.probe import (
    LONGEST,
    Opinion,
    Probe,
    as_typed,
    check_encodable,
    live_encoders,
    probe_item,
    probe_new,
    probed_item,
)
from relviz.results.translation import TranslationProblem
from relviz.sheet import Sheet
from relviz.state.option_labels import TRANSLATIONS
from relviz.wording import count

LARGEST_PICTURE = 130_000
"""Bytes of a picture that a recipe holds: written as letters, they are a third more."""
SAID = 200
"""Letters of a typed text in a caption."""


def options_of(what: int | str | bytes) -> Options:
    """What ``what_of`` reads, of an item, a text or a picture's file.

    Raises
    ------
    ParameterError
        If the picture is larger than a recipe holds.
    """
    if isinstance(what, int):
        return {}
    if isinstance(what, str):
        return {"text": what}
    if len(what) > LARGEST_PICTURE:
        raise ParameterError(
            f"This image is too large for a recipe: it takes {count(len(what))} bytes, and the limit is "
            f"{count(LARGEST_PICTURE)}. Use one with less detail."
        )
    return {"picture": base64.b64encode(what).decode("ascii")}


def what_of(options: Options) -> str | bytes | None:
    """The text or the picture's file that a recipe holds; None where the view's item is probed."""
    text, picture = as_typed(options["text"]), options["picture"]
    if text and picture:
        raise ParameterError("The recipe has both a text and an image to probe with. Give only one.")
    if not picture:
        return text or None
    try:
        return base64.b64decode(picture, validate=True)
    except ValueError:
        raise ParameterError(
            "The image in the recipe is damaged. Use the recipe as relviz wrote it."
        ) from None


def _tasks(given: Probed, options: Options) -> list[Task[TrainedHeads]]:
    problem, what = given.problem, what_of(options)
    if what is not None:
        check_encodable(problem.sources[0], "text" if isinstance(what, str) else "image")
    try:
        return [heads_task(problem.pair, given.head)]
    except ParameterError:  # nothing for heads to predict
        return []


def _content(given: Probed, options: Options, _: Sequence[TrainedHeads]) -> Content:
    problem, what = given.problem, what_of(options)
    pair, source, target = problem.pair, problem.source, problem.target
    heads = heads_of(pair, given.head, problem.choices.back)
    if what is None:
        probe = probe_item(problem, probed_item(problem, given.item), heads)
    else:
        probe = probe_new(problem, what, heads)
    lists = {f"Nearest in {source.name}": probe.here, f"Translated into {target.name}": probe.translated}
    if probe.there is not None:
        lists[f"{target.name}'s own nearest"] = probe.there
    records = [
        {"where": where, "place": at, "row": row, "item": pair.items[row], "cosine": cosine}
        for where, near in lists.items()
        for at, (row, cosine) in enumerate(near, 1)
    ]
    caption = _caption(problem, probe, what)
    sheets = {
        where: Sheet(
            ("item", "cosine"),
            tuple((pair.items[row], f"{cosine:.3f}") for row, cosine in near),
            f"{where}, for the same probe." if at else f"{where}. {caption}",
        )
        for at, (where, near) in enumerate(lists.items())
    }
    return Content(caption, {}, of_records(records), sheets=sheets)


def _caption(problem: TranslationProblem, probe: Probe, what: str | bytes | None) -> str:
    pair, source, target = problem.pair, problem.source, problem.target
    if probe.row is not None:
        name = f"“{pair.items[probe.row]}” (row {probe.row})"
    elif isinstance(what, str):
        name = f"the typed text “{what[:SAID]}{'…' if len(what) > SAID else ''}”"
    else:
        name = "a given image"
    caption = (
        f"Neighbors of {name} in {source.name}, and of its translation in {target.name}, using "
        f"{describe_anchors(problem.comparison)} ({TRANSLATIONS[problem.choices.method]}). "
        f"{describe_pair(pair)} Cosine similarities after centering on the anchors. "
        f"{_own_neighbors(problem, probe)}"
    )
    if probe.own is not None and probe.target is not None:
        own, translated = _opinion(probe.own), _opinion(probe.target)
        truth = "" if probe.truth is None else f" It is {probe.truth}."
        caption += (
            f" Prediction of the {source.name} head: {own}; of the {target.name} head on the "
            f"translation: {translated}."
        )
        caption += truth
    return caption


def _own_neighbors(problem: TranslationProblem, probe: Probe) -> str:
    """What the target makes of the same thing, or why that is not known."""
    target = problem.target
    if probe.there is None:
        asked = live_encoders(problem.sources)[1]
        why = "takes another kind of input" if asked is not None else "is not installed"
        return f"The encoder of {target.name} {why}, so its own neighbors are not known."
    others = "items" if probe.row is None else "others"
    return (
        f"Cosine to the vector that {target.name} has of it: {probe.cosine:.3f}; {target.name} itself finds "
        f"{probe.shared} of the {len(probe.others)} {others} near where it lands."
    )


def _opinion(opinion: Opinion) -> str:
    name, share = opinion.classes[0]
    return f"{name} ({share:.0%})"


PROBE = Kind(
    words="Neighbors of a probe, before and after translation",
    page="stitch",
    of=probed,
    tasks=_tasks,
    content=_content,
    options={"text": "", "picture": ""},
    part="probe",
    longest={"text": LONGEST, "picture": 4 * -(-LARGEST_PICTURE // 3)},
)
