"""A view goes into a URL and comes back the same; a bad link gives the default and says so."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relviz.state import View
from relviz.state.view import Decoding, Run
from tests.state.made_choices import views


@given(views)
def test_a_view_survives_the_url(view: View) -> None:
    assert View.from_params(view.to_params()) == (view, [])


def test_defaults_leave_the_url_empty() -> None:
    assert View().to_params() == {}


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("method", "magic", "is not one of"),
        ("count", "many", "is not a number"),
        ("count", "1e9", "is not a number"),
        ("count", "999999", "between 2 and 5000"),
        ("quantum", "nan", "between 0 and 3"),
        ("center", "maybe", "neither yes nor no"),
        ("picks", "1.two.3", "list of at most"),
        ("picks", ".".join("1" * 3000), "list of at most"),
        ("a", "x" * 500, "too long"),
        ("shelf", "~".join(f"demo.{row}" for row in range(99)), "list of at most"),
        ("shelf", "../../etc", "list of at most"),
        ("ao_method", "magic", "is not one of"),
        ("ao_seeds", "0", "between 1 and 2000"),
        ("ao_hand", "1.x", "list of at most"),
    ],
)
def test_a_bad_choice_is_ignored_and_named(name: str, text: str, why: str) -> None:
    view, notices = View.from_params({name: text, "seed": "7"})
    assert view == View(seed=7)
    assert len(notices) == 1
    assert (notices[0].name, notices[0].asked) == (name, text)
    assert why in notices[0].sentence("The link")


NAMES = [
    *(f.name for f in fields(View)),
    *(f"ao_{f.name}" for f in fields(Run)),
    *(f"de_{f.name}" for f in fields(Decoding)),
]


@given(st.dictionaries(st.sampled_from(NAMES), st.text(max_size=30)))
def test_any_link_gives_a_view(params: dict[str, str]) -> None:
    view, notices = View.from_params(params)
    assert len(notices) <= len(params)
    assert View.from_params(view.to_params())[0] == view


def test_unknown_parameters_are_left_alone() -> None:
    assert View.from_params({"utm_source": "x"}) == (View(), [])


def test_repeated_picks_count_once() -> None:
    assert View.from_params({"picks": "3.1.3"})[0].picks == (3, 1)
