"""Every choice is in the URL: a control changes it, a link restores it, a page switch keeps it."""

from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from relviz.state import View
from relviz.ui import state
from tests.ui.made import small_pair
from tests.ui.screen import cells, finished, maps, opened, said, turned, went

CHANGES: dict[str, Any] = {
    "method": "fps",
    "count": 12,
    "seed": 4,
    "similarity": "l1",
    "center": False,
    "quantum": 0.5,
    "projection": "first",
    "spaces": "both",
    "dimensions": "3",
    "color": "cluster_b",
    "fit_absolute": "procrustes",
    "fit_relative": "independent",
    "perplexity": 7,
    "neighbors": 9,
    "map_seed": 3,
    "k": 3,
    "clusters": 5,
    "runs": 2,
    "queries": 30,
}
"""A choice other than the default for everything that Compare has a control for."""

NEEDS = {
    "perplexity": {"projection": "tsne"},
    "neighbors": {"projection": "umap"},
    "map_seed": {"projection": "tsne"},
    "clusters": {"color": "cluster_a"},
}
"""What has to be chosen before a control is there."""


def control(at: AppTest, field: str) -> Any:
    """The one widget that shows and changes a choice."""
    kinds = (at.selectbox, at.number_input, at.slider, at.toggle, at.multiselect, at.segmented_control)
    found = [widget for kind in kinds for widget in kind if widget.key == f"choice_{field}"]
    assert len(found) == 1, (field, found)
    return found[0]


def test_every_choice_that_stands_for_itself_has_a_control_here() -> None:
    given = {"a", "b", "shelf", "picks", "run", "rows", "ao", "de", "se", "unpaired"}
    given |= {
        "back",
        "translate",
        "delta",
        "omega",
        "decided_by",
        "completion",
        "used",
        "item",
        "wide",
        *STITCH,
    }
    assert {field.name for field in fields(View)} - set(CHANGES) == given


