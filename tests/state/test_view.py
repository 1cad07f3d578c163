"""A view goes into a URL and comes back the same; a bad link gives the default and says so."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relviz.state import CHOICES, RANGES, View
from relviz.state.view import (
    DECODING_CHOICES,
    DECODING_RANGES,
    MOST_NAMES,
    RUN_CHOICES,
    RUN_RANGES,
    Decoding,
    Names,
    Run,
)


def _values(name: str, default: object, choices: dict = CHOICES, ranges: dict = RANGES) -> st.SearchStrategy:
    if name in choices:
        return st.sampled_from(choices[name])
    if isinstance(default, bool):
        return st.booleans()
    if isinstance(default, Run):
        return runs
    if isinstance(default, Decoding):
        return decodings
    if name in ranges:
        low, high = ranges[name]
        if isinstance(default, int):
            return st.integers(int(low), int(high))
        return st.integers(int(low * 20), int(high * 20)).map(lambda step: step / 20)
    if isinstance(default, Names):
        sources = st.from_regex(r"[a-z]{1,10}[.-][a-z0-9_]{1,32}", fullmatch=True)
        return st.lists(sources, unique=True, max_size=MOST_NAMES).map(Names)
    if isinstance(default, tuple):
        return st.lists(st.integers(0, 10**6), unique=True, max_size=50).map(tuple)
    return st.from_regex(r"[a-z]{1,10}\.[a-z0-9_]{1,20}", fullmatch=True)


decodings = st.builds(
    Decoding,
    **{f.name: _values(f.name, f.default, DECODING_CHOICES, DECODING_RANGES) for f in fields(Decoding)},
)
runs = st.builds(Run, **{f.name: _values(f.name, f.default, RUN_CHOICES, RUN_RANGES) for f in fields(Run)})
views = st.builds(View, **{f.name: _values(f.name, f.default) for f in fields(View)})


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
    assert why in notices[0]
    assert name in notices[0]


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
