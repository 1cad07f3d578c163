"""Recipes: what is written is read back; what is damaged, newer or hostile is one clear error."""

import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relviz
from relviz.figures.gallery import shipped_recipe
from relviz.figures.recipe import LARGEST, Data, Paper, PaperNumber, Recipe, params_in_full, read_recipe
from relviz.state import View
from relviz.state.view import Run

MRR = ("RR table 1", "relative", "FastText → Word2Vec, MRR")
RECIPE = Recipe(
    kind="maps",
    view=View(count=12, picks=(1, 5), quantum=0.25, center=False, ao=Run(seeds=3)),
    options={
        "rows": "relative",
        "stars": True,
        "clicked": 4,
        "pictures": [1, 2],
        "texts": [],
        "points": 9000,
    },
    width=85.0,
    data={"emoji.image_lite0": Data("0" * 32, "Lite0 “ü”", 1906, 1280)},
    versions={"relviz": "0.1.0", "torch": "2.13.0"},
    numbers="ab" * 16,
    title="Maps",
    about="What it shows.",
    paper=Paper(
        "RR table 1",
        "Retrieval",
        "It says so.",
        "Other words.",
        (PaperNumber("MRR", MRR, "mean", {"metric": "mrr_at_k"}, 3),),
    ),
)
SAID = json.loads(RECIPE.to_json())


def changed(**changes: Any) -> str:
    return json.dumps({**SAID, **changes})


def test_what_is_written_is_read_back() -> None:
    assert read_recipe(RECIPE.to_json()) == RECIPE
    assert read_recipe(RECIPE.to_json().encode()) == RECIPE
    assert len(RECIPE.to_json()) < 4000


def test_every_choice_is_written_so_that_other_defaults_change_nothing() -> None:
    said = SAID["view"]
    assert {"seed", "map_seed", "projection", "similarity", "fit_absolute", "k", "delta"} <= said.keys()
    assert View.from_params(params_in_full(View(), "decode", run=True)) == (View(), [])


def test_options_that_are_not_given_are_the_usual_ones() -> None:
    assert read_recipe(changed(options={})).options["rows"] == "both"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "not JSON"),
        ("null", "not JSON"),
        ("[" * 100_000, "nested 100,000 levels deep"),
        ('{"format": 1}', "format is '1'"),
        ('{"format": "relviz workspace 1"}', "format is 'relviz workspace 1'"),
        (RECIPE.to_json()[:-40], "not JSON"),
        (" " * (LARGEST + 1), "the limit is 200000"),
        (changed(kind="pie"), "no kind of figure 'pie'"),
        (changed(kind=["maps"]), "TypeError"),
        (changed(width_mm=5), "width of 5 mm"),
        (changed(width_mm="wide"), "width of wide"),
        (changed(width_mm=float("nan")), "width of nan"),
        (changed(options={"explode": 1}), "no option 'explode'"),
        (changed(options={"clicked": "x"}), "clicked is 'x'"),
        (changed(options={"pictures": [1.5]}), "pictures is"),
        (changed(options={"stars": 1}), "stars is '1'"),
        (changed(options=[]), "AttributeError"),
        (changed(view={"count": "1000000"}), "count = '1000000'"),
        (changed(view={"count": 3}), "should be a text"),
        (changed(view={"projection": "magic"}), "projection = 'magic'"),
        (changed(view={"color_of_the_future": "x"}), "newer one"),
        (changed(view=None), "AttributeError"),
        (changed(data={"a": {}}), "KeyError"),
        (changed(data={"a": {"digest": "x", "name": "y", "rows": "many", "dimension": 1}}), "ValueError"),
        (changed(title="x" * 501), "at most 500"),
        (changed(paper={"place": "RR", "author": "x"}), "TypeError"),
        (changed(paper={"place": "RR", "title": "x", "comparison": [{"words": "MRR"}]}), "KeyError"),
        (
            changed(
                paper={**SAID["paper"], "comparison": [{**SAID["paper"]["comparison"][0], "digits": 99}]}
            ),
            "digits is 99",
        ),
        (
            changed(
                paper={**SAID["paper"], "comparison": [{**SAID["paper"]["comparison"][0], "where": {"a": 1}}]}
            ),
            "text",
        ),
        (changed(about=3), "at most 500"),
        (changed(versions={"torch": 2}), "at most 500"),
    ],
)
def test_a_damaged_recipe_is_one_error_that_says_what_and_what_to_do(text: str, why: str) -> None:
    with pytest.raises(relviz.ReadError, match="Use a complete recipe written by relviz") as caught:
        read_recipe(text)
    assert why in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("number", ["0", "2", "99", "000000007"])
def test_a_recipe_of_another_format_says_so(number: str) -> None:
    with pytest.raises(relviz.ReadError, match="reads format 1"):
        read_recipe(changed(format=f"relviz recipe {number}"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(field=st.sampled_from(sorted(SAID)), value=JSON)
def test_whatever_stands_in_a_field_is_read_or_refused(field: str, value: Any) -> None:
    try:
        found = read_recipe(changed(**{field: value}))
    except relviz.ReadError:
        return
    assert read_recipe(found.to_json()) == found


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_whatever_bytes_are_read_or_refused(raw: bytes) -> None:
    with pytest.raises(relviz.ReadError):
        read_recipe(raw)


HEAD = '{"format": "relviz recipe 1", "kind": "maps", "view": {}, "options": '
ROOM = LARGEST - len(HEAD) - 3


@pytest.mark.parametrize(
    "options",
    [
        f"[{'[],' * (ROOM // 3 - 1)}[]]",
        f"[{'{},' * (ROOM // 3 - 1)}{{}}]",
        "{" + ",".join(f'"{number:x}":0' for number in range(19_000)) + "}",
        f"[{'1000,' * (ROOM // 5 - 1)}1]",
        "9" * ROOM,
        f"{'9' * (ROOM // 2)}e9999",
        "[" * (ROOM // 2) + "]" * (ROOM // 2),
        '"' + "\\u0041" * (ROOM // 6) + '"',
    ],
    ids=["lists", "objects", "names", "numbers", "digits", "float", "nested", "text"],
)
def test_the_worst_that_fits_in_a_recipe_takes_little_memory(options: str) -> None:
    """So it needs no process of its own, as other files do."""
    raw = f"{HEAD}{options}}}".encode()
    assert LARGEST // 2 < len(raw) <= LARGEST
    tracemalloc.start()
    try:
        with pytest.raises(relviz.ReadError, match="cannot be read"):
            read_recipe(raw)
        assert tracemalloc.get_traced_memory()[1] < 10e6
    finally:
        tracemalloc.stop()


def test_the_figure_of_all_pairs_has_the_five_encoders_of_emoji() -> None:
    assert len(shipped_recipe("pairs-emoji").data) == len(relviz.load_demo("emoji").spaces) == 5
