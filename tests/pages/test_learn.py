"""The Learn page without a browser: what it tells the component, and addresses that name nothing."""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from relviz.results.stories import picture_task
from relviz.stories import Picture, Story, stories
from relviz.stories.reading import FOLDER
from relviz.ui.learn.asking import reply_to
from relviz.ui.learn.message import ASSETS, index_message, solutions, step_message
from relviz.ui.learn.place import Place, place_of
from relviz.ui.pad import SIDE
from tests.ui.screen import finished, opened, said, turned

pytestmark = [pytest.mark.usefixtures("own_cache")]


def told(at: AppTest) -> dict:
    """What the component of the page is given."""
    return json.loads(at.get("bidi_component")[0].proto.json)


def pose() -> Story:
    return next(story for story in stories() if story.name == "pose")


def test_every_story_has_a_small_cover_for_light_and_dark_pages() -> None:
    found = sorted(path.name for path in ASSETS.glob("cover-*"))
    assert found == sorted(f"cover-{one.name}{end}.webp" for one in stories() for end in ("", "-dark"))
    for name in found:
        with Image.open(ASSETS / name) as cover:
            assert cover.size == (480, 270)
        assert (ASSETS / name).stat().st_size < 25_000


def test_the_page_lists_all_stories() -> None:
    message = told(opened("learn"))
    assert [one["name"] for one in message["stories"]] == [story.name for story in stories()]


def test_a_step_has_its_texts_with_their_numbers_and_its_picture() -> None:
    at = finished(opened("learn", {"story": "pose", "step": "3"}))
    message = told(at)
    assert message["story"]["name"] == "pose"
    assert message["number"] == 3
    assert message["notices"][0] == "The shift changes some cosines by 0.9."
    assert [one["right"] for one in message["question"]["options"]] == [False, True, False]
    assert message["picture"]["arrays"]["places"]["shape"] == [14, 2]
    assert message["lab"] == {"path": "/compare", "params": {"count": "20", "center": "no"}}
    assert at.query_params["story"] == "pose"


def test_the_view_of_the_session_stays() -> None:
    at = opened(
        "compare", {"a": "glosses.minilm", "b": "glosses.e5", "count": "20", "runs": "1", "queries": "20"}
    )
    turned(at, "learn")
    turned(at, "anchors")
    assert at.query_params["count"] == "20"


def test_an_unknown_story_is_said_and_the_list_shown() -> None:
    at = opened("learn", {"story": "<b>none</b>"})
    assert "There is no story" in said(at)
    assert told(at)["stories"]


def test_a_step_beyond_the_last_is_the_last() -> None:
    assert told(opened("learn", {"story": "pose", "step": "99"}))["number"] == len(pose().steps)


def test_exercises_have_solutions_where_they_are_computed() -> None:
    picture_task("pose", {"space": "plane"}).run()
    listed = told(opened("learn", {"exercises": "yes"}))["exercises"]
    assert len(listed) == sum(len(story.steps) for story in stories())
    assert listed[0]["right"] == ["Its coordinates only"]


def test_a_story_of_a_folder_that_cannot_be_read_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    (tmp_path / "mine.md").write_text("no title", encoding="utf-8")
    at = opened("learn")
    assert "mine.md does not begin" in "".join(one.value for one in at.error)


@pytest.mark.parametrize(
    ("params", "place"),
    [
        ({"story": "pose", "step": "2", "present": "yes"}, Place("pose", 2, present=True)),
        ({"story": ["pose"], "step": "²"}, Place()),
        ({"story": "x" * 61, "step": "12345", "present": "1"}, Place()),
        ({"exercises": "yes"}, Place(exercises=True)),
        ({"prepare": "yes"}, Place(prepare=True)),
    ],
)
def test_places(params: dict, place: Place) -> None:
    assert place_of(params) == place
    if place != Place():
        assert place_of(place.params()) == place


def step_of(name: str, number: int) -> Picture:
    return next(story for story in stories() if story.name == name).steps[number - 1].picture


def test_a_typed_sentence_is_answered_by_both_heads() -> None:
    reply: dict[str, Any] = reply_to(
        step_of("stitching", 1), {"number": 3, "sentence": "  a fish that lives in\nrivers "}
    )
    assert (reply["number"], reply["text"]) == (3, "a fish that lives in rivers")
    assert len(reply["told"]) == 8
    for opinion in (reply["own"], *reply["told"]):
        shares = [share for _, share in opinion]
        assert shares == sorted(shares, reverse=True)
        assert sum(shares) <= 1.001
    assert reply["own"][0][0] == "animal"


def test_a_drawing_goes_through_both_decoders() -> None:
    pixels = np.zeros((SIDE, SIDE), np.uint8)
    pixels[8:48, 26:30] = 255
    reply: dict[str, Any] = reply_to(
        step_of("decoders", 2), {"number": 1, "drawing": base64.b64encode(pixels.tobytes()).decode()}
    )
    assert len(reply["input"]) == 28 * 28
    assert set(reply["images"]) == set(reply["mse"])
    assert reply["mse"]["absolute_other"] > 2 * reply["mse"]["relative_other"]


@pytest.mark.parametrize(
    ("name", "number", "asked"),
    [
        ("stitching", 1, {"sentence": " "}),
        ("stitching", 1, {"drawing": "AAAA"}),
        ("decoders", 2, {"drawing": "no picture"}),
        ("decoders", 2, {"drawing": 5}),
        ("pose", 1, {"sentence": "a dog"}),
    ],
)
def test_what_cannot_be_answered_is_said(name: str, number: int, asked: dict) -> None:
    reply = reply_to(step_of(name, number), {"number": 9} | asked)
    assert set(reply) == {"number", "error"}


def test_a_lecture_is_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("relviz.compute.task.packed", lambda _: None)
    at = opened("learn", {"prepare": "yes"})
    at.multiselect[0].set_value(["pose"])
    at.run()
    assert "2 pictures to compute" in said(at)
    at = finished(next(one for one in at.button if one.label == "Prepare").click().run())
    assert "Ready: 5 steps" in said(at)
    assert picture_task("pose", {"space": "plane"}).stored() is not None


def test_a_message_without_a_picture_leaves_numbers_open() -> None:
    story = pose()
    message = step_message(stories(), story, 3, None)
    assert message["picture"] is None
    assert message["notices"][0] == "The shift changes some cosines by …."
    assert solutions(story, story.steps[2], None)["number"] == 3
    assert index_message(stories())["stories"][0]["steps"] == len(story.steps)
