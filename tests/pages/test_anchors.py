"""Anchors: drawn or chosen by hand, where they lie, which classes they cover, and warnings that tell."""

import numpy as np
import pytest
import torch

import relviz
from relviz.state.sources import keep_space
from relviz.state.view import MOST_PICKS
from relviz.ui.anchors import warnings_of
from tests.ui.made import CLASSES, ROWS, TEXTS, small_pair, spaces
from tests.ui.screen import (
    chart,
    finished,
    maps,
    opened,
    pressed,
    said,
    selected,
    stars,
    turned,
    values,
    went,
)


def test_the_stars_are_the_anchors_that_the_library_draws() -> None:
    at = opened("anchors", small_pair() | {"method": "fps", "count": "7", "seed": "2"})
    rows = relviz.select_anchors(relviz.prepare(spaces()[0].vectors), 7, "fps", 2).numpy()
    for pane, points in enumerate(maps(at)):
        np.testing.assert_array_equal(stars(at, pane), points[np.sort(rows)])


def test_it_shows_both_spaces_of_the_emoji() -> None:
    at = opened("anchors")
    assert [len(points) for points in maps(at)] == [1906, 1906]
    assert len(stars(at)) == 300


@pytest.mark.parametrize("page", ["anchors", "compare"])
@pytest.mark.parametrize("picks", ["", "5", "5.900000"])
def test_too_few_by_hand_is_said(page: str, picks: str) -> None:
    at = finished(opened(page, small_pair() | {"method": "hand", "picks": picks}))
    assert "at least 2" in said(at)
    assert not at.error


def test_anchors_are_picked_by_name() -> None:
    at = opened("anchors", small_pair() | {"method": "hand"})
    assert list(at.multiselect[0].options) == TEXTS
    at.multiselect[0].set_value([3, 1, 11])
    went(at)
    assert at.query_params["picks"] == "3.1.11"
    assert len(stars(at)) == 3
    finished(turned(at, "compare"))
    assert at.query_params["picks"] == "3.1.11"
    assert len(stars(at)) == 3
    a, b = (space.vectors for space in spaces())
    table = relviz.anchor_retrieval(a, b, [3, 1, 11], n_draws=1)
    assert f"{np.mean([table.x_to_y.mean['top1'], table.y_to_x.mean['top1']]):.1%}" in said(at)
    assert opened("anchors", at.query_params).multiselect[0].value == [3, 1, 11]


def test_points_selected_on_the_map_become_the_anchors_or_join_them() -> None:
    at = selected(opened("anchors", small_pair() | {"count": "5"}), "anchor_map", [9, 4, 7])
    add = [button for button in at.button if "add" in button.label.lower()]
    assert all(button.disabled for button in add)
    pressed(at, "make")
    assert (at.query_params["method"], at.query_params["picks"]) == ("hand", "4.7.9")
    assert len(stars(at)) == 3
    pressed(selected(at, "anchor_map", [1, 4]), "add")
    assert at.query_params["picks"] == "4.7.9.1"


def test_picks_belong_to_their_pair() -> None:
    at = opened("anchors", small_pair() | {"method": "hand", "picks": "1.2.3"})
    at.selectbox(key="choice_pair").select_index(1)
    went(at)
    assert "picks" not in at.query_params
    assert "method" not in at.query_params


def test_more_picks_than_a_link_holds_cannot_be_made() -> None:
    at = opened("anchors", small_pair() | {"method": "hand"})
    assert at.multiselect[0].proto.max_selections == MOST_PICKS


def test_the_classes_that_have_no_anchor_are_named() -> None:
    evens = [row for row in range(ROWS) if CLASSES[row] == "even"][:4]
    at = opened("anchors", small_pair() | {"method": "hand", "picks": ".".join(map(str, evens))})
    told = next(warning.value for warning in at.warning if "class" in warning.value)
    assert "2 of 3" in told
    assert "odd" in told
    bars = chart(at)["data"][0]
    assert dict(zip(bars["y"], values(bars["x"]), strict=True))["even"] == 4


def test_classes_that_look_like_numbers_are_names() -> None:
    labels = [str(10 * (row % 3)) for row in range(ROWS)]
    a, b = (relviz.Space(space.vectors, labels=labels) for space in spaces())
    figure = chart(opened("anchors", {"a": keep_space(a), "b": keep_space(b), "count": "9"}))
    assert figure["layout"]["yaxis"]["type"] == "category"


def test_per_class_covers_every_class() -> None:
    at = opened("anchors", small_pair() | {"method": "per_class", "count": "9"})
    assert not [warning for warning in at.warning if "class" in warning.value]
    assert list(values(chart(at)["data"][0]["x"])) == [3, 3, 3]


@pytest.mark.parametrize("page", ["anchors", "compare"])
def test_without_classes_there_is_nothing_to_cover(page: str) -> None:
    a, b = (relviz.Space(space.vectors, name=space.name) for space in spaces())
    at = opened(page, {"a": keep_space(a), "b": keep_space(b), "count": "9"})
    assert "class" not in "".join(warning.value for warning in at.warning)
    assert [len(points) for points in maps(at)][:2] == [ROWS, ROWS]


def test_more_anchors_than_rows_is_said() -> None:
    at = opened("anchors", small_pair() | {"count": "500"})
    assert "500" in said(at)
    assert len(stars(at)) == ROWS - 10
    assert "10 remain as queries" in said(at)


def report(k: int = 60, condition: float = 10, deficit: int = 0, cosine: float = 0.5) -> relviz.AnchorReport:
    return relviz.AnchorReport(
        condition_number=condition,
        rank=k - deficit,
        rank_deficit=deficit,
        effective_rank=float(k),
        largest_cosine=cosine,
        closest=(0, 1),
        coverage=torch.full((k,), 1 / k),
    )


ITEMS = tuple(f"item {row}" for row in range(100))


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (report(), []),
        (report(k=49), ["49 anchors are few"]),
        (report(cosine=0.985), ["item 0", "item 1", "0.985"]),
        (report(cosine=0.979), []),
        (report(deficit=7), ["53 of 60"]),
        (report(condition=20_000), ["conditioned"]),
        (report(condition=9_999), []),
        (report(deficit=7, condition=20_000), ["53 of 60"]),
    ],
)
def test_anchors_are_warned_of_for_what_they_are(made: relviz.AnchorReport, words: list[str]) -> None:
    warnings = warnings_of(made, 64, ITEMS)
    assert len(warnings) == bool(words)
    assert all(word in warnings[0] for word in words)


def test_few_anchors_are_enough_for_few_dimensions() -> None:
    assert not warnings_of(report(k=20), 20, ITEMS)
    assert len(warnings_of(report(k=20), 21, ITEMS)) == 1


def test_a_single_anchor_has_no_closest_pair() -> None:
    alone = relviz.AnchorReport(1.0, 1, 0, 1.0, 0.0, None, torch.ones(1))
    assert len(warnings_of(alone, 10, ITEMS)) == 1


def test_twins_among_the_anchors_are_warned_of_on_the_page() -> None:
    a, b = spaces()
    twins = a.vectors.clone()
    twins[9] = twins[8] * 1.001
    params = {"a": keep_space(relviz.Space(twins, items=TEXTS, ids=a.ids)), "b": keep_space(b)}
    at = opened("anchors", params | {"method": "hand", "picks": ".".join(map(str, range(8, 20)))})
    assert any("item 8" in warning.value and "item 9" in warning.value for warning in at.warning)
