"""A view becomes a recipe and a view again; what is not as it was is said, what is not here refused."""

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import relviz
from relviz.compute.store import default_store
from relviz.figures.gallery import shipped_recipes
from relviz.figures.make import make, tasks_of
from relviz.figures.open_recipe import changes_of, page_of, recipe_of, view_of
from relviz.figures.recipe import Data, Recipe, read_recipe
from relviz.figures.registry import KINDS
from relviz.results.bootstrap import bootstrap_task
from relviz.state import View
from relviz.state.sources import open_pair
from tests.results.made_runs import RUN

GIVEN = ("hand", "run")


def again(recipe: Recipe) -> Recipe:
    """As somebody else reads it from the file."""
    return read_recipe(recipe.to_json())


VIEWS = st.fixed_dictionaries(
    {},
    optional={
        "count": st.integers(2, 5000),
        "seed": st.integers(0, 9999),
        "quantum": st.floats(0, 3).map(lambda x: float(f"{x:g}")),
        "center": st.booleans(),
        "back": st.booleans(),
        "delta": st.integers(0, 100).map(lambda x: x / 100),
        "picks": st.lists(st.integers(0, 59), unique=True, max_size=5).map(tuple),
        **{
            name: st.sampled_from(list(View.labels(name)))
            for name in ("similarity", "projection", "color", "part")
        },
        "method": st.sampled_from([name for name in View.labels("method") if name != "run"]),
    },
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=VIEWS, kind=st.sampled_from([name for name, kind in KINDS.items() if not kind.sources]))
def test_a_view_comes_back_from_its_recipe_at_the_part_that_shows_it(
    made: View, changes: dict[str, object], kind: str
) -> None:
    view = made.with_changes(**changes)
    opened = again(recipe_of(view, kind))
    part = KINDS[kind].part or view.part
    assert view_of(opened) == view.with_changes(part=part)
    assert page_of(opened) == KINDS[kind].page
    assert changes_of(opened) == []
    assert again(recipe_of(view_of(opened), kind)) == again(recipe_of(view.with_changes(part=part), kind))


@pytest.mark.parametrize("kind", [name for name, kind in KINDS.items() if kind.sources])
def test_what_is_made_of_digits_needs_no_pair(made: View, kind: str) -> None:
    view = made.with_changes(de=made.de.with_changes(image=7, latent=2, images=(4, 2)))
    recipe = recipe_of(view, kind)
    assert list(recipe.data) == list(KINDS[kind].sources)
    opened = view_of(again(recipe))
    assert opened.a == View().a
    assert opened.de == view.de.with_changes(part=KINDS[kind].part)


def test_pictures_of_ones_own_are_named_as_the_data(made: View) -> None:
    recipe = recipe_of(made, "swap")
    gone = f"images-{'0' * 32}"
    theirs = replace(
        recipe,
        view=recipe.view.with_changes(de=made.de.with_changes(data=gone)),
        data={gone: recipe.data["digits.pixels"]},
    )
    for ask in (changes_of, tasks_of):
        with pytest.raises(relviz.ReadError, match="not loaded in this browser"):
            ask(again(theirs))


def test_anchors_of_a_run_are_written_with_the_run_s_choices(made: View) -> None:
    task = bootstrap_task(RUN, open_pair(made.a, made.b))
    task.run()
    view = made.with_changes(method="run", run=task.key)
    recipe = again(recipe_of(view, "maps"))
    assert (recipe.view.run, recipe.view.ao) == ("", RUN)
    assert view_of(recipe) == view.with_changes(ao=RUN)
    assert changes_of(recipe) == []
    default_store().remove(task.key)
    (said,) = changes_of(recipe)
    assert "press run" in said.lower()


def test_data_that_is_not_here_is_named_with_what_to_do(made: View) -> None:
    recipe = recipe_of(made, "maps", title="mine")
    absent = f"space-{'0' * 32}"
    gone = replace(
        recipe,
        view=made.with_changes(b=absent),
        data={made.a: recipe.data[made.a], absent: Data("0" * 32, "My encoder", 60, 6)},
    )
    for ask in (changes_of, tasks_of, make):
        with pytest.raises(relviz.ReadError, match=r"'My encoder', 60 rows of 6 dim.*Load the same file"):
            ask(again(gone))


