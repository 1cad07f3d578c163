"""What the browser is told of a step: its texts with their numbers, its picture, and where its links lead."""

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from relviz.results.stories import StoryPicture
from relviz.stories import Control, Lab, Question, Step, Story, fill
from relviz.stories.claims import PLACEHOLDER
from relviz.ui.linked_map.assets import based
from relviz.ui.names import with_names

Message = dict[str, Any]
ASSETS = Path(__file__).parent / "assets"
_KINDS = {"float32": "Float32Array", "int32": "Int32Array", "int16": "Int16Array", "uint8": "Uint8Array"}


def index_message(stories: Sequence[Story]) -> Message:
    """The list of stories; those of others have no cover."""
    listed = [
        {
            "name": one.name,
            "title": one.title,
            "about": one.about,
            "steps": len(one.steps),
            "cover": (ASSETS / f"cover-{one.name}.webp").is_file(),
        }
        for one in stories
    ]
    return {"stories": listed}


def step_message(
    stories: Sequence[Story], story: Story, number: int, picture: StoryPicture | None
) -> Message:
    """A step of a story; without its ``picture`` the numbers in its texts are an ellipsis."""
    step, place = story.steps[number - 1], stories.index(story)
    facts = {} if picture is None else picture.facts
    after = stories[place + 1] if place + 1 < len(stories) else None
    return {
        "story": {"name": story.name, "title": story.title, "number": place + 1, "of": len(stories)},
        "number": number,
        "titles": [one.title for one in story.steps],
        "next": None if after is None else {"name": after.name, "title": after.title},
        "text": _filled(step.text, picture),
        "kind": step.picture.kind,
        "options": dict(step.picture.options),
        "controls": [_control(one) for one in step.picture.controls],
        "question": None if step.question is None else _question(step.question, picture),
        "notices": [_filled(one.text, picture) for one in step.notices],
        "lab": None if step.picture.lab is None else _lab(step.picture.lab),
        "facts": dict(facts),
        "picture": None if picture is None else _picture(picture),
    }


def solutions(story: Story, step: Step, picture: StoryPicture | None) -> Message:
    """The exercise of a step with its solution, for a teacher."""
    asked = step.question
    assert asked is not None
    right = [_filled(one.text, picture) for one in asked.options if one.right]
    if asked.guess is not None:
        form = ":%" if asked.guess.unit == "%" else ""
        right = [_filled(f"{{{asked.guess.answer}{form}}}", picture)]
    return {
        "story": story.name,
        "title": story.title,
        "step": step.title,
        "number": story.steps.index(step) + 1,
        "asked": _filled(asked.text, picture),
        "options": [_filled(one.text, picture) for one in asked.options],
        "right": right,
        "because": _filled(asked.because, picture),
    }


def _filled(text: str, picture: StoryPicture | None) -> str:
    return with_names(PLACEHOLDER.sub("…", text) if picture is None else fill(text, picture.facts))


def _control(one: Control) -> Message:
    return {
        "name": one.name,
        "label": one.label,
        "kind": one.kind,
        "value": one.value,
        "after": one.after,
        "stops": [list(stop) for stop in one.stops],
        "range": [one.least, one.most, one.step],
    }


def _question(asked: Question, picture: StoryPicture | None) -> Message:
    guess = asked.guess
    value = None if guess is None or picture is None else picture.facts[guess.answer]
    return {
        "text": _filled(asked.text, picture),
        "options": [{"text": _filled(one.text, picture), "right": one.right} for one in asked.options],
        "because": _filled(asked.because, picture),
        "guess": None
        if guess is None
        else {
            "answer": None if value is None else value * (100 if guess.unit == "%" else 1),
            "range": [guess.least, guess.most],
            "unit": guess.unit,
        },
    }


def _lab(lab: Lab) -> Message:
    return {"path": based(f"/{lab.page}"), "params": dict(lab.params)}


def _picture(picture: StoryPicture) -> Message:
    return {
        "texts": {name: [with_names(one) for one in listed] for name, listed in picture.texts.items()},
        "arrays": {name: _array(one) for name, one in picture.arrays.items()},
    }


def _array(array: np.ndarray) -> Mapping[str, object]:
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
    return {"kind": _KINDS[array.dtype.name], "shape": list(array.shape), "data": data}
