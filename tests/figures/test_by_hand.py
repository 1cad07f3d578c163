"""What was drawn and what was moved by hand: a recipe holds it, and the figure is made of exactly that."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import relviz
from relviz.figures.kinds.drawing import moves_of
from relviz.figures.make import make, tasks_of
from relviz.figures.open_recipe import recipe_of
from relviz.figures.recipe import Recipe, read_recipe
from relviz.results.autoencoders import anchor_images, decode_changed, passed, relative_codes, two_of
from relviz.results.drawing import going_in, read, written
from relviz.state import View
from relviz.state.image_sets import DIGITS, image_set

VIEW = View().with_changes(de=View().de.with_changes(image=3))
STROKE = np.zeros((56, 56), np.uint8)
STROKE[10:44, 25:31] = 200


def two() -> Any:
    found = two_of(VIEW.de, image_set(DIGITS))
    assert found is not None
    return found


def again(recipe: Recipe) -> Recipe:
    """As somebody else reads it from the file."""
    return read_recipe(recipe.to_json())


def pictures(made: Any) -> list[np.ndarray]:
    """All pictures of a figure as they are drawn, in their order."""
    return [np.asarray(axes.images[0].get_array()) for axes in made.figure.axes if axes.images]


def as_bytes(image: torch.Tensor) -> np.ndarray:
    return (image.clamp(0, 1) * 255).round().to(torch.uint8).numpy()


def test_a_drawing_goes_through_all_and_each_is_drawn_and_counted() -> None:
    image = going_in(STROKE, image_set(DIGITS))
    made = make(again(recipe_of(VIEW, "drawn", written(image))))
    expected = passed(two(), image)
    np.testing.assert_array_equal(made.content.arrays["image"], image[0, 0])
    for one in expected:
        name = f"{one.way}_{one.path[0] + 1}_to_{one.path[1] + 1}"
        np.testing.assert_array_equal(made.content.arrays[name], one.images[0, 0])
    assert list(made.content.columns["mse"]) == [float(one.mse[0]) for one in expected]
    assert list(made.content.columns["way"])[::4] == ["absolute", "relative", "irp"]
    np.testing.assert_array_equal(
        pictures(made), np.concatenate([as_bytes(one[0]) for one in [image, *(p.images for p in expected)]])
    )
    svg = made.file("svg").decode()
    assert all(f">{one.mse[0]:.3f}<" in svg for one in expected)
    assert "1 has 0, 2 has 1" in made.caption
    assert made.file("svg") == make(again(made.recipe)).file("svg")
    assert make(again(made.recipe)).changes == ()
    assert len(made.file("json")) < 4000


def test_what_is_moved_is_shown_with_its_anchors_before_and_after() -> None:
    given = image_set(DIGITS)
    changes: list[tuple[int, float]] = [(7, -1.0), (50, 0.25), (0, 1)]
    made = make(again(recipe_of(VIEW, "sliders", {"changes": [list(change) for change in changes]})))
    codes = relative_codes(two(), given.test[3])
    own, other = decode_changed(two(), codes, dict(changes))
    arrays = made.content.arrays
    for name, one in (("image", given.test[3]), ("own", own), ("other", other)):
        np.testing.assert_array_equal(arrays[name], one[0])
    np.testing.assert_array_equal(arrays["before"], codes)
    assert [arrays["after"][at] for at, _ in changes] == [value for _, value in changes]
    order = arrays["moved"].tolist()
    assert order == sorted((at for at, _ in changes), key=lambda at: -abs(float(codes[at])))
    anchors = anchor_images(two().relative[0].options, given)[order]
    expected = [given.test[3], own, other, *anchors]
    np.testing.assert_array_equal(pictures(made), np.concatenate([as_bytes(one) for one in expected]))
    svg = made.file("svg").decode().replace("\N{MINUS SIGN}", "-")
    for at, value in changes:
        assert f">{at}<" in svg
        assert f">{float(codes[at]):.2f} →<" in svg
        assert f">{value:.2f}<" in svg
    assert "Edited by hand: 3 cosines" in made.caption
    assert sum(made.content.columns["moved"]) == 3
    assert made.file("svg") == make(again(made.recipe)).file("svg")
    assert made.file("svg") != make(recipe_of(VIEW, "sliders", {"changes": changes[:2]})).file("svg")


def test_where_nothing_is_moved_the_image_is_reconstructed() -> None:
    made = make(recipe_of(VIEW, "sliders"))
    image = image_set(DIGITS).test[3:4]
    np.testing.assert_array_equal(made.content.arrays["own"], two().relative[0].reconstruct(image)[0, 0])
    assert len(pictures(made)) == 3
    assert "No cosine was edited" in made.caption
    np.testing.assert_array_equal(made.content.columns["before"], made.content.columns["after"])


@pytest.mark.parametrize(
    ("kind", "options", "why"),
    [
        ("drawn", {"image": "A" * 5000}, "5000 characters; the limit is 4096"),
        ("drawn", {"image": 3}, "should be a text"),
        ("drawn", {"shape": ["1", 28, 28]}, "shape is"),
        ("sliders", {"changes": 3}, "pairs of an anchor"),
        ("sliders", {"changes": [[3]]}, "pairs of an anchor"),
        ("sliders", {"changes": [[3, 1.01]]}, "pairs of an anchor"),
        ("sliders", {"changes": [[3, float("nan")]]}, "pairs of an anchor"),
        ("sliders", {"changes": [[3, True]]}, "pairs of an anchor"),
        ("sliders", {"changes": [[3.0, 0.5]]}, "pairs of an anchor"),
        ("sliders", {"changes": [[-1, 0.5]]}, "pairs of an anchor"),
        ("sliders", {"changes": [[3, 0.5], [3, 0.6]]}, "each anchor once"),
        ("sliders", {"changes": [[at, 0.5] for at in range(9)]}, "at most 8"),
    ],
)
def test_options_that_no_page_would_write_are_refused_when_a_recipe_is_read(
    kind: str, options: dict[str, Any], why: str
) -> None:
    said = json.loads(recipe_of(VIEW, kind).to_json())
    with pytest.raises(relviz.ReadError, match=why):
        read_recipe(json.dumps({**said, "options": options}))


def test_what_the_models_do_not_have_is_said_before_anything_is_trained() -> None:
    view = VIEW.with_changes(de=VIEW.de.with_changes(latent=5, anchors=9))
    assert tasks_of(recipe_of(view, "sliders", {"changes": [[8, 0.5]]}))
    for ask in (tasks_of, make):
        with pytest.raises(relviz.ParameterError, match="anchor 9, but these models have 9"):
            ask(recipe_of(view, "sliders", {"changes": [[9, 0.5]]}))
        with pytest.raises(relviz.ParameterError, match="has no drawing"):
            ask(recipe_of(view, "drawn"))


def _asked(kind: str, options: Mapping[str, Any]) -> Any:
    return moves_of(VIEW.de, options) if kind == "sliders" else read(options, image_set(DIGITS))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 99) | st.floats(-1.2, 1.2) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=9,
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(JSON)
def test_whatever_stands_in_an_option_is_taken_or_refused(value: Any) -> None:
    for kind, name in (("drawn", "image"), ("drawn", "shape"), ("sliders", "changes")):
        try:
            recipe = again(recipe_of(VIEW, kind, {name: value}))
            found = _asked(kind, recipe.options)
        except relviz.Error as reason:
            said = str(reason)
        else:
            said = "It is taken as it is, as it should be."
            assert [kind, *([at, to] for at, to in found.items())] == ["sliders", *value]
        assert 30 < len(said) < 400