def test_other_data_and_other_versions_are_said(made: View) -> None:
    recipe = recipe_of(made, "measures")
    other = {source: replace(one, digest="1" * 32, rows=7) for source, one in recipe.data.items()}
    changed = replace(recipe, data=other, versions={**recipe.versions, "torch": "1.0", "code": "x"})
    said = changes_of(again(changed))
    assert len(said) == 4
    assert "it was 7 × 6, is 60 × 6" in said[0]
    assert " (recipe: 1.0)" in said[2]
    assert "torch " in said[2]
    assert said[3] == "The code that computes results has changed since."
    found = make(again(changed))
    assert list(found.changes)[:4] == said
    assert make(found.recipe).changes == ()


def opens_or_refuses(text: str) -> None:
    """Whatever it is, it is opened or refused with words, not too few and not too many."""
    said = ["opened as it should be"]
    try:
        recipe = read_recipe(text)
        said += changes_of(recipe)
        view_of(recipe)
    except relviz.Error as reason:
        said.append(str(reason))
    assert all(20 < len(one) < 700 for one in said)


GOOD = recipe_of(View(), "swap").to_json()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, len(GOOD) - 1), cut=st.integers(0, 3), put=st.text(max_size=3))
def test_a_recipe_that_was_damaged_anywhere_is_opened_or_refused(at: int, cut: int, put: str) -> None:
    opens_or_refuses(GOOD[:at] + put + GOOD[at + cut :])


NAMES = st.text(max_size=40) | st.sampled_from(
    ["space-", "space-../../etc/passwd", f"space-{'0' * 32}", "images-x", "emoji.", ".x", "emoji.image_lite0"]
)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(source=NAMES, a=NAMES, run=NAMES)
def test_whatever_data_a_recipe_names_is_here_or_refused(source: str, a: str, run: str) -> None:
    said = json.loads(recipe_of(View(), "maps").to_json())
    said["data"] = {source: next(iter(said["data"].values()))}
    said["view"] |= {"a": a, "run": run, "method": "run"}
    opens_or_refuses(json.dumps(said))


def test_the_same_recipe_twice_is_the_same_to_the_byte(made: View) -> None:
    recipe = recipe_of(made, "maps", {"stars": True, "texts": [9, 11]})
    one = make(recipe)
    assert one.file("svg") == make(again(one.recipe)).file("svg")
    assert one.file("npz") == make(again(one.recipe)).file("npz")
    moved = make(replace(recipe, view=made.with_changes(seed=1)))
    assert one.file("svg") != moved.file("svg")
    assert "differ from those that the recipe noted" in make(replace(moved.recipe, view=made)).changes[0]


def test_more_steps_of_a_run_than_a_page_has_room_for_are_refused(made: View) -> None:
    recipe = recipe_of(made.with_changes(ao=RUN), "run", {"steps": list(range(1, 12))})
    with pytest.raises(relviz.ParameterError, match="11 steps of a run of 8; give 1 to 8"):
        make(recipe)


def test_what_colors_a_map_is_among_its_numbers(made: View) -> None:
    for color, name in (("agreement", "jaccard"), ("cluster_a", "members")):
        one = make(recipe_of(made.with_changes(color=color, clusters=3), "maps"))
        assert list(one.content.columns[name]) == one.content.arrays[name].tolist()


def test_numbers_of_a_map_are_beside_it(made: View) -> None:
    one = make(recipe_of(made, "maps"))
    lines = one.file("csv").decode().splitlines()
    assert lines[0].split(",")[:3] == ["id", "item", "class"]
    assert len(lines) == 61
    assert json.loads(one.file("json"))["numbers"] == one.recipe.numbers


@pytest.mark.parametrize("name", list(shipped_recipes()))
def test_recipes_that_come_with_relviz_can_be_opened(name: str) -> None:
    recipe = shipped_recipes()[name]
    assert (view_of(recipe).a, view_of(recipe).b) == (recipe.view.a, recipe.view.b)
    assert page_of(recipe)
    assert not [said for said in changes_of(recipe) if "not the data" in said]