@pytest.mark.slow
@pytest.mark.parametrize("field", CHANGES)
def test_a_control_changes_the_link_and_the_link_restores_the_control(field: str) -> None:
    base = small_pair() | {"count": "20"} | NEEDS.get(field, {})
    base.pop(field, None)
    at = opened(params=base)
    assert control(at, field).value != CHANGES[field]
    control(at, field).set_value(CHANGES[field])
    went(at)
    assert View.from_params(at.query_params) == (
        View.from_params(base)[0].with_changes(**{field: CHANGES[field]}),
        [],
    )
    finished(at)  # until then PCA stands in for slow maps
    again = finished(opened(params=at.query_params))
    assert control(again, field).value == CHANGES[field]
    assert again.query_params == at.query_params
    for one, other in zip(maps(at), maps(again), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.slow
@pytest.mark.parametrize("bare", [False, True])
@pytest.mark.parametrize("through_history", [False, True])
def test_an_older_address_is_taken_only_from_the_history(
    bare: bool, through_history: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = opened(params={} if bare else small_pair() | {"count": "20"})
    before = dict(at.query_params)
    control(at, "seed").set_value(4)
    changed = dict(went(at).query_params)
    assert changed != before
    monkeypatch.setattr(state, "_went_through_history", lambda: through_history)
    at.query_params.clear()
    at.query_params.update(before)
    went(at)
    assert control(at, "seed").value == (0 if through_history else 4)
    assert dict(at.query_params) == (before if through_history else changed)


@pytest.mark.parametrize(
    ("field", "moved"),
    [
        ("seed", [False, False, True, True]),
        ("similarity", [False, False, True, True]),
        ("center", [False, False, True, True]),
        ("quantum", [False, False, True, True]),
        ("projection", [True, True, True, True]),
        ("fit_absolute", [False, True, False, False]),
        ("fit_relative", [False, False, False, True]),
        ("color", [False] * 4),
        ("k", [False] * 4),
    ],
)
def test_a_choice_moves_the_maps_that_depend_on_it(field: str, moved: list[bool]) -> None:
    at = opened(params=small_pair() | {"count": "20", "spaces": "both"})
    before = maps(at)
    control(at, field).set_value(3.0 if field == "quantum" else CHANGES[field])
    after = maps(went(at))
    assert [not np.array_equal(one, other) for one, other in zip(before, after, strict=True)] == moved


@pytest.mark.parametrize(
    ("field", "told"), [("k", "k = 3"), ("queries", "30 queries"), ("runs", "seeds 0–1")]
)
def test_a_choice_of_measuring_changes_the_measures(field: str, told: str) -> None:
    at = finished(opened(params=small_pair() | {"count": "8"}))
    before = cells(at, "relative A → B")
    assert told not in said(at)
    control(at, field).set_value(CHANGES[field])
    finished(went(at))
    assert told in said(at)
    assert cells(at, "relative A → B") != before


def test_a_link_with_all_choices_shows_them_all() -> None:
    view = View(**small_pair(), **(CHANGES | {"count": 20, "projection": "tsne"}))
    at = opened(params=view.to_params())
    assert not at.warning
    assert View.from_params(at.query_params) == (view, [])
    shown = {field for field in CHANGES if field != "neighbors"}
    assert {field: control(at, field).value for field in shown} == {
        field: getattr(view, field) for field in shown
    }


STITCH: dict[str, dict[str, str]] = {
    "translate": {},
    "decided_by": {"translate": "irp"},
    "length": {"translate": "irp"},
    "part": {},
    "head": {"part": "heads"},
    "counterparts": {"part": "heads"},
}
"""Choices of the Stitch page, and the part that has them."""


@pytest.mark.parametrize("field", [name for name in View.declared() if View.labels(name)])
def test_every_option_of_a_list_can_be_shown(field: str) -> None:
    page = "stitch" if field in STITCH else "compare"
    params = small_pair() | {"count": "10"} | STITCH.get(field, {})
    options = View.labels(field)
    assert len(control(opened(page, params), field).options) == len(options)
    for option in options:
        at = opened(page, params | {field: option})
        assert control(at, field).value == option


def test_a_bad_link_shows_the_default_and_says_what_it_ignored() -> None:
    bad = small_pair() | {"method": "<b>magic</b>", "count": "-3", "k": "ten", "seed": "5"}
    at = opened(params=bad)
    assert len(at.warning) == 3
    assert all(field in said(at) for field in ("method", "count", "'ten'"))
    assert control(at, "method").value == View().method
    assert control(at, "seed").value == 5
    assert View.from_params(at.query_params)[1] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "source", ["emoji.nothing", "nothing.nothing", "space-" + "0" * 32, "space-../../x", "digits.pixels"]
)
@pytest.mark.parametrize("page", ["compare", "anchors", "data"])
def test_a_link_to_spaces_that_are_not_there_offers_the_way_out(page: str, source: str) -> None:
    at = opened(page, {"a": source})
    assert len(at.error) == 1
    button = next(button for button in at.button if "emoji" in button.label)
    button.click()
    went(at)
    assert not at.error
    assert View.from_params(at.query_params)[0] == View()


def test_a_notice_goes_when_something_is_chosen() -> None:
    at = opened(params=small_pair() | {"method": "magic"})
    assert len(at.warning) == 1
    control(at, "seed").set_value(8)
    went(at)
    assert not at.warning


def test_a_page_switch_keeps_the_view() -> None:
    params = small_pair() | {"count": "20", "seed": "6", "method": "fps", "projection": "first"}
    at = opened(params=params)
    for page in ("anchors", "data", "compare"):
        turned(at, page)
        assert at.query_params == params
    assert control(at, "seed").value == 6


def test_a_link_to_another_page_carries_the_view_on() -> None:
    params = small_pair() | {"count": "20", "seed": "6"}
    at = turned(opened("data", params), "compare")
    assert at.query_params == params
    assert control(at, "count").value == 20


def test_the_pair_is_chosen_by_name() -> None:
    at = opened(params={"count": "10", "runs": "1", "queries": "20"})
    lists = control(at, "pair")
    glosses = next(place for place, words in enumerate(lists.options) if "glosses" in words.lower())
    lists.select_index(glosses)
    went(at)
    assert at.query_params["a"].startswith("glosses.")
    assert [len(points) for points in maps(at)] == [1500] * 2


def test_a_view_with_more_anchors_than_rows_leaves_queries_and_keeps_the_choice() -> None:
    at = finished(opened(params=small_pair() | {"count": "500"}))
    assert "50 anchors" in said(at)
    assert at.query_params["count"] == "500"
